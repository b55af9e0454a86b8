//===-- loader/job/job.h - One run of a program, as a value -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Job says what runs and with what; a Result says how it ended. A job has no
// state beside its Execution: it takes no signals, prints nothing by itself and
// ends no process, so several jobs can run in one process, at the same time or
// one after the other.
//
// What all jobs of a process share:
//   - the umask, resource limits, time zone and user
//   - the environment of commands that programs start
//   - whether SIGPIPE is ignored: if not, a closed pipe ends the program
//   - the directory in which the names of image and services are looked up
//   - the emulator's options (`check`, `stats`, `threads`), and standard error
//     for what the emulator and drivers write
//   - while a CUDA driver is opened with a fault report, the environment
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_JOB_JOB_H
#define GPUEXEC_LOADER_JOB_JOB_H

#include "lending/client/settings.h"
#include "loader/program/program.h"
#include "rpc/server/journal.h"
#include "rpc/server/trace.h"
#include <chrono>

namespace gpuexec {

/// An option of the device, as Observable::set_option() takes it.
struct DeviceOption {
  std::string name, value;
  std::string label; ///< how an error names it: `--check`
};

/// Waves run in an order that a seed decides (Lockstep::run_in_lockstep()).
struct Schedule {
  uint64_t seed = 0;
  std::string label; ///< the option that asks for it, in messages
};

/// Looks on while a job runs. Called by the job's own thread, in this order; an
/// error ends the job.
class Observer {
public:
  virtual ~Observer() = default;
  /// The device is open and its options are set.
  virtual llvm::Error opened(Device &device, const Image &image) {
    return llvm::Error::success();
  }
  /// The image is loaded; nothing has been launched.
  virtual llvm::Error loaded(Device &device, const Program &program) {
    return llvm::Error::success();
  }
  /// A kernel is about to be launched.
  virtual void launching(const Image &image, const Kernel &kernel,
                         Module &module) {}
};

/// What runs, and with what. Descriptors in `server` belong to the caller, who
/// keeps them open while the job's Execution exists. What only an image or a
/// device decides (before_launch, shares_device, time_regions, note_regions and
/// services that the program needs) is set when the job runs.
struct Job : ProgramOptions {
  /// What is in the image; null: the file `image`, or what standard input holds
  /// for `-`.
  std::shared_ptr<llvm::MemoryBuffer> bytes;

  DeviceRequest device;
  lending::DeviceSettings device_settings;
  std::vector<DeviceOption> device_options;
  std::optional<Schedule> schedule;
  /// Where the emulated device keeps compiled code: a folder, "off", or "": the
  /// default. Nowhere with `server.sandbox`.
  std::string jit_cache;

  /// For run(). A caller that starts an Execution watches the time itself.
  std::optional<std::chrono::duration<double>> time_limit;
  /// For Execution::statistics(): counts of the device, and how busy the grid
  /// was in parallel regions of OpenMP. The job fails only if neither is
  /// available.
  bool count_work = false;
  std::string count_work_label;       ///< how an error names it: `--stats`
  std::shared_ptr<Phases> phases;     ///< notes where the time goes, or null
  std::shared_ptr<Observer> observer; ///< or null

  /// The last of `device_options` with this name; null when there is none.
  const DeviceOption *find_option(llvm::StringRef name) const;
};

/// How a job ended.
struct Result {
  enum class Kind {
    exited,    ///< with `value`, 0 to 255
    signalled, ///< as if by signal `value`: SIGABRT, SIGPIPE
    faulted,   ///< the program broke on the device, as if by signal `value`
    timed_out, ///< Job::time_limit has passed
    not_found, ///< there is no such image
    refused,   ///< the image is not one that can run here
    failed,    ///< the device, its driver or the host failed
  };
  Kind kind = Kind::exited;
  /// For `failed`: what the program itself returned, when that is not 0.
  int value = 0;
  std::string message; ///< one line about any end but an exit
  std::string report;  ///< lines about a fault, or where the program was
  /// Whether the program may run again, on a GPU that runs others beside it.
  /// `innocent`: another has ended it; `suspected`: another, or it has ended
  /// the others; `doubtful`: no other seems to have run, so the fault is its
  /// own, which a run without others can show.
  enum class Again { no, innocent, suspected, doubtful };
  Again again = Again::no;
  bool has_begun = true; ///< unless `again` is `no`: it may have done something
  /// No kernel and no thread of the job runs any more. Else they do as long as
  /// the device does not end them; what they use is freed when they have ended.
  bool settled = true;
};

/// The Result of a job that ended with `error`.
Result failure_of(llvm::Error error);

/// The Result of a job whose time limit has passed while the image or file
/// `what` ran or was read. `limit`: seconds; `where` becomes Result::report.
/// The result is not settled.
Result time_is_over(llvm::StringRef what, std::optional<double> limit,
                    std::string where);

/// The Result of a job whose program has asked its host to end it, or whose
/// host cannot go on. `image`: for messages. Not settled: the kernel may go on.
Result result_of(const rpc::Outcome &outcome, const std::string &image);

/// Runs a job to its end, in threads of its own. What the job used has been
/// given back when it returns, unless Result::settled is false.
Result run(Job job);

} // namespace gpuexec

#endif
