"""Ends an installation, a replacement and a removal of a library before each single change of the file system, as a kill would, and looks at what
a compiler then finds: all of the library's old state or all of the new one, and after the next start nothing more.

usage: port_steps.py FOLDER-OF-GPUCC-PORT'S-MODULES SCRATCH
"""

import os
import pathlib
import shutil
import sys

sys.path.insert(0, sys.argv[1])
from prefix import Prefix

top = pathlib.Path(sys.argv[2])
STEPS = ("symlink", "rename", "replace", "unlink", "mkdir", "rmdir")


class Killed(BaseException):
    pass


def make(folder, files):
    shutil.rmtree(folder, ignore_errors=True)
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    return folder


OLD = {"include/a.h": "old", "include/gone/b.h": "old", "lib/liba.a": "old"}
NEW = {"include/a.h": "new", "include/more/c.h": "new", "lib/liba.a": "new", "share/doc/a/copyright": "new"}


def seen(prefix):
    """file -> text, of what a compiler can open."""
    return {str(path.relative_to(prefix)): path.read_text() for part in ("include", "lib", "share") for path in (prefix / part).rglob("*") if path.is_file()}


def every_link(prefix):
    return {str(path.relative_to(prefix)) for part in ("include", "lib", "share") for path in (prefix / part).rglob("*") if path.is_symlink()}


def stop_before(step):
    """The step'th change of the file system raises Killed, and all that follow. Returns what undoes that."""
    originals, count = {name: getattr(os, name) for name in STEPS}, [0]

    def wrapped(name):
        def call(*arguments, **options):
            count[0] += 1
            if count[0] >= step:
                raise Killed()
            return originals[name](*arguments, **options)
        return call

    for name in STEPS:
        setattr(os, name, wrapped(name))
    return lambda: [setattr(os, name, original) for name, original in originals.items()]


def attempt(what, before, after, act):
    """Tries act(Prefix), ended before its 1st, 2nd ... step, until it comes to its end."""
    for step in range(1, 200):
        folder = top / "prefix"
        shutil.rmtree(folder, ignore_errors=True)
        if before:
            Prefix(folder).install("a", make(top / "made", before), {"needs": []})
        made = make(top / "made", NEW)
        undo = stop_before(step)
        try:
            act(Prefix(folder), made)
            ended = True
        except Killed:
            ended = False
        undo()
        found = seen(folder)
        if found not in (before, after):
            sys.exit("%s, ended before step %d: the compiler finds %s" % (what, step, found))
        Prefix(folder).tidy()
        found = seen(folder)
        if found not in (before, after) or every_link(folder) != set(found):
            sys.exit("%s, ended before step %d, then tidied: %s, links %s" % (what, step, found, every_link(folder)))
        store = list((folder / ".gpucc-port" / "store").glob("*"))
        if len(store) != bool(found):
            sys.exit("%s, ended before step %d, then tidied: the store has %s" % (what, step, store))
        if ended:
            if found != after:
                sys.exit("%s: not done: %s" % (what, found))
            return step
    sys.exit("%s: does not end" % what)


def install(prefix, made):
    prefix.install("a", made, {"needs": []})


steps = [attempt("installation", {}, NEW, install), attempt("replacement", OLD, NEW, install),
         attempt("removal", OLD, {}, lambda prefix, made: prefix.remove("a"))]
print("ended before %s steps" % ", ".join(map(str, steps)))
