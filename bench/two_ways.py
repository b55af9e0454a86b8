# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that are compiled in two ways, and what the first way costs beside the second: for bench/exceptions and bench/signals."""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

import common


class Comparison:
    """ways: {name: options of the compiler}, two of them. programs: {name: Program}."""

    def __init__(self, compiler, ways, programs):
        self._compiler, self._ways, self._programs = compiler, ways, programs

    def main(self, usage_text):
        """Parses the command line, builds, measures, prints the table. usage_text: the script's docstring in three parts."""
        what, usage, how = usage_text.split("\n\n", 2)
        parser = argparse.ArgumentParser(usage=usage[len("usage: "):], description=what + "\n\n" + how,
                                         formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--device", default="emulator")
        parser.add_argument("--arch", default="gfx942")
        parser.add_argument("--runs", type=int, default=5)
        places = parser.add_mutually_exclusive_group()
        places.add_argument("--build")
        places.add_argument("--programs")
        parser.add_argument("names", nargs="*", metavar="PROGRAM", help=", ".join(self._programs))
        arguments = parser.parse_args()
        names = arguments.names or list(self._programs)
        if set(names) - set(self._programs):
            parser.error("no program %s" % ", ".join(sorted(set(names) - set(self._programs))))
        if arguments.build:
            os.makedirs(arguments.build, exist_ok=True)
            self._build(arguments.build, arguments.arch, names)
            return
        with tempfile.TemporaryDirectory() as folder:
            if not arguments.programs:
                self._build(folder, arguments.arch, names)
            results = {name: self._compare(arguments.programs or folder, name, arguments.device, arguments.runs) for name in names}
        self._print(results)

    def _build(self, folder, arch, names):
        for name in names:
            for way, options in self._ways.items():
                program = self._programs[name]
                subprocess.run([common.tool(self._compiler), "--arch=" + arch, "-O2", *program.options, *options, program.source,
                                "-o", os.path.join(folder, name + "." + way)], check=True)

    def _compare(self, folder, name, device, runs):
        """{way: [milliseconds, instructions, bytes]}"""
        commands = {way: [os.path.join(folder, name + "." + way), *self._programs[name].arguments] for way in self._ways}
        rows = {way: [math.inf, 0, os.path.getsize(command[0])] for way, command in commands.items()}
        printed = set()
        for _ in range(runs):
            for way, command in commands.items():
                output, time, _ = measure(command, device, False)
                printed.add(output)
                rows[way][0] = min(rows[way][0], time)
        if device == "emulator":
            for way, command in commands.items():
                rows[way][1] = measure(command, device, True)[2]
        if len(printed) != 1:
            sys.exit("%s prints different things in the two ways" % name)
        return rows

    def _print(self, results):
        first, second = self._ways
        print("%s; start in ms, size in KiB, %s and %s" % (common.machine(), first, second))
        rows, ratios = [], []
        for name, row in results.items():
            pairs = [(row[first][i], row[second][i]) for i in range(3)]
            ratios.append([a / b if b else 1 for a, b in pairs])
            rows.append([name, "%.2f" % pairs[0][0], "%.2f" % pairs[0][1], *pairs[1], pairs[2][0] >> 10, pairs[2][1] >> 10,
                         *("%.3f" % ratio for ratio in ratios[-1])])
        means = ["%.3f" % math.exp(sum(math.log(ratio[i]) for ratio in ratios) / len(ratios)) for i in range(3)]
        common.table(["program", "start", "", "instructions", "", "size", "", "start", "instructions", "size"], rows + [["mean", *[""] * 6, *means]])


class Program:
    """A source, what it is compiled with in both ways, and the arguments of the program."""

    def __init__(self, source, options=(), arguments=()):
        self.source, self.options, self.arguments = source, options, arguments


def measure(command, device, statistics):
    """(what the program printed, milliseconds of its start, instructions or None)"""
    with tempfile.NamedTemporaryFile() as file:
        option = ("--stats-json=" if statistics else "--timings=") + file.name
        run = subprocess.run([common.tool("gpuexec"), "--device=" + device, option, *command], stdout=subprocess.PIPE)
        if run.returncode:
            sys.exit("%s: status %d" % (" ".join(command), run.returncode))
        report = json.load(open(file.name))
    if statistics:
        return run.stdout, None, next(kernel["instructions"] for kernel in report["kernels"] if kernel["kernel"] == "_start")
    return run.stdout, next(phase["time"] for phase in report["phases"] if phase["name"] == "start"), None
