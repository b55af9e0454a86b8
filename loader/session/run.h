//===-- loader/session/run.h - What happens beside the supervision -*- C++ -*-//
// The worker's half of a session: from reading the image to the last kernel,
// and what is printed about it. Only for session.cpp.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_SESSION_RUN_H
#define GPUEXEC_LOADER_SESSION_RUN_H

#include "loader/program/program.h"
#include "loader/sandbox/sandbox.h"
#include "loader/session/report_file.h"
#include "loader/session/session.h"
#include "rpc/server/trace.h"
#include <atomic>
#include <future>

namespace gpuexec {

/// What the worker builds and the supervising thread looks at. Shared, because
/// a worker that is stuck in a driver outlives run_session().
struct Run {
  Run(const Options &options, const Personality &personality, Phases &phases)
      : options(options), personality(personality),
        command(personality.command), phases(phases) {}
  const Options &options;
  const Personality personality;
  const llvm::StringRef command;
  Phases &phases;
  std::unique_ptr<rpc::Trace> trace;
  ReportFile timings, stats_json;
  // In the order of creation; destroyed by tear_down() the other way round.
  std::unique_ptr<llvm::MemoryBuffer> file;
  std::vector<Image> images;
  std::unique_ptr<Device> device;
  std::unique_ptr<Program> program;
  // Set when the supervising thread may use the two above.
  std::atomic<Device *> open_device{nullptr};
  std::atomic<Program *> ready_program{nullptr};
  std::function<void()> on_outcome;
  // --sandbox: the worker prepares it, and both threads go in.
  std::optional<sandbox::Sandbox> sandbox;
  std::vector<int> inherited;        // descriptors that go when it begins
  std::function<void()> on_confined; // the supervising thread is to follow
  std::promise<std::string> followed; // why it could not, or nothing


  llvm::Expected<int32_t> result = 0; // the worker's, once it has returned
  bool returned = false;              // the supervising thread's
  std::atomic<bool> reported = true;  // all that was asked for was written

  llvm::Expected<int32_t> work();
  llvm::Error open_reports();
  llvm::Error read_image();
  llvm::Error open_device_for(const Image *&image);
  llvm::Error set_device_options();
  llvm::Error check_sandbox();
  llvm::Error check_addresses();
  llvm::Error confine();
  void follow_into_sandbox();
  void print_resources(const Kernel &kernel);
  void tear_down();
  void say(const llvm::Twine &text) const {
    if (options.verbose)
      llvm::errs() << command << ": " << text << "\n";
  }
};

/// What was asked for on top of the program's own output, once it has ended.
/// `server_idle`: its counters no longer change.
void print_reports(Run &run, bool server_idle);
/// --verbose, --timings and --trace; the last thing that is said.
void print_timings(Run &run);
/// Where the program is, for --timeout.
void print_where(Run &run);
/// Writes out what the program has printed and can no longer write itself.
void write_last_words(Run &run);

} // namespace gpuexec

#endif
