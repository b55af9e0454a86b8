//===-- lending/server/settings.cpp - What the server was told ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/server/settings.h"
#include "lending/transport/address.h"
#include "lending/transport/socket.h"
#include "loader/command_line/commands.h"
#include "loader/command_line/option_table.h"
#include "loader/command_line/units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Option.h"
#include <thread>

namespace gpuexec::serve {
namespace {

using namespace llvm::opt;

#define OPTIONS_INC "lending/server/options.inc"
#include "loader/command_line/option_table.inc"

/// The most workers. Each worker of a GPU has a context there, which takes some
/// hundred MiB of its memory.
constexpr unsigned WORKERS_OF_A_GPU = 8, MOST_WORKERS = 1024;

llvm::Error set_count(const Arg &arg, unsigned &to, unsigned least) {
  if (!llvm::to_integer(llvm::StringRef(arg.getValue()), to, 10) ||
      to < least || to > MOST_WORKERS)
    return bad_value(
        arg,
        llvm::formatv("a number from {0} to {1}", least, MOST_WORKERS).str());
  return llvm::Error::success();
}

llvm::Error set_seconds(const Arg &arg,
                        std::optional<std::chrono::duration<double>> &to) {
  const std::optional<double> seconds = parse_time(arg.getValue());
  if (!seconds)
    return bad_value(arg, TIME_IS);
  to = std::chrono::duration<double>(*seconds);
  return llvm::Error::success();
}

llvm::Error set_file(const Arg &arg, std::string &to) {
  to = arg.getValue();
  return to.empty() ? bad_value(arg, "the name of a file")
                    : llvm::Error::success();
}

llvm::Error apply(const Arg &arg, Settings &settings) {
  using Action = Settings::Action;
  const char *value = arg.getNumValues() ? arg.getValue() : "";
  switch (arg.getOption().getUnaliasedOption().getID()) {
  case OPT_device: {
    llvm::Expected<DeviceRequest> request = DeviceRequest::parse(value);
    if (!request)
      return request.takeError();
    settings.devices.push_back(value);
    break;
  }
  case OPT_workers:
    return set_count(arg, settings.workers.emplace(), 1);
  case OPT_spare:
    return set_count(arg, settings.spare, 0);
  case OPT_jobs:
    return set_count(arg, settings.jobs, 1);
  case OPT_memory_limit: {
    std::optional<uint64_t> bytes = parse_size(value);
    if (!bytes || !*bytes)
      return bad_value(arg, SIZE_IS);
    settings.memory_limit = *bytes;
    break;
  }
  case OPT_time_limit:
    return set_seconds(arg, settings.time_limit);
  case OPT_idle_exit:
    return set_seconds(arg, settings.idle_exit);
  case OPT_socket:
    if (!*value)
      return bad_value(arg, "the name of a socket");
    settings.socket = value;
    break;
  case OPT_listen:
    if (llvm::Error error = lending::Address::parse(value).takeError())
      return error;
    settings.listen.push_back(value);
    break;
  case OPT_key:
    return set_file(arg, settings.credentials.key);
  case OPT_certificate:
    return set_file(arg, settings.credentials.certificate);
  case OPT_certificate_key:
    return set_file(arg, settings.credentials.certificate_key);
  case OPT_authority:
    return set_file(arg, settings.credentials.authority);
  case OPT_foreground:
    settings.foreground = true;
    break;
  case OPT_now:
    settings.now = true;
    break;
  case OPT_status:
    settings.action = Action::status;
    break;
  case OPT_stop:
    settings.action = Action::stop;
    break;
  case OPT_help:
    settings.action = Action::help;
    break;
  case OPT_work:
    settings.action = Action::work;
    break;
  default:
    llvm_unreachable("an option of the table without a meaning");
  }
  return llvm::Error::success();
}

} // namespace

unsigned Settings::most_workers(bool emulated) const {
  const unsigned usual = emulated
                             ? std::max(std::thread::hardware_concurrency(), 1u)
                             : WORKERS_OF_A_GPU;
  return workers.value_or(usual);
}

llvm::Expected<Settings> parse_settings(llvm::ArrayRef<const char *> argv) {
  Settings settings;
  Table table;
  InputArgList list(argv.begin(), argv.end());
  for (unsigned index = 0; index < argv.size();) {
    if (argv[index][0] != '-')
      return failure(Reason::failed,
                     "serve: '{0}': it takes options only (an image of the "
                     "name 'serve' is ./serve)",
                     argv[index]);
    llvm::Expected<std::unique_ptr<Arg>> arg =
        next_option(table, list, index, "gpuexec serve");
    if (!arg)
      return failure(Reason::failed, "{0}", llvm::toString(arg.takeError()));
    if (llvm::Error error = apply(**arg, settings))
      return failure(Reason::failed, "serve: {0}",
                     llvm::toString(std::move(error)));
    if (settings.action == Settings::Action::help)
      return settings;
  }
  if (settings.now && settings.action != Settings::Action::stop)
    return failure(Reason::failed, "serve: --now goes with --stop");
  if (settings.socket.empty())
    settings.socket = lending::default_socket();
  return settings;
}

void print_serve_help(llvm::raw_ostream &os) {
  os << "OVERVIEW: " << summary_of(Command::serve)
     << "\n\nUSAGE: " << usage_of(Command::serve)
     << "\n       gpuexec serve --status | --stop [--now]\n\n";
  print_options(os, Table(), {"Lend", "Run"});
  os << "The server goes to the background when its devices work. gpuexec "
        "uses this user's\nserver by itself where there is one; --server=off "
        "does not.\n";
}

} // namespace gpuexec::serve
