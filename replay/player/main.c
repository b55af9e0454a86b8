//===-- replay/player/main.c - gpu-replay ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a recorded program without gpuexec and LLVM: with the answers that it
// got when it was recorded, or live. `gpuexec --record-standalone` appends a
// recording to this executable: that runs by itself.
//===----------------------------------------------------------------------===//
#include "replay/player/live.h"
#include "replay/player/process.h"
#include "replay/player/program.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static const char help[] =
    "usage: gpu-replay [options] FILE\n"
    "       gpu-replay [options] --live FILE ARGUMENT...\n"
    "Runs a program that gpuexec --record has recorded, with the answers that "
    "it got then. An executable of\ngpuexec --record-standalone has no FILE.\n"
    "  --live           With these arguments, and files and input as they are "
    "now\n"
    "  --device=<name>  auto, cuda, hsa or emulator\n"
    "  --help           Print this text and exit\n"
    "  --version        Print the version and exit\n";

static void print(const char *text, bool lines) {
  for (; *text; ++text) {
    const unsigned char byte = (unsigned char)*text;
    // Bytes above ASCII may be control characters, too.
    if ((byte < ' ' && !(lines && byte == '\n')) || byte > '~')
      fprintf(stderr, "\\x%02x", byte);
    else
      fputc(byte, stderr);
  }
  fflush(stderr);
}

void say(const char *text) { print(text, /*lines=*/true); }

void fail(int status, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  say("gpu-replay: error: ");
  print(text, /*lines=*/false);
  say(size >= (int)sizeof text ? "...\n" : "\n");
  _exit(status);
}

void *allocate(uint64_t count, uint64_t size) {
  void *memory = calloc(count, size);
  if (!memory && count && size)
    fail(STATUS_FAILED, "out of memory");
  return memory;
}

void *reallocate(void *data, uint64_t size) {
  void *memory = realloc(data, size);
  if (!memory)
    fail(STATUS_FAILED, "out of memory");
  return memory;
}

/// The largest file that is read. All of it is kept in memory.
static const uint64_t largest_file = (uint64_t)16 << 30;

/// Reads a whole file. It is not mapped, because another process could then
/// change bytes that have been checked.
static struct bytes read_file(const char *path) {
  struct stat status;
  // O_NONBLOCK: do not wait for the writer of a pipe.
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0 || fstat(file, &status) != 0)
    fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_FAILED, "%s: %s", path,
         strerror(errno));
  if (!S_ISREG(status.st_mode))
    fail(STATUS_FAILED, "%s: not a file", path);
  if ((uint64_t)status.st_size > largest_file)
    fail(STATUS_FAILED, "%s: larger than %llu bytes, the limit", path,
         (unsigned long long)largest_file);
  const size_t size = (size_t)status.st_size;
  uint8_t *data = allocate(size + 1, 1);
  size_t got = 0;
  for (ssize_t more = 1; more && got < size;) {
    more = read(file, data + got, size - got);
    if (more < 0 && errno != EINTR)
      fail(STATUS_FAILED, "%s: %s", path, strerror(errno));
    got += more > 0 ? (size_t)more : 0;
  }
  close(file);
  return (struct bytes){data, got};
}

/// Recordings for this program are not compressed (gpuexec
/// --record-standalone). Others are, and unpacking them needs the system's
/// libzstd: its decoder alone is larger than this program.
static bool unpack(uint8_t *to, size_t size, struct bytes packed,
                   struct error *error) {
  size_t (*decompress)(void *, size_t, const void *, size_t) = NULL;
  void *library = dlopen("libzstd.so.1", RTLD_NOW);
  if (library)
    *(void **)&decompress = dlsym(library, "ZSTD_decompress");
  if (!decompress)
    return set_error_text(error,
                          "is compressed, and there is no libzstd.so.1 "
                          "(gpuexec --record-standalone does not compress)");
  // An error is a number that is larger than any size.
  return decompress(to, size, packed.data, packed.size) == size;
}

/// The command line.
struct options {
  bool live, is_standalone;
  const char *device, *file;
  struct names arguments; ///< of the program, without its name
};

/// Prints a text, such as the version, and ends the process.
_Noreturn static void tell(const char *text) {
  fputs(text, stdout);
  exit(fflush(stdout) ? STATUS_FAILED : 0);
}

static struct options parse_options(int argc, char **argv, bool is_standalone) {
  struct options options = {.device = "auto", .is_standalone = is_standalone};
  int i = 1;
  for (; i < argc && argv[i][0] == '-' && !(options.live && is_standalone);
       ++i) {
    if (strcmp(argv[i], "--live") == 0) {
      options.live = true;
    } else if (strcmp(argv[i], "--help") == 0) {
      tell(help);
    } else if (strcmp(argv[i], "--version") == 0) {
      tell("gpu-replay " GPUEXEC_VERSION "\n");
    } else if (strncmp(argv[i], "--device=", 9) == 0) {
      options.device = argv[i] + 9;
    } else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
      options.device = argv[++i];
    } else {
      fail(STATUS_FAILED, "%s: no such option, or no value for it (--help)",
           argv[i]);
    }
  }
  if (!is_standalone && i == argc)
    fail(STATUS_FAILED, "no recording to run (--help)");
  options.file = is_standalone ? argv[0] : argv[i++];
  if (i < argc && !options.live)
    fail(STATUS_FAILED,
         "arguments are those of the recording (others: --live)");
  options.arguments =
      (struct names){(const char **)argv + i, (size_t)(argc - i)};
  return options;
}

/// The program's arguments with its name before them.
static struct names with_name(const char *name, struct names arguments) {
  struct names all = {allocate(arguments.count + 2, sizeof *all.all),
                      arguments.count + 1};
  all.all[0] = name;
  memcpy(all.all + 1, arguments.all, arguments.count * sizeof *all.all);
  return all;
}

static struct names own_environment(void) {
  struct names all = {(const char **)environ, 0};
  while (environ[all.count])
    ++all.count;
  return all;
}

/// The entry point, which packed/main.c calls.
__attribute__((visibility("default"))) int replay_main(int argc, char **argv) {
  struct bytes file = read_file("/proc/self/exe");
  uint64_t begin = find_recording(file);
  const struct options options = parse_options(argc, argv, begin < file.size);
  struct recording recording = {.name = options.file};
  if (!options.is_standalone) {
    file = read_file(options.file);
    begin = find_recording(file);
  }
  struct error error;
  if (!parse_recording(&recording,
                       (struct bytes){file.data + begin, file.size - begin},
                       unpack, &error))
    fail(STATUS_FAILED, "%s: %s", recording.name, error.text);
  if (!options.live && find_fact(&recording, "schedule").left.size)
    say("gpu-replay: warning: the recorded schedule is not repeated: gpuexec "
        "--replay does that\n");
  struct plan plan = {0};
  read_plan(&plan, &recording);
  plan.emulator_memory = options.live ? 0 : plan.emulator_memory;
  plan.heap_wanted = options.live ? HEAP_UNKNOWN : recorded_heap(&recording);
  struct server server = {.plan = &plan};
  server.host.device = open_device(options.device, &plan);
  if (options.live)
    server.live = make_live(&server.host);
  else
    server.answers = make_answers(&recording, is_one_wave(&plan));
  if (!options.live)
    signal(SIGPIPE, SIG_IGN); // the recording says how the program ends
  run_program(&server, recording.image,
              with_name(plan.program,
                        options.live ? options.arguments
                                     : read_names(&recording, "arguments", 0)),
              options.live ? own_environment()
                           : read_names(&recording, "environment", 0));
}
