//===-- test/differential/inputs/exceptions/driver.h - main of random programs ---===//
// Runs every program of the table `programs` with every input; on the device with
// more than one thread each thread is an input. Arguments: seed and input of one
// run of which all that happens is printed.
//===----------------------------------------------------------------------===//
#if defined(__AMDGPU__) || defined(__NVPTX__)
#include <gpuintrin.h>
#define THREADS __gpu_num_threads_x()
#define THREAD __gpu_thread_id_x()
#else
#define THREADS 1
#define THREAD 0
#endif

struct Program {
  int seed;
  void (*run)(unsigned input, State &state);
};
extern const Program programs[];
extern const int program_count;

bool shown = false;

enum { INPUTS = 32 };

static void run_one(const Program &program, unsigned input) {
  State state(program.seed * 1000 + input);
  program.run(input, state);
  printf("seed %d input %u: %016llx %d%s\n", program.seed, input, state.sum, state.events, state.live ? " objects are left" : "");
}

int main(int argc, char **argv) {
  shown = argc == 3;
  for (int i = 0; i < program_count; ++i) {
    if (shown && programs[i].seed != atoi(argv[1]))
      continue;
    for (unsigned input = shown ? atoi(argv[2]) : THREAD; input < INPUTS; input += shown ? INPUTS : THREADS)
      run_one(programs[i], input);
  }
  return 0;
}
