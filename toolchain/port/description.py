# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads descriptions of libraries and of projects for tests: a TOML file each, NAME.toml. docs/ports.md explains the keys of a library.

For gpucc-port (descriptions/ beside this file):
  about      what the library is for, in a few words
  license    its license, as an SPDX expression
  libraries  the archives that programs link with: ["png16", "png"] for -lpng16 and -lpng. The commands of `library` make them
  headers    the headers that programs include: ["zlib.h"]
  pkgconfig  the library's name for pkg-config; where the source has no .pc file, one is written (default: the file's name)
  also       other names that users may look for
  tools      programs that the build needs, besides those that its `way` needs (recipe.py knows their packages)
  hint       a line that `gpucc-port install` and `gpucc-port info` print
  library    shell commands, run in a copy of the source tree, that build the library for $PREFIX and install it into $DESTDIR$PREFIX.
             Their environment has: CC, CFLAGS, LDFLAGS, AR, RANLIB; HOST, configure's option for the target (empty for a native
             build); CMAKE_OPTIONS; TARGET (native, gfx942, sm_90); HOSTCC, a compiler for native programs; JOBS
  needs      names of the descriptions that must be built before; $DEPS/NAME has the include/ and lib/ of each, or what its `keeps` names

For both:
  package    Debian's source package (default: the file's name)
  suite      the release of Debian from which the source is (default: bookworm)
  way        how it is built: configure, CMake, make, or source list (the compiler is called with a list of sources)
  language   C (default) or C++

For test/projects/projects.py; in the description of a library, in its table [test]:
  build      shell commands that build programs, after those of `library`
  programs   the programs that the build makes, as paths in the tree; the session calls them by their base names
  inputs     paths in the source tree that the session finds in its folder, by their base names; wildcards are expanded
  session    shell commands; their output and exit status must be the same natively and on a device
  limit      seconds that the session may take on a device (default: 60)
  options    options of gpuexec for every program of the session
  quick      true if ./check runs the project
  note       one line for the table of results
  keeps      files and folders (wildcards) that the build of another project needs, such as headers and libraries
"""

import dataclasses
import pathlib
import tomllib

WAYS = ("configure", "CMake", "make", "source list")
LANGUAGES = ("C", "C++")
FOLDER = pathlib.Path(__file__).resolve().parent / "descriptions"


class Problem(Exception):
    """A reason, in one line, why a step failed."""


@dataclasses.dataclass(frozen=True)
class Description:
    name: str
    way: str
    about: str = ""
    license: str = ""
    libraries: tuple = ()
    headers: tuple = ()
    pkgconfig: str = ""
    also: tuple = ()
    tools: tuple = ()
    hint: str = ""
    library: str = ""
    build: str = ""
    programs: tuple = ()
    session: str = ""
    package: str = ""
    suite: str = "bookworm"
    language: str = "C"
    inputs: tuple = ()
    limit: int = 60
    options: tuple = ()
    quick: bool = False
    note: str = ""
    needs: tuple = ()
    keeps: tuple = ()


def read(path):
    """The description in a file. A mistake in it is a Problem that names the file."""
    try:
        values = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise Problem("%s: %s" % (path, getattr(error, "strerror", None) or error)) from None
    values.update(values.pop("test", {}))
    known = {field.name: field for field in dataclasses.fields(Description) if field.name != "name"}
    unknown = set(values) - set(known)
    if unknown or not ("build" in values or "library" in values):
        raise Problem("%s: %s" % (path, "unknown key '%s'" % min(unknown) if unknown else "has no 'library' and no 'build'"))
    if values.get("way") not in WAYS:
        raise Problem("%s: way is '%s', not one of: %s" % (path, values.get("way", ""), ", ".join(WAYS)))
    if values.get("language", "C") not in LANGUAGES:
        raise Problem("%s: language is '%s', not one of: %s" % (path, values["language"], ", ".join(LANGUAGES)))
    if "library" in values and not values.get("libraries"):
        raise Problem("%s: has no 'libraries'" % path)
    for key, value in values.items():
        wanted = type(known[key].default) if known[key].default is not dataclasses.MISSING else str
        if not isinstance(value, list if wanted is tuple else wanted) or (wanted is tuple and not all(isinstance(each, str) for each in value)):
            raise Problem("%s: %s is no %s" % (path, key, {tuple: "list of texts", str: "text", int: "number", bool: "true or false"}[wanted]))
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return Description(**{"name": path.stem, "package": path.stem, "pkgconfig": path.stem, **values})


def read_all(*folders):
    """name -> Description, in the order of the names. A folder's descriptions replace those of the folders before it."""
    found = {path.stem: path for folder in folders for path in folder.glob("*.toml")}
    return {name: read(found[name]) for name in sorted(found)}


def with_needs(project, known, around=()):
    """The descriptions that a project needs, directly or indirectly, then the project itself: each once, in the order of the builds.
    known: the result of read_all(); around: names of the projects that need this one, to find circles."""
    found = {}
    for name in project.needs:
        if name not in known:
            raise Problem("%s needs '%s', of which there is no description" % (project.name, name))
        if name in (project.name, *around):
            raise Problem("%s needs itself, by way of %s" % (name, project.name))
        found.update((needed.name, needed) for needed in with_needs(known[name], known, (project.name, *around)))
    return [*found.values(), project]
