#!/usr/bin/env python3
"""Installs libraries with gpucc-port, and builds them natively; compiles a small program (ports/NAME.c) with each, and compares what it prints.

usage: ports.py [--build FOLDER] [--target ARCH] [--ports FOLDER] [NAME...]

Programs are compiled by what pkg-config says. Those for NVIDIA's GPUs are built and not run. --ports: a folder of installed libraries that is
kept; without it they are built anew. The last line is 'N passed, N failed'.
"""

import argparse
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "toolchain" / "port"))
import description as descriptions
from building import Builder, Target
from sources import Sources


def run(command, **options):
    """What a command prints on both outputs; Problem with the first line of its error when it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise descriptions.Problem("%s: status %d: %s" % (os.path.basename(command[0]), done.returncode, done.stdout.strip()[:500]))
    return done.stdout


class Ports:
    def __init__(self, arguments, ports, scratch):
        self._target = arguments.target
        self._build = pathlib.Path(arguments.build).resolve()
        self._scratch = pathlib.Path(scratch)
        self._environment = dict(os.environ, GPUEXEC_PORTS=ports, GPUEXEC_PORT_TARGET=arguments.target)
        self.known = {name: dataclasses.replace(each, build="", programs=(), inputs=(), session="")
                      for name, each in descriptions.read_all(descriptions.FOLDER).items()}
        cache = pathlib.Path(os.path.expanduser("~/.cache/gpuexec/projects"))
        self._builder = Builder(cache, Sources(cache))

    def check(self, name):
        """Problem says what differs."""
        port = str(self._build / "bin" / "gpucc-port")
        run([port, "install", "-q", name], env=self._environment)
        built = self._builder.build(self.known[name], Target("native", self._build), self.known)
        if built["reason"]:
            raise descriptions.Problem("native build: " + built["reason"])
        natively = [os.path.join(built["folder"], "keeps", "lib", "pkgconfig")]
        for needed in self.known[name].needs:
            folder = self._builder.build(self.known[needed], Target("native", self._build), self.known)["folder"]
            natively.append(os.path.join(folder, "keeps", "lib", "pkgconfig"))
        expected = run([self._compile(name, ["/usr/lib/llvm-22/bin/clang"], ["pkg-config"], {**os.environ, "PKG_CONFIG_LIBDIR": ":".join(natively)})])
        gpucc = [str(self._build / "bin" / "gpucc"), "--arch=" + self._target]
        image = self._compile(name, gpucc, [port, "pkg-config"], self._environment)
        if self._target.startswith("sm_"):
            return run([str(self._build / "bin" / "gpuexec-info"), "--quiet", image])
        actual = run([str(self._build / "bin" / "gpuexec"), "--device=emulator", "--timeout=120", image])
        if actual != expected:
            raise descriptions.Problem("'%s', natively '%s'" % (actual.strip(), expected.strip()))
        return actual

    def _compile(self, name, compiler, pkg_config, environment):
        flags = run([*pkg_config, "--cflags", "--libs", self.known[name].pkgconfig], env=environment).split()
        if name in ("libpng", "cjson"):  # its program calls another library, too, which is not of that name for pkg-config
            flags += {"libpng": ["-lz"], "cjson": ["-lcjson_utils"]}[name]
        output = str(self._scratch / (name + "-" + os.path.basename(compiler[0])))
        run([*compiler, "-O1", "-w", str(HERE / "ports" / (name + ".c")), *flags, "-lm", "-o", output], env=environment)
        return output


def main():
    what, usage, how = __doc__.split("\n\n", 2)
    parser = argparse.ArgumentParser(usage=usage[len("usage: ") :], description=what + "\n\n" + how, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.environ.get("GPUEXEC_BUILD", str(ROOT / "build")))
    parser.add_argument("--target", default="gfx942")
    parser.add_argument("--ports")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gpuexec-ports-") as scratch:
        ports = Ports(arguments, os.path.abspath(arguments.ports or os.path.join(scratch, "ports")), scratch)
        names = arguments.names or list(ports.known)
        for name in names:
            try:
                print("PASS: %s: %s" % (name, ports.check(name).strip().replace("\n", " | ")), flush=True)
            except descriptions.Problem as problem:
                failed += 1
                print("FAIL: %s: %s" % (name, problem), flush=True)
    print("%d passed, %d failed" % (len(names) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
