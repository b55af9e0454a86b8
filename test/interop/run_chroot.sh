#!/bin/sh
# run_chroot.sh ROOT FOLDER COMMAND...: runs a command in an unpacked release of Debian (see debian_root.py), where FOLDER is /work.
exec unshare -rm sh -c 'mount --rbind /dev "$0/dev" && mount --bind "$1" "$0/work" && shift && exec chroot "$0" "$@"' "$@"
