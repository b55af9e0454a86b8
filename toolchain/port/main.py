# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpucc-port: builds libraries of Debian's source packages for GPU programs. bin/gpucc-port starts this file."""

import argparse
import difflib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys

if sys.version_info < (3, 11):
    sys.exit("gpucc-port: error: %s is version %d.%d; it has to be 3.11 or later" % (sys.executable, *sys.version_info[:2]))
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import description as descriptions
import ports
import process
from prefix import Prefix
from recipe import Target
from sources import MIRROR, Sources

GPUEXEC = HERE.parent.parent.parent  # PREFIX of PREFIX/lib/gpuexec/port
HELP = """usage: gpucc-port COMMAND [options] [NAME...]

Builds libraries for GPU programs from Debian's sources. gpucc then finds their
headers, and -lNAME, by itself.

Commands:
  list                 the libraries that can be installed, and those that are
  info NAME...         version, license, what to include and to link with
  install NAME...      build libraries, and what they need
  remove NAME...       remove installed libraries
  update               look for new versions in Debian's archive
  clean                remove sources and logs; what is installed stays
  env                  print variables for builds that use pkg-config:
                       eval "$(gpucc-port env)"
  pkg-config ARG...    pkg-config, for the installed libraries alone

Options:
  --target ARCH        gfx942, sm_90 ...: as gpucc's --arch (default: gpucc's,
                       or GPUEXEC_PORT_TARGET)
  --prefix DIR         install there, and not where gpucc looks
                       ($XDG_DATA_HOME/gpuexec/ports/ARCH)
  --source DIR         build the one NAME from this folder, not from Debian's
                       archive
  --descriptions DIR   descriptions of more libraries, NAME.toml (docs/ports.md)
  --mirror URL         a mirror of Debian's archive
                       (default: http://deb.debian.org/debian)
  --reinstall          build what is installed, too
  --jobs N             compile N files at a time (default: one per processor)
  --installed          list only what is installed
  -q, --quiet          print errors only
  -h, --help           this text
  -V, --version        the version
"""
COMMANDS = ("list", "info", "install", "remove", "update", "clean", "env")


