#!/usr/bin/env python3
"""Compares every number that gpuexec-info gives with what the toolchains say themselves.

Makes kernels of many kinds (seeded, so that a failure can be repeated) and compiles them for AMD and NVIDIA targets.
AMD: `llvm-readelf --notes` has the registers, spills and sizes; clang's kernel-resource-usage remarks have the
occupancy. NVIDIA: `ptxas -v`, and `cuobjdump --dump-resource-usage` where there is one. Prints a line for each
target, and one for each number that differs; exit status 1 when one does, 77 when a target cannot be tested here.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys

LLVM = "/usr/lib/llvm-22/bin"
SOURCE_HEAD = """
#if defined(__AMDGPU__)
#define KERNEL __attribute__((amdgpu_kernel))
#define AMD(x) __attribute__((x))
#else
#define KERNEL __attribute__((nvptx_kernel))
#define AMD(x)
#endif
#define SHARED static __attribute__((address_space(3), loader_uninitialized))
__attribute__((noinline)) float helper(float *p, int n) {
  volatile float frame[6];
  frame[n & 3] = p[n];
  return frame[1] + p[0];
}
__attribute__((noinline)) float recursive(float *p, int n) { return n < 1 ? p[0] : recursive(p + 1, n - 1) * p[n]; }
"""


def make_kernel(number, rng):
    """One kernel: so many values live across a loop, and now and then LDS, a stack array, a call, a bound."""
    live = rng.choice([1, 2, 4, 8, 12, 16, 24, 31, 40, 48, 63, 80, 96, 120, 140])
    lines, attributes, head = [], [], ""
    if rng.random() < 0.25 and live > 30:
        attributes.append("AMD(amdgpu_num_vgpr(%d))" % rng.choice([24, 32, 48]))
    elif rng.random() < 0.3:
        attributes.append("AMD(amdgpu_flat_work_group_size(1, %d))" % rng.choice([64, 128, 256, 512, 1024]))
    shared = rng.choice([0, 0, 4, 100, 1000, 4096, 12288])
    if shared:
        head = "SHARED char shared_%d[%d];\n" % (number, shared)
    parameters = ["float *p", "int n"] + ["%s q%d" % (rng.choice(["char", "int", "long", "double"]), i)
                                          for i in range(rng.randrange(5))]
    lines.append("KERNEL %s void kernel_%d(%s) {" % (" ".join(attributes), number, ", ".join(parameters)))
    lines.append("  float %s;" % ", ".join("a%d = p[%d]" % (i, i) for i in range(live)))
    lines.append("  for (int j = 0; j < n; ++j) {")
    for i in range(live):
        lines.append("    a%d = a%d * a%d + p[j + %d];" % (i, i, (i * 7 + 3) % live, rng.randrange(64)))
    lines.append("  }")
    if rng.random() < 0.3:
        lines.append("  volatile float stack[%d]; stack[n & 3] = a0; a0 += stack[1];" % rng.choice([4, 16, 50]))
    if shared:
        lines.append("  shared_%d[n & 3] = n; a0 += shared_%d[1];" % (number, number))
    if rng.random() < 0.3:
        lines.append("  a0 += helper(p, n);")
    if rng.random() < 0.1:
        lines.append("  a0 += recursive(p, n);")
    for i in range(live):
        lines.append("  p[%d] = a%d;" % (i, i))
    if rng.random() < 0.2:
        lines.append("#if defined(__AMDGPU__)\n  p[n] = __builtin_amdgcn_workgroup_size_x();\n#endif")
    return head + "\n".join(lines) + "\n}\n"


def run(command, **keywords):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, **keywords)
    if result.returncode != 0:
        sys.exit("error: %s: status %d\n%s" % (" ".join(command), result.returncode, result.stderr[:2000]))
    return result


def info(tool, image, *options):
    return json.loads(run([tool, "--json", *options, image]).stdout)["images"][0]


class Comparison:
    def __init__(self, target):
        self.target, self.numbers, self.differences, self.kernels = target, 0, 0, 0

    def equal(self, kernel, what, ours, theirs):
        self.numbers += 1
        if ours != theirs:
            self.differences += 1
            print("%s: kernel '%s': %s: gpuexec-info %s, expected %s" % (self.target, kernel, what, ours, theirs))

    def finish(self, oracle):
        print("%s: %d kernels, %d numbers equal to %s, %d different" %
              (self.target, self.kernels, self.numbers - self.differences, oracle, self.differences))
        return self.differences


def notes_of(image):
    """The kernels of `llvm-readelf --notes`, as {name: {key: value}}."""
    kernels, current = {}, {}
    for line in run([LLVM + "/llvm-readelf", "--notes", image]).stdout.splitlines():
        match = re.match(r"^  ([- ]) (\.\w+): +(\S+)$", line)
        if line.startswith("  - "):
            current = {}
        if match:
            current[match.group(2)] = match.group(3)
            if match.group(2) == ".name":
                kernels[match.group(3)] = current
    return kernels


def compare_amd(arch, source, tool, folder, options):
    image = os.path.join(folder, arch)
    remarks = run([LLVM + "/clang", "--target=amdgcn-amd-amdhsa", "-mcpu=" + arch, "-nogpulib", "-nostdlib", "-w", source,
                   "-o", image, "-Rpass-analysis=kernel-resource-usage", *options]).stderr
    occupancy, name = {}, None
    for line in remarks.splitlines():
        if "Function Name: " in line:
            name = line.split("Function Name: ")[1].split()[0]
        elif "Occupancy [waves/SIMD]: " in line:
            occupancy[name] = int(line.split("Occupancy [waves/SIMD]: ")[1].split()[0])
    result = Comparison(arch + " " + " ".join(options))
    notes = notes_of(image)
    ours = {kernel["name"]: kernel for kernel in info(tool, image)["kernels"]}
    result.equal("(all)", "names", sorted(ours), sorted(notes))
    for name, theirs in notes.items():
        result.kernels += 1
        mine = ours[name]
        for key, note in (("vgprs", ".vgpr_count"), ("sgprs", ".sgpr_count"), ("stack", ".private_segment_fixed_size"),
                          ("shared", ".group_segment_fixed_size"), ("arguments", ".kernarg_segment_size"),
                          ("max_threads", ".max_flat_workgroup_size"), ("wave_size", ".wavefront_size"),
                          ("vgpr_spills", ".vgpr_spill_count"), ("sgpr_spills", ".sgpr_spill_count")):
            result.equal(name, key, mine.get(key), int(theirs[note]))
        if ".agpr_count" in theirs:
            result.equal(name, "agprs", mine.get("agprs"), int(theirs[".agpr_count"]))
        result.equal(name, "spills", mine["spills"], mine["vgpr_spills"] + mine["sgpr_spills"])
        result.equal(name, "dynamic_stack", mine["dynamic_stack"], theirs[".uses_dynamic_stack"] == "true")
        # Their number counts LDS in another way: compare where there is none.
        if mine["shared"] == 0 and name in occupancy:
            per_simd = mine["occupancy"]["register_waves"] // mine["occupancy"]["simds"]
            result.equal(name, "waves per SIMD", per_simd, occupancy[name])
        # Registers are read from the metadata; the instructions must agree.
        result.equal(name, "undecoded_bytes", mine.get("undecoded_bytes", 0), 0)
    return result.finish("llvm-readelf --notes and clang's remarks")


def ptxas_report(text):
    """What `ptxas -v` says, as {kernel: {...}}; the stack and spills of called functions apart."""
    kernels, current, frame = {}, None, None
    for line in text.splitlines():
        entry = re.search(r"Compiling entry function '([^']+)'", line)
        if entry:
            current = kernels.setdefault(entry.group(1), {"smem": 0, "barriers": 0})
        function = re.search(r"Function properties for (\S+)", line)
        if function:
            frame = kernels.get(function.group(1))
        stack = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", line)
        if stack and frame is not None:
            frame["stack"], frame["spills"] = int(stack.group(1)), int(stack.group(2))
        used = re.search(r"Used (\d+) registers", line)
        if used and current is not None:
            current["registers"] = int(used.group(1))
            for key, pattern in (("barriers", r"used (\d+) barriers"), ("smem", r"(\d+) bytes smem"),
                                 ("cmem", r"(\d+) bytes cmem\[0\]"), ("total", r"(\d+) bytes cumulative stack size")):
                found = re.search(pattern, line)
                if found:
                    current[key] = int(found.group(1))
    return kernels


def compare_nvidia(arch, ptx, tool, ptxas, folder, options):
    image = os.path.join(folder, arch)
    report = run([ptxas, "-v", "-arch=" + arch, *options, ptx, "-o", image])
    theirs = ptxas_report(report.stderr + report.stdout)
    result = Comparison(arch + " " + " ".join(options))
    ours = {kernel["name"]: kernel for kernel in info(tool, image)["kernels"]}
    result.equal("(all)", "names", sorted(ours), sorted(theirs))
    exact = {}
    if not options:
        exact = {kernel["name"]: kernel for kernel in info(tool, ptx, "--exact", "--arch=" + arch)["kernels"]}
    for name, their in theirs.items():
        result.kernels += 1
        mine = ours[name]
        result.equal(name, "registers", mine.get("vgprs"), their["registers"])
        result.equal(name, "stack", mine.get("stack"), their["stack"])
        result.equal(name, "shared", mine.get("shared"), their["smem"])
        result.equal(name, "barriers", mine.get("barriers"), their["barriers"])
        if "cmem" in their:
            result.equal(name, "constant", mine.get("constant"), their["cmem"])
        if "total" in their:
            result.equal(name, "stack_with_callees", mine.get("stack_with_callees"), their["total"])
        if mine.get("spills") is not None:  # a cubin tells only that there are none
            result.equal(name, "spills", mine["spills"], their["spills"])
        if exact:
            result.equal(name, "registers (--exact)", exact[name].get("vgprs"), their["registers"])
            result.equal(name, "spills (--exact)", exact[name].get("spills"), (their["spills"] + 3) // 4)
    cuobjdump = shutil.which("cuobjdump") or shutil.which("cuobjdump", path="/usr/local/cuda/bin")
    oracle = "ptxas -v"
    if cuobjdump:
        oracle += " and cuobjdump"
        text = run([cuobjdump, "--dump-resource-usage", image]).stdout
        for name, registers, stack in re.findall(r"Function (\S+):\s+REG:(\d+) STACK:(\d+)", text):
            if name in ours:
                result.equal(name, "registers (cuobjdump)", ours[name].get("vgprs"), int(registers))
    return result.finish(oracle)


def compare_linked(arch, ptx, tool, ptxas, folder):
    """A relocatable cubin through nvlink, whose -v has the stack with all callees or says that it cannot tell."""
    nvlink = shutil.which("nvlink") or shutil.which("nvlink", path=os.path.dirname(ptxas))
    part, image = os.path.join(folder, arch + ".o"), os.path.join(folder, arch + ".linked")
    run([ptxas, "-c", "-arch=" + arch, ptx, "-o", part])
    report = run([nvlink, "-v", "-arch=" + arch, part, "-o", image])
    text = report.stderr + report.stdout
    unknown = set(re.findall(r"Stack size for entry function '([^']+)' cannot be", text))
    theirs = re.findall(r"Function properties for '([^']+)':\n.*used (\d+) registers, used (\d+) barriers, (\d+) stack, "
                        r"(\d+) bytes smem(?:, (\d+) bytes cmem\[0\])?", text)
    result = Comparison(arch + " linked")
    ours = {kernel["name"]: kernel for kernel in info(tool, image)["kernels"]}
    result.equal("(all)", "names", sorted(ours), sorted(name for name, *_ in theirs))
    for name, registers, barriers, stack, shared, constant in theirs:
        result.kernels += 1
        mine = ours[name]
        result.equal(name, "registers", mine.get("vgprs"), int(registers))
        result.equal(name, "barriers", mine.get("barriers"), int(barriers))
        result.equal(name, "stack_with_callees", mine.get("stack_with_callees"), None if name in unknown else int(stack))
        result.equal(name, "dynamic_stack", mine["dynamic_stack"], name in unknown)
        if constant:  # not told from sm_100 on
            result.equal(name, "constant", mine.get("constant"), int(constant))
        reserved = 1024 if int(shared) and arch.startswith("sm_90") else 0  # there nvlink counts CUDA's own too
        result.equal(name, "shared", mine.get("shared"), int(shared) - reserved)
    return result.finish("nvlink -v")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", default="gpuexec-info")
    parser.add_argument("--folder", required=True, help="for what is made")
    parser.add_argument("--kernels", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--amd", default="", help="processors, separated by commas; name+OPTION adds an option of clang")
    parser.add_argument("--nvidia", default="", help="architectures; name+OPTION adds an option of ptxas, +linked links with nvlink")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    rng = random.Random(arguments.seed)
    source = os.path.join(arguments.folder, "kernels.c")
    with open(source, "w") as file:
        file.write(SOURCE_HEAD + "\n".join(make_kernel(i, rng) for i in range(arguments.kernels)))
    differences = 0
    for target in filter(None, arguments.amd.split(",")):
        arch, *options = target.split("+")
        differences += compare_amd(arch, source, arguments.tool, arguments.folder, options or ["-O1"])
    if arguments.nvidia:
        ptxas = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
        if not ptxas:
            print("no ptxas on this machine: NVIDIA not compared")
            sys.exit(77)
        ptx = os.path.join(arguments.folder, "kernels.ptx")
        run([LLVM + "/clang", "--target=nvptx64-nvidia-cuda", "-march=sm_75", "--cuda-feature=+ptx63", "-nogpulib", "-w", "-O1", "-S",
             source, "-o", ptx])
        for target in arguments.nvidia.split(","):
            arch, *options = target.split("+")
            if options == ["linked"]:
                differences += compare_linked(arch, ptx, arguments.tool, ptxas, arguments.folder)
                continue
            differences += compare_nvidia(arch, ptx, arguments.tool, ptxas, arguments.folder, options)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
