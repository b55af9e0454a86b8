#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/c-library.md: every function of functions.txt, where it runs, where it comes from and what tests it.

  list_functions.py BUILD > docs/c-library.md

Facts come from the libraries as they were built (llvm-nm), from the headers that make a call of what cannot be had fail
to link, and from the tests' own text; nothing is claimed that is not there.
"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
TRIPLES = ["amdgcn-amd-amdhsa", "nvptx64-nvidia-cuda"]
HOST_SYMBOLS = {"__host_call", "__port_open", "__host_send", "__host_receive", "__host_post", "__llvm_rpc_client"}


def read_library(build, triple):
    """(name -> member that defines it, member -> symbols that it needs)"""
    path = os.path.join(build, "lib", "gpuexec", triple, "libc.a")
    text = subprocess.run(["llvm-nm-22", "-A", path], capture_output=True, text=True, check=True).stdout
    defined, needed = {}, {}
    for line in text.splitlines():
        match = re.match(r".*libc\.a:([^:]*): +(?:[0-9-]+ +)?(\w) (\S+)$", line)
        if not match:
            continue
        member, kind, name = match.groups()
        if kind in "Uw":
            needed.setdefault(member, set()).add(name)
        elif kind in "TWDBRV":
            defined[name] = member
    return defined, needed


def read_unavailable():
    names = set()
    for folder, _, headers in os.walk(os.path.join(HERE, "include")):
        for header in headers:
            names |= set(re.findall(r"__GPUEXEC_NO_\w+\((\w+)\)", open(os.path.join(folder, header)).read()))
    return names


def read_tests():
    texts = {}
    for folder in ["test/libc", "test/libc/inputs", "test/threads", "test/program", "test/startup", "test/examples", "examples", "test/differential"]:
        full = os.path.join(ROOT, folder)
        for name in sorted(os.listdir(full)) if os.path.isdir(full) else []:
            path = os.path.join(full, name)
            if os.path.isfile(path) and name.endswith((".c", ".cpp", ".def", ".h")):
                text = open(path, errors="replace").read()
                words = set(re.findall(r"\b[A-Za-z_]\w*\b", text))
                # A macro that makes float's or long double's function of a name makes it of all that it is given, or
                # that a list of names (#define ONE(f) f(sin) f(cos)) hands to it.
                macros = re.findall(r"#define (\w+)\(name\)((?:.*\\\n)*.*)", text)
                for macro, body in macros:
                    given = set(re.findall(r"\b" + macro + r"\((\w+)\)", text))
                    for names in re.findall(r"#define (\w+)\(f\)((?:.*\\\n)*.*)", text):
                        if f"{names[0]}({macro})" in text:
                            given |= set(re.findall(r"\bf\((\w+)\)", names[1]))
                    for suffix in ("f", "l", "f16"):
                        if re.search(r"\bname##" + suffix + r"\b", body):
                            words |= {name + suffix for name in given}
                    if "f16##name" in body:
                        words |= {"f16" + name + suffix for name in given for suffix in ("", "f", "l") if "f16##name##" + suffix in body}
                        words |= {"f16" + name for name in given}
                texts[os.path.join(folder, name)] = words
    return texts


def image_sizes(build):
    """Rows: program, bytes for gfx942, bytes for sm_90, both at -O2."""
    with tempfile.TemporaryDirectory() as folder:
        everything = os.path.join(folder, "everything.c")
        with open(everything, "w") as file:
            script = os.path.join(ROOT, "test", "libc", "inputs", "everything.py")
            subprocess.run([sys.executable, script], stdout=file, check=True)
        nothing = os.path.join(folder, "nothing.c")
        with open(nothing, "w") as file:
            file.write("int main(void) { return 0; }\n")
        for name, source in (("one that returns at once", nothing),
                             ("hello world (examples/hello.c)", os.path.join(ROOT, "examples", "hello.c")),
                             ("all of the library's functions at once", everything)):
            sizes = []
            for arch in ("gfx942", "sm_90"):
                image = os.path.join(folder, "image")
                gpucc = os.path.join(build, "bin", "gpucc")
                linked = subprocess.run([gpucc, "--arch=" + arch, "-O2", "-w", source, "-o", image, "-lm"], stderr=subprocess.PIPE, text=True)
                if linked.returncode:
                    print(linked.stderr, file=sys.stderr, end="")
                # ptxas takes vfprintf for a function of CUDA's where a program of this size is divided.
                sizes.append("not linked" if linked.returncode else f"{os.path.getsize(image):,}".replace(",", " "))
            yield (name, *sizes)


