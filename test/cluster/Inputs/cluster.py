#!/usr/bin/env python3
"""A Slurm of one machine, in a folder of its own, while a command runs.

usage: cluster.py FOLDER DEVICES COMMAND...

Starts munged, slurmctld and slurmd on ports that are free, with a node of DEVICES generic resources called `emulated`, runs the
command with SLURM_CONF set, and ends the three. The status is the command's; 125: the cluster did not come up (the logs follow).
"""

import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

CONFIGURATION = """ClusterName=gpuexec
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=emulated
MpiDefault=none
ReturnToService=2
SchedulerParameters=bf_interval=1,sched_interval=1
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 Gres=emulated:{devices} State=UNKNOWN
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.1)
    return False


def main():
    folder, devices, command = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3:]
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("munge", "state", "spool"):
        (folder / name).mkdir(parents=True)
        (folder / name).chmod(0o700 if name != "munge" else 0o755)
    host = socket.gethostname().split(".")[0]
    (folder / "slurm.conf").write_text(CONFIGURATION.format(
        host=host, controller=free_port(), daemon=free_port(), folder=folder, user=getpass.getuser(), devices=devices))
    (folder / "gres.conf").write_text("NodeName=%s Name=emulated Count=%d\n" % (host, devices))
    key = folder / "munge" / "key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    environment = dict(os.environ, SLURM_CONF=str(folder / "slurm.conf"))
    started = []

    def start(*arguments):
        log = open(folder / (os.path.basename(arguments[0]) + ".out"), "w")
        started.append(subprocess.Popen(arguments, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def idle():
        state = subprocess.run(["sinfo", "-h", "-o", "%t"], env=environment, capture_output=True, text=True).stdout
        return state.split() == ["idle"]

    try:
        start("/usr/sbin/munged", "--foreground", "--force", "--key-file=%s" % key, "--socket=%s" % (folder / "munge" / "socket"),
              "--pid-file=%s" % (folder / "munge" / "pid"), "--log-file=%s" % (folder / "munge" / "log"),
              "--seed-file=%s" % (folder / "munge" / "seed"))
        wait_for((folder / "munge" / "socket").exists, 10)
        start("/usr/sbin/slurmctld", "-D", "-f", str(folder / "slurm.conf"))
        start("/usr/sbin/slurmd", "-D", "-f", str(folder / "slurm.conf"))
        if not wait_for(idle, 60):
            for log in sorted(folder.glob("*.out")) + sorted(folder.glob("*.log")):
                print("%s:\n%s" % (log.name, log.read_text(errors="replace")[-2000:]), file=sys.stderr)
            return 125
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL).returncode
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


if __name__ == "__main__":
    sys.exit(main())
