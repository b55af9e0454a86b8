#!/usr/bin/env python3
"""The README on a fresh Debian 12: what a machine needs that has nothing of ours, and nothing of this machine's.

usage: clean_room.py [all|run]   (./check --clean-room[=run])

Makes a root file system of Debian's archive alone, clones the repository's last commit into it, and carries out there what
the README says, word for word ('run': without ./check, which takes longest). Then it compiles and runs programs for each
target with what was built, with an installed copy whose build folder is gone, and with the Debian package in a second
fresh root file system. The last line on standard output says for each part whether it passed; the exit status is 1 when
one failed. Needs root, or user namespaces with newuidmap. No GPU is visible in a room.

A room is a folder below the cache folder. Whatever is mounted in it is mounted in namespaces of the process that uses it
(enter.sh), and is gone with that process. Between runs only the packed base and downloaded packages are kept.
"""

import os
import re
import signal
import subprocess
import sys
import time

import debian_base
from namespaces import RoomError, as_root, enter, leave, remove_tree, unmount_below

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CLONE = "/home/gpuexec"  # /root is closed to the other users of the tests
PREFIX = "/opt/gpuexec"
TOOLKIT = "/usr/local/cuda"  # where a room sees the CUDA toolkit
FAILURE_LINES = 25
HEARTBEAT = 60  # seconds


def say(text):
    print("clean-room: " + text, file=sys.stderr, flush=True)


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "gpuexec", "clean-room")


def readme_commands():
    """The commands of the README's section 'Two commands', as they stand there."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        section = file.read().split("\n## Two commands\n", 1)[1].split("\n## ", 1)[0]
    return [line.split("#", 1)[0].strip() for line in section.splitlines() if line.startswith("    ./")]


def toolkit_of_host():
    """The CUDA toolkit's folder on this machine, or None."""
    for folder in (os.environ.get("CUDA_PATH"), "/usr/local/cuda"):
        if folder and all(os.access(os.path.join(folder, "bin", tool), os.X_OK) for tool in ("ptxas", "nvlink")):
            return os.path.realpath(folder)
    return None


class Run:
    """One run: its rooms, its log, and how each part ended."""

    def __init__(self, cache):
        self.cache = cache
        self.folder = os.path.join(cache, "room")
        self.log_path = os.path.join(cache, "log")
        self.log = open(self.log_path, "wb")
        self.debs = os.path.join(cache, "debs")
        self.results = []  # (part, "passed" | "failed" | "skipped", seconds)

    def step(self, room, command, binds=()):
        """Runs a command in a room; raises RoomError when it fails. What it writes goes to the log."""
        self.log.write(("\n== in %s: %s\n" % (room, command)).encode())
        self.log.flush()
        began = os.path.getsize(self.log_path)
        binds = ["%s:/var/cache/apt/archives" % self.debs, *binds]
        process = enter(os.path.join(self.folder, room), ["bash", "-c", command], binds, self.log)
        status = None
        try:
            while status is None:
                try:
                    status = process.wait(HEARTBEAT)
                except subprocess.TimeoutExpired:
                    say("  ... " + self.progress(began))
        finally:
            leave(process)
        if status:
            raise RoomError("status %d: %s" % (status, command), self.written_since(began)[-FAILURE_LINES:])

    def progress(self, began):
        """One line about what goes on in the room."""
        lines = self.written_since(began) or ["nothing said yet"]
        if "(what ninja says is in " in lines[-1]:
            try:
                with open(os.path.join(self.folder, "room" + CLONE, "build/build.log"), errors="replace") as file:
                    lines += [line for line in file.read().splitlines() if line.startswith("[")][-1:]
            except OSError:
                pass
        return lines[-1][:150]

    def written_since(self, offset):
        with open(self.log_path, "rb") as file:
            file.seek(offset)
            return file.read().decode(errors="replace").replace("\r", "\n").strip().splitlines()

    def part(self, name, action, needs=()):
        """Carries out a part unless one that it needs has failed. `action` returns why it is skipped, or None."""
        number = len(self.results) + 1
        missing = [part for part, result, _ in self.results if part in needs and result != "passed"]
        if missing:
            say("part %d, %s: cannot be tried: '%s' has failed" % (number, name, missing[0]))
            self.results.append((name, "failed", 0))
            return
        say("part %d: %s" % (number, name))
        started = time.time()
        result = "passed"
        try:
            reason = action()
            if reason:
                result = "skipped"
                say("  skipped: " + reason)
        except (RoomError, OSError) as error:
            result = "failed"
            say("  failed: %s" % error)
            for line in getattr(error, "lines", []):
                print("  | " + line, file=sys.stderr)
        seconds = time.time() - started
        say("  %s, %d s" % (result, seconds))
        self.results.append((name, result, seconds))

    def unpack(self, room):
        """A fresh room of the base."""
        path = os.path.join(self.folder, room)
        os.makedirs(path)
        as_root(["tar", "-x", "--numeric-owner", "-f", debian_base.archive(self.cache), "-C", path, "--exclude=./dev/*"], self.log)
        for name in ("resolv.conf", "hosts"):
            if os.path.exists("/etc/" + name):
                as_root(["cp", "-L", "/etc/" + name, os.path.join(path, "etc", name)], self.log)

    def clone(self):
        head = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, text=True)
        if head.returncode:
            raise RoomError("%s cannot be cloned: %s" % (ROOT, head.stderr.strip().split("\n")[0]))
        commit = head.stdout.strip()
        if subprocess.run(["git", "-C", ROOT, "status", "--porcelain"], capture_output=True).stdout:
            say("  note: there are changes that are not committed; they are not tested")
        # By way of a folder of this user's: the room's files belong to its root.
        copy = os.path.join(self.folder, "clone")
        for command in (["git", "clone", "-q", "--no-hardlinks", "--no-checkout", ROOT, copy],
                        ["git", "-C", copy, "checkout", "-q", "--detach", commit]):
            if subprocess.run(command, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL).returncode:
                raise RoomError("%s: see %s" % (" ".join(command), self.log_path))
        as_root(["cp", "-R", copy, os.path.join(self.folder, "room") + CLONE], self.log)
        say("  commit %s" % commit[:12])

    def programs(self, room, target, binaries, examples, toolkit=None):
        binds = [HERE + ":/clean_room:ro"]
        if target == "sm_90":
            if not toolkit:
                return "this machine has no CUDA toolkit ($CUDA_PATH, /usr/local/cuda)"
            binds.append("%s:%s:ro" % (toolkit, TOOLKIT))
        self.step(room, "/clean_room/programs.sh %s %s %s" % (target, binaries, examples), binds)
        return None

    def every_target(self, room, binaries, examples, toolkit):
        for target in ("gfx942", "ptx", "sm_90"):
            reason = self.programs(room, target, binaries, examples, toolkit)
            if reason:
                say("  sm_90 as a cubin not tried: " + reason)

    def pack(self):
        build = CLONE + "/build"
        self.step("room", "apt-get update -q && apt-get install -qy --no-install-recommends $(cd %s && "
                  "bash -c '. cmake/setup.sh; packages_for package') && cmake --build %s --target products && "
                  "cd %s && cpack" % (CLONE, build, build))
        made = os.path.join(self.folder, "room" + build, "gpuexec_")
        as_root(["sh", "-c", 'cp "$1"*.deb "$2"', "sh", made, os.path.join(self.folder, "gpuexec.deb")], self.log)

    def install(self, toolkit):
        build = CLONE + "/build"
        self.step("room", "cmake --build %s --target products && cmake --install %s --prefix %s" % (build, build, PREFIX))
        # From here on nothing may look into the folder that it was built in.
        self.step("room", "mv %s /root/moved-away && chmod 0 /root/moved-away && rm -rf /root/.cache" % CLONE)
        self.every_target("room", PREFIX + "/bin", PREFIX + "/share/gpuexec/examples", toolkit)

    def install_package(self, toolkit):
        self.unpack("second-room")
        as_root(["cp", os.path.join(self.folder, "gpuexec.deb"), os.path.join(self.folder, "second-room/tmp")], self.log)
        self.step("second-room", "dpkg-deb -f /tmp/gpuexec.deb Package Version Depends Recommends Suggests && apt-get update -q && "
                  "apt-get install -qy --no-install-recommends /tmp/gpuexec.deb")
        self.every_target("second-room", "/usr/bin", "/usr/share/gpuexec/examples", toolkit)

    def finish(self):
        self.log.close()
        remove_tree(self.folder)


