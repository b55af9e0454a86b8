"""Starts `gpuexec serve --foreground` as systemd starts a service whose socket it has opened, twice with the same socket.

usage: activate.py GPUEXEC SOCKET IMAGE

The first program connects before there is a server. The socket stays when a server ends: it is not the server's.
"""

import os
import socket
import subprocess
import sys

TIMEOUT = 60


def fail(what):
    sys.exit("activate.py: " + what)


def start(gpuexec, listener, notify):
    """The server's process: descriptor 3 is the socket, and LISTEN_PID its own number, which a shell knows that becomes it."""
    command = 'exec 3<&%d; LISTEN_PID=$$ exec "$@"' % listener.fileno()
    return subprocess.Popen(["bash", "-c", command, "bash", gpuexec, "serve", "--foreground", "--device=emulator", "--idle-exit=30"],
                            env=dict(os.environ, LISTEN_FDS="1", NOTIFY_SOCKET=notify), pass_fds=(listener.fileno(),),
                            stdin=subprocess.DEVNULL)


def main():
    gpuexec, path, image = sys.argv[1:4]
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen(16)
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    told.bind(path + ".notify")
    told.settimeout(TIMEOUT)
    for turn in range(2):
        program = subprocess.Popen([gpuexec, "--server=" + path, image], stdout=subprocess.PIPE, text=True)
        server = start(gpuexec, listener, path + ".notify")
        message = told.recv(4096).decode()
        if "READY=1" not in message.split("\n"):
            fail("the server says %r" % message)
        output = program.communicate(timeout=TIMEOUT)[0]
        if program.returncode or output != "hello\n":
            fail("status %d, output %r" % (program.returncode, output))
        subprocess.run([gpuexec, "serve", "--socket=" + path, "--status"], check=True, stdout=subprocess.DEVNULL, timeout=TIMEOUT)
        subprocess.run([gpuexec, "serve", "--socket=" + path, "--stop"], check=True, timeout=TIMEOUT)
        if server.wait(timeout=TIMEOUT):
            fail("the server ended with status %d" % server.returncode)
        if not os.path.exists(path):
            fail("the server has removed a socket that is not its own")
        print("server %d: ready, served, stopped" % (turn + 1), flush=True)


main()
