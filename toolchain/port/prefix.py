# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder in which libraries are installed: include/, lib/ and share/, as a compiler expects them.

A library is installed completely or not at all, whatever ends this process. Its files are in a folder of their own in the prefix's
.gpucc-port/store. include/, lib/ and share/ have links to them through .gpucc-port/installed/NAME, itself a link to the folder in the
store. To install or remove the library is to make or remove that one link, a single step of the file system. Without it the links in
include/, lib/ and share/ are dangling, so a compiler does not find the files; tidy() removes such links.
"""

import json
import os
import pathlib
import shutil
import tempfile

from description import Problem
from sources import Lock

STATE = ".gpucc-port"
FACTS = "port.json"  # in a library's folder: its version, license and other facts that `gpucc-port list` and `info` print


class Prefix:
    """A prefix and the libraries in it."""

    def __init__(self, folder, waiting=None):
        """waiting(what) is called before waiting for another process, which `what` describes."""
        self.folder = pathlib.Path(folder)
        self._state = self.folder / STATE
        self._waiting = waiting or (lambda what: None)

    def installed(self):
        """name -> facts of each library."""
        found = {}
        for path in sorted((self._state / "installed").glob("*/" + FACTS)):
            found[path.parent.name] = json.loads(path.read_text())
        return found

    def library(self, name):
        """The folder of an installed library: include/, lib/."""
        return self._state / "installed" / name

    def build_of(self, name):
        """Identifies the installed build of a library; "" if the library is not installed."""
        return os.readlink(self.library(name)) if self.library(name).is_symlink() else ""

    def lock_library(self, name):
        """The lock that a process holds while it builds or removes the library in this prefix."""
        return Lock(self._state / "locks" / name, lambda: self._waiting("another gpucc-port, which installs %s" % name))

    def make_work(self):
        """A new folder for a build, on the file system of the prefix. It is locked while it is in use, or tidy() would remove it."""
        return Work(self._state / "work")

    def install(self, name, made, facts):
        """Moves the folder `made`, which is on the prefix's file system, into the prefix as the library. Problem if another file is in the
        way."""
        with self._lock():
            (made / FACTS).write_text(json.dumps(facts, indent=1) + "\n")
            files = _files_of(made)
            self._check_conflicts(name, files)
            (self._state / "store").mkdir(exist_ok=True)
            place = pathlib.Path(tempfile.mkdtemp(prefix=name + "-", dir=self._state / "store"))
            place.chmod(0o755)
            os.rename(made, place)
            try:
                for file in files:
                    self._link(name, file)
                new = self._state / "new"  # in a folder beside installed/, so the relative link stays right after os.replace()
                new.unlink(missing_ok=True)
                new.symlink_to(os.path.join("..", "store", place.name))
                os.replace(new, self.library(name))  # from here on it is installed
            finally:
                self._tidy()

    def remove(self, name):
        """Removes a library that is installed."""
        with self._lock():
            self.library(name).unlink(missing_ok=True)  # from here on it is not installed
            self._tidy()

    def tidy(self):
        """Removes what interrupted processes left."""
        if self._state.is_dir():
            with self._lock():
                self._tidy()

    def _lock(self):
        (self._state / "installed").mkdir(parents=True, exist_ok=True)
        return Lock(self._state / "lock", lambda: self._waiting("another gpucc-port"))

    def _check_conflicts(self, name, files):
        for file in files:
            path = self.folder / file
            owner = _owner(path)
            if owner not in (None, name) and path.exists():
                raise Problem("%s: it belongs to %s: remove that first (gpucc-port remove %s)" % (path, owner, owner))
            if owner is None and os.path.lexists(path):
                raise Problem("%s: it is there already, and gpucc-port has not put it there: remove it, or choose another --prefix" % path)

    def _link(self, name, file):
        path, target = self.folder / file, os.path.join(*[".."] * (len(file.parts) - 1), STATE, "installed", name, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink():
            if os.readlink(path) == target:
                return
            path.unlink()
        path.symlink_to(target)

    def _tidy(self):
        installed = {os.path.basename(os.readlink(path)) for path in (self._state / "installed").iterdir() if path.is_symlink()}
        for place in (self._state / "store").glob("*"):
            if place.name not in installed:
                shutil.rmtree(place, ignore_errors=True)
        for top in ("include", "lib", "share"):
            for folder, _, files in os.walk(self.folder / top):
                for path in (pathlib.Path(folder, file) for file in files):
                    if _owner(path) and not path.exists():
                        path.unlink()
                        self._remove_empty(path.parent)
        Work.remove_abandoned(self._state / "work")


    def _remove_empty(self, folder):
        while folder != self.folder and not os.listdir(folder):
            folder.rmdir()
            folder = folder.parent


class Work:
    """A folder for a build, which is removed at the end of the `with` block. If this process is killed, another one removes it."""

    def __init__(self, folder):
        self._folder = folder

    def __enter__(self):
        self._folder.mkdir(parents=True, exist_ok=True)
        with Lock(self._folder / "lock"):  # so that remove_abandoned() does not see the folder before it is locked
            self.path = pathlib.Path(tempfile.mkdtemp(dir=self._folder))
            self._lock = Lock(self.path / "lock")
            self._lock.__enter__()
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.__exit__()

    @staticmethod
    def remove_abandoned(folder):
        if not folder.is_dir():
            return
        with Lock(folder / "lock"):
            for path in folder.glob("*/lock"):
                if Lock(path).is_free():
                    shutil.rmtree(path.parent, ignore_errors=True)


def _files_of(folder):
    """The files in include/, lib/ and share/ of a folder, as paths relative to it."""
    return [path.relative_to(folder) for top in ("include", "lib", "share") for path in sorted((folder / top).rglob("*"))
            if path.is_symlink() or not path.is_dir()]


def _owner(path):
    """The library to which a file of the prefix belongs, or None."""
    if not path.is_symlink():
        return None
    parts = pathlib.PurePath(os.readlink(path)).parts
    return parts[parts.index(STATE) + 2] if STATE in parts and len(parts) > parts.index(STATE) + 2 else None
