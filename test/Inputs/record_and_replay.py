"""gpuexec for `check.py --run-through` and for the bundle's `run.py --recordings`: runs a program once, recorded, and once more from
the recording by each player. On the emulated device a replay finds an empty file system with nothing but the player and its libraries,
no network, no input and no environment; on a GPU an empty folder, no input and no environment, because the driver needs its own files.
Output and status must be the same; then they are this command's.

Usage: record_and_replay.py [--log=FILE] GPUEXEC [options] IMAGE [arguments]

A line of JSON for each player goes to the log: test, threads, player, and why there was no replay or what differed.
"""

import ctypes
import fcntl
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET = 0x20000, 0x10000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 0x40000
FAILED, TIMED_OUT = 99, 124
# With these there is nothing to record, or the program's end is not its own affair.
PLAIN = re.compile(r"--?(help|version|list-devices|complete|repeat|until-fail|service|sandbox|sandbox-weak|isolate|dir|replay|replay-live"
                   r"|record|record-standalone|compare|no-parallelism|junit|server)(=.*)?$")
# What is also meant for gpuexec's replay.
BOTH = re.compile(r"--?(device|stats|check|emulator-threads|timeout|fault-report|jit-cache)(=.*)?$")
# Ask for reports: of times, of the waves that were first, and gpu-replay has none.
REPORTS = re.compile(r"--?(stats|stats-json|check|rpc-stats|verbose|v|print-resource-usage|trace|timings)(=.*)?$")
TAKES_VALUE = re.compile(r"--?(threads|blocks)(-[xyz])?$|--?(device|server|timeout|kernel|constructors|stack-size|recursion-size|heap-size|trace|timings"
                         r"|stats-json|jit-cache|emulator-threads|env)$")
# docs/recording.md, "What is not recorded".
BY_NATURE = {"program/ended-from-outside.c": "is ended by signals that gpuexec gets, and this command is not gpuexec",
             "program/closed-pipe.c": "prints until its reader goes away, and this command reads all"}
# Their waves race, and what they print says who was first: with a schedule that repeats, which gpu-replay has not.
RACES = {"program/atomics-order.c": "prints how often a wave was first, which only a schedule repeats"}
# On a GPU, where no schedule can be recorded, and lanes of a wave come apart in another way each time.
RACES_ON_GPU = {**RACES, "libc/heap_aligned.c": "prints where its threads' memory was, which depends on who was first"}
# In 4096 threads; fewer are replayed.
TOO_LARGE = {"libc/long_strings.c": "prints 4 GB, which a replay holds in memory three times"}
GRID = re.compile(r"--?(?:threads|blocks)(?:-[xyz])?(?:=(\d+))?$")


