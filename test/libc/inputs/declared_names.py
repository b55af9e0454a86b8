#!/usr/bin/env python3
"""Compares by name what the host's C library declares with what the device's does: declared_names.py [--shrink] CLANG GPUCC LIST

In each of six dialects one source includes all headers of the host's library, another those of them that the device's has. A name that
only the former has (a function, type, member, constant or macro; not one that begins with _) must be in LIST, which gives a reason
for each group of names: a line `# REASON`, then lines of names. `<name.h>` is a header that the device's library lacks: what it alone
declares is not looked at. `name@c99,c23` is missing in these dialects only. The names of LIST must be missing, so that it only shrinks: --shrink takes out those that are not.
"""

import subprocess
import sys

DIALECTS = {"c99": ["-std=c99"], "c17": ["-std=c17"], "c23": ["-std=c23"], "posix": ["-std=c17", "-D_POSIX_C_SOURCE=200809L"],
            "gnu17": ["-std=gnu17"], "gnu": ["-std=gnu17", "-D_GNU_SOURCE"]}
ISO = ["assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "locale.h", "math.h",
       "setjmp.h", "signal.h", "stdalign.h", "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",
       "stdnoreturn.h", "string.h", "tgmath.h", "threads.h", "time.h", "uchar.h", "wchar.h", "wctype.h"]
OTHERS = """aio aliases alloca ar argp argz arpa/inet byteswap cpio crypt dirent dlfcn endian envz err error execinfo fcntl features
    fmtmsg fnmatch fstab fts ftw getopt glob grp gshadow iconv ifaddrs langinfo libgen libintl link malloc mcheck memory mntent
    monetary mqueue net/if netdb netinet/in netinet/ip nl_types obstack paths poll printf pthread pty pwd regex
    resolv sched search semaphore sgtty shadow spawn stdio_ext strings sys/dir sys/epoll sys/eventfd sys/file sys/inotify sys/ioctl
    sys/ipc sys/mman sys/mount sys/msg sys/param sys/prctl sys/ptrace sys/queue sys/random sys/resource sys/select sys/sem
    sys/sendfile sys/shm sys/signalfd sys/socket sys/stat sys/statfs sys/statvfs sys/syscall sys/sysinfo sys/sysmacros sys/time
    sys/timeb sys/timerfd sys/times sys/timex sys/types sys/ucontext sys/uio sys/un sys/utsname sys/vfs sys/wait sys/xattr syscall
    sysexits syslog tar termio termios ttyent ucontext ulimit unistd utime utmp utmpx values wait wordexp""".split()
HEADERS = ISO + [name + ".h" for name in OTHERS]


def run(compiler, options, headers):
    source = "".join("#include <%s>\n" % header for header in headers)
    return subprocess.run([*compiler, "-w", *options, "-x", "c", "-"], input=source, capture_output=True, text=True)


def has(compiler, header):
    return run(compiler, ["-std=gnu17", "-D_GNU_SOURCE", "-E", "-o", "/dev/null"], [header]).returncode == 0


def names(compiler, options, headers):
    """What the headers declare, or an exit with the compiler's message."""
    listed = run(compiler, [*options, "-fsyntax-only", "-Xclang", "-ast-list"], headers)
    macros = run(compiler, [*options, "-E", "-dM"], headers)
    if listed.returncode or macros.returncode:
        sys.exit("%s %s: %s" % (" ".join(compiler), " ".join(options), (listed.stderr + macros.stderr)[:2000]))
    found = set(listed.stdout.split("\n"))
    found |= {line.split()[1].split("(")[0] for line in macros.stdout.split("\n") if line.startswith("#define")}
    return {name for name in found if name and not name.startswith("_") and "::_" not in name and "(" not in name}


def read_list(path):
    """{name: the dialects in which it is missing, or None for all in which the host has it}"""
    listed, reason = {}, ""
    for line in open(path):
        if line.startswith("#"):
            reason = line
            continue
        for word in line.split():
            name, at, dialects = word.partition("@")
            if not reason or name in listed:
                sys.exit("%s: %s has no reason or is there twice" % (path, name))
            listed[name] = set(dialects.split(",")) if at else None
    return listed


def find_missing(host, device, absent):
    """{name: [the dialects in which it is missing, those in which the host has it]}"""
    missing = {}
    there = [header for header in HEADERS if header not in absent]
    for dialect, options in DIALECTS.items():
        predefined = names(host, options, [])
        theirs = names(host, options, there) - predefined
        ours = names(device, options, there)
        for name in theirs:
            entry = missing.setdefault(name, [set(), set()])
            entry[1].add(dialect)
            if name not in ours:
                entry[0].add(dialect)
    return {name: entry for name, entry in missing.items() if entry[0]}


def shrink(path, gone):
    """Takes these names out of the list, and reasons without names."""
    kept = []
    for line in open(path):
        words = [word for word in line.split() if word.partition("@")[0] not in gone]
        if line.startswith("#"):
            if kept and kept[-1].startswith("#"):
                kept.pop()
            kept.append(line)
        elif words:
            kept.append(" ".join(words) + "\n")
    open(path, "w").writelines(kept)


def main():
    shrinks = sys.argv[1] == "--shrink"
    host, device, path = sys.argv[1 + shrinks].split(), sys.argv[2 + shrinks].split(), sys.argv[3 + shrinks]
    listed = read_list(path)
    absent = {header for header in HEADERS if not has(device, header)}
    missing = find_missing(host, device, absent)
    wrong = ["%s is missing" % header for header in sorted(absent) if "<%s>" % header not in listed]
    for name in sorted(missing):
        lacking, having = missing[name]
        if name not in listed or (listed[name] or having) != lacking:
            wrong.append("missing: " + name + ("" if lacking == having else "@" + ",".join(sorted(lacking))))
    gone = [name for name in sorted(listed) if name not in missing and name.strip("<>") not in absent]
    if shrinks:
        shrink(path, set(gone))
    else:
        wrong += ["%s is there now: take it out of the list (declared_names.py --shrink)" % name for name in gone]
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
