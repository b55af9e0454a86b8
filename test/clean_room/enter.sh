#!/bin/sh
# Enters a room: enter.sh ROOT [FOLDER:MOUNT-POINT[:ro]...] -- COMMAND...
# clean_room.py runs it in a mount namespace and a PID namespace of its own. All that is mounted here is gone, and all
# that is started here has ended, when this process ends, however it ends.
set -eu
root=$1
shift
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for number in 0:stdin 1:stdout 2:stderr; do
  ln -s "/proc/self/fd/${number%:*}" "$root/dev/${number#*:}"
done
while [ "$1" != -- ]; do
  folder=${1%%:*} point=${1#*:}
  mkdir -p "$root${point%:ro}"
  mount --bind "$folder" "$root${point%:ro}"
  case $point in
  *:ro) mount -o remount,bind,ro "$root${point%:ro}" ;;
  esac
  shift
done
shift
# Not exec: this process is the first of its PID namespace, and so the one that takes the exit statuses of orphans. Tests
# would find processes that have ended and are still there.
status=0
chroot "$root" "$@" || status=$?
exit "$status"
