"""Programs of another processor on this one: QEMU, and what of a Debian for that processor they ask for, Python among it. Nothing of it is
installed in the system."""
import glob
import os
import shlex

from debootstrap import make_root

PACKAGES = ("libc6", "python3-minimal", "libpython3-stdlib")


def words(build):
    """What stands before such a program."""
    qemu = build.common("emulator", "qemu", "usr", "bin", f"qemu-{build.architecture.name}-static")
    root = build.path("emulated")
    if not os.path.exists(qemu):
        os.makedirs(build.common("emulator"), exist_ok=True)
        build.run("apt-get", "-o", "APT::Sandbox::User=", "download", "qemu-user-static", cwd=build.common("emulator"))
        build.run("dpkg", "-x", glob.glob(build.common("emulator", "qemu-user-static_*.deb"))[0], build.common("emulator", "qemu"))
    if not os.path.exists(os.path.join(root, "usr", "bin", "python3")):
        make_root(build, root, "bookworm", f"--architectures={build.architecture.debian}", "--variant=extract", "--skip=check/qemu", f"--include={','.join(PACKAGES)}")
    return [qemu, "-L", root]


def wrap(build, path):
    """The system starts no program of another processor: in its place stands a script that does. Beside it, since programs look for
    what is theirs beside themselves."""
    own = path + ".emulated"
    os.rename(path, own)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {shlex.join(words(build))} {shlex.quote(own)} "$@"\n')
    os.chmod(path, 0o755)
