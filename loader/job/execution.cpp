//===-- loader/job/execution.cpp - A job that runs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/job/execution.h"
#include "loader/device/own_grid.h"
#include "loader/job/job_device.h"
#include "loader/job/needed_services.h"
#include "support/descriptor.h"
#include "support/failure.h"
#include "support/printable.h"
#include "llvm/Support/JSON.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

namespace gpuexec {

/// How long a launch may take to fail, once a copy has, because of the same
/// fault.
static constexpr std::chrono::milliseconds WORK_TIMEOUT(1000);

/// What the worker builds and other threads look at.
struct Execution::State {
  State(Job job, std::function<void()> notify)
      : job(std::move(job)), notify(std::move(notify)) {}
  ~State() {
    share_calls(nullptr);
    llvm::consumeError(result.takeError());
  }

  const Job job;
  const std::function<void()> notify;
  // In the order of creation; freed in the reverse order.
  std::shared_ptr<llvm::MemoryBuffer> file;
  std::vector<Image> images;
  std::unique_ptr<Device> device;
  std::unique_ptr<Program> program;
  // Set while other threads may use the two above.
  std::atomic<Device *> open_device{nullptr};
  std::atomic<Program *> ready_program{nullptr};
  /// What the program returned: the worker's until `returned` is set.
  llvm::Expected<int32_t> result = 0;
  std::atomic<bool> returned{false};
  std::atomic<bool> ended{false}; ///< end() was called

