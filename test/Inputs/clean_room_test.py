"""Tests of test/clean_room/ that need no Debian archive: clean_room_test.py SOURCE commands|room|killed|remove

The rooms here see this machine's /usr. Run as root of namespaces of its own.
"""

import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(sys.argv[1], "test", "clean_room"))
import clean_room
import namespaces


def make_room():
    for folder in ("proc", "sys", "dev", "tmp", "usr"):
        os.makedirs("room/" + folder)
    for link in ("bin", "sbin", "lib", "lib64"):
        os.symlink("usr/" + link, "room/" + link)
    return os.path.abspath("room")


def start(room, script):
    return namespaces.enter(room, ["bash", "-c", script], ["/usr:/usr:ro"], None)


def processes_in(room):
    """Those whose root folder is the room."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink("/proc/%s/root" % name) == room:
                found.append(int(name))
        except OSError:
            pass
    return found


def wait_for(what, condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    sys.exit("not so within a minute: " + what)


def test_commands():
    print("\n".join(clean_room.readme_commands()))


def test_room():
    room = make_room()
    script = "echo x > /dev/null && echo x > /tmp/written && test $PPID = 1 && test ! -e /etc && ! touch /usr/written 2> /dev/null"
    assert start(room, script).wait() == 0, "what a room is like"
    assert start(room, "exit 3").wait() == 3, "the status of what runs in a room"
    orphan = "bash -c 'sleep 0.2 & echo $! > /tmp/orphan'; for i in {1..100}; do kill -0 $(cat /tmp/orphan) 2> /dev/null || exit 0; sleep 0.1; done; exit 1"
    assert start(room, orphan).wait() == 0, "an orphan that has ended is still there after ten seconds"
    assert not namespaces.mounts_below(room), "mounts after a room was left"
    assert os.listdir(room + "/proc") == [] and os.path.exists(room + "/tmp/written")


def test_killed():
    """Whoever runs the clean room is killed with SIGKILL: nothing of the room goes on."""
    room = make_room()
    child = os.fork()
    if child == 0:
        start(room, "sleep 1000 & (setsid sleep 1000) & wait").wait()
        os._exit(1)
    wait_for("three processes in the room", lambda: len(processes_in(room)) >= 3)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    wait_for("no process in the room", lambda: not processes_in(room))
    assert not namespaces.mounts_below(room)
    namespaces.remove_tree(room)
    assert not os.path.exists(room)


def test_remove():
    """A room in which something is mounted is left alone; unmounted it goes, and what was mounted stays."""
    room = make_room()
    os.mkdir("kept")
    open("kept/file", "w").close()
    subprocess.run(["mount", "--bind", "kept", room + "/tmp"], check=True)
    try:
        namespaces.remove_tree(room)
        sys.exit("removed through a mount")
    except namespaces.RoomError as error:
        assert "something is mounted in it" in str(error), error
    assert os.path.exists("kept/file")
    namespaces.unmount_below(room)
    namespaces.remove_tree(room)
    assert not os.path.exists(room) and os.path.exists("kept/file")


subprocess.run(["rm", "-rf", "--one-file-system", "room", "kept"])
globals()["test_" + sys.argv[2]]()
