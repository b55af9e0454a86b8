"""Shows that each test of toolchain/passes/passes.def fails without its pass.

usage: passes_needed.py ROOT BUILD [PASS...]

For each row a plug-in without that row is linked into a copy of the build (hard links: only the plug-in is new), and the
row's test runs there. A test that passes all the same is reported: the pass or the test is superfluous.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

# The sources that read the table, as in toolchain/CMakeLists.txt.
READERS = ("plugin", "shared/machine_code")

ROW = re.compile(r'^PASS\((\w+), \w+, \w+, (\w+), (\w+).*?"([^"]+)"\)\n', re.S | re.M)


def link_without(row, text, root, build, folder):
    """The plug-in of the copy in `folder`, without the row."""
    table = os.path.join(folder, "table", "toolchain", "passes")
    os.makedirs(table, exist_ok=True)
    with open(os.path.join(table, "passes.def"), "w") as file:
        file.write(text.replace(row, ""))
    includes = subprocess.run(["llvm-config-22", "--includedir"], capture_output=True, text=True, check=True).stdout.strip()
    made = {}
    for name in READERS:
        made[name] = os.path.join(folder, os.path.basename(name) + ".o")
        subprocess.run(["clang++-22", "-std=c++20", "-O1", "-fPIC", "-fno-rtti", "-fno-exceptions", "-fvisibility=hidden",
                        "-I" + os.path.join(folder, "table"), "-I" + root, "-isystem", includes,
                        "-c", os.path.join(root, "toolchain", "passes", name + ".cpp"), "-o", made[name]], check=True)
    device = os.path.join(build, "device")
    # A used build folder also has objects of sources that were moved or removed.
    objects = [os.path.join(device, name) for name in sorted(os.listdir(device))
               if name.startswith("passes-") and name.endswith(".o") and
               name[len("passes-"):-2].replace("-", "/", 1) not in READERS and
               os.path.exists(os.path.join(root, "toolchain", "passes", name[len("passes-"):-2].replace("-", "/", 1) + ".cpp"))]
    library = os.path.join(folder, "build", "lib", "gpuexec", "libgpuexec-passes.so")
    if os.path.exists(library):
        os.unlink(library)  # a link to the build's own
    subprocess.run(["clang++-22", "-shared", *made.values(), *objects, "-o", library], check=True)


def run(root, copy, tests):
    """The last line of check.py for the tests."""
    result = subprocess.run([sys.executable, os.path.join(root, "test", "check.py"), "--build", copy, "--fuzz", "0", *tests],
                            capture_output=True, text=True)
    return (result.stdout.strip().splitlines() or ["no output"])[-1]


def main():
    root, build = (os.path.abspath(path) for path in sys.argv[1:3])
    with open(os.path.join(root, "toolchain", "passes", "passes.def")) as file:
        text = file.read()
    superfluous = []
    with tempfile.TemporaryDirectory(dir=os.path.dirname(build)) as folder:
        copy = os.path.join(folder, "build")
        # The lock is held by the check.py that runs this: the one that is started here would wait for it for ever.
        shutil.copytree(build, copy, copy_function=os.link, symlinks=True,
                        ignore=shutil.ignore_patterns("suites", "CMakeFiles", ".lock"))
        rows = [row for row in ROW.finditer(text) if not sys.argv[3:] or row.group(1) in sys.argv[3:]]
        link_without("", text, root, build, folder)
        last = run(root, copy, sorted({row.group(4) for row in rows}))
        print("with all passes: " + last, flush=True)
        if " 0 failed" not in last:
            sys.exit("a test fails with all passes: nothing follows from its failure without one")
        for row in rows:
            name, gpus, stage, test = row.groups()
            link_without(row.group(0), text, root, build, folder)
            last = run(root, copy, [test])
            print("%s (%s, %s), %s: %s" % (name, gpus, stage, test, last), flush=True)
            if not re.search(r"\b[1-9]\d* failed", last):
                superfluous.append("%s (%s): test/%s does not fail without it: %s" % (name, stage, test, last))
    if superfluous:
        sys.exit("\n".join(superfluous))


if __name__ == "__main__":
    main()
