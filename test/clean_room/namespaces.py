"""Namespaces for a room: what is root there, how it is entered and how it is removed."""

import os
import shutil
import signal
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SEARCH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PROXIES = ("http_proxy", "https_proxy", "ftp_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


class RoomError(Exception):
    """Something failed in or about a room; `lines` are the last ones of its output."""

    def __init__(self, message, lines=()):
        super().__init__(message)
        self.lines = list(lines)


def rooting():
    """The command before another one that makes this user root over a range of identities; nothing for root."""
    return [] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--map-auto"]


def check_tools():
    """Raises RoomError with the name of what this machine lacks."""
    for tool, package in (("mmdebstrap", "mmdebstrap"), ("unshare", "util-linux"), ("setpriv", "util-linux"), ("git", "git")):
        if not shutil.which(tool):
            raise RoomError("%s is missing (Debian: apt-get install %s)" % (tool, package))
    if os.geteuid() == 0:
        return
    if not shutil.which("newuidmap"):
        raise RoomError("newuidmap is missing, which who is not root needs (Debian: apt-get install uidmap)")
    done = subprocess.run([*rooting(), "unshare", "--mount", "true"], stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise RoomError("no user namespace for who is not root (/etc/subuid?): " + done.stderr.strip())


def as_root(command, log):
    """Runs a command as root, or as root of a user namespace that can own what a room has; raises RoomError."""
    if subprocess.run([*rooting(), *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log).returncode:
        raise RoomError("failed: " + " ".join(command))


def enter(root, command, binds, log):
    """Starts a command in a room and returns its process. Whoever kills this process, or the one that started it, kills
    all that runs in the room; the mounts go with it."""
    variables = ["HOME=/root", "PATH=" + SEARCH]
    variables += ["%s=%s" % (name, os.environ[name]) for name in (*PROXIES, "GPUEXEC_JOBS") if name in os.environ]
    return subprocess.Popen(
        [*rooting(), "setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child=KILL",
         os.path.join(HERE, "enter.sh"), root, *binds, "--", "/usr/bin/env", "-i", *variables, *command],
        stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)


def leave(process):
    """Ends what enter() has started."""
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
    process.wait()


def mounts_below(folder):
    """The mount points in this folder that this process sees."""
    with open("/proc/self/mountinfo") as file:
        points = [line.split()[4].encode().decode("unicode_escape") for line in file]
    folder = os.path.realpath(folder) + "/"
    return [point for point in points if point.startswith(folder)]


def unmount_below(folder):
    for point in reversed(mounts_below(folder)):
        subprocess.run(["umount", "-l", point])


def remove_tree(folder):
    """Removes a room, never through a mount."""
    if not os.path.lexists(folder):
        return
    if mounts_below(folder):
        raise RoomError("%s: something is mounted in it; it is not removed" % folder)
    as_root(["rm", "-rf", "--one-file-system", folder], None)