class Wrong(Exception):
    """A mistake in the command line."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Wrong(message)


def parse(arguments):
    parser = Parser(prog="gpucc-port", add_help=False, allow_abbrev=False)
    parser.add_argument("command", nargs="?")
    parser.add_argument("names", nargs="*")
    for option in ("--target", "--prefix", "--source", "--descriptions"):
        parser.add_argument(option)
    parser.add_argument("--mirror", default=MIRROR)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    for option in ("--reinstall", "--installed"):
        parser.add_argument(option, action="store_true")
    parser.add_argument("-q", "--quiet", action="store_true")
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_intermixed_args(arguments)
    if options.help or options.command == "help":
        return options
    if options.command not in COMMANDS:
        known = difflib.get_close_matches(options.command or "", COMMANDS, 1)
        raise Wrong(("no command '%s'" % options.command if options.command else "no command")
                    + ("; did you mean '%s'?" % known[0] if known else "; there are %s and pkg-config" % ", ".join(COMMANDS)))
    if options.jobs < 1:
        raise Wrong("--jobs: '%d': it must be 1 or more" % options.jobs)
    if options.command in ("info", "install", "remove") and not options.names:
        raise Wrong("%s: names no library; gpucc-port list prints them" % options.command)
    if options.command not in ("info", "install", "remove") and options.names:
        raise Wrong("%s: takes no names, but there is '%s'" % (options.command, options.names[0]))
    if options.source and (options.command != "install" or len(options.names) != 1):
        raise Wrong("--source: works only with install and one NAME")
    for option in ("source", "descriptions"):
        folder = getattr(options, option)
        if folder is not None and not os.path.isdir(folder):
            raise Wrong("--%s: %s: %s" % (option, folder, "not a folder" if os.path.exists(folder) else "does not exist"))
    return options


def ask_gpucc(*arguments):
    """Runs gpucc and returns its output. Problem, with gpucc's own message, if it fails."""
    done = subprocess.run([GPUEXEC / "bin" / "gpucc", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise descriptions.Problem(done.stderr.strip().removeprefix("gpucc: error: "))
    return done.stdout.strip()


def choose_target(options):
    """The processor for which libraries are installed, by its full name."""
    target = options.target or os.environ.get("GPUEXEC_PORT_TARGET")
    return ask_gpucc("--arch=" + target, "--print-arch") if target else ask_gpucc("--print-arch")


def folder_of(options, target):
    """The folder in which libraries are installed: that of --prefix, or the one where gpucc looks. For the latter: Problem when another
    user could change what is there."""
    if options.prefix:
        return pathlib.Path(os.path.abspath(options.prefix))
    if os.environ.get("GPUEXEC_PORTS") == "off" and options.command in ("list", "info"):
        return pathlib.Path(os.devnull)  # nothing is installed
    folder = pathlib.Path(ask_gpucc("--arch=" + target, "--print-ports"))
    if options.command == "install":
        folder.mkdir(parents=True, exist_ok=True)
        ask_gpucc("--arch=" + target, "--print-ports")  # fails if another user could change the new folder
    return folder


def find_tools():
    """The folder with the clang that gpucc uses, and with LLVM's other tools."""
    for line in ask_gpucc("--print-tools").splitlines():
        name, path, problem = (line.split("\t") + ["", ""])[:3]
        if name == "clang":
            if not path:
                raise descriptions.Problem(problem)
            return os.path.dirname(os.path.realpath(path))
    raise descriptions.Problem("gpucc --print-tools: names no clang")


def resolve(names, known):
    """The ports that `names` mean, each once. A name may be the port's, another name of it, or the NAME of -lNAME."""
    meant = {}
    for name in names:
        found = [each.name for each in known.values() if name.lower() in (each.name, *each.also, *each.libraries)]
        if not found:
            every = [word for each in known.values() for word in (each.name, *each.also)]
            near = difflib.get_close_matches(name.lower(), every, 1)
            raise descriptions.Problem("there is no port '%s'%s" % (name, "; did you mean '%s'?" % near[0] if near else " (gpucc-port list prints them)"))
        meant[found[0]] = None
    return list(meant)


class Commands:
    """The commands of gpucc-port: a method each, by the command's name."""

    def __init__(self, options):
        self._options = options
        folders = [descriptions.FOLDER] + ([pathlib.Path(options.descriptions)] if options.descriptions else [])
        self._known = {name: each for name, each in descriptions.read_all(*folders).items() if each.library}
        self._sources = Sources(ports.cache_folder(), mirror=options.mirror)
        self._progress = ports.Progress(options.quiet)

    def run(self):
        try:
            return getattr(self, self._options.command)()
        finally:
            self._progress.clear()

    def list(self):
        prefix = self._prefix()
        installed = prefix.installed()
        names = sorted(set(installed) | (set() if self._options.installed else set(self._known)))
        rows = [(name, installed[name]["version"] if name in installed else "-", self._known[name].about if name in self._known else "") for name in names]
        widths = [max([len(row[i]) for row in rows] + [0]) for i in range(2)]
        for name, version, about in rows:
            print(("%s  %s  %s" % (name.ljust(widths[0]), version.ljust(widths[1]), about)).rstrip())

    def info(self):
        installed = self._prefix().installed()
        for name in resolve(self._options.names, self._known):
            library, facts = self._known[name], installed.get(name)
            newest = self._sources.newest(library.package, library.suite)
            rows = [("installed", "%(version)s for %(target)s, on %(time)s, from %(from)s" % facts if facts else "no"),
                    ("Debian's", newest or "gpucc-port update asks"), ("license", library.license), ("include", " ".join("<%s>" % header for header in library.headers)),
                    ("link with", " ".join("-l" + each for each in library.libraries)), ("pkg-config", library.pkgconfig),
                    ("needs", " ".join(library.needs)), ("source", "%s of Debian %s" % (library.package, library.suite)), ("note", library.hint)]
            print("%s: %s" % (name, library.about) + "".join("\n  %-11s %s" % row for row in rows if row[1]))

    def install(self):
        names = resolve(self._options.names, self._known)
        target = choose_target(self._options)
        prefix = Prefix(folder_of(self._options, target), self._wait)
        prefix.tidy()
        installer = ports.Installer(self._known, self._sources, prefix, Target(target, GPUEXEC, find_tools()), ports.cache_folder() / "logs",
                                    self._progress, self._options.jobs)
        source = pathlib.Path(self._options.source).resolve() if self._options.source else None
        for name, facts, built in installer.install(names, source, self._options.reinstall):
            self._progress.clear()
            if not self._options.quiet:
                where = " in %s (%s)" % (prefix.folder, facts["license"]) if built else ""
                print("%s %s for %s: %s%s" % (name, facts["version"], target, "installed" if built else "is installed", where))
                if built and self._known[name].hint:
                    print("  " + self._known[name].hint)

    def remove(self):
        prefix = self._prefix()
        installed = prefix.installed()
        names = [name if name in installed else resolve([name], self._known)[0] for name in self._options.names]
        for name in names:
            if name not in installed:
                raise descriptions.Problem("%s is not installed in %s" % (name, prefix.folder))
            users = [user for user in ports.needed_by(name, installed) if user not in names]
            if users:
                raise descriptions.Problem("%s is needed by %s: remove that, too" % (name, users[0]))
        for name in names:
            with prefix.lock_library(name):
                prefix.remove(name)
            if not self._options.quiet:
                print("%s: removed" % name)

    def update(self):
        self._progress.step("update", "fetching Debian's list of source packages")
        self._sources.forget()
        self._sources.update()
        self._progress.clear()
        for name, facts in self._prefix().installed().items():
            library = self._known.get(name)
            newest = self._sources.newest(library.package, library.suite) if library and facts["from"] == "Debian" else ""
            if newest not in ("", facts["version"].split()[0]):
                print("%s %s is installed, %s is in the archive: gpucc-port install %s" % (name, facts["version"], newest, name))

    def clean(self):
        self._sources.forget()
        shutil.rmtree(ports.cache_folder() / "logs", ignore_errors=True)

    def env(self):
        folder = self._prefix().folder
        print("export PKG_CONFIG_LIBDIR=" + shlex.quote("%s/lib/pkgconfig" % folder))
        if self._options.prefix:  # gpucc does not look there by itself
            print("export CPPFLAGS=%s\nexport LDFLAGS=%s" % (shlex.quote("-I%s/include" % folder), shlex.quote("-L%s/lib" % folder)))

    def _prefix(self):
        return Prefix(folder_of(self._options, choose_target(self._options)), self._wait)

    def _wait(self, what):
        self._progress.step("waiting", "for " + what)


def run_pkg_config(arguments, called):
    """Replaces this process by pkg-config, for the installed libraries alone. called: the name by which gpucc-port was started; autoconf
    looks for HOST-pkg-config."""
    target = os.environ.get("GPUEXEC_PORT_TARGET") or ask_gpucc("--print-arch")
    if called.startswith("amdgcn") and not target.startswith("gfx"):
        target = "gfx942"
    if called.startswith("nvptx") and not target.startswith("sm_"):
        target = "sm_90"
    while arguments and arguments[0].startswith("--target="):
        target = arguments.pop(0).removeprefix("--target=")
    tool = next(filter(None, map(shutil.which, ("pkg-config", "pkgconf"))), None)
    if not tool:
        raise descriptions.Problem("pkg-config not found (Debian: apt-get install pkg-config)")
    os.environ["PKG_CONFIG_LIBDIR"] = ask_gpucc("--arch=" + target, "--print-ports") + "/lib/pkgconfig"
    os.execv(tool, [tool, *arguments])


def interrupt(*_):
    raise KeyboardInterrupt


def main(called, *arguments):
    os.umask(0o022)  # gpucc takes nothing that others of the user's group can change
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        if called != "gpucc-port":
            return run_pkg_config(list(arguments), called)
        if arguments[:1] == ("pkg-config",):
            return run_pkg_config(list(arguments[1:]), called)
        options = parse(arguments)
        if options.help or options.command == "help":
            print(HELP, end="")
            return 0
        Commands(options).run()
        sys.stdout.flush()
    except Wrong as problem:
        print("gpucc-port: error: %s (gpucc-port --help)" % problem, file=sys.stderr)
        return 2
    except descriptions.Problem as problem:
        print("gpucc-port: error: %s" % problem, file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    except OSError as error:
        print("gpucc-port: error: %s%s" % (error.filename and "%s: " % error.filename or "", error.strerror), file=sys.stderr)
        return 1
    except (KeyboardInterrupt, process.Interrupted):
        print("gpucc-port: interrupted: libraries that were not finished are as they were before", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
