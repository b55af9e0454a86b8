#!/usr/bin/env python3
"""Random C programs on the device and on the host: their checksums must agree.

csmith generates a program per seed, the host's clang compiles and runs it, gpucc compiles it for each architecture at each
optimisation level and gpuexec runs it, with --jit in each of these modes of the emulator's tiers. Several programs share an image, and with --lanes they run in it at the same time, one per lane of
a wave, each through its own indirect call. Programs that do not end on the host in time are skipped and counted, and so
are those on which clang itself crashes, each by name: there is no image to run. Each architecture has a line of totals. A program that differs is kept with the
command lines that show it, and the exit status is 1.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../lit"))
import tier_modes

RUNTIME = os.path.join(HERE, "inputs", "csmith")
RESULT = re.compile(r"^seed (\d+) checksum ([0-9a-f]+)$", re.M)

# Shapes of programs, by the seed: one in six is as large as csmith makes them, which takes most of its time.
VARIANTS = [["--max-funcs", "5"], ["--max-funcs", "6", "--max-block-size", "3"], [],
            ["--max-funcs", "5", "--no-packed-struct", "--max-pointer-depth", "4"],
            ["--max-funcs", "5", "--builtins", "--disable-builtin-kinds", "x86,ppc"],
            ["--max-funcs", "8", "--max-block-depth", "3"]]

TOO_SLOW = "the compiler takes too long"
COMPILER_CRASHED = "PLEASE submit a bug report"  # what clang says of itself after a signal or a failed assertion

DRIVER = """#include <stdio.h>
#include <stdlib.h>
#ifdef __AMDGPU__
#include <gpuintrin.h>
#endif
{declarations}
static int (*const programs[])(int, char **) = {{{names}}};
int main(int argc, char **argv) {{
  static char *arguments[] = {{"csmith", 0}};
#ifdef LANES
  if (__gpu_thread_id_x() < sizeof programs / sizeof *programs)
    return programs[__gpu_thread_id_x()](1, arguments);
  return 0;
#endif
  for (int i = 1; i < argc; ++i)
    programs[atoi(argv[i])](1, arguments);
  return 0;
}}
"""


def run(command, timeout=None, folder=None, extra={}):
    """Return code (124 for a time-out), standard output and error of a command; nothing of it is left running."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                               start_new_session=True, cwd=folder, env={**os.environ, **extra})
    try:
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return 124, out, "timed out"


class Totals:
    """Of an architecture."""

    def __init__(self):
        self.compared = 0
        self.too_slow = set()  # seeds that the compiler takes too long for
        self.crashed = []  # (seed, level) that clang itself does not survive
        self.failed = []  # (seed, level, why)

    def add(self, other):
        self.compared += other.compared
        self.too_slow |= other.too_slow
        self.crashed += other.crashed
        self.failed += other.failed


