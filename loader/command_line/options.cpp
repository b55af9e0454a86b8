//===-- loader/command_line/options.cpp - What the user asked for ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/command_line/options.h"
#include "loader/command_line/commands.h"
#include "loader/command_line/option_table.h"
#include "loader/command_line/units.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuexec {
namespace {

using namespace llvm::opt;

#define OPTIONS_INC "loader/command_line/options.inc"
#include "loader/command_line/option_table.inc"

constexpr uint32_t MAX_EMULATOR_THREADS = 4096; // as the emulator has it

/// A number from 1 to the largest of T.
template <typename T> llvm::Error set_count(const Arg &arg, T &to) {
  T value;
  if (!llvm::to_integer(llvm::StringRef(arg.getValue()), value, 10) ||
      value == 0)
    return bad_value(arg, std::is_same_v<T, uint64_t>
                              ? "a number from 1"
                              : "a number from 1 to 4294967295");
  to = value;
  return llvm::Error::success();
}

llvm::Error set_size(const Arg &arg, std::optional<uint64_t> &to) {
  to = parse_size(arg.getValue());
  return to ? llvm::Error::success() : bad_value(arg, SIZE_IS);
}

llvm::Error set_file(const Arg &arg, std::string &to) {
  to = arg.getValue();
  return to.empty() ? bad_value(arg, "the name of a file")
                    : llvm::Error::success();
}

llvm::Error set_constructors(const Arg &arg, Constructors &to) {
  static constexpr std::pair<llvm::StringLiteral, Constructors> NAMES[] = {
      {"auto", Constructors::automatic},
      {"begin", Constructors::by_begin},
      {"runtime", Constructors::by_runtime},
  };
  for (auto &[name, constructors] : NAMES)
    if (name == arg.getValue()) {
      to = constructors;
      return llvm::Error::success();
    }
  return bad_value(arg, "auto, begin or runtime");
}

llvm::Error set_device(const Arg &arg, DeviceRequest &to) {
  llvm::Expected<DeviceRequest> request = DeviceRequest::parse(arg.getValue());
  if (!request)
    return request.takeError();
  to = std::move(*request);
  return llvm::Error::success();
}

llvm::Error set_timeout(const Arg &arg, std::optional<double> &to) {
  const std::optional<double> seconds = parse_time(arg.getValue());
  if (!seconds)
    return bad_value(arg, TIME_IS);
  to.reset();
  if (*seconds > 0) // 0 = none, as timeout(1) has it
    to = seconds;
  return llvm::Error::success();
}

llvm::Error set_colour(const Arg &arg, Colour &to) {
  static constexpr std::pair<llvm::StringLiteral, Colour> NAMES[] = {
      {"auto", Colour::automatic},
      {"always", Colour::always},
      {"never", Colour::never},
  };
  for (auto &[name, colour] : NAMES)
    if (name == arg.getValue()) {
      to = colour;
      return llvm::Error::success();
    }
  return bad_value(arg, "auto, always or never");
}

llvm::Error set_emulator_threads(const Arg &arg, std::string &to) {
  uint32_t threads;
  if (!llvm::to_integer(llvm::StringRef(arg.getValue()), threads, 10) ||
      !threads || threads > MAX_EMULATOR_THREADS)
    return bad_value(arg, "a number from 1 to 4096");
  to = arg.getValue();
  return llvm::Error::success();
}

llvm::Error set_seed(const Arg &arg, Options &options) {
  uint64_t seed;
  if (!llvm::to_integer(llvm::StringRef(arg.getValue()), seed, 10))
    return bad_value(arg, "a number");
  options.record_schedule = true;
  options.schedule_seed = seed;
  return llvm::Error::success();
}

llvm::Error set_replay_schedule(const Arg &arg, bool &to) {
  const llvm::StringRef value = arg.getValue();
  if (value != "off" && value != "recorded")
    return bad_value(arg, "off or recorded");
  to = value == "recorded";
  return llvm::Error::success();
}

llvm::Error add_directory(const Arg &arg,
                          std::vector<rpc::SandboxDirectory> &to) {
  llvm::StringRef path(arg.getValue());
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
    return bad_value(arg, "a directory, or HOST:/GUEST");
  rpc::SandboxDirectory &directory = to.emplace_back();
  directory.path = path.str();
  directory.writable = writable;
  directory.name = std::move(guest);
  return llvm::Error::success();
}

/// Options without a value.
constexpr std::pair<unsigned, bool Options::*> SWITCHES[] = {
    {OPT_no_parallelism, &Options::no_parallelism},
    {OPT_until_fail, &Options::until_fail},
    {OPT_print_resource_usage, &Options::print_resource_usage},
    {OPT_verbose, &Options::verbose},
    {OPT_quiet, &Options::quiet},
    {OPT_json, &Options::json},
    {OPT_fault_report, &Options::fault_report},
    {OPT_rpc_stats, &Options::rpc_stats},
    {OPT_stats, &Options::stats},
    {OPT_sandbox, &Options::sandbox},
    {OPT_sandbox_weak, &Options::sandbox},
    {OPT_sandbox_weak, &Options::sandbox_weak},
    {OPT_isolate, &Options::sandbox},
    {OPT_isolate, &Options::isolate},
    {OPT_record_without_environment, &Options::record_without_environment},
    {OPT_record_any_schedule, &Options::record_schedule},
};
/// Options whose value is the name of a file.
constexpr std::pair<unsigned, std::string Options::*> FILES[] = {
    {OPT_junit, &Options::junit},
    {OPT_timings, &Options::timings},
    {OPT_trace, &Options::trace},
    {OPT_stats_file, &Options::stats_json},
    {OPT_record, &Options::record},
    {OPT_record_standalone, &Options::record_standalone},
    {OPT_replay, &Options::replay},
    {OPT_replay_live, &Options::replay_live},
    {OPT_compare, &Options::compare},
};
constexpr std::pair<unsigned, Options::Action> ACTIONS[] = {
    {OPT_list_devices, Options::Action::list_devices},
    {OPT_help, Options::Action::help},
    {OPT_brief_help, Options::Action::brief_help},
    {OPT_register_now, Options::Action::register_programs},
    {OPT_register, Options::Action::print_registration},
    {OPT_unregister, Options::Action::unregister_programs},
    {OPT_version, Options::Action::version},
    {OPT_complete, Options::Action::complete},
};

bool sets_grid(unsigned id) {
  return llvm::is_contained({OPT_threads, OPT_threads_x, OPT_threads_y,
                             OPT_threads_z, OPT_blocks, OPT_blocks_x,
                             OPT_blocks_y, OPT_blocks_z},
                            id);
}

/// Sets what one option says. `arg` is never an alias.
llvm::Error apply(const Arg &arg, Options &options) {
  const unsigned id = arg.getOption().getUnaliasedOption().getID();
  bool known = false;
  for (auto [option, member] : SWITCHES)
    if (option == id)
      known = options.*member = true;
  for (auto [option, member] : FILES)
    if (option == id)
      return set_file(arg, options.*member);
  for (auto [option, action] : ACTIONS)
    if (option == id) {
      options.action = action;
      known = true;
    }
  const char *value = arg.getNumValues() ? arg.getValue() : "";
  options.grid_is_given |= sets_grid(id);
  switch (id) {
  case OPT_threads_x:
  case OPT_threads:
    return set_count(arg, options.grid.threads[0]);
  case OPT_threads_y:
    return set_count(arg, options.grid.threads[1]);
  case OPT_threads_z:
    return set_count(arg, options.grid.threads[2]);
  case OPT_blocks_x:
  case OPT_blocks:
    return set_count(arg, options.grid.blocks[0]);
  case OPT_blocks_y:
    return set_count(arg, options.grid.blocks[1]);
  case OPT_blocks_z:
    return set_count(arg, options.grid.blocks[2]);
  case OPT_kernel:
    options.kernels.push_back(value);
    break;
  case OPT_constructors:
    return set_constructors(arg, options.constructors);
  case OPT_device:
    return set_device(arg, options.device);
  case OPT_server:
    if (!*value)
      return bad_value(arg, "the socket or address of a server, or off");
    options.server = value;
    break;
  case OPT_server_key:
    return set_file(arg, options.credentials.key);
  case OPT_server_certificate:
    return set_file(arg, options.credentials.certificate);
  case OPT_server_certificate_key:
    return set_file(arg, options.credentials.certificate_key);
  case OPT_server_authority:
    return set_file(arg, options.credentials.authority);
  case OPT_stack_size:
    return set_size(arg, options.settings.stack_size);
  case OPT_recursion_size:
    return set_size(arg, options.settings.recursion_size);
  case OPT_heap_size:
    return set_size(arg, options.settings.heap_size);
  case OPT_timeout:
    return set_timeout(arg, options.timeout);
  case OPT_repeat:
    return set_count(arg, options.repeat.emplace());
  case OPT_until_call:
    return set_count(arg, options.until_call.emplace());
  case OPT_check:
    if (llvm::StringRef(value) != "uninit")
      return failure(Reason::failed,
                     "--check: unknown check '{0}' (known: uninit)", value);
    options.check = value;
    break;
  case OPT_register:
    return llvm::StringRef(value) == "print"
               ? llvm::Error::success()
               : bad_value(arg, "print; --register alone registers");
  case OPT_color:
    return set_colour(arg, options.colour);
  case OPT_emulator_threads:
    return set_emulator_threads(arg, options.emulator_threads);
  case OPT_record_schedule:
    return set_seed(arg, options);
  case OPT_replay_schedule:
    return set_replay_schedule(arg, options.replay_schedule);
  case OPT_jit_cache:
    if (!*value)
      return bad_value(arg, "a folder, or off");
    options.jit_cache = value;
    break;
  case OPT_dir:
    return add_directory(arg, options.directories);
  case OPT_env:
    if (!*value || *value == '=')
      return bad_value(arg, "NAME or NAME=VALUE");
    options.environment.push_back(value);
    break;
  case OPT_service:
    return set_file(arg, options.services.emplace_back());
  case OPT_handles:
    options.handles = value;
    break;
  case OPT_complete:
    options.completion_prefix = value;
    break;
  default:
    if (!known)
      llvm_unreachable("an option of the table without a meaning");
  }
  return llvm::Error::success();
}

/// The commands replay and compare name their recording behind the options, at
/// `index`, which moves past it.
llvm::Error take_recording(Command command, llvm::ArrayRef<const char *> argv,
                           unsigned &index, Options &options) {
  if (command != Command::replay && command != Command::compare)
    return llvm::Error::success();
  if (!options.replay.empty() || !options.replay_live.empty() ||
      !options.compare.empty())
    return failure(Reason::failed,
                   "{0}: not with --replay, --replay-live or "
                   "--compare",
                   command == Command::replay ? "replay" : "compare");
  const size_t wanted = command == Command::replay ? 1 : 2;
  if (argv.size() - index != wanted)
    return failure(Reason::failed, "takes {0}, found {1}: {2}",
                   wanted == 1 ? "one recording" : "two recordings",
                   argv.size() - index, usage_of(command));
  (wanted == 1 ? options.replay : options.compare) = argv[index++];
  return llvm::Error::success();
}

/// What goes with --record and --replay. `left`: words behind the options.
llvm::Error check_recording(const Options &options, size_t left) {
  const bool replays = !options.replay.empty(),
             live = !options.replay_live.empty();
  if (options.until_call && !replays)
    return failure(Reason::failed, "--until-call: only with --replay");
  if (llvm::StringRef(options.compare).starts_with("--"))
    return failure(Reason::failed, "--compare: '{0}' is no recording: options "
                                   "come before --compare",
                   options.compare);
  if (!options.compare.empty()) {
    if (replays || live || !options.record.empty() || options.repeat ||
        options.until_fail || !options.junit.empty())
      return failure(Reason::failed, "--compare: runs no program by itself: "
                                     "not with --record, --replay, "
                                     "--replay-live, --repeat, --until-fail "
                                     "or --junit");
    return left == 1 ? llvm::Error::success()
                     : failure(Reason::failed, "--compare: takes two "
                                               "recordings, found {0}",
                               left + 1);
  }
  if (replays || live) {
    const char *name = replays ? "--replay" : "--replay-live";
    if (replays && live)
      return failure(Reason::failed, "--replay: not with --replay-live");
    if (replays && left)
      return failure(Reason::failed, "--replay: image and arguments are those "
                                     "of the recording");
    if (!options.record.empty())
      return failure(Reason::failed, "--record: not with {0}", name);
    if (replays && (options.grid_is_given || !options.kernels.empty() ||
                    !options.environment.empty() || !options.services.empty()))
      return failure(Reason::failed, "--replay: launch, environment and "
                                     "services are those of the recording");
    if (options.repeat || options.until_fail)
      return failure(Reason::failed, "{0}: not with --repeat or --until-fail",
                     name);
  }
  if (!options.replay_schedule && !replays)
    return failure(Reason::failed, "--replay-schedule: only with --replay");
  if (options.record_schedule && options.record.empty())
    return failure(Reason::failed, "--record-schedule: only with --record");
  if (options.record_schedule && !options.emulator_threads.empty())
    return failure(Reason::failed, "--record-schedule: not with "
                                   "--emulator-threads: it needs one");
  if (replays || live)
    return llvm::Error::success();
  if (!left)
    return failure(Reason::failed, "no image: see gpuexec --help");
  if (options.record_without_environment && options.record.empty())
    return failure(Reason::failed, "--record-without-environment: only with "
                                   "--record");
  if (options.record.empty())
    return llvm::Error::success();
  if (!options.services.empty())
    return failure(Reason::failed, "--record: not with --service, whose calls "
                                   "only the service understands");
  if (options.repeat || options.until_fail)
    return failure(Reason::failed, "--record: not with --repeat or "
                                   "--until-fail");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Options> parse_options(llvm::ArrayRef<const char *> argv,
                                      const char *default_device,
                                      Command command) {
  Options options;
  if (default_device && *default_device) {
    llvm::Expected<DeviceRequest> request =
        DeviceRequest::parse(default_device);
    if (!request)
      return failure(Reason::failed, "GPUEXEC_DEVICE: {0}",
                     llvm::toString(request.takeError()));
    options.device = std::move(*request);
  }
  Table table;
  InputArgList list(argv.begin(), argv.end());
  unsigned index = 0;
  while (index < argv.size()) {
    llvm::StringRef text = argv[index];
    if (text == "--") { // the image follows, whatever it looks like
      ++index;
      break;
    }
    if (!text.starts_with("-") || text == "-")
      break;
    unsigned before = index;
    llvm::Expected<std::unique_ptr<Arg>> arg =
        next_option(table, list, index, "gpuexec");
    if (!arg)
      return failure(Reason::failed, "{0}", llvm::toString(arg.takeError()));
    if (llvm::Error error = apply(**arg, options))
      return failure(Reason::failed, "{0}", llvm::toString(std::move(error)));
    options.own.insert(options.own.end(), argv.begin() + before,
                       argv.begin() + index);
    if (options.action == Options::Action::help ||
        options.action == Options::Action::brief_help ||
        options.action == Options::Action::complete)
      return std::move(options);
  }
  if (options.json && options.action != Options::Action::list_devices)
    return failure(Reason::failed, "--json: only with --list-devices");
  if (options.quiet && options.verbose)
    return failure(Reason::failed, "--quiet: not with --verbose");
  if (options.action != Options::Action::run)
    return std::move(options);
  if (llvm::Error error = take_recording(command, argv, index, options))
    return std::move(error);
  if (!options.record_standalone.empty()) {
    if (!options.record.empty())
      return failure(Reason::failed, "--record-standalone: not with --record");
    options.record = options.record_standalone;
  }
  if (llvm::Error error = check_recording(options, argv.size() - index))
    return std::move(error);
  // Whoever names directories means that there shall be no others.
  if (!options.directories.empty() && !options.sandbox)
    return failure(Reason::failed, "--dir: has no effect without --sandbox");
  // What broke out of a sandbox must not choose what the next run executes.
  if (options.sandbox && !options.jit_cache.empty() &&
      options.jit_cache != "off")
    return failure(Reason::failed, "--jit-cache: no code is kept with "
                                   "--sandbox");
  if (!options.compare.empty())
    options.compare_with = argv[index++];
  else if (options.replay.empty() && options.replay_live.empty())
    options.image = argv[index++];
  options.arguments.assign(argv.begin() + index, argv.end());
  return std::move(options);
}

std::vector<const char *> program_environment(const Options &options,
                                              const char *const *ours) {
  std::vector<const char *> result;
  auto has_name = [](const char *entry, llvm::StringRef name) {
    return llvm::StringRef(entry).split('=').first == name;
  };
  if (!options.sandbox && !options.record_without_environment)
    for (const char *const *entry = ours; entry && *entry; ++entry)
      result.push_back(*entry);
  for (const char *wanted : options.environment) {
    auto [name, value] = llvm::StringRef(wanted).split('=');
    const char *entry = wanted;
    if (name.size() ==
        llvm::StringRef(wanted).size()) { // ours, if there is one
      entry = nullptr;
      for (const char *const *own = ours; own && *own; ++own)
        if (has_name(*own, name))
          entry = *own;
    }
    if (!entry)
      continue;
    llvm::erase_if(result,
                   [&](const char *old) { return has_name(old, name); });
    result.push_back(entry);
  }
  return result;
}

/// Titles of the groups of options, in the order of --help.
static constexpr llvm::StringRef GROUPS[] = {"Run",
                                             "See what happens",
                                             "Confine",
                                             "Record and replay",
                                             "Emulated devices",
                                             "Borrow a device (gpuexec serve)",
                                             "Other"};

/// What --help and -h begin with. `name`: what gpuexec was started as.
static void print_usage(llvm::raw_ostream &os, llvm::StringRef name) {
  os << "OVERVIEW: runs a program compiled for a GPU as a command\n\nUSAGE: "
     << name << " [options] IMAGE [argument...]\n";
  if (name == "gpuexec") { // none of LLVM's loaders
    os << "       gpuexec COMMAND ...\n\n";
    print_commands(os);
  }
  os << '\n';
}

void print_help(llvm::raw_ostream &os, llvm::StringRef name,
                std::optional<Command> command) {
  if (command)
    os << "OVERVIEW: " << summary_of(*command)
       << "\n\nUSAGE: " << usage_of(*command) << "\n\n";
  else
    print_usage(os, name);
  if (command == Command::help)
    return print_commands(os);
  print_options(os, Table(), GROUPS);
  os << "Options take one or two dashes and come before the image; "
        "everything "
        "after it\nis the program's. IMAGE '-' is standard input.\n\n"
        "EXIT STATUS: the program's own; 124 timed out, 125 gpuexec failed, "
        "126 not a\nrunnable image, 127 not found, 128+N ended by signal N "
        "(134 abort, 136 division by zero, 139 fault).\n\n"
        "Ctrl-\\ (SIGQUIT): say where the program is, and go on.\n";
}

void print_brief_help(llvm::raw_ostream &os, llvm::StringRef name) {
  print_usage(os, name);
  os << "Options that matter most (all of them: --help):\n";
  print_basic_options(os, Table(), GROUPS);
}

std::vector<std::string> complete_option(llvm::StringRef prefix) {
  Table table;
  std::vector<std::string> matches;
  for (llvm::StringRef line :
       table.findByPrefix(prefix, Visibility(), /*DisableFlags=*/HelpHidden)) {
    // `--name` without its `=` is only another way to give a value.
    auto [name, help] = line.split('\t');
    if (!help.empty())
      matches.push_back(line.str());
  }
  return matches;
}

} // namespace gpuexec
