// --stats names the instructions that were executed and are not exact, and how fast the kernels ran.
// REQUIRES: emulator
// RUN: %gpucc -O2 %s -o %t
// RUN: %run --stats --stats-json=%t.json %t sine 2>&1 | FileCheck %s --check-prefix=SINE
// RUN: %run --stats --stats-json=%t.json %t exact 2>&1 | FileCheck %s --check-prefix=EXACT
// RUN: %python -c "import json, sys; k = {x['kernel']: x for x in json.load(open(sys.argv[1]))['kernels']}['_start']; \
// RUN:   assert k['approximate_instructions'] == [] == k['unsupported_instructions'], k; \
// RUN:   assert 0 < k['lane_instructions'] <= k['instructions'] and k['wave_instructions_per_second'] > 0, k" %t.json
// RUN: not %run --stats %t unsupported 2>&1 | FileCheck %s --check-prefix=REFUSED
// SINE: kernel _start: 1 launch, 1 thread
// SINE: {{^}}  speed {{[0-9.]+}} million wave instructions/s, {{[0-9.]+}} million lane instructions/s
// SINE: {{^}}  fidelity                   approximate: v_rcp_f32, v_sin_f32{{$}}
// EXACT: kernel _start: 1 launch, 1 thread
// EXACT: {{^}}  fidelity                   every instruction exact{{$}}
// REFUSED: {{^}}  fidelity                   unsupported: s_rfe_b64
volatile float x = 0.25f;
volatile unsigned quotient;

int main(int argc, char **argv) {
  switch (argv[1][0]) {
  case 's':
    x = __builtin_amdgcn_sinf(__builtin_amdgcn_rcpf(x));
    break;
  case 'u':
    __asm__ volatile("s_rfe_b64 s[0:1]");
    break;
  default:
    quotient = (unsigned)(x * 8) + 3;
  }
  return 0;
}
