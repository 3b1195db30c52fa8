"""`python -m smec` is `smec`: the compiler that this package calls."""
import os
import sys

from ._compile import compiler
from ._errors import CompileError


def main() -> None:
    try:
        program = compiler()
        os.execvp(program, [program, *sys.argv[1:]])
    except CompileError as problem:
        sys.exit(f"smec: {problem}")
    except OSError as problem:
        sys.exit(f"smec: cannot run '{program}': {problem.strerror}")


main()
