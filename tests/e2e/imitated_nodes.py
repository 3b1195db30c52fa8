"""Several machines on this one, for launchers of MPI: each has its own network, name, /dev/shm, processes and identity of the kernel; files are common.

A machine is a set of Linux namespaces, joined to the others by a bridge. The first one is where the test itself runs, so that launchers start there.
"""
import json
import os
import shutil
import signal
import subprocess
import sys

NAMESPACES = ["--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--mount-proc"]
INSIDE = "SME_INSIDE_NODES"
BOOT = "/proc/sys/kernel/random/boot_id"    # what UCX and Open MPI tell machines apart by
# As ssh does, it hands a command line to a shell, and no environment.
AGENT = """#!/bin/sh
while :; do case $1 in -*) shift;; *) break;; esac; done
node=$1; shift
exec nsenter -t "$(cat 'FOLDER/pid.'"$node")" -m -n -u -i -p -- env -i PATH="$PATH" HOME=/ sh -c "$*"
"""


def quietly(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else f"{' '.join(command)}: {done.stderr.strip()}"


def forbidden():
    """(how to get namespaces, None), or (None, why there are none)."""
    if not shutil.which("ip"):
        return None, "there is no 'ip' (package iproute2)"
    why = ""
    for rights in (["--user", "--map-root-user"], []):
        why = quietly("unshare", *rights, *NAMESPACES, "sh", "-c", "hostname probe && mount -t tmpfs none /dev/shm && ip link add name br0 type bridge && "
                      "ip link add name a type veth peer name b && mount --bind /dev/null " + BOOT)
        if why is None:
            return rights, None
    return None, why


def runInside(rights):
    """This program once more, on the first node; returns its status."""
    command = ["unshare", *rights, *NAMESPACES, sys.executable, *sys.argv]
    return subprocess.run(command, check=False, env={**os.environ, INSIDE: "1"}).returncode


def isInside():
    return INSIDE in os.environ


class Nodes:
    """node1 (here) to nodeN."""

    def __init__(self, folder, count):
        self.folder, self.count, self.pids = folder, count, {"node1": os.getpid()}
        self.agent = os.path.join(folder, "agent")
        self.run("mount", "--make-rprivate", "/")
        self.write("agent", AGENT.replace("FOLDER", folder))
        os.chmod(self.agent, 0o755)
        self.write("hosts", "127.0.0.1 localhost\n" + "".join(f"10.77.0.{k} node{k}\n" for k in range(1, count + 1)))
        self.run("mount", "--bind", os.path.join(folder, "hosts"), "/etc/hosts")
        self.run("ip", "link", "set", "lo", "up")
        self.run("ip", "link", "add", "name", "br0", "type", "bridge")
        self.run("ip", "link", "set", "br0", "up")
        for k in range(2, count + 1):
            self.start(f"node{k}")
        for k in range(1, count + 1):
            self.equip(k)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.write(text)

    def run(self, *command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def on(self, node, *command):
        """The words of a command that runs on a node."""
        return list(command) if node == "node1" else ["nsenter", "-t", str(self.pids[node]), "-m", "-n", "-u", "-i", "-p", "--", *command]

    def start(self, node):
        """A process that keeps a node's namespaces alive, and is the first one there: it buries those that nobody waits for."""
        idle = "echo; while :; do sleep 1000 & wait; done"
        p = subprocess.Popen(["unshare", *NAMESPACES, "sh", "-c", idle], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        p.stdout.readline()
        with open(f"/proc/{p.pid}/task/{p.pid}/children", encoding="utf-8") as f:
            self.pids[node] = int(f.read().split()[0])
        self.write(f"pid.{node}", str(self.pids[node]))

    def equip(self, k):
        node = f"node{k}"
        self.write(f"boot.{node}", f"00000000-0000-4000-8000-{k:012}\n")
        self.run("ip", "link", "add", "name", f"port{k}", "type", "veth", "peer", "name", "eth0", "netns", str(self.pids[node]))
        self.run("ip", "link", "set", f"port{k}", "master", "br0", "up")
        self.run(*self.on(node, "sh", "-ec", f"hostname {node}; mount -t tmpfs none /dev/shm; mount --bind '{self.folder}/boot.{node}' {BOOT}; "
                          f"ip link set lo up; ip addr add 10.77.0.{k}/24 dev eth0; ip link set eth0 up"))

    def hide(self, node, path, by=None):
        """A node sees another file, or an empty folder, at a path."""
        self.run(*self.on(node, *(["mount", "--bind", by, path] if by else ["mount", "-t", "tmpfs", "none", path])))

    def show(self, node, path):
        self.run(*self.on(node, "umount", path))

    def bytesFrom(self, k):
        """What has come from a node by its network."""
        done = subprocess.run(["ip", "-s", "-j", "link", "show", f"port{k}"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)[0]["stats64"]["rx"]["bytes"]

    def launch(self, kind, layout):
        """The words that start ranks: how many on each node."""
        hosts = ",".join(f"node{k}:{ranks}" for k, ranks in enumerate(layout, 1) if ranks)
        count = str(sum(layout))
        if kind == "openmpi":
            return ["mpirun.openmpi", "--oversubscribe", "--mca", "plm_rsh_agent", self.agent, "-host", hosts, "-np", count]
        return ["mpirun.mpich", "-launcher", "ssh", "-launcher-exec", self.agent, "-hosts", hosts, "-np", count]

    def close(self):
        for node, pid in self.pids.items():
            if node != "node1":
                os.kill(pid, signal.SIGKILL)
