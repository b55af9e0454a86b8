// A load into the registers of its own address, of a few lanes that access memory of different regions: compiled code that leaves
// such a load to the interpreter must not have overwritten a lane's address.
// REQUIRES: emulator
// RUN: %gpucc --arch gfx942 -O2 %s -o %t
// RUN: %run --threads 64 %t
// RUN: env GPUEXEC_EMULATOR_JIT=baseline %run --threads 64 %t
// RUN: env GPUEXEC_EMULATOR_JIT=off %run --threads 64 %t
// RUN: env GPUEXEC_EMULATOR_JIT=eager %run --threads 64 %t
#include <gpuintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 6, ROUNDS = 20000 };

typedef struct node {
  struct node *next;
  uint64_t lane;
} node;

static node in_image[64][2]; // of all lanes but the last, which has its nodes on the heap
static node *far;

/// The node behind one, with a load whose result is in the registers of its address.
static inline node *follow(node *from) {
  __asm__ volatile("flat_load_dwordx2 %0, %0\n\ts_waitcnt vmcnt(0) lgkmcnt(0)" : "+v"(from)::"memory");
  return from;
}

int main(void) {
  const uint32_t lane = __gpu_lane_id();
  if (!lane)
    far = malloc(1 << 22);
  __gpu_sync_lane(__gpu_lane_mask());
  in_image[lane][0].next = in_image[lane];
  node *nodes = lane == LANES - 1 ? (node *)((char *)far + (3 << 20)) : in_image[lane];
  int wrong = 0;
  if (lane < LANES) {
    nodes[0] = (node){&nodes[1], lane};
    nodes[1] = (node){&nodes[0], lane + 100};
    node *at = nodes;
    for (int round = 0; round < ROUNDS; ++round) {
      wrong += !follow(&in_image[lane][0]); // all of them access the image
      at = follow(at);
      wrong += at != &nodes[(round + 1) & 1] || at->lane != lane + (at == nodes ? 0 : 100);
      if (wrong)
        break;
    }
  }
  if (wrong)
    printf("lane %u\n", lane);
  return wrong != 0;
}
