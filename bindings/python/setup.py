"""The extension over sme/simulation.h, whose header is the checkout's or that of an installed smec."""
import glob
import os
import subprocess

from setuptools import Extension, setup

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.environ.get("SMEC_CHECKOUT") or os.path.dirname(os.path.dirname(HERE))


def include():
    """The folder that has sme/simulation.h."""
    folder = os.path.join(CHECKOUT, "runtime", "include")
    if os.path.exists(os.path.join(folder, "sme", "simulation.h")):
        return folder
    try:
        found = subprocess.run(["pkg-config", "--variable=includedir", "smec"], stdout=subprocess.PIPE, text=True, check=True)
        return found.stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit("sme/simulation.h is neither in ../../runtime/include nor where pkg-config finds smec") from None


setup(
    ext_modules=[
        Extension(
            "smec._core",
            sorted(os.path.relpath(path, HERE) for path in glob.glob(os.path.join(HERE, "src", "*.cpp"))),
            include_dirs=[include()],
            define_macros=[("SMEC_CHECKOUT", f'"{CHECKOUT}"')],
            extra_compile_args=["-std=c++17", "-O2", "-fvisibility=hidden", "-fno-strict-aliasing"],
            language="c++",
        )
    ]
)