def carry_out(run, what):
    """All parts in their order."""
    toolkit = toolkit_of_host()
    commands = readme_commands()
    run.part("base", lambda: debian_base.refresh(run.cache, run.log, say) or run.unpack("room"))
    run.part("clone", run.clone, ["base"])
    last = "clone"
    for command in commands:
        if command == "./check" and what == "run":
            run.part(command, lambda: "left out (--clean-room=run)", [last])
            continue
        run.part(command, lambda command=command: run.step("room", "cd %s && %s" % (CLONE, command)), ["clone", commands[0]])
    built = [commands[0]] if commands else ["the README's commands"]
    if not commands:
        run.results.append(("the README's commands", "failed", 0))
    for target, name in (("gfx942", "gfx942"), ("sm_90", "sm_90 with a toolkit"), ("ptx", "sm_90 as PTX")):
        run.part(name, lambda target=target: run.programs("room", target, CLONE + "/build/bin", CLONE + "/examples", toolkit), built)
    run.part("cpack", run.pack, built)
    run.part("installed copy", lambda: run.install(toolkit), built)
    run.part("Debian package", lambda: run.install_package(toolkit), ["cpack"])


def main(arguments):
    """Returns the results as (part, result, seconds), or None when no room can be made here."""
    what = arguments[0] if arguments else "all"
    if what not in ("all", "run"):
        say("error: --clean-room=%s: neither 'all', 'run', 'portable' nor 'container'" % what)
        return None
    started = time.time()
    cache = cache_folder()
    try:
        os.makedirs(os.path.join(cache, "debs", "partial"), exist_ok=True)
        lock = debian_base.lock(cache, say)
        unmount_below(os.path.join(cache, "room"))
        remove_tree(os.path.join(cache, "room"))  # an earlier run was killed
        run = Run(cache)
        os.makedirs(run.folder)
    except (RoomError, OSError) as error:
        say("error: %s" % error)
        return None
    say("log: %s" % run.log_path)
    try:
        carry_out(run, what)
    finally:
        say("removing the rooms")
        run.finish()
        lock.close()
    say("%d s; log: %s" % (time.time() - started, run.log_path))
    return run.results


def summary(results):
    return "clean room: " + ", ".join("%s %s" % (part, result) for part, result, _ in results)


def interrupted(number, frame):
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGHUP, interrupted)
    try:
        results = main(sys.argv[1:])
    except KeyboardInterrupt:
        say("interrupted; the rooms are removed")
        sys.exit(130)
    if results is None:
        print("clean room: failed")
        sys.exit(1)
    print(summary(results), flush=True)
    sys.exit(any(result == "failed" for _, result, _ in results))
