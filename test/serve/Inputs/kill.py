"""Kills clients, workers and the server at random moments, and looks for what is left.

usage: kill.py GPUEXEC DEVICE FOLDER ROUNDS [SEED]

FOLDER has the images `hello` (prints a line), `much` (prints 1..20000, a number a line), `hang` and `fault`. In each round some
clients run, one process is killed, and then:
  - each client has ended, in time; with status 0 its output is whole, else it has said why on standard error (or was killed)
  - another client runs `hello` as if nothing had happened
In the end nothing is left: no process, no socket, no more descriptors and hardly more memory in the server than in the beginning.
"""

import glob
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

TIMEOUT = 60  # seconds, on a machine with other work


def fail(text):
    sys.exit("FAILED: " + text)


class Server:
    def __init__(self, gpuexec, device, folder):
        self.gpuexec, self.device, self.socket = gpuexec, device, os.path.join(folder, "socket")
        self.start()

    def start(self):
        subprocess.run([self.gpuexec, "serve", "--device=" + self.device, "--socket=" + self.socket, "--workers=3",
                        "--idle-exit=120"], check=True, timeout=TIMEOUT)
        self.process = int(re.match(r"process (\d+),", self.status()).group(1))

    def status(self):
        return subprocess.run([self.gpuexec, "serve", "--socket=" + self.socket, "--status"], check=True, timeout=TIMEOUT,
                              stdout=subprocess.PIPE, text=True).stdout

    def workers(self):
        return [int(number) for number in re.findall(r"worker (\d+):", self.status())]

    def descriptors(self):
        return len(os.listdir("/proc/%d/fd" % self.process))

    def memory(self):
        """KiB."""
        with open("/proc/%d/status" % self.process) as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))

    def is_settled(self):
        return " lent " not in self.status() and "starting" not in self.status()

    def settle(self):
        end = time.monotonic() + TIMEOUT
        while not self.is_settled():
            if time.monotonic() > end:
                fail("the server does not come to rest: " + self.status())
            time.sleep(0.02)


def is_alive(process):
    try:
        with open("/proc/%d/stat" % process) as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def kill(process):
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Client:
    """A program that runs. Its output is read all the time: one whose pipe is full keeps its worker, and another client, whose
    end is waited for first, might wait for that."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        self.out, self.err = self.process.communicate()

    def has_ended(self):
        self.reader.join(TIMEOUT)
        return not self.reader.is_alive()


def check_client(name, client, expected, killed, anything):
    """A client has ended as it must. anything: a worker or the server was killed."""
    if not client.has_ended():
        fail("%s hangs" % name)
    status, out, err = client.process.returncode, client.out, client.err
    if killed:
        return
    right = (status, out) == expected[name][:2]
    if right or (anything and status == 125 and err.startswith("gpuexec: error: ")):
        return
    fail("%s: status %d, %d bytes of output, %r" % (name, status, len(out), err[-300:]))


def main():
    gpuexec, device, folder, rounds = sys.argv[1:4] + [int(sys.argv[4])]
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else random.randrange(1 << 30)
    print("seed %d" % seed, flush=True)
    chance = random.Random(seed)
    server = Server(gpuexec, device, folder)
    own = os.getpid()
    much = "".join("%d\n" % i for i in range(1, 20001))
    expected = {"hello": (0, "hello\n", []), "much": (0, much, []), "fault": (139, "", []), "hang": (124, "", ["--timeout=1"])}

    def start(name):
        return Client([gpuexec, "--server=" + server.socket] + expected[name][2] + [os.path.join(folder, name)])

    check_client("hello", start("hello"), expected, False, False)
    server.settle()
    descriptors, memory = server.descriptors() - len(server.workers()) * 2, server.memory()
    victims = {"client": 0, "worker": 0, "server": 0}
    for turn in range(rounds):
        names = [chance.choice(sorted(expected)) for _ in range(chance.randint(1, 4))]
        victim = chance.choice(["client", "client", "worker", "worker", "server"] if turn % 4 == 0 else ["client", "worker"])
        clients = [start(name) for name in names]
        workers = server.workers() if victim == "worker" else []
        time.sleep(chance.random() * chance.choice([0.01, 0.05, 0.2]))
        if victim == "client":
            clients[0].process.kill()
        elif victim == "worker" and workers:
            kill(chance.choice(workers))
        elif victim == "server":
            before = server.workers()
            kill(server.process)
        victims[victim] += 1
        for index, (name, client) in enumerate(zip(names, clients)):
            check_client(name, client, expected, victim == "client" and index == 0, victim != "client")
        if victim == "server":
            end = time.monotonic() + TIMEOUT
            while any(map(is_alive, before)):
                if time.monotonic() > end:
                    fail("workers have outlived their server: %s" % before)
                time.sleep(0.01)
            server.start()
            check_client("hello", start("hello"), expected, False, False)
            server.settle()
            descriptors, memory = server.descriptors() - len(server.workers()) * 2, server.memory()
        check_client("hello", start("hello"), expected, False, False)
    server.settle()
    now = server.descriptors() - len(server.workers()) * 2
    if now > descriptors:
        fail("the server has %d descriptors besides its workers', it had %d" % (now, descriptors))
    if server.memory() > memory + 2048:
        fail("the server has grown from %d to %d KiB" % (memory, server.memory()))
    workers = server.workers()
    subprocess.run([gpuexec, "serve", "--socket=" + server.socket, "--stop"], check=True, timeout=TIMEOUT)
    end = time.monotonic() + TIMEOUT
    while any(map(is_alive, workers + [server.process])) or os.path.exists(server.socket):
        if time.monotonic() > end:
            fail("left behind: %s" % [p for p in workers + [server.process] if is_alive(p)])
        time.sleep(0.02)
    left = [path for path in glob.glob(os.path.join(folder, "socket*")) if not path.endswith((".lock", ".log"))]
    if left:
        fail("files left behind: %s" % left)
    print("%d rounds, killed: %s; nothing is left" % (rounds, ", ".join("%s %d" % pair for pair in victims.items())))
    assert own == os.getpid()


main()
