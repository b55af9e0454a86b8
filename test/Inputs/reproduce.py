"""Records a program whose waves race, and shows that the recorded schedule repeats its run.

Usage: reproduce.py GPUEXEC [--times=N] [--seeds=N] [--with=OPTION]... [options] IMAGE [arguments]

Recorded with several seeds the program must end in more than one way (output and status together); --seeds=1: it need not. The
recording of the first seed is replayed N times; each time with the next --with, if there are any. Output and status must be those of
the recorded run.
"""

import collections
import os
import subprocess
import sys
import tempfile


def run(command, variables=()):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, **dict(variables)})
    return (done.returncode, done.stdout), done.stderr


def main():
    gpuexec, times, seeds, more, words = sys.argv[1], 3, 8, [], sys.argv[2:]
    while words[0].startswith(("--times=", "--seeds=", "--with=")):
        name, value = words.pop(0).split("=", 1)
        if name == "--times":
            times = int(value)
        elif name == "--seeds":
            seeds = int(value)
        else:
            more.append(value)
    gpuexec = gpuexec.split()
    with tempfile.TemporaryDirectory() as folder:
        ends = {}
        for seed in range(1, seeds + 1):
            recording = os.path.join(folder, str(seed))
            ends[seed], err = run(gpuexec + ["--record", recording, "--record-schedule=%d" % seed] + words)
            if b"error" in err:
                sys.exit("seed %d: %s" % (seed, err.decode(errors="replace")))
        print("%d seeds: %d different ends" % (seeds, len(set(ends.values()))))
        if seeds > 1 and len(set(ends.values())) < 2:
            sys.exit("the program does not depend on the schedule: %r" % (ends[1],))
        same = collections.Counter()
        for time in range(times):
            option = more[time % len(more)] if more else ""
            # NAME=VALUE is a variable of the environment.
            variables = [option.split("=", 1)] if option[:1].isupper() else []
            options = [option] if option and not variables else []
            again, err = run(gpuexec + ["--replay", os.path.join(folder, "1")] + options, variables)
            if again != ends[1]:
                sys.exit("replay %d (%s) differs: %r instead of %r\n%s"
                         % (time + 1, option, again, ends[1], err.decode(errors="replace")))
            same[option] += 1
        print("replayed %d of %d" % (sum(same.values()), times))


main()
