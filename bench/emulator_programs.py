# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs on the emulated GPU, for bench/emulator: eight of bench/programs/, and six of Debian.

A program of bench/programs is one source, compiled with clang-22 -O2 and with gpucc -O2, without contraction to fused operations. One of
Debian is built by its own build system for both (test/projects), and reads what make_inputs() writes. Each runs from start
to end, its compilers' time included; what both print must agree. It runs twice: with an empty folder for compiled code
(--jit-cache), and with what the first run has left there.
"""

import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from common import BUILD, ROOT, Run, compile_both, table, tool

sys.path[:0] = [os.path.join(ROOT, "test", "projects"), os.path.join(ROOT, "toolchain", "port")]
import description as descriptions
from building import Builder, Target
from description import Problem
from sources import Sources

# A program of bench/programs: units of work.
OWN = {"solver": 3000, "multigrid": 8000, "gradients": 3000, "reversi": 800, "spheres": 3000, "fourier": 15000, "rays": 18000, "words": 250}
# Those of which 512 fit into memory, with 64 lanes x 8 blocks, each lane with data of its own: units of each lane.
WIDE = {"solver": 12, "multigrid": 32, "gradients": 12, "reversi": 24, "spheres": 24, "fourier": 60, "words": 2}
# A program of Debian: what it is, the program, its arguments.
DEBIAN = {
    "bzip2": ("compressor", "bzip2", ["-kc", "text"]),
    "lua5.4": ("interpreter", "lua", ["program.lua"]),
    "cmark": ("text formatter", "cmark", ["book"]),
    "expat": ("parser", "xmlwf", ["-t", "text.xml"]),
    "grep": ("string matcher", "grep", ["-cE", "([a-z])([a-z])[a-z]* \\2\\1|(e|t)+a[oi]*(n|s)+h? ", "text"]),
    "mawk": ("interpreter", "mawk", ["{ for (i = 1; i <= NF; i++) c[$i]++ } END { for (w in c) s += c[w] * length(w); print NR, s }", "book"]),
}
LUA = """
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local t = {}
for i = 1, 600000 do t[i] = i * 7919 % 100003 end
table.sort(t)
local s = {}
for i = 1, 200000 do s[#s + 1] = string.format("%d:%d", i, t[i]) end
local text = table.concat(s, " ")
local n = 0
for a, b in text:gmatch("(%d+):(%d+)") do n = n + #a * #b end
print(fib(32), #text, n, text:gsub("1", "one"):len())
"""


def make_inputs(folder):
    """Writes the text (5 MB, Markdown), one six times as long, its like in XML (140 MB) and the program in Lua: natively each
    program takes about half a second with what it gets."""
    chance = random.Random(1)
    words = ["".join(chance.choice("etaoinshrdlubxyz") for _ in range(chance.randint(1, 9))) for _ in range(4000)]
    lines = []
    while sum(map(len, lines)) < 5_000_000:
        line = " ".join(words[min(int(chance.expovariate(1 / 400)), 3999)] for _ in range(chance.randint(5, 15)))
        lines.append(chance.choice(["", "", "", "# ", "- ", "> ", "    ", "1. "]) + line + chance.choice(["\n", "\n", " *x*\n", " `c`\n", "\n\n", " [a](b)\n"]))
    folder.joinpath("text").write_text("".join(lines))
    folder.joinpath("book").write_text("".join(lines * 6))
    folder.joinpath("text.xml").write_text("<t>" + "".join("<l n='%d' a=\"&lt;\">%s</l>\n" % (i, line.strip().replace("<", "").replace(">", ""))
                                                         for i, line in enumerate(lines * 20)) + "</t>\n")
    folder.joinpath("program.lua").write_text(LUA)


def _debian(name, folder):
    """(native command, emulated command) of a program of Debian."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "gpuexec" / "projects"
    known = descriptions.read_all(descriptions.FOLDER, pathlib.Path(ROOT, "test", "projects", "descriptions"))
    builder = Builder(cache, Sources(cache))
    _, program, arguments = DEBIAN[name]
    commands = []
    for target in ("native", "gfx942"):
        built = builder.build(known[name], Target(target, BUILD), known)
        if built["reason"]:
            raise Problem("%s: %s" % (target, built["reason"]))
        commands.append([os.path.join(built["folder"], "programs", program), *arguments])
    return commands[0], commands[1]


def _commands(name, folder):
    if name in DEBIAN:
        return _debian(name, folder)
    host, image = compile_both(os.path.join(ROOT, "bench", "programs", name + ".c"), folder, "gfx942",
                               ["-ffp-contract=off", "-DORDINARY_PROGRAM"])
    return [host, str(OWN[name])], [image, str(OWN[name])]


def _mean(values):
    product = 1.0
    for value in values:
        product *= value
    return product ** (1 / len(values)) if values else 0.0


def measure_wide(names, runs):
    """Prints processor time per unit of work of 64 lanes x 8 blocks as a multiple of the native program's, which works for the
    same 512 seeds; returns {program: {...}}. Two runs of different length leave start and compilation out."""
    rows, record = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            host, image = compile_both(os.path.join(ROOT, "bench", "programs", name + ".c"), folder, "gfx942", ["-ffp-contract=off"])
            emulated = [tool("gpuexec"), "--device=emulator", "--threads", "64", "--blocks", "8", image]
            units, seconds, memory = (WIDE[name], max(1, WIDE[name] // 4)), {}, 0
            for what, command, suffix in (("native", [host], ["512"]), ("wide", emulated, [])):
                for count in units:
                    best = min((Run(command + [str(count), *suffix]) for _ in range(runs)), key=lambda run: run.cpu)
                    seconds[what, count], memory = best.cpu, best.memory
                    if what == "native":
                        seconds["output", count] = best.output
                    elif best.output != seconds["output", count]:
                        sys.exit("%s: native %r, emulated %r" % (name, seconds["output", count], best.output))
            native, wide = ((seconds[what, units[0]] - seconds[what, units[1]]) / (units[0] - units[1]) for what in ("native", "wide"))
            record[name] = {"native": native, "wide": wide, "start": max(0, seconds["wide", units[1]] - wide * units[1]), "memory": memory}
            rows.append([name, "%.1f ms" % (native * 1e3), "%.1f ms" % (wide * 1e3), "%.1fx" % (wide / native),
                         "%.1f s" % record[name]["start"], "%.0f MiB" % memory])
            print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    rows.append(["geometric mean", "", "", "%.1fx" % _mean([row["wide"] / row["native"] for row in record.values()]), "", ""])
    table(["program", "native", "64x8", "64x8 / native", "before", "memory"], rows)
    return record


def _emulated(image, limit, native):
    """The first run and the second one; None when one takes longer than `limit` seconds. Ends when they print something else
    than `native`, a run."""
    with tempfile.TemporaryDirectory() as cache:
        command = ["timeout", str(limit), tool("gpuexec"), "--device=emulator", "--jit-cache=" + cache, *image]
        both = []
        for _ in range(2):
            run = Run(command, check=False)
            if run.status == 124:
                return None
            if run.output != native.output:
                sys.exit("%s: native %r, emulated %r" % (image[0], native.output[:200], run.output[:200]))
            both.append(run)
        return both


def measure(names, limit, runs):
    """Prints the table of the named programs, and returns it as {program: {...}}. A run takes `limit` seconds at most; of
    `runs` runs the one that took the least processor time counts, of first and of second ones."""
    rows, record = [], {}
    with tempfile.TemporaryDirectory() as folder:
        # Linux counts what a process had before exec as its resident size: this one's, with the inputs, else.
        writer = multiprocessing.Process(target=make_inputs, args=(pathlib.Path(folder),))
        writer.start()
        writer.join()
        if writer.exitcode:
            sys.exit("bench/emulator: the inputs cannot be written")
        here = os.getcwd()
        os.chdir(folder)
        for name in names:
            try:
                host, image = _commands(name, folder)
            except Problem as problem:
                rows.append([name, str(problem)] + [""] * 9)
                continue
            native = min((Run(host) for _ in range(3)), key=lambda run: run.cpu)
            pairs = [_emulated(image, limit, native) for _ in range(runs)]
            if all(pairs):
                first, second = (min(turn, key=lambda run: run.cpu) for turn in zip(*pairs))
                record[name] = {"native": native.cpu, "cpu": first.cpu, "wall": first.wall, "memory": first.memory,
                                "second_cpu": second.cpu, "second_wall": second.wall}
                rows.append([name, "%.2f s" % native.cpu])
                for seconds in (first.cpu, first.wall, second.cpu, second.wall):
                    rows[-1] += ["%.1f s" % seconds, "%.1fx" % (seconds / native.cpu)]
                rows[-1].append("%.0f MiB" % first.memory)
            else:
                rows.append([name, "%.2f s" % native.cpu, "> %d s" % limit] + [""] * 8)
            print("  ".join(filter(None, rows[-1])), file=sys.stderr, flush=True)
        os.chdir(here)
    rows.append(["geometric mean", ""])
    for what in ("cpu", "wall", "second_cpu", "second_wall"):
        rows[-1] += ["", "%.1fx" % _mean([row[what] / row["native"] for row in record.values()])]
    rows[-1].append("")
    table(["program", "native", "processor", "", "wall", "", "second: processor", "", "wall", "", "memory"], rows)
    return record
