"""Writes FOLDER/wrapped, headers that stand before the library's and include them (as gnulib's do), and FOLDER/NAME.c for each
header: it includes that header first, then all the others, and uses a name of each."""

import pathlib
import sys

USES = {
    "ctype.h": "isalpha", "dirent.h": "opendir", "errno.h": "EINVAL", "fcntl.h": "O_CREAT", "inttypes.h": "strtoimax", "limits.h": "INT_MAX",
    "locale.h": "LC_ALL", "math.h": "fabs", "signal.h": "SIGINT", "stdint.h": "UINT64_MAX",
    "stdio.h": "fopen", "stdlib.h": "EXIT_FAILURE", "string.h": "memcpy", "strings.h": "strcasecmp", "sys/select.h": "FD_SETSIZE",
    "sys/stat.h": "S_IFMT", "sys/time.h": "gettimeofday", "sys/types.h": "sizeof(pid_t)", "sys/wait.h": "waitpid", "time.h": "mktime",
    "unistd.h": "STDIN_FILENO", "wchar.h": "btowc", "wctype.h": "iswalpha",
}
WRAPPER = "#ifndef WRAPPED_{0}\n#include_next <{1}>\n#define WRAPPED_{0}\n#endif\n"

folder = pathlib.Path(sys.argv[1])
for name in USES:
    identifier = name.replace("/", "_").replace(".", "_")
    wrapper = folder / "wrapped" / name
    wrapper.parent.mkdir(parents=True, exist_ok=True)
    wrapper.write_text(WRAPPER.format(identifier, name))
    order = [name, *(other for other in USES if other != name)]
    lines = ["#include <%s>" % other for other in order] + ["void use(void) {"] + ["  (void)(%s);" % use for use in USES.values()] + ["}"]
    (folder / (identifier + ".c")).write_text("\n".join(lines) + "\n")
