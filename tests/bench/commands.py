"""Runs commands with limits, and says what they cost."""
import os
import resource
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass


class Failed(Exception):
    """A command that ended badly, or a result that is not there."""


class Unfinished(Exception):
    """A command that exceeded its limit of time or memory."""


@dataclass
class Finished:
    out: str
    err: str
    cpuSeconds: float
    peakMiB: float  # of the largest process


def limitMemory(bytesAtMost):
    resource.setrlimit(resource.RLIMIT_AS, (bytesAtMost, bytesAtMost))


def killed(process, late):
    late.set()
    os.killpg(process.pid, signal.SIGKILL)


def textOf(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def run(command, cwd, seconds, gigabytes=0, environment=None):
    """Runs a command in a process group of its own, which is killed after `seconds`. gigabytes: of address space; 0: no limit."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        before = (lambda: limitMemory(int(gigabytes * 2**30))) if gigabytes else None
        process = subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                                   preexec_fn=before, env=dict(os.environ, CCACHE_DISABLE="1", **(environment or {})))
        late = threading.Event()
        timer = threading.Timer(seconds, killed, (process, late))
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        if late.is_set():
            raise Unfinished(f"did not finish in {seconds:g} s")
        return checked(command, process.returncode,
                       Finished(textOf(out), textOf(err), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), gigabytes)


def checked(command, status, finished, gigabytes):
    if status == 0:
        return finished
    told = (finished.err or finished.out)[-2000:]
    memoryWords = ("bad_alloc", "out of memory", "cannot allocate memory", "memory exhausted", "out of swap space")
    if gigabytes and any(word in told.lower() for word in memoryWords):
        raise Unfinished(f"needs more than {gigabytes:g} GiB")
    raise Failed(f"{' '.join(map(str, command))}: status {status}\n{told}")
