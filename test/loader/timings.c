// --timings, --trace, --verbose and --rpc-stats say what a run was made of.
// RUN: rm -rf %t && mkdir -p %t && cd %t && %gpucc -O2 %s -o image
// RUN: %run --timings=t.json image && %python -c "import json; print(*(p['name'] for p in json.load(open('t.json'))['phases']))" | FileCheck %s --check-prefix=PHASES
// PHASES: process parse device load begin start end teardown
// RUN: %run --trace trace.json image && %python -c "import json; t = json.load(open('trace.json')); e = t['traceEvents'] if isinstance(t, dict) else t; print(*sorted({x['name'] for x in e if x['ph'] == 'X'}))" | FileCheck %s --check-prefix=TRACE
// TRACE: begin
// TRACE-SAME: load
// TRACE-SAME: start
// RUN: %run --rpc-stats image 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: hello
// STATS: BULK_WRITE_STREAM {{ *1 *1 *6 }}
// RUN: %run --verbose image 2>&1 >/dev/null | FileCheck %s --check-prefix=VERBOSE
// VERBOSE: gpuexec: image: {{.*}} for {{gfx|sm_}}
// VERBOSE: in all
#include <stdio.h>

int main(void) {
  puts("hello");
  return 0;
}
