#!/bin/sh
# shard.sh lit|ctest [ARGUMENT...]: this task's part of a suite, under Slurm's srun or with SHARD and SHARDS given.
#
#     srun --ntasks=8 --gpus-per-task=1 shard.sh lit tests         # eight parts, each on a GPU of its own
#     srun --ntasks=8 --gpus-per-task=1 shard.sh ctest --test-dir build
#     seq 4 | parallel -j4 SHARDS=4 SHARD={} CUDA_VISIBLE_DEVICES='$(({%}-1))' shard.sh lit tests
#
# SHARD counts from 1. Slurm binds a task to its GPU (CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES), which is the only one that
# gpuexec sees there. LIT and CTEST name other programs than those in PATH. The status is the suite's: srun's is the worst of all.
set -eu
shards=${SHARDS:-${SLURM_NTASKS:-}}
shard=${SHARD:-${SLURM_PROCID:+$((SLURM_PROCID + 1))}}
if [ -z "$shards" ] || [ -z "$shard" ]; then
  echo "shard.sh: error: neither under srun nor with SHARD and SHARDS" >&2
  exit 125
fi
tool=${1:-}
[ $# -eq 0 ] || shift
case $tool in
lit) exec ${LIT:-lit} --num-shards="$shards" --run-shard="$shard" "$@" ;;
ctest) exec ${CTEST:-ctest} -I "$shard,,$shards" "$@" ;;
*)
  echo "shard.sh: error: '$tool' where lit or ctest was expected" >&2
  exit 125
  ;;
esac
