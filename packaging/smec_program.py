"""What the program `smec` of a wheel does: it becomes the compiler. No part of the package, which takes longer to load."""
import os
import sys


def main():
    folder = os.path.dirname(os.path.abspath(__file__))
    program = os.path.join(folder, "smec", "_prefix", "bin", "smec")
    os.execv(program, [program, *sys.argv[1:]])
