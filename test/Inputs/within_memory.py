"""Runs a command with little memory.

  within_memory.py MIB COMMAND...   limits the address space; prints the status and how much memory was used
  within_memory.py sweep COMMAND... with limits from 50 to 800 MiB; prints the status of each run
"""
import resource
import subprocess
import sys


def run(mib, command):
    limit = mib << 20
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))


how, command = sys.argv[1], sys.argv[2:]
if how == "sweep":
    for mib in range(50, 800, 18):
        done = run(mib, command)
        lines = done.stderr.decode(errors="replace").splitlines()
        print("%d: %d line%s" % (done.returncode, len(lines), "" if len(lines) == 1 else "s: " + "|".join(lines)))
else:
    done = run(int(how), command)
    sys.stdout.write(done.stdout.decode())
    sys.stdout.write(done.stderr.decode())
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    print("status %d, %s memory" % (done.returncode, "little" if used < 512 else "%d MiB of" % used))