def main():
    build = sys.argv[1]
    libraries = [read_library(build, triple) for triple in TRIPLES]
    defined, needed = libraries[0]
    unavailable = read_unavailable()
    tests = read_tests()
    rows, counts = [], {"device": 0, "host": 0, "link error": 0, "missing": 0, "tested": 0}
    for line in open(os.path.join(HERE, "functions.txt")):
        if line.startswith("#") or ":" not in line:
            continue
        header, names = line.split(":", 1)
        for name in names.split():
            if all(name in library[0] for library in libraries):
                member = defined[name]
                where = "host" if needed.get(member, set()) & HOST_SYMBOLS else "device"
                origin = "newlib" if member.startswith(("libc-", "libm-")) else "libclc" if member == "libclc.o" else "shim"
            elif name in unavailable:
                where, origin = "link error", "says why"
            else:
                where, origin = "missing", ""
            covering = [test for test, words in tests.items() if name in words]
            covering.sort(key=lambda test: (not test.startswith("test/libc"), len(test)))
            counts[where] += 1
            counts["tested"] += bool(covering) and where in ("device", "host")
            rows.append((header, name, where, origin, covering[0] if covering else ""))
    print("# The device's C library\n")
    print("Generated by `libc-shim/list_functions.py` from the libraries as built for both targets; do not edit.\n")
    print("*device*: runs on the GPU alone. *host*: asks the host, one exchange or less (streams are buffered on the device).")
    print("*link error*: a program that calls it does not link, and the linker's message says why.\n")
    print("Every function may be called by all lanes at once. errno, strtok, rand, getopt and the static results of asctime,")
    print("localtime and their like are each thread's own.\n")
    print(f"{counts['device']} on the device, {counts['host']} with the host, {counts['link error']} that a GPU cannot have,")
    print(f"{counts['missing']} missing; {counts['tested']} appear in a test.\n")
    print("As glibc, also where C leaves it open or glibc differs: `%#g` of what rounding alone makes a power of ten too large")
    print("for `%f` (1.e+06), what scanf takes of `0x.`, null strings. printf has its text made by the host, sprintf on the device.\n")
    print("Rounding is to nearest, without exception flags: FE_UPWARD, FE_DIVBYZERO and their like are undefined, as C has it, and")
    print("`FE_ALL_EXCEPT` is 0 (`<sys/fenv.h>` says why).\n")
    print("Thread-local variables (`_Thread_local`, `__thread`) are in one block a thread: the first thread's in the image, the")
    print("others' on the heap until main returns. Constructors and exit handlers see the first thread's. They need link-time")
    print("optimisation, gpucc's default.\n")
    print("`setjmp` and `longjmp` save no stack: behind each call that a jump may end the program tests whether its thread is")
    print("jumping, and returns. Programs without them have no such tests. They need link-time optimisation; functions compiled with")
    print("-fno-lto cannot be jumped over, which the linker reports. A jump to a function that has returned aborts the program with a")
    print("message. Arrays of variable length that a jump leaves behind in the function it goes to are freed when that returns.\n")
    print("Locales are `C` and `C.UTF-8`, the latter also under names such as `en_US.UTF-8` ([porting.md](porting.md)). What")
    print("UTF-8 takes is in programs that call `setlocale` or `newlocale`, no others: the tables of all characters 23 KB, where")
    print("a function needs them. MB_CUR_MAX is 6 and MB_LEN_MAX 16, as in glibc.\n")
    print("`<stdbit.h>` is inline functions, all of C23's.\n")
    print("Not as on x86-64 Linux: long double is double; int64_t and intmax_t are long long, as clang has them for GPUs, so that")
    print("`%ld` of one draws a warning; a thread's stack is its own, so that in programs that create no threads")
    print("the other threads of the launch must not be given pointers to it.")
    print("`test/libc` compares each header with the host's, in one thread and in 4096 at once.\n")
    print("## Image sizes\n\n| program, -O2 | bytes, gfx942 | bytes, sm_90 |\n| --- | ---: | ---: |")
    for row in image_sizes(build):
        print("| " + " | ".join(row) + " |")
    for part in ("projects.md", "atomics.md", "heap.md", "libm.md", "regex.md"):
        print("\n" + open(os.path.join(HERE, part)).read().rstrip())
    print()
    print("## Functions\n")
    print("| header | function | runs on | from | test |\n| --- | --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
