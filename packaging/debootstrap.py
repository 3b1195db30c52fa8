"""Folders with a Debian in them, by mmdebstrap, which is fetched where the system has none."""
import glob
import os
import shutil
import subprocess


def make_root(build, folder, suite, *options):
    subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)
    program = shutil.which("mmdebstrap")
    if program is None:
        program = build.common("mmdebstrap", "usr", "bin", "mmdebstrap")
        if not os.path.exists(program):
            os.makedirs(build.common("mmdebstrap"), exist_ok=True)
            build.run("apt-get", "-o", "APT::Sandbox::User=", "download", "mmdebstrap", cwd=build.common("mmdebstrap"))
            build.run("dpkg", "-x", glob.glob(build.common("mmdebstrap", "mmdebstrap_*.deb"))[0], build.common("mmdebstrap"))
    build.run("perl", program, "--mode=root", *options, suite, folder)
