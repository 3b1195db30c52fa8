"""The Dockerfile, without Docker: each stage that the last one takes from is a bare Debian, in which its commands run, without a network but
where packages are installed. It builds what docs/install.md says of the archive of the sources, with the packages that are named there."""
import json
import os
import subprocess

import dockerfile
from build import SOURCE, Failed, say
from root import Root, call, expect


def suite(image):
    """Of a name as debian:12."""
    if image != "debian:12":
        raise Failed(f"nothing is known of the image {image}")
    return "bookworm"


class Made:
    """What the instructions of a stage leave: a root, in which later stages go on."""

    def __init__(self, root, sources, others):
        self.root, self.sources, self.others, self.folder, self.said = root, sources, others, "/", {}

    def take(self, instruction, rest):
        if instruction == "WORKDIR":
            self.folder = rest
            os.makedirs(self.root.folder + rest, exist_ok=True)
        elif instruction == "RUN":
            say(f"running {rest[:70]} …")
            self.root.call("sh", "-ec", rest, folder=self.folder, isAlone="apt-get" not in rest)
        elif instruction == "COPY":
            origin, copied, to = dockerfile.copied(rest)
            base = self.others[origin].root.folder if origin else self.sources
            os.makedirs(self.root.folder + to, exist_ok=True)
            for each in copied:
                call("cp", "-a", os.path.join(base, each.strip("/"), "."), self.root.folder + to)
        else:
            self.said[instruction] = json.loads(rest)


def run(build, archive):
    """The archive is built, and the image compiles and runs the example."""
    say("checking the archive and the Dockerfile")
    sources = build.path("check", "sources")
    subprocess.run(["rm", "-rf", sources], check=True)
    os.makedirs(sources)
    call("tar", "-xf", archive, "-C", sources, "--strip-components=1")
    with open(os.path.join(SOURCE, "Dockerfile"), encoding="utf-8") as file:
        stages = dockerfile.parse(file.read())
    made = {}
    for stage in dockerfile.used(stages):
        root = made[stage.base].root if stage.base in made else Root(build, suite(stage.base), name=f"image {stage.name}".strip().replace(" ", "-"))
        made[stage.name] = last = Made(root, sources, made)
        for step in stage.steps:
            last.take(*step)
    words = [*last.said["ENTRYPOINT"], "run", "counter.sme", "--cycles", "10", "--quiet"]
    call("cp", "-a", os.path.join(last.root.folder, "root", "user", "."), last.root.folder + last.folder)
    expect(last.root.wanted, last.root.call(*words, folder=last.folder), "smec run in the image")
    shown = last.root.call(*last.said["ENTRYPOINT"], *last.said["CMD"], folder=last.folder)
    if "smec" not in shown:
        raise Failed(f"the image says {shown}")
