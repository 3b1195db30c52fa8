"""Programs run in folders, with the processor time that they took."""
import os
import resource
import shutil
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


class Failed(Exception):
    pass


class Ran:
    """`cpu`: of it and of what it started; `wall`: from start to end. Seconds."""

    def __init__(self, out, cpu, wall):
        self.out, self.cpu, self.wall = out, cpu, wall


def must(*words, folder, timeout=3600, env=None):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    p = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=timeout,
                       check=False, env={**os.environ, **(env or {})})
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode != 0:
        raise Failed(f"{' '.join(words)[:300]}: status {p.returncode}\n{p.stdout[-1500:]}{p.stderr[-1500:]}")
    return Ran(p.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def firmware(work, name="firmware", size=65536, *options):
    """Builds it, and returns what each of its rounds gives, by this machine's compiler."""
    prefix, source = "riscv64-unknown-elf-", os.path.join(HERE, "firmware.c")
    must(prefix + "gcc", "-O2", "-march=rv32i", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-fno-tree-loop-distribute-patterns", *options, "-T",
         os.path.join(HERE, "firmware.ld"), source, "-o", f"{name}.elf", "-lgcc", folder=work)
    must(prefix + "objcopy", "-O", "binary", f"{name}.elf", f"{name}.bin", folder=work)
    with open(os.path.join(work, f"{name}.bin"), "rb") as f:
        code = f.read().ljust(size, b"\0")
    with open(os.path.join(work, f"{name}.hex"), "w", encoding="utf-8") as f:
        f.writelines(f"{int.from_bytes(code[i:i + 4], 'little'):08x}\n" for i in range(0, size, 4))
    must("gcc", "-O1", "-DHOST", source, "-o", "host", folder=work)
    return int(must("./host", folder=work).out)


class TimedYosys:
    """A `yosys` on the search path that notes what the real one took: so the import's own share is known."""

    def __init__(self, work):
        self.folder, self.note = os.path.join(work, "timed"), os.path.join(work, "yosys.times")
        os.makedirs(self.folder, exist_ok=True)
        path = os.path.join(self.folder, "yosys")
        with open(path, "w", encoding="utf-8") as f:
            f.write(f'#!/usr/bin/env bash\n"{shutil.which("yosys")}" "$@"\nstatus=$?\ntimes > "{self.note}"\nexit $status\n')
        os.chmod(path, 0o755)

    def env(self):
        return {"PATH": self.folder + os.pathsep + os.environ["PATH"]}

    def seconds(self):
        with open(self.note, encoding="utf-8") as f:
            children = f.read().splitlines()[1].split()
        return sum(int(minutes) * 60 + float(rest) for minutes, rest in (word.rstrip("s").split("m") for word in children))