  llvm::Expected<int32_t> work();
  llvm::Error check_ended() const;
  llvm::Error read_image();
  llvm::Expected<const Image *> open_device_for_job();
  llvm::Error set_schedule();
  llvm::Expected<std::unique_ptr<Program>> load(const Image &image);
  rpc::Server *server() const {
    Program *ready = ready_program;
    return ready ? ready->server() : nullptr;
  }
  void share_calls(rpc::Server *server) const;
  void phase(llvm::StringRef name) const { job.phases->done(name); }
};

const DeviceOption *Job::find_option(llvm::StringRef name) const {
  const DeviceOption *found = nullptr;
  for (const DeviceOption &option : device_options)
    if (option.name == name)
      found = &option;
  return found;
}

llvm::Error Execution::State::read_image() {
  file = job.bytes;
  if (!file) {
    llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read =
        Image::read_file(job.image);
    if (!read)
      return read.takeError();
    file = std::move(*read);
  }
  llvm::Expected<std::vector<Image>> parsed =
      Image::parse_all(file->getMemBufferRef());
  if (!parsed)
    return parsed.takeError();
  images = std::move(*parsed);
  phase("parse");
  return llvm::Error::success();
}

llvm::Error Execution::State::set_schedule() {
  if (!job.schedule)
    return llvm::Error::success();
  // Kernels run when the program is ready, and no longer than it is there.
  llvm::Expected<Lockstep &> lockstep = need_lockstep(*device);
  llvm::Error error =
      lockstep ? lockstep->run_in_lockstep(
                     job.schedule->seed,
                     [this](uint64_t step, bool idle, uint64_t &ticks) {
                       rpc::Server *served = server();
                       return !served || served->turn(step, idle, ticks);
                     })
               : lockstep.takeError();
  return error ? failure(Reason::failed, "{0}: {1}", job.schedule->label,
                         llvm::toString(std::move(error)))
               : llvm::Error::success();
}

llvm::Expected<const Image *> Execution::State::open_device_for_job() {
  llvm::Expected<OpenedDevice> opened = open_device_of_job(job, images);
  if (!opened)
    return opened.takeError();
  device = std::move(opened->device);
  open_device = device.get();
  if (llvm::Error error = set_options_of_job(job, *device, *opened->image))
    return std::move(error);
  if (llvm::Error error = set_schedule())
    return std::move(error);
  phase("device");
  if (job.observer)
    if (llvm::Error error = job.observer->opened(*device, *opened->image))
      return std::move(error);
  return opened->image;
}

llvm::Expected<std::unique_ptr<Program>>
Execution::State::load(const Image &image) {
  ProgramOptions options = job;
  if (job.observer)
    options.before_launch = [this, &image](const Kernel &kernel) {
      job.observer->launching(image, kernel, program->module());
    };
  if (job.server.sandbox)
    if (llvm::Error error = check_services_for_sandbox(image))
      return std::move(error);
  options.shares_device = shares_device(image);
  options.time_regions = job.count_work || job.server.trace;
  options.note_regions = bool(job.server.trace);
  llvm::Expected<std::vector<std::string>> needed =
      needed_services(image, job.server.services, services_folder());
  if (!needed)
    return needed.takeError();
  // A service works beside the waves: when its answer comes is not repeated.
  if (job.schedule && !needed->empty())
    return failure(Reason::failed,
                   "{0}: {1}: not for a program that calls a service ({2}); "
                   "--record alone records it",
                   job.schedule->label, job.image, needed->front());
  llvm::append_range(options.server.services, *needed);
  options.server.lockstep = job.schedule.has_value();
  return Program::load(*device, image, std::move(options), *job.phases);
}

/// end() finds no device to stop before one is open.
llvm::Error Execution::State::check_ended() const {
  return ended ? failure(Reason::failed, "{0}: was ended", job.image)
               : llvm::Error::success();
}

/// Lets threads of a device that can serve the program's calls, too; null: no
/// more, which must be said before the server is destroyed. In lockstep the
/// server has turns instead.
void Execution::State::share_calls(rpc::Server *server) const {
  SelfServing *device = this->device ? this->device->self_serving() : nullptr;
  if (!device || job.schedule)
    return;
  device->serve_calls(server ? [server] { return server->serve_here(); }
                             : std::function<bool()>());
}

llvm::Expected<int32_t> Execution::State::work() {
  if (llvm::Error error = read_image())
    return std::move(error);
  llvm::Expected<const Image *> image = open_device_for_job();
  if (!image)
    return image.takeError();
  if (llvm::Error error = check_ended())
    return std::move(error);
  llvm::Expected<std::unique_ptr<Program>> loaded = load(**image);
  if (!loaded)
    return loaded.takeError();
  program = std::move(*loaded);
  if (rpc::Server *server = program->server())
    server->set_notifier(notify);
  ready_program = program.get();
  if (job.observer)
    if (llvm::Error error = job.observer->loaded(*device, *program))
      return std::move(error);
  share_calls(program->server());
  return program->run();
}

llvm::Expected<std::unique_ptr<Execution>>
Execution::start(Job job, std::function<void()> notify) {
  if (!job.phases)
    job.phases = std::make_shared<Phases>(Phases::Clock::now());
  auto state = std::make_shared<State>(std::move(job), std::move(notify));
  std::unique_ptr<Execution> execution(new Execution(state));
  if (!execution->worker.start([state] {
        llvm::consumeError(state->result.takeError());
        state->result = state->work();
        state->returned = true;
        state->notify();
      }))
    return failure(Reason::failed, "no thread to run it: {0}",
                   std::strerror(EAGAIN));
  return std::move(execution);
}

bool Execution::end() {
  state->ended = true;
  Program *program = state->ready_program;
  if (program && !state->returned)
    program->abandon_output();
  Device *device = state->open_device;
  const bool stopped = device && device->queue().stop();
  if (worker.joinable() && (stopped || state->returned))
    worker.join();
  return stopped;
}

Execution::~Execution() {
  end();
  if (worker.joinable())
    worker.detach();
}

bool Execution::is_over() const {
  rpc::Server *server = state->server();
  return state->returned || (server && server->outcome());
}

bool Execution::has_returned() const {
  rpc::Server *server = state->server();
  return state->returned && state->result && !(server && server->outcome());
}

Result Execution::finish() {
  const bool returned = state->returned;
  rpc::Server *server = state->server();
  std::optional<rpc::Outcome> outcome =
      server ? server->outcome() : std::nullopt;
  if (outcome && outcome->kind == rpc::Outcome::Kind::error &&
      state->device->info().is_shared)
    // The service's error may have the same cause as the launch's.
    if (Result result = result_of_work(); result.again != Result::Again::no)
      return result;
  // A request to end is obeyed before anything else that happened meanwhile.
  if (outcome) {
    if (!returned)
      halt();
    server->flush();
    Result result = result_of(*outcome, state->job.image);
    // A program that noticed the error by itself has said so in its status.
    if (result.kind == Result::Kind::failed && returned && state->result)
      result.value = *state->result & 0xff;
    if (state->job.server.stats)
      server->abandon(); // the device may still ask: count no further
    return result;
  }
  return result_of_work();
}

/// The result of a program whose worker has returned, or returns soon; else one
/// that says nothing.
Result Execution::result_of_work() {
  for (unsigned waited = 0; !state->returned; ++waited) {
    if (waited == WORK_TIMEOUT.count())
      return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (state->result) {
    Result result;
    result.value = *state->result & 0xff;
    return result;
  }
  Result result = failure_of(state->result.takeError());
  Device *device = state->open_device;
  const bool is_shared = device && device->info().is_shared;
  if (!is_shared && result.again != Result::Again::innocent)
    result.again = Result::Again::no; // whatever the driver says
  else if (is_shared && result.kind == Result::Kind::faulted)
    result.again = Result::Again::doubtful;
  result.has_begun = state->ready_program;
  if (result.kind == Result::Kind::faulted) {
    result.message = state->job.image + ": " + result.message;
    write_buffered_output();
  }
  return result;
}

void Execution::halt() const {
  rpc::Server *server = state->server();
  if (server && state->job.schedule)
    server->halt();
}

Result Execution::timed_out() const {
  halt();
  std::optional<double> seconds;
  if (state->job.time_limit)
    seconds = state->job.time_limit->count();
  return time_is_over(state->job.image, seconds, where());
}

void Execution::release() {
  worker.join();
  state->ready_program = nullptr;
  state->open_device = nullptr;
  state->share_calls(nullptr);
  state->program.reset();
  state->device.reset();
  state->phase("teardown");
}

std::string Execution::where() const {
  Device *device = state->open_device;
  Program *program = state->ready_program;
  if (!program)
    return std::string("  no kernel was running: ") +
           (device ? "loading the image" : "opening the device") + "\n";
  std::string where;
  if (Observable *observable = device->observable())
    where = observable->where();
  if (!where.empty())
    return where;
  // A GPU does not say where its waves are: only what they wait for.
  std::string kernel = program->running_kernel();
  where = kernel.empty()
              ? "  no kernel was running\n"
              : "  kernel '" + printable(kernel) +
                    "' was running; which lines its threads are at, only "
                    "emulated AMD GPUs say\n";
  if (rpc::Server *server = program->server())
    where += server->open_ports();
  return where;
}

void Execution::write_buffered_output() {
  rpc::Server *server = state->server();
  if (!server)
    return;
  server->abandon();
  // An error means that nobody reads it.
  write_all(state->job.server.stdout_fd, server->unwritten_output());
}

std::string Execution::call_table() const {
  rpc::Server *server = state->server();
  return server ? server->stats_table() : std::string();
}

std::optional<std::string> Execution::statistics(bool json) const {
  Device *device = state->open_device;
  if (!device)
    return std::nullopt;
  Program *program = state->ready_program;
  const RegionLog *regions = program ? program->regions() : nullptr;
  std::string counted;
  if (Observable *observable = device->observable())
    counted = observable->statistics(json);
  if (!regions)
    return counted;
  if (!json)
    return counted + regions->table();
  llvm::json::Object all;
  if (!counted.empty()) {
    // The text may come from another process, whose answer may be cut off.
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(counted);
    llvm::json::Object *members = value ? value->getAsObject() : nullptr;
    if (!members) {
      llvm::consumeError(value.takeError());
      return counted;
    }
    all = std::move(*members);
  }
  regions->add_json(all);
  return printable_json(
      llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all))).str());
}

void Execution::complete_trace() const {
  Program *program = state->ready_program;
  const RegionLog *regions = program ? program->regions() : nullptr;
  if (regions && state->job.server.trace)
    regions->add_events(*state->job.server.trace);
}

} // namespace gpuexec
