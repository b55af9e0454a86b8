#!/usr/bin/env python3
"""Compares gpuexec-info's numbers for NVIDIA cubins with `cuobjdump --dump-resource-usage`.

usage: cuobjdump.py --collect FOLDER IMAGE...     copies the cubins into FOLDER, with what gpuexec-info says about them
       cuobjdump.py FOLDER                        compares, on any machine that has cuobjdump

Two steps, because the machine with the CUDA toolkit need not be the one with gpuexec-info. Prints a line for each number
that differs, then how many were equal. cuobjdump counts into a kernel's shared memory what CUDA reserves for itself, into
its stack what the functions that it calls take, and it says nothing but zeros of those functions. Exit status 1 when one differs, 77 when there is no cuobjdump.
"""

import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys

NUMBERS = [("REG", "vgprs"), ("STACK", "stack"), ("SHARED", "shared"), ("CONSTANT[0]", "constant")]


def is_cubin(path):
    with open(path, "rb") as file:
        head = file.read(20)
    return head[:4] == b"\x7fELF" and head[18] == 190


def collect(folder, tool, images):
    os.makedirs(folder, exist_ok=True)
    said = {}
    for image in images:
        if not os.path.isfile(image) or not is_cubin(image):
            continue
        name = "%03d-%s.cubin" % (len(said), re.sub(r"\W", "-", os.path.basename(image)))
        shutil.copy2(image, os.path.join(folder, name))
        output = subprocess.run([tool, "--json", image], stdout=subprocess.PIPE, check=True).stdout
        said[name] = json.loads(output)["images"][0]
    with open(os.path.join(folder, "gpuexec-info.json"), "w") as file:
        json.dump(said, file)
    print("%s: %d cubins" % (folder, len(said)))


def usage(cuobjdump, image):
    """{function: {"REG": 24, ...}} as cuobjdump says it."""
    text = subprocess.run([cuobjdump, "--dump-resource-usage", image], stdout=subprocess.PIPE, text=True, check=True).stdout
    functions = {}
    for name, numbers in re.findall(r"Function (\S+?):\s*\n?\s*((?:[A-Z]+(?:\[\d+\])?:\d+ ?)+)", text):
        functions[name] = {key: int(value) for key, value in re.findall(r"([A-Z]+(?:\[\d+\])?):(\d+)", numbers)}
    return functions, text


def compare(folder, cuobjdump):
    with open(os.path.join(folder, "gpuexec-info.json")) as file:
        said = json.load(file)
    equal, different, kernels, functions = collections.Counter(), collections.Counter(), 0, 0
    for name, ours in sorted(said.items()):
        theirs, text = usage(cuobjdump, os.path.join(folder, name))
        if not theirs:
            print("%s: cuobjdump names no function:\n%s" % (name, text[:500]))
            different["functions"] += 1
        for kind in ("kernels", "functions"):
            for mine in ours[kind]:
                their = theirs.get(mine["name"])
                if their is None or (kind == "functions" and not any(their.values())):
                    if kind == "kernels":
                        print("%s: cuobjdump has no kernel '%s'" % (name, mine["name"]))
                        different["kernels"] += 1
                    continue
                kernels += kind == "kernels"
                functions += kind == "functions"
                mine["stack"] = mine.get("stack_with_callees", mine.get("stack"))
                mine["shared"] = mine.get("shared", 0) + mine.get("shared_reserved", 0)
                for key, field in NUMBERS:
                    if key not in their or (kind == "functions" and field not in ("vgprs", "stack")):
                        continue
                    if mine.get(field) == their[key]:
                        equal[key] += 1
                        continue
                    different[key] += 1
                    if different[key] <= 10:
                        print("%s: %s '%s': %s: gpuexec-info %s, cuobjdump %s" % (name, kind[:-1], mine["name"], field,
                                                                              mine.get(field), their))
    print("%d cubins, %d kernels and %d functions" % (len(said), kernels, functions))
    for key, _ in NUMBERS:
        print("%-12s %5d equal, %d different" % (key, equal[key], different[key]))
    return 1 if different or not kernels else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collect", action="store_true")
    parser.add_argument("--tool", default="gpuexec-info")
    parser.add_argument("folder")
    parser.add_argument("images", nargs="*")
    arguments = parser.parse_args()
    if arguments.collect:
        collect(arguments.folder, arguments.tool, arguments.images)
        return 0
    cuobjdump = shutil.which("cuobjdump") or shutil.which("cuobjdump", path="/usr/local/cuda/bin")
    if not cuobjdump:
        print("no cuobjdump on this machine")
        return 77
    return compare(arguments.folder, cuobjdump)


if __name__ == "__main__":
    sys.exit(main())
