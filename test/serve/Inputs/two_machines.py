"""A server and a client in two network namespaces, joined by a pair of virtual interfaces.

usage: two_machines.py GPUEXEC FOLDER

FOLDER has the images `hello`, `hang` (prints "started" first) and a key. It checks that
  - hello runs
  - a server that is killed while a program runs is told by the client: 125, in words
  - a client that is killed gives the device back
  - a client or a server that vanishes (the interface is down) is noticed by the other side within half a minute
"""

import os
import re
import subprocess
import sys
import time

TIMEOUT = 60
SERVER, CLIENT = "10.99.7.1", "10.99.7.2"


def fail(text):
    sys.exit("FAILED: " + text)


class Machine:
    """A network namespace, which lasts as long as a process in it."""

    def __init__(self):
        self.keeper = subprocess.Popen(["unshare", "-n", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.keeper.stdout.readline()

    def command(self, *arguments):
        return ["nsenter", "-n", "-t", str(self.keeper.pid), *arguments]

    def run(self, *arguments, **options):
        return subprocess.run(self.command(*arguments), timeout=TIMEOUT, **options)

    def interface(self, name, address):
        self.run("ip", "address", "add", address + "/24", "dev", name, check=True)
        self.run("ip", "link", "set", name, "up", check=True)


class Test:
    def __init__(self, gpuexec, folder):
        self.gpuexec, self.folder = gpuexec, folder
        self.server, self.client = Machine(), Machine()
        subprocess.run(["ip", "link", "add", "name", "gx%d" % os.getpid(), "type", "veth", "peer", "name", "here", "netns",
                        str(self.client.keeper.pid)], check=True)
        subprocess.run(["ip", "link", "set", "gx%d" % os.getpid(), "netns", str(self.server.keeper.pid), "name", "there"], check=True)
        self.server.interface("there", SERVER)
        self.client.interface("here", CLIENT)
        self.socket = folder + "/socket"

    def serve(self):
        self.server.run(self.gpuexec, "serve", "--device=emulator:0", "--socket=" + self.socket, "--listen=tcp://%s:7777" % SERVER,
                        "--key=" + self.folder + "/key", "--workers=2", "--idle-exit=120", check=True)

    def status(self):
        return subprocess.run([self.gpuexec, "serve", "--socket=" + self.socket, "--status"], check=True, timeout=TIMEOUT,
                              stdout=subprocess.PIPE, text=True).stdout

    def start(self, image):
        return subprocess.Popen(self.client.command(self.gpuexec, "--server=tcp://%s:7777" % SERVER,
                                                    "--server-key=" + self.folder + "/key", self.folder + "/" + image),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def start_hang(self):
        client = self.start("hang")
        if client.stdout.readline() != "started\n":
            fail("hang does not start: %r" % client.communicate()[1])
        return client

    def end_of(self, what, client, words):
        begin = time.monotonic()
        try:
            err = client.communicate(timeout=TIMEOUT)[1]
        except subprocess.TimeoutExpired:
            fail("%s: the client hangs" % what)
        if client.returncode != 125 or words not in err:
            fail("%s: status %d, %r" % (what, client.returncode, err))
        print("%s: %s (%.1f s)" % (what, err.strip(), time.monotonic() - begin), flush=True)

    def wait_until_free(self, what):
        begin = time.monotonic()
        while " lent " in self.status():
            if time.monotonic() - begin > TIMEOUT:
                fail("%s: the device is not given back: %s" % (what, self.status()))
            time.sleep(0.1)
        print("%s: the device is free again" % what, flush=True)

    def hello(self):
        client = self.start("hello")
        out, err = client.communicate(timeout=TIMEOUT)
        if (client.returncode, out) != (0, "hello\n"):
            fail("hello: status %d, %r, %r" % (client.returncode, out, err))

    def link(self, state):
        self.client.run("ip", "link", "set", "here", state, check=True)

    def all(self):
        self.serve()
        self.hello()
        client = self.start_hang()
        client.kill()
        client.wait()
        self.wait_until_free("client killed")
        self.hello()
        client = self.start_hang()
        os.kill(int(re.match(r"process (\d+),", self.status()).group(1)), 9)
        self.end_of("server killed", client, "the server")
        self.serve()
        self.hello()
        client = self.start_hang()
        self.link("down")
        self.end_of("machine gone", client, "no sign of life")
        self.wait_until_free("machine gone")
        self.link("up")
        self.hello()
        subprocess.run([self.gpuexec, "serve", "--socket=" + self.socket, "--stop"], check=True, timeout=TIMEOUT)
        print("two machines: all is well")

    def end(self):
        for machine in (self.server, self.client):
            machine.keeper.stdin.close()
            machine.keeper.wait()


def main():
    test = Test(*sys.argv[1:3])
    try:
        test.all()
    finally:
        test.end()


main()
