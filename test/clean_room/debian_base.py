"""The base of every room: a root file system made of Debian's archive alone, packed and kept for a day."""

import fcntl
import os
import subprocess
import time

from namespaces import RoomError, check_tools

SUITES = {  # what is used where this machine's own list names no mirror
    "bookworm": "http://deb.debian.org/debian",
    "bookworm-updates": "http://deb.debian.org/debian",
    "bookworm-security": "http://deb.debian.org/debian-security",
}
DAY = 24 * 3600


def lock(cache, say):
    """One run at a time; returns the open lock file."""
    file = open(os.path.join(cache, "lock"), "w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("waiting for another run")
        fcntl.flock(file, fcntl.LOCK_EX)
    return file


def archive(cache):
    return os.path.join(cache, "base.tar")


def sources():
    """Debian 12's suites with the mirrors that this machine's apt uses for them; nobody else's lists."""
    mirrors = dict(SUITES)
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(ORIGIN)|$(CODENAME)|$(REPO_URI)", "Created-By: Packages"],
        capture_output=True, text=True).stdout
    for line in listed.splitlines():
        origin, suite, uri = line.split("|")
        if origin == "Debian" and suite in mirrors and uri.startswith(("http:", "https:")):
            mirrors[suite] = uri.rstrip("/")
    return ["deb %s %s main" % (uri, suite) for suite, uri in mirrors.items()]


def proxy_options():
    """apt's settings for proxies, as lines of an apt.conf."""
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True).stdout
    return [line for line in dump.splitlines() if line.startswith("Acquire::") and "::proxy" in line.lower()
            and "proxy-auto" not in line.lower() and "proxyauto" not in line.lower() and not line.endswith('"";')]


def refresh(cache, log, say):
    """Makes the base, unless there is one of today that was made from the same sources. Raises RoomError."""
    check_tools()
    lines, options = sources(), proxy_options()
    key = "\n".join(["minbase", *lines, *options]) + "\n"
    key_path, path = os.path.join(cache, "base.key"), archive(cache)
    try:
        with open(key_path) as file:
            if file.read() == key and 0 <= time.time() - os.path.getmtime(path) < DAY:
                say("  kept from %s" % time.strftime("%F %R", time.localtime(os.path.getmtime(path))))
                return
    except OSError:
        pass
    for line in lines:
        say("  " + line)
    command = ["mmdebstrap", "--mode=" + ("root" if os.geteuid() == 0 else "unshare"), "--variant=minbase", "--format=tar"]
    if any(" https:" in line for line in lines):
        command.append("--include=ca-certificates")
    command += ["--aptopt=" + option.rstrip(";") for option in options]
    new = path + ".new"
    environment = dict(os.environ)
    if os.geteuid() == 0:
        environment["TMPDIR"] = os.path.join(cache, "room")  # what a killed run leaves there the next one removes
    status = subprocess.run([*command, "bookworm", new, *lines], env=environment, stdin=subprocess.DEVNULL, stdout=log,
                            stderr=log).returncode
    if status:
        raise RoomError("mmdebstrap could not make the base (status %d): %s" % (status, log.name))
    os.replace(new, path)
    with open(key_path, "w") as file:
        file.write(key)
