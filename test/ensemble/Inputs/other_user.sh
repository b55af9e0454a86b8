# other_user.sh GPUEXEC IMAGE: runs an ensemble as user 4242, in a folder that anybody may write to.
gpuexec=$1
here=$(mktemp -d /tmp/ensemble-XXXXXX) && chmod 1777 $here && cp $2 $here/kinds && chmod 644 $here/kinds && cd $here
trap 'rm -rf $here' EXIT
mkdir theirs && chmod 755 theirs
user="setpriv --reuid 4242 --regid 4242 --clear-groups env -u XDG_RUNTIME_DIR HOME=/nonexistent TMPDIR=$here"
$user $gpuexec ensemble --device=emulator -k --joblog log kinds ::: a b 2>&1
echo "status $?"
stat -c '%u %n' log
$user $gpuexec ensemble --device=emulator --results theirs kinds ::: a b 2>&1
echo "status $?"
echo "left: $(find . -name 'gpuexec-*' | wc -l)"
