"""What a Dockerfile says, as far as ours goes: stages, each of them instructions."""
import re
from dataclasses import dataclass, field


class Unknown(ValueError):
    pass


@dataclass
class Stage:
    base: str
    name: str
    steps: list = field(default_factory=list)  # (instruction, what stands behind it)


def parse(text):
    stages = []
    joined = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.M))
    for line in filter(str.strip, joined.splitlines()):
        instruction, _, rest = line.strip().partition(" ")
        rest = " ".join(rest.split())
        if instruction == "FROM":
            base, name = re.fullmatch(r"(\S+)(?: AS (\S+))?", rest).groups()
            stages.append(Stage(base, name or ""))
        elif instruction in ("RUN", "COPY", "WORKDIR", "ENTRYPOINT", "CMD") and stages:
            stages[-1].steps.append((instruction, rest))
        else:
            raise Unknown(line)
    return stages


def copied(rest):
    """(stage or "", sources, destination) of a COPY."""
    words = rest.split()
    stage = words.pop(0).partition("=")[2] if words[0].startswith("--from=") else ""
    return stage, words[:-1], words[-1]


def used(stages):
    """Those that the last one is made of, in order."""
    wanted = {len(stages) - 1}
    for i in reversed(range(len(stages))):
        if i in wanted:
            origins = {stages[i].base, *(copied(rest)[0] for instruction, rest in stages[i].steps if instruction == "COPY")}
            wanted |= {k for k in range(i) if stages[k].name in origins and stages[k].name}
    return [stage for i, stage in enumerate(stages) if i in wanted]


def packages(stage):
    """Those that apt-get installs."""
    return {word for instruction, rest in stage.steps if instruction == "RUN" for part in rest.split("&&") if " apt-get install " in part
            for word in part.split(" install ")[1].split() if not word.startswith("-")}