def libraries(program):
    """Paths of the shared libraries that the program is linked with, the dynamic linker among them."""
    text = subprocess.run(["ldd", program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"(/[^ ]+) \(0x", text)


def make_root(player, root):
    """An empty file system but for a player and the emulator, where a package would put them."""
    emulator = os.path.join(os.path.dirname(player), "..", "lib", "gpuexec", "libhsa-runtime64.so.1")
    files = {player: "usr/bin/" + os.path.basename(player), emulator: "usr/lib/gpuexec/libhsa-runtime64.so.1"}
    for program in (player, emulator):
        for library in libraries(program):
            files[library] = library.lstrip("/")
    for source, name in files.items():
        target = os.path.join(root, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)
    os.mkdir(os.path.join(root, "proc"))


def root_of(player):
    """That file system, made anew when the player has changed. Several tests may want it at once, and runs may be in the one before:
    so it is complete before it has its name, and never changed."""
    emulator = os.path.join(os.path.dirname(player), "..", "lib", "gpuexec", "libhsa-runtime64.so.1")
    os.makedirs(os.path.join(os.path.dirname(player), "..", "test"), exist_ok=True)
    made_of = "-".join("%x" % os.stat(file).st_mtime_ns for file in (player, emulator))
    root = os.path.join(os.path.dirname(player), "..", "test", "empty-root-%s-%s" % (os.path.basename(player), made_of))
    with open(os.path.join(os.path.dirname(root), "empty-root.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(root):
            unfinished = tempfile.mkdtemp(dir=os.path.dirname(root))
            make_root(player, unfinished)
            os.chmod(unfinished, 0o755)
            os.rename(unfinished, root)
    return root


def enter(root, with_proc):
    """To be called in the child."""
    libc = ctypes.CDLL(None, use_errno=True)
    flags = CLONE_NEWNET if os.geteuid() == 0 else CLONE_NEWUSER | CLONE_NEWNET
    if libc.unshare(flags | CLONE_NEWNS):
        libc.unshare(CLONE_NEWUSER | CLONE_NEWNS)
    if with_proc:
        libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None)
        libc.mount(b"/proc", os.path.join(root, "proc").encode(), None, MS_BIND | MS_REC, None)
    os.chroot(root)
    os.chdir("/")


def split(arguments):
    """gpuexec's own options, and why not all of them can be recorded; nothing when they can."""
    own, i = [], 0
    while i < len(arguments) and arguments[i].startswith("-") and arguments[i] not in ("-", "--"):
        count = 2 if TAKES_VALUE.match(arguments[i]) else 1
        own.append(arguments[i:i + count])
        i += count
    plain = [words[0] for words in own if PLAIN.match(words[0])]
    return own, plain[0].split("=")[0] if plain else "" if i < len(arguments) else "no image"


def threads(own):
    count = 1
    for words in own:
        match = GRID.match(words[0])
        if match:
            count *= int(match.group(1) or (words[1] if len(words) > 1 and words[1].isdigit() else 1))
    return count


def value_of(own, option, default):
    """The last value that gpuexec's own options give to one."""
    for words in own:
        name, given, value = words[0].lstrip("-").partition("=")
        if name == option:
            default = value if given else words[1]
    return default


def device_of(own):
    return value_of(own, "device", "emulator").split(":")[0]


def time_limit(own):
    return float(value_of(own, "timeout", 240))


def outputs():
    """Where output goes; nothing when that is nothing that can be caught."""
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
    """(status, output, messages) of a command."""
    err = subprocess.STDOUT if how == "together" else subprocess.PIPE
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=err, **more)
    except subprocess.TimeoutExpired:
        return "no end", b"", b""
    return done.returncode, done.stdout, done.stderr or b""


def own_messages(text):
    """gpuexec's own messages, without addresses."""
    return re.sub(rb"0x[0-9a-f]+", b"0x", b"\n".join(re.findall(rb"^gpuexec: .*", text, re.M)))


class Player:
    def __init__(self, gpuexec, name):
        self.name, self.program = name, os.path.join(os.path.dirname(gpuexec), name)
        self.is_own = name == "gpuexec"

    def reason_against(self, first):
        if not self.is_own and test_name() in RACES:
            return RACES[test_name()]
        if not self.is_own and first[0] == TIMED_OUT:
            return "ended by a time limit"
        return ""

    def replay(self, content, own, how):
        device = device_of(own)
        if device != "emulator":
            return self.replay_on_gpu(content, own, how, device)
        root = root_of(self.program)
        fd, recording = tempfile.mkstemp(prefix="recording-", dir=root)
        try:
            with open(fd, "wb") as file:
                file.write(content)
            return run(["/usr/bin/" + self.name] + self.options("/" + os.path.basename(recording), own, "emulator"), how, stdin=subprocess.DEVNULL, timeout=300,
                       env={"GPUEXEC_SERVER": "off", **{name: os.environ[name] for name in os.environ if name.startswith("GPUEXEC_EMULATOR")}},
                       preexec_fn=lambda: enter(root, not self.is_own))
        finally:
            os.unlink(recording)

    def replay_on_gpu(self, content, own, how, device):
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(prefix="recording-") as recording:
            recording.write(content)
            recording.flush()
            return run([self.program] + self.options(recording.name, own, device), how, stdin=subprocess.DEVNULL, cwd=folder,
                       timeout=60 + time_limit(own), env={"GPUEXEC_SERVER": "off", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")})

    def options(self, recording, own, device):
        if self.is_own:
            return ["--replay", recording] + [word for words in own if BOTH.match(words[0]) for word in words]
        return ["--device=" + device, recording]

    def difference(self, first, second, own, how):
        """A line on what is not the same; nothing when all is."""
        # Reports of the device and messages of gpuexec's own are not the program's.
        reports = (b"gpuexec: " in first[1] + first[2] or any(REPORTS.match(words[0]) for words in own)
                   or "GPUEXEC_EMULATOR_JIT" in os.environ)
        for what, a, b in zip(("status", "output", "messages"), first, second):
            if reports and (what == "messages" or what == "output" and how == "together"):
                a, b = (own_messages(text) if self.is_own else b"" for text in (a, b))
            if a != b and what == "status":
                return "status %s, recorded %s: %r" % (b, a, (second[2] or second[1])[:1500])
            if a != b:
                return "another %s: %r, recorded %r" % (what, b[-1500:], a[-1500:])
        return ""


def test_name():
    return os.environ.get("LIT_CURRENT_TESTCASE", "").split(" :: ")[-1]


def log(path, own, player, reason="", difference=""):
    if not path:
        return
    line = json.dumps({"test": test_name(), "threads": threads(own), "player": player, "not_recorded": reason, "difference": difference})
    with open(path, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(line + "\n")


def record(gpuexec, arguments, how):
    """How the recorded run ended, and the recording."""
    fd, recording = tempfile.mkstemp(prefix="recording-")
    os.close(fd)
    try:
        schedule = ["--record-schedule=1"] if test_name() in RACES else []
        end = run([gpuexec, "--record", recording] + schedule + arguments, how)
        with open(recording, "rb") as file:
            content = file.read()
    finally:
        os.unlink(recording)
    warning = re.compile(rb"^gpuexec: warning: %s will hold .*\n" % re.escape(recording.encode()), re.M)
    return (end[0], warning.sub(b"", end[1]), warning.sub(b"", end[2])), content


def main():
    path = sys.argv.pop(1)[len("--log="):] if sys.argv[1].startswith("--log=") else ""
    gpuexec, arguments = sys.argv[1], sys.argv[2:]
    players = [Player(gpuexec, name) for name in ("gpuexec", "gpu-replay")]
    own, reason = split(arguments)
    reason = reason or BY_NATURE.get(test_name(), "") or threads(own) == 4096 and TOO_LARGE.get(test_name(), "") or ""
    if device_of(own) != "emulator":
        reason = reason or RACES_ON_GPU.get(test_name(), "")
    how = outputs()
    if not how:
        reason = reason or "output that is no file and no pipe"
    if reason:
        for player in players:
            log(path, own, player.name, reason)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it
        os.execv(gpuexec, [gpuexec] + arguments)
    first, content = record(gpuexec, arguments, how)
    sys.stdout.buffer.write(first[1])
    sys.stdout.flush()
    sys.stderr.buffer.write(first[2])
    failed = False
    for player in players:
        if not content:
            reason = (first[1] + first[2]).decode(errors="replace").strip()[-200:]
        reason = reason or player.reason_against(first)
        difference = "" if reason else player.difference(first, player.replay(content, own, how), own, how)
        log(path, own, player.name, reason, difference)
        if difference:
            sys.stderr.write("%s: %s\n" % (player.name, difference))
            failed = True
    if failed and os.environ.get("KEEP_RECORDINGS"):
        with tempfile.NamedTemporaryFile(prefix="recording-", delete=False) as file:
            file.write(content)
        sys.stderr.write("recording %s\n" % file.name)
    if failed:
        sys.exit(FAILED)
    if first[0] < 0:
        sys.stderr.flush()
        if -first[0] in (signal.SIGPIPE, signal.SIGINT):  # Python has its own ideas of them
            signal.signal(-first[0], signal.SIG_DFL)
        os.kill(os.getpid(), -first[0])
    sys.exit(first[0])


if __name__ == "__main__":
    main()
