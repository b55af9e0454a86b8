"""Runs a project's session, natively or on a device, and says where two runs differ.

The bundle for machines without compilers has a copy of this file and of process.py: they need Python 3 and bash alone.
"""

import os
import pathlib
import re
import shlex
import shutil
import tempfile

import process


def run_session(session, programs, inputs, launcher, limit, tick=None):
    """Runs the session in a fresh folder and returns {"status", "seconds", "stdout", "stderr"}, texts as bytes.

    programs and inputs are folders (inputs may be missing); launcher is the command in front of a program's path, [] natively.
    Paths of the two folders are taken out of the texts, because they differ from run to run.
    """
    programs = pathlib.Path(programs).resolve()
    with tempfile.TemporaryDirectory(prefix="gpuexec-project-") as name:
        top = pathlib.Path(name)
        folder, tools = top / "session", top / "bin"
        if inputs and os.path.isdir(inputs):
            shutil.copytree(inputs, folder, symlinks=True)
        else:
            folder.mkdir()
        tools.mkdir()
        for program in programs.iterdir():
            wrapper = tools / program.name
            wrapper.write_text('#!/bin/sh\nexec %s "$@"\n' % shlex.join([*launcher, str(program)]))
            wrapper.chmod(0o755)
        environment = {"PATH": "%s:/usr/local/bin:/usr/bin:/bin" % tools, "LC_ALL": "C", "TZ": "UTC0", "HOME": str(folder), "TMPDIR": str(top),
                       "CUDA_CACHE_PATH": str(top / "compiled")}  # of PTX, by the driver; it would make a folder .nv in $HOME
        with open(top / "stdout", "w+b") as stdout, open(top / "stderr", "w+b") as stderr:
            status, seconds = process.run(["bash", "-c", session], folder, environment, limit, tick, stdout, stderr)
        texts = {key: _neutral((top / key).read_bytes(), folder, programs) for key in ("stdout", "stderr")}
    return {"status": status, "seconds": seconds, **texts}


def _neutral(text, folder, programs):
    for path in (programs, folder):
        text = text.replace(str(path).encode() + b"/", b"").replace(str(path).encode(), b"")
    return text


def difference(expected, actual, limit):
    """The first reason why `actual` is not `expected`, in one line, or "" when they are the same."""
    if actual["status"] is None:
        return "time: not finished in %g s" % limit
    said = re.search(rb"(?m)^gpuexec: error: (.*)", actual["stderr"])
    if said:
        text = _printable(said.group(1))
        return "time: not finished in %g s" % limit if "time limit" in text or "timed out" in text else "gpuexec: " + text
    for key in ("stdout", "stderr"):
        if actual[key] != expected[key]:
            return _first_difference(key, expected[key], actual[key])
    if actual["status"] != expected["status"]:
        return "status %d, natively %d" % (actual["status"], expected["status"])
    return ""


def _first_difference(key, expected, actual):
    ours, theirs = actual.split(b"\n"), expected.split(b"\n")
    for number, (a, b) in enumerate(zip(ours + [b""], theirs + [b""]), 1):
        if a != b:
            return "%s line %d: '%s', natively '%s'" % (key, number, _printable(a), _printable(b))
    return "%s: %d lines, natively %d" % (key, len(ours), len(theirs))


def _printable(text):
    text = text[:120].decode("utf-8", "replace")
    return "".join(c if c.isprintable() else "?" for c in text)