class Batch:
    """Some seeds that share an image of each architecture."""

    def __init__(self, seeds, options, folder):
        self.seeds, self.options, self.folder = seeds, options, folder
        self.expected = {}  # seed -> checksum
        self.skipped = {}  # seed -> why
        self.totals = {arch: Totals() for arch in options.archs}

    def path(self, name):
        return os.path.join(self.folder, name)

    def source(self, seed):
        return self.path("%d.c" % seed)

    def flags(self, seed):
        return ["-w", "-ffp-contract=off", "-I", RUNTIME, "-DCSMITH_SEED=%d" % seed]

    def build(self, compiler, level, image, seeds, extra=()):
        """Compiles seeds and a driver that runs them by their index; returns an error or None."""
        objects = []
        for seed in seeds:
            target = self.path("%s.%d.o" % (os.path.basename(image), seed))
            status, _, err = run(compiler + [level] + self.flags(seed) + ["-c", self.source(seed), "-o", target], 300)
            if status:
                return "seed %d does not compile: %s" % (seed, err[:2000])
            objects.append(target)
        driver = image + ".driver.c"
        with open(driver, "w") as f:
            f.write(DRIVER.format(declarations="\n".join("int csmith_main_%d(int, char **);" % s for s in seeds),
                                  names=", ".join("csmith_main_%d" % s for s in seeds)))
        status, _, err = run(compiler + [level, "-w", *extra, driver, *objects, "-o", image, "-lm"],
                             self.options.link_seconds)
        if status == 124:
            return TOO_SLOW  # some of csmith's functions take LLVM minutes
        return "driver: " + err[:2000] if status else None

    def on_host(self):
        for seed in self.seeds:
            variant = VARIANTS[seed % len(VARIANTS)]
            status, _, err = run(["csmith", "--seed", str(seed), "--output", self.source(seed)] + variant, 60,
                                 self.folder)  # it leaves platform.info behind
            if status:
                self.skipped[seed] = "csmith: " + err[:200]
        seeds = [s for s in self.seeds if s not in self.skipped]
        image = self.path("host")
        # One process per program: some never end, some need minutes.
        error = self.build(self.options.hostcc, "-O0", image, seeds)
        if error:
            raise SystemExit("host: " + error)
        for index, seed in enumerate(seeds):
            status, out, _ = run([image, str(index)], self.options.host_seconds)
            found = RESULT.findall(out)
            if status or len(found) != 1:
                self.skipped[seed] = "on the host: " + ("timed out" if status == 124 else "status %d" % status)
            else:
                self.expected[seed] = found[0][1]

    def device_command(self, image, arguments, lanes, patience=1):
        threads = ["--threads", str(lanes)] if lanes else []
        return self.options.gpuexec + ["--timeout", str(self.options.device_seconds * patience)] + threads + [image] + arguments

    def compiler(self, arch):
        return self.options.gpucc + ["--arch=" + arch]

    def on_device(self, arch, level, seeds=None):
        seeds = seeds or sorted(self.expected)
        if not seeds:
            return
        totals = self.totals[arch]
        image = self.path("device-%s%s" % (arch, level))
        extra = ["-DLANES"] if self.options.lanes else []
        error = self.build(self.compiler(arch), level, image, seeds, extra)
        culprits = [s for s in seeds if error and "seed %d " % s in error]
        crashed = error and COMPILER_CRASHED in error
        if crashed and culprits:
            totals.crashed += [(s, level) for s in culprits]
            rest = [s for s in seeds if s not in culprits]
            if rest:
                self.on_device(arch, level, rest)
            return
        if (crashed or error == TOO_SLOW) and len(seeds) > 1:  # when linking: whose code it was is not said
            half = len(seeds) // 2
            self.on_device(arch, level, seeds[:half])
            self.on_device(arch, level, seeds[half:])
            return
        if crashed:
            totals.crashed.append((seeds[0], level))
            return
        if error == TOO_SLOW:
            totals.too_slow.add(seeds[0])
            return
        if error:
            totals.failed += [(s, level, error) for s in culprits or seeds[:1]]
            return
        for mode in self.options.modes:
            environment = tier_modes.environment(mode, self.path("kept")) if mode else {}
            for _ in range(tier_modes.times(mode)):
                self.compare(arch, level, image, seeds, environment)

    def compare(self, arch, level, image, seeds, environment):
        totals = self.totals[arch]
        command = self.device_command(image, [] if self.options.lanes else [str(i) for i in range(len(seeds))],
                                      len(seeds) if self.options.lanes else 0)
        status, out, err = run(command, self.options.device_seconds * 2 + 60, extra=environment)
        results = dict((int(s), c) for s, c in RESULT.findall(out))
        found = len(totals.failed)
        for seed in seeds:
            totals.compared += 1
            if results.get(seed) != self.expected[seed]:
                self.alone(arch, seed, level, results.get(seed), environment)
        if status not in (0, 124) and found == len(totals.failed):
            totals.failed.append((seeds[0], level, "programs %s fail only together: status %d: %s" %
                                  (seeds, status, err.strip()[:1500])))
            for seed in seeds:
                self.keep(arch, seed, level, "fails only together with other programs", environment)

    def alone(self, arch, seed, level, together, environment):
        """Judges a program that gave another result, or none, among the others of its image."""
        image = self.path("alone-%s%s" % (arch, level))
        error = self.build(self.compiler(arch), level, image, [seed])
        status, out, err = run(self.device_command(image, ["0"], 0, 5), self.options.device_seconds * 5 + 60, extra=environment)
        results = dict((int(s), c) for s, c in RESULT.findall(out))
        if results.get(seed) == self.expected[seed]:
            if together is None:
                return  # another one ended the image, or all were too slow together
            why = "checksum %s, expected %s, together with other programs only" % (together, self.expected[seed])
        else:
            why = "checksum %s, expected %s" % (results.get(seed), self.expected[seed])
        if error or status:
            why += "; status %d: %s" % (status, (error or err).strip()[:1500])
        if environment:
            why += "; with " + shell_words(environment)
        self.totals[arch].failed.append((seed, level, why))
        self.keep(arch, seed, level, why, environment)

    def keep(self, arch, seed, level, why, environment):
        folder = os.path.join(self.options.keep, "seed-%d-%s%s" % (seed, arch, level))
        os.makedirs(folder, exist_ok=True)
        shutil.copy(self.source(seed), os.path.join(folder, "program.c"))
        with open(os.path.join(folder, "main.c"), "w") as f:
            f.write("int csmith_main_%d(int, char **);\n" % seed +
                    "int main(int argc, char **argv) { return csmith_main_%d(argc, argv); }\n" % seed)
        with open(os.path.join(folder, "show.sh"), "w") as f:
            f.write("#!/bin/sh\n# %s\n# With the argument 1 both print every value.\ncd \"$(dirname \"$0\")\"\n" %
                    why.replace("\n", "\n# "))
            for name, cc, launch, opt in (("host", self.options.hostcc, [], "-O0"),
                                          ("device", self.compiler(arch), self.options.gpuexec, level)):
                f.write(" ".join(cc + [opt] + self.flags(seed) + ["program.c", "main.c", "-lm", "-o", name]) + "\n")
                variables = [shell_words(environment)] if launch and environment else []
                f.write(" ".join(variables + launch + ["./" + name, '"$@"', "> " + name + ".txt"]) + "\n")
            f.write("diff host.txt device.txt\n")
        os.chmod(os.path.join(folder, "show.sh"), 0o755)


