//===-- loader/apps/run/options.cpp - See options.h -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/apps/run/options.h"
#include "loader/command_line/option_values.h"
#include "llvm/ADT/STLExtras.h"

namespace gpuexec {
namespace {

constexpr uint32_t MAX_EMULATOR_THREADS = 4096; // as the emulator has it
constexpr unsigned MOST_JOBS = 200; // an instance that runs has four open files

/// One side of the grid.
llvm::Error read_side(const Given &given, RunOptions &to, uint32_t &side) {
  to.job.grid_is_given = true;
  return read_count(given, side);
}

/// Sets an option of the device, which `label` asks for.
llvm::Error set_device_option(Job &job, llvm::StringRef name,
                              llvm::StringRef value, llvm::StringRef label) {
  llvm::erase_if(job.device_options, [&](const DeviceOption &option) {
    return option.name == name;
  });
  job.device_options.push_back({name.str(), value.str(), label.str()});
  return llvm::Error::success();
}

llvm::Error read_check(const Given &given, Job &job) {
  const llvm::StringRef what = given.value ? given.value : "uninit";
  if (what != "uninit")
    return failure(Reason::failed,
                   "--check: unknown check '{0}' (known: uninit)", what);
  return set_device_option(job, "check", what, given.name);
}

llvm::Error read_threads(const Given &given, Job &job) {
  uint32_t threads;
  if (llvm::Error error = read_number(given, threads, 1u, MAX_EMULATOR_THREADS))
    return error;
  return set_device_option(job, "threads", given.value, given.name);
}

llvm::Error read_seed(const Given &given, RunOptions &to) {
  to.record_schedule = true;
  if (!given.value)
    return llvm::Error::success();
  if (!llvm::to_integer(llvm::StringRef(given.value),
                        to.schedule_seed.emplace(), 10))
    return given.is_not("a number");
  return llvm::Error::success();
}

llvm::Error read_registration(const Given &given, RunOptions::Action &to) {
  if (!given.value)
    return set(to, RunOptions::Action::register_programs);
  return read_word(given, to,
                   {{"print", RunOptions::Action::print_registration}},
                   "print; --register alone registers");
}

llvm::Error add_variable(const Given &given, std::vector<const char *> &to) {
  if (!*given.value || *given.value == '=')
    return given.is_not("NAME or NAME=VALUE");
  to.push_back(given.value);
  return llvm::Error::success();
}

/// --sandbox, and what else an option of its kind asks for.
llvm::Error confine(RunOptions &to) {
  to.job.server.sandbox = true;
  return set(to.job.device_settings.isolate);
}
llvm::Error confine(RunOptions &to, bool &besides) {
  besides = true;
  return confine(to);
}

llvm::Error add_directory(const Given &given,
                          std::vector<rpc::SandboxDirectory> &to) {
  llvm::StringRef path(given.value);
  bool writable = path.consume_back(":rw");
  if (!writable)
    path.consume_back(":ro");
  // HOST:GUEST: only an absolute name tells a guest's from a colon in a host's.
  std::string guest;
  if (size_t colon = path.rfind(":/"); colon != llvm::StringRef::npos) {
    guest = path.substr(colon + 1).str();
    path = path.take_front(colon);
  }
  if (path.empty())
    return given.is_not("a directory, or HOST:/GUEST");
  rpc::SandboxDirectory &directory = to.emplace_back();
  directory.path = path.str();
  directory.writable = writable;
  directory.name = std::move(guest);
  return llvm::Error::success();
}

/// An option that only ensembles have.
template <typename T>
llvm::Error of_ensemble(const Given &given, RunOptions &to, T &value) {
  to.ensemble.option = given.name;
  if constexpr (std::is_same_v<T, bool>)
    return set(value);
  else
    return read_file(given, value);
}

llvm::Error add_ensemble(const Given &given, RunOptions &to) {
  to.ensemble.is_wanted = true;
  return read_file(given, to.ensemble.file);
}

/// A number, or one of percent: "50%".
bool read_amount(llvm::StringRef text, double &amount, bool &is_percent) {
  is_percent = text.consume_back("%");
  unsigned number;
  if (!llvm::to_integer(text, number, 10) || number == 0)
    return false;
  amount = number;
  return true;
}

llvm::Error read_jobs(const Given &given, EnsembleOptions &to) {
  to.option = given.name;
  if (!read_amount(given.value, to.jobs, to.jobs_are_percent) ||
      (!to.jobs_are_percent && to.jobs > MOST_JOBS))
    return given.is_not(
        llvm::formatv("a number from 1 to {0}, or a percentage such as 50%",
                      MOST_JOBS)
            .str());
  return llvm::Error::success();
}

llvm::Error read_halt(const Given &given, EnsembleOptions &to) {
  to.option = given.name;
  const auto [when, rest] = llvm::StringRef(given.value).split(',');
  const auto [counts, amount] = rest.split('=');
  Halt &halt = to.halt;
  halt.when = when == "now"    ? Halt::When::now
              : when == "soon" ? Halt::When::soon
                               : Halt::When::never;
  if (llvm::StringRef(given.value) == "never")
    return llvm::Error::success();
  halt.counts = counts == "success" ? Halt::Counts::succeeded
                : counts == "done"  ? Halt::Counts::done
                                    : Halt::Counts::failed;
  const bool is_known = counts == "success" || counts == "done" || //
                        counts == "fail";
  if (halt.when == Halt::When::never || !is_known ||
      !read_amount(amount, halt.limit, halt.is_percent))
    return given.is_not("never, or soon or now with ,fail=1 ,success=3 or "
                        ",done=50% and the like");
  return llvm::Error::success();
}

using Options = RunOptions;
using Action = RunOptions::Action;
constexpr OptionRow ROWS[] = {
#include "loader/apps/run/options.def"
};

constexpr llvm::StringLiteral EPILOGUE =
    "Options take one or two dashes and come before the image; everything "
    "after it\nis the program's. IMAGE '-' is standard input.\n\n"
    "EXIT STATUS: the program's own; 124 timed out, 125 gpuexec failed, "
    "126 not a\nrunnable image, 127 not found, 128+N ended by signal N "
    "(134 abort, 136 division by zero, 139 fault).\n\n"
    "Ctrl-\\ (SIGQUIT): say where the program is, and go on.\n";

/// The commands replay and compare name their recording behind the options, at
/// `index`, which moves past it.
llvm::Error take_recording(llvm::StringRef command,
                           llvm::ArrayRef<const char *> argv, size_t &index,
                           RunOptions &options) {
  if (command != "replay" && command != "compare")
    return llvm::Error::success();
  if (!options.replay.empty() || !options.replay_live.empty() ||
      !options.compare.empty())
    return failure(Reason::failed,
                   "{0}: not with --replay, --replay-live or "
                   "--compare",
                   command);
  const size_t wanted = command == "replay" ? 1 : 2;
  if (argv.size() - index != wanted)
    return failure(Reason::failed, "takes {0}, found {1}: {2}",
                   wanted == 1 ? "one recording" : "two recordings",
                   argv.size() - index, find_command(command)->usage());
  (wanted == 1 ? options.replay : options.compare) = argv[index++];
  return llvm::Error::success();
}

/// What goes with an ensemble.
llvm::Error check_ensemble(const RunOptions &options) {
  const EnsembleOptions &ensemble = options.ensemble;
  if (!ensemble.is_wanted && !ensemble.option.empty())
    return failure(Reason::failed,
                   "{0}: only with --ensemble, or gpuexec ensemble",
                   ensemble.option);
  if (!ensemble.is_wanted)
    return llvm::Error::success();
  if ((ensemble.resume || ensemble.resume_failed) && ensemble.joblog.empty())
    return failure(Reason::failed, "{0}: needs --joblog",
                   ensemble.resume ? "--resume" : "--resume-failed");
  const struct {
    bool is_given;
    const char *option;
  } others[] = {
      {options.repeat.has_value(), "--repeat"},
      {options.until_fail, "--until-fail"},
      {!options.junit.empty(), "--junit"},
      {!options.record_standalone.empty(), "--record-standalone"},
      {!options.record.empty(), "--record"},
      {!options.replay.empty(), "--replay"},
      {!options.replay_live.empty(), "--replay-live"},
      {!options.compare.empty(), "--compare"},
      {!options.stats_json.empty(), "--stats-json"},
      {!options.timings.empty(), "--timings"},
      {!options.trace.empty(), "--trace"},
  };
  for (const auto &[is_given, option] : others)
    if (is_given)
      return failure(Reason::failed, "{0}: is for one run: not with --ensemble",
                     option);
  return llvm::Error::success();
}

/// What goes with --record, --replay and --compare. `left`: words behind the
/// options.
llvm::Error check_recording(const RunOptions &options, size_t left) {
  const bool compares = !options.compare.empty(),
             replays = !options.replay.empty(),
             live = !options.replay_live.empty(),
             records = !options.record.empty(),
             repeats = options.repeat || options.until_fail,
             has_services = !options.job.server.services.empty(),
             takes_image = !compares && !replays && !live;
  if (llvm::StringRef(options.compare).starts_with("--"))
    return failure(Reason::failed,
                   "--compare: '{0}' is no recording: options "
                   "come before --compare",
                   options.compare);
  const struct {
    bool is_wrong;
    const char *why;
  } rules[] = {
      {options.until_call && !replays, "--until-call: only with --replay"},
      {compares &&
           (replays || live || records || repeats || !options.junit.empty()),
       "--compare: runs no program by itself: not with --record, --replay, "
       "--replay-live, --repeat, --until-fail or --junit"},
      {replays && live, "--replay: not with --replay-live"},
      {replays && left,
       "--replay: image and arguments are those of the recording"},
      {replays && records, "--record: not with --replay"},
      {live && records, "--record: not with --replay-live"},
      {replays && (options.job.grid_is_given || !options.job.kernels.empty() ||
                   !options.environment.empty() || has_services),
       "--replay: launch, environment and services are those of the recording"},
      {replays && repeats, "--replay: not with --repeat or --until-fail"},
      {live && repeats, "--replay-live: not with --repeat or --until-fail"},
      {!compares && !replays && !options.replay_schedule,
       "--replay-schedule: only with --replay"},
      {!compares && !records && options.record_schedule,
       "--record-schedule: only with --record"},
      {!compares && options.record_schedule &&
           options.job.find_option("threads"),
       "--record-schedule: not with --emulator-threads: it needs one"},
      {takes_image && !left, "no image: see gpuexec --help"},
      {takes_image && !records && options.record_without_environment,
       "--record-without-environment: only with --record"},
      {takes_image && records && has_services,
       "--record: not with --service, whose calls only the service "
       "understands"},
      {takes_image && records && repeats,
       "--record: not with --repeat or --until-fail"},
  };
  for (const auto &[is_wrong, why] : rules)
    if (is_wrong)
      return failure(Reason::failed, why);
  if (compares && left != 1)
    return failure(Reason::failed, "--compare: takes two recordings, found {0}",
                   left + 1);
  return llvm::Error::success();
}

llvm::StringRef value_of(llvm::StringRef name, const char *const *environment) {
  for (const char *const *entry = environment; entry && *entry; ++entry)
    if (auto [key, value] = llvm::StringRef(*entry).split('='); key == name)
      return value;
  return {};
}

/// The program's environment: `ours`, unless it runs in a sandbox, changed by
/// the --env options.
std::vector<std::string> program_environment(const RunOptions &options,
                                             const char *const *ours) {
  std::vector<std::string> result;
  auto name_of = [](llvm::StringRef entry) { return entry.split('=').first; };
  if (!options.job.server.sandbox && !options.record_without_environment)
    for (const char *const *entry = ours; entry && *entry; ++entry)
      result.push_back(*entry);
  for (const char *wanted : options.environment) {
    const llvm::StringRef name = name_of(wanted);
    const char *entry = wanted;
    if (name == wanted) { // ours, if there is one
      entry = nullptr;
      for (const char *const *own = ours; own && *own; ++own)
        if (name_of(*own) == name)
          entry = *own;
    }
    if (!entry)
      continue;
    llvm::erase_if(
        result, [&](const std::string &old) { return name_of(old) == name; });
    result.push_back(entry);
  }
  return result;
}

/// What follows from several options, or from the environment.
void complete(RunOptions &options, const char *const *environment) {
  Job &job = options.job;
  job.environment = program_environment(options, environment);
  std::string &server = job.device_settings.server;
  if (server.empty())
    server = value_of("GPUEXEC_SERVER", environment);
  // Said here: a device may be another process's, with another environment.
  if (job.jit_cache.empty())
    job.jit_cache = value_of("GPUEXEC_JIT_CACHE", environment);
  job.separate_kernels = options.verbose || options.print_resource_usage ||
                         !options.timings.empty() || !options.trace.empty();
  job.count_work = options.stats || !options.stats_json.empty();
  job.count_work_label = options.stats ? "--stats" : "--stats-json";
  const llvm::StringRef rerun = value_of("GPUEXEC_RERUN", environment);
  options.rerun |= !rerun.empty() && rerun != "0";
  // What is recorded runs once.
  job.device_settings.alone =
      !options.record.empty() || !options.replay.empty() ||
      !options.replay_live.empty() || !options.trace.empty();
  if (job.time_limit && job.time_limit->count() == 0)
    job.time_limit.reset(); // 0 = none, as timeout(1) has it
}

/// What does not go together, whatever is to be done.
llvm::Error check_switches(const RunOptions &options) {
  if (options.json && options.action != Action::list_devices)
    return failure(Reason::failed, "--json: only with --list-devices");
  if (options.quiet && options.verbose)
    return failure(Reason::failed, "--quiet: not with --verbose");
  return llvm::Error::success();
}

llvm::Error check_sandbox_options(const Job &job) {
  // Whoever names directories means that there shall be no others.
  if (!job.server.directories.empty() && !job.server.sandbox)
    return failure(Reason::failed, "--dir: has no effect without --sandbox");
  // What broke out of a sandbox must not choose what the next run executes.
  if (job.server.sandbox && !job.jit_cache.empty() && job.jit_cache != "off")
    return failure(Reason::failed, "--jit-cache: no code is kept with "
                                   "--sandbox");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<RunOptions> parse_run_options(llvm::ArrayRef<const char *> words,
                                             const char *const *environment,
                                             llvm::StringRef command) {
  RunOptions options;
  Job &job = options.job;
  job.device_settings.server.clear();
  if (llvm::StringRef device = value_of("GPUEXEC_DEVICE", environment);
      !device.empty()) {
    llvm::Expected<DeviceRequest> request = DeviceRequest::parse(device);
    if (!request)
      return failure(Reason::failed, "GPUEXEC_DEVICE: {0}",
                     llvm::toString(request.takeError()));
    job.device = std::move(*request);
  }
  llvm::Expected<size_t> read =
      OptionTable{ROWS, "gpuexec"}.read(words, options);
  if (!read)
    return read.takeError();
  size_t index = *read;
  options.own = words.take_front(index).vec();
  if (options.help || options.brief_help)
    return std::move(options);
  if (llvm::Error error = check_switches(options))
    return std::move(error);
  if (options.action != Action::run)
    return std::move(options);
  if (index < words.size() && llvm::StringRef(words[index]) == "--")
    ++index; // the image follows, whatever it looks like
  options.ensemble.is_wanted |= command == "ensemble";
  if (llvm::Error error = check_ensemble(options))
    return std::move(error);
  if (llvm::Error error = take_recording(command, words, index, options))
    return std::move(error);
  if (!options.record_standalone.empty()) {
    if (!options.record.empty())
      return failure(Reason::failed, "--record-standalone: not with --record");
    options.record = options.record_standalone;
  }
  if (llvm::Error error = check_recording(options, words.size() - index))
    return std::move(error);
  if (llvm::Error error = check_sandbox_options(job))
    return std::move(error);
  if (!options.compare.empty())
    options.compare_with = words[index++];
  else if (options.replay.empty() && options.replay_live.empty())
    job.image = words[index++];
  job.arguments.assign(words.begin() + index, words.end());
  complete(options, environment);
  return std::move(options);
}

const App apps::run = {ROWS, start_run, "", EPILOGUE};
const App apps::replay = {ROWS, start_run, "", EPILOGUE};
const App apps::ensemble = {
    ROWS, start_run,
    "       gpuexec --ensemble FILE [options] IMAGE [argument...]\n", EPILOGUE};
const App apps::compare = {ROWS, start_run, "", EPILOGUE};

} // namespace gpuexec
