"""gpuexec for `check.py --run-through`: runs a program once, recorded, and once more from the recording. The replay finds an
empty file system with nothing but gpuexec and its libraries, no network, no input and no environment. Output and status must be
the same; then they are this command's.

Usage: record_and_replay.py GPUEXEC [options] IMAGE [arguments]
"""

import ctypes
import fcntl
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
FAILED = 99
# With these there is nothing to record, or the program's end is not its own affair.
PLAIN = re.compile(r"--?(help|version|list-devices|complete|repeat|until-fail|service|sandbox|sandbox-weak|isolate|dir|replay|replay-live|record"
                   r"|no-parallelism|junit)(=.*)?$")
# What is also meant for the replay.
BOTH = re.compile(r"--?(device|stats|stats-json|check|emulator-threads|timeout|fault-report|jit-cache)(=.*)?$")
TAKES_VALUE = re.compile(r"--?(threads|blocks)(-[xyz])?$|--?(device|server|timeout|kernel|constructors|stack-size|heap-size|trace|timings"
                         r"|stats-json|jit-cache|emulator-threads|env)$")


def libraries(program):
    """Paths of the shared libraries that the program is linked with, the dynamic linker among them."""
    text = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"(/[^ ]+) \(0x", text)


def make_root(gpuexec, root):
    """An empty file system but for gpuexec, where a package would put it."""
    emulator = os.path.join(os.path.dirname(gpuexec), "..", "lib", "gpuexec", "libhsa-runtime64.so.1")
    files = {gpuexec: "usr/bin/gpuexec", emulator: "usr/lib/gpuexec/libhsa-runtime64.so.1"}
    for program in (gpuexec, emulator):
        for library in libraries(program):
            files[library] = library.lstrip("/")
    for source, name in files.items():
        target = os.path.join(root, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)


def root_of(gpuexec):
    """That file system, made anew when gpuexec has changed. Several tests may want it at once."""
    root = os.path.join(os.path.dirname(gpuexec), "..", "test", "empty-root")
    os.makedirs(root, exist_ok=True)
    with open(root + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        there = os.path.join(root, "usr/bin/gpuexec")
        if not os.path.exists(there) or os.path.getmtime(there) < os.path.getmtime(gpuexec):
            shutil.rmtree(root)
            make_root(gpuexec, root)
    return root


def enter(root):
    """To be called in the child."""
    libc = ctypes.CDLL(None, use_errno=True)
    flags = CLONE_NEWNET if os.geteuid() == 0 else CLONE_NEWUSER | CLONE_NEWNET
    if libc.unshare(flags):
        libc.unshare(CLONE_NEWUSER)
    os.chroot(root)
    os.chdir("/")


def split(arguments):
    """gpuexec's own options, and whether all of them can be recorded."""
    own, i = [], 0
    while i < len(arguments) and arguments[i].startswith("-") and arguments[i] not in ("-", "--"):
        count = 2 if TAKES_VALUE.match(arguments[i]) else 1
        own.append(arguments[i:i + count])
        i += count
    return own, i < len(arguments) and not any(PLAIN.match(words[0]) for words in own)


def without_warning(text, recording):
    return re.sub(rb"^gpuexec: warning: %s will hold .*\n" % re.escape(recording.encode()), b"", text, flags=re.M)


def outputs():
    """Where output goes: (stdout, stderr) are None if they are nothing that can be caught."""
    kinds = []
    for fd in (1, 2):
        try:
            kinds.append(os.fstat(fd))
        except OSError:
            return None
    if any(not (stat.S_ISREG(kind.st_mode) or stat.S_ISFIFO(kind.st_mode)) and kind.st_rdev != os.stat("/dev/null").st_rdev
           for kind in kinds):
        return None
    same = (kinds[0].st_dev, kinds[0].st_ino) == (kinds[1].st_dev, kinds[1].st_ino)
    return "together" if same else "apart"


def run(command, how, **more):
    err = subprocess.STDOUT if how == "together" else subprocess.PIPE
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=err, **more)
    return done.returncode, done.stdout, done.stderr or b""


def main():
    gpuexec, arguments = sys.argv[1], sys.argv[2:]
    own, can_record = split(arguments)
    how = outputs()
    if not can_record or not how:
        os.execv(gpuexec, [gpuexec] + arguments)
    root = root_of(gpuexec)
    fd, recording = tempfile.mkstemp(prefix="recording-", dir=root)
    os.close(fd)
    try:
        first = run([gpuexec, "--record", recording] + arguments, how)
        first = (first[0], without_warning(first[1], recording), without_warning(first[2], recording))
        again = [word for words in own if BOTH.match(words[0]) for word in words]
        name = "/" + os.path.basename(recording)
        second = run(["/usr/bin/gpuexec", "--replay", name] + again, how, stdin=subprocess.DEVNULL, env={"GPUEXEC_SERVER": "off"},
                     preexec_fn=lambda: enter(root))
    finally:
        if not os.environ.get("KEEP_RECORDINGS"):
            os.unlink(recording)
    sys.stdout.buffer.write(first[1])
    sys.stdout.flush()
    sys.stderr.buffer.write(first[2])
    if first != second:
        for what, a, b in zip(("status", "output", "messages"), first, second):
            if a != b:
                sys.stderr.write("replay: another %s: %r, recorded %r\n" % (what, b if what == "status" else b[-1500:], a if what == "status" else a[-1500:]))
        sys.stderr.write("replay: recording %s\n" % recording)
        sys.exit(FAILED)
    if first[0] < 0:
        os.kill(os.getpid(), -first[0])
    sys.exit(first[0])


main()