def shell_words(environment):
    return " ".join("%s=%s" % item for item in sorted(environment.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpucc", default="gpucc")
    parser.add_argument("--gpuexec", default="gpuexec", help="with its options, as in 'gpuexec --device=emulator'")
    parser.add_argument("--hostcc", default="clang-22")
    parser.add_argument("--arch", default="gfx942", help="architectures, separated by commas")
    parser.add_argument("--jit", default="", help="modes of the emulator's tiers, separated by commas (default: as the "
                        "environment says)")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many seeds")
    parser.add_argument("--seeds", default="", help="these seeds instead, separated by commas")
    parser.add_argument("--levels", default="-O0,-O2", help="optimisation levels, separated by commas")
    parser.add_argument("--lanes", action="store_true", help="the programs of a batch in the lanes of one wave")
    parser.add_argument("--batch", type=int, default=10, help="programs per image")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--host-seconds", type=float, default=0.2, help="skip what runs longer on the host")
    parser.add_argument("--device-seconds", type=int, default=120, help="limit for a batch on the device")
    parser.add_argument("--link-seconds", type=int, default=300, help="skip what LLVM cannot compile in this time")
    parser.add_argument("--minutes", type=float, default=0, help="begin nothing new after so long (0: no limit)")
    parser.add_argument("--keep", default="csmith-failures", help="folder for programs that differ")
    options = parser.parse_args()
    for name in ("gpucc", "gpuexec", "hostcc"):
        setattr(options, name, getattr(options, name).split())
    options.keep = os.path.abspath(options.keep)

    options.archs = options.arch.split(",")
    options.modes = options.jit.split(",")

    seeds = [int(s) for s in options.seeds.split(",") if s] or list(range(options.first, options.first + options.count))
    levels = options.levels.split(",")
    batches = [seeds[i:i + options.batch] for i in range(0, len(seeds), options.batch)]
    programs, skipped = 0, {}
    totals = {arch: Totals() for arch in options.archs}
    started = time.time()

    def work(batch_seeds):
        if options.minutes and time.time() > started + 60 * options.minutes:
            return None
        with tempfile.TemporaryDirectory(prefix="gpuexec-csmith-") as folder:
            batch = Batch(batch_seeds, options, folder)
            batch.on_host()
            for arch in options.archs:
                for level in levels:
                    batch.on_device(arch, level)
            return batch

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for batch in pool.map(work, batches):
            if not batch:
                continue
            programs += len(batch.seeds)
            skipped.update(batch.skipped)
            for arch, found in batch.totals.items():
                totals[arch].add(found)
                for seed, level, why in found.failed:
                    print("FAILED: seed %d at %s for %s: %s" % (seed, level, arch, why), flush=True)
                for seed, level in found.crashed:
                    print("skipped: clang crashes on seed %d at %s for %s" % (seed, level, arch), flush=True)
            print("%d programs, %d comparisons, %d failed" % (programs, sum(t.compared for t in totals.values()),
                                                              sum(len(t.failed) for t in totals.values())),
                  end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)

    for arch, found in totals.items():
        print("csmith: %s %s%s: %d programs, %d comparisons, %d failed, %d programs skipped (on the host too slow or "
              "ended by a signal, or too slow to compile), %d crashes of clang" %
              (arch, " ".join(levels), " in lanes" if options.lanes else "", programs, found.compared, len(found.failed),
               len(skipped.keys() | found.too_slow), len(found.crashed)))
    print("%.0f s" % (time.time() - started))
    if any(found.failed for found in totals.values()):
        print("kept in " + options.keep)
        return 1
    return 0 if all(found.compared for found in totals.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
