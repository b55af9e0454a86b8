#!/bin/sh
# Runs a command in several processes of MPI: usage: mpirun.sh openmpi|mpich RANKS COMMAND...
library=$1 ranks=$2
shift 2
case $library in
openmpi) exec mpirun.openmpi --allow-run-as-root --oversubscribe -n "$ranks" "$@" ;;
mpich) exec mpirun.mpich -n "$ranks" "$@" ;;
*) echo "mpirun.sh: '$library': expected openmpi or mpich" >&2; exit 2 ;;
esac
