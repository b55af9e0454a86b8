//===-- loader/info/main.cpp - gpuexec-info -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec-info [options] IMAGE...` prints the contents of GPU images and the
// resources of their kernels, without running them; `gpuexec-info diff OLD NEW`
// what differs between two. Exit status: 0, 1 when a check failed or the two
// differ, 2 for bad options and files that are no images.

#include "loader/command_line/messages.h"
#include "loader/command_line/option_table.h"
#include "loader/command_line/standard_streams.h"
#include "loader/info/checks.h"
#include "loader/info/exact.h"
#include "loader/info/resident.h"
#include "support/printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace llvm::opt;

namespace gpuexec::info {
namespace {

#define OPTIONS_INC "loader/info/options.inc"
#include "loader/command_line/option_table.inc"

enum class Status { ok = 0, check_failed = 1, bad_input = 2 };
enum class Style { table, json, csv };

struct Options {
  Style style = Style::table;
  bool json = false, csv = false, quiet = false, exact = false,
       diff = false, // the first word is `diff`
      done = false;  // --help or --version
  std::string arch, against;
  std::optional<DeviceRequest> device; ///< --device
  TableOptions table;
  ReportOptions report;
  Threshold threshold;
  std::vector<Limits> limits;
  std::vector<std::string> files;
};

Error add_limits(const Arg &arg, Column column, Options &options) {
  Expected<Limits> limits = Limits::parse(column, arg.getValue());
  if (!limits)
    return createStringError("%s: %s", name_of(arg).str().c_str(),
                             toString(limits.takeError()).c_str());
  options.limits.push_back(std::move(*limits));
  return Error::success();
}

void print_help(const Table &table) {
  outs() << "OVERVIEW: tells what GPU images hold and what their kernels cost, "
            "without a GPU\n\nUSAGE: gpuexec-info [options] IMAGE...\n"
            "       gpuexec-info diff [options] OLD NEW\n\n";
  print_options(outs(), table,
                {"Print", "Assume", "Check (exit status 1 when a kernel fails)",
                 "Other"});
  outs()
      << "An IMAGE is an AMDGPU code object, a cubin, PTX or a container of "
         "these; '-' is\nstandard input.\n\n"
         "`diff` prints what differs between the kernels and device "
         "functions of two images:\nregisters, spills, stack, shared memory "
         "and bytes of code. OLD may be the JSON of an\nearlier run. (A file "
         "called diff is ./diff.)\n\n"
         "EXIT STATUS: 0; 1 when a check failed, or two images differ; 2 for "
         "a bad option or a\nfile that is no image.\n";
}

/// Options that limit a column.
constexpr std::pair<unsigned, Column> LIMITS[] = {
    {OPT_max_registers, Column::vgprs}, {OPT_max_sgprs, Column::sgprs},
    {OPT_max_spills, Column::spills},   {OPT_max_stack, Column::stack},
    {OPT_max_shared, Column::shared},   {OPT_max_code, Column::code},
};

/// Applies one option. `arg` is never an alias.
Error apply(const Arg &arg, const Table &table, Options &options) {
  const unsigned id = arg.getOption().getUnaliasedOption().getID();
  for (auto [option, column] : LIMITS)
    if (option == id)
      return add_limits(arg, column, options);
  switch (id) {
  case OPT_json:
    options.json = true;
    options.style = Style::json;
    break;
  case OPT_csv:
    options.csv = true;
    options.style = Style::csv;
    break;
  case OPT_functions:
    options.table.functions = true;
    break;
  case OPT_symbols:
    options.table.symbols = true;
    break;
  case OPT_opcodes:
    options.table.opcodes = true;
    break;
  case OPT_quiet:
    options.quiet = true;
    break;
  case OPT_block_size: {
    uint32_t size = 0;
    if (!to_integer(StringRef(arg.getValue()), size, 10) || size == 0 ||
        size > 65536)
      return bad_value(arg, "a number from 1 to 65536");
    options.report.block_size = size;
    break;
  }
  case OPT_dynamic_shared:
    if (!to_integer(StringRef(arg.getValue()), options.report.dynamic_shared,
                    10))
      return bad_value(arg, "a number of bytes");
    break;
  case OPT_exact:
    options.exact = true;
    break;
  case OPT_device: {
    Expected<DeviceRequest> request = DeviceRequest::parse(arg.getValue());
    if (!request)
      return createStringError("--device: %s",
                               toString(request.takeError()).c_str());
    options.device = std::move(*request);
    break;
  }
  case OPT_arch:
    options.arch = arg.getValue();
    if (!StringRef(options.arch).starts_with("sm_"))
      return bad_value(arg, "an architecture such as sm_90");
    break;
  case OPT_against:
    options.against = arg.getValue();
    break;
  case OPT_threshold: {
    Expected<Threshold> threshold = Threshold::parse(arg.getValue());
    if (!threshold)
      return createStringError("--threshold: %s",
                               toString(threshold.takeError()).c_str());
    options.threshold = *threshold;
    break;
  }
  case OPT_help:
    print_help(table);
    options.done = true;
    break;
  case OPT_version:
    say("gpuexec-info " GPUEXEC_VERSION "\n");
    options.done = true;
    break;
  default:
    return createStringError("an option without a meaning: %s",
                             arg.getSpelling().str().c_str());
  }
  return Error::success();
}

Expected<Options> parse_options(ArrayRef<const char *> arguments) {
  Options options;
  Table table;
  InputArgList list(arguments.begin(), arguments.end());
  unsigned index = 0;
  bool only_files = false;
  while (index < arguments.size()) {
    StringRef text = arguments[index];
    if (!only_files && text == "--") {
      only_files = true;
      ++index;
      continue;
    }
    if (only_files || !text.starts_with("-") || text == "-") {
      if (!only_files && text == "diff" && options.files.empty() &&
          !options.diff)
        options.diff = true;
      else
        options.files.push_back(text.str());
      ++index;
      continue;
    }
    Expected<std::unique_ptr<Arg>> arg =
        next_option(table, list, index, "gpuexec-info");
    if (!arg)
      return arg.takeError();
    if (Error error = apply(**arg, table, options))
      return std::move(error);
    if (options.done)
      return options;
  }
  if (options.diff) {
    if (options.files.size() != 2)
      return createStringError("diff: takes two images, an old and a new one");
    if (!options.against.empty() || !options.limits.empty() || options.json ||
        options.csv)
      return createStringError("diff: prints differences and checks no limits; "
                               "--against, --max-..., --json and --csv are for "
                               "gpuexec-info IMAGE");
    options.against = options.files.front();
    options.files.erase(options.files.begin());
  }
  if (options.files.empty())
    return createStringError("no image: see gpuexec-info --help");
  if (options.json && options.csv)
    return createStringError("--json and --csv: only one of them");
  return options;
}

void report_error(const Twine &message) {
  outs().flush();
  say_error("gpuexec-info: error: " + printable(message.str()) + "\n");
}

/// A file with its images. Reports point into them.
struct Input {
  std::unique_ptr<MemoryBuffer> file;
  std::vector<Image> images;
};

using Reports = std::vector<std::unique_ptr<ImageReport>>;

Error report_image(const std::string &file, const Image &image,
                   const Options &options, Reports &reports) {
  std::map<std::string, Resources> exact;
  if (options.exact && image.format() == Image::Format::ptx) {
    Expected<ExactResources> found = compile_ptx(image, options.arch);
    if (!found)
      return found.takeError();
    if (options.style == Style::table && !options.quiet)
      say(printable(image.name()) + ": numbers from " + found->source + "\n");
    exact = std::move(found->kernels);
  }
  Expected<std::unique_ptr<ImageReport>> report =
      make_report(file, image, options.report, std::move(exact));
  if (!report)
    return report.takeError();
  if (options.device) {
    Expected<Resident> resident =
        find_resident(image, *options.device, options.report.block_size);
    if (!resident)
      return resident.takeError();
    (*report)->resident = to_string(*resident);
  }
  reports.push_back(std::move(*report));
  return Error::success();
}

/// What the file of --against, or the old one of `diff`, says as JSON: it is
/// JSON already, or an image that is read now.
Expected<std::string> read_old(const Options &options) {
  Expected<std::unique_ptr<MemoryBuffer>> file =
      Image::read_file(options.against);
  if (!file)
    return file.takeError();
  if ((*file)->getBuffer().ltrim().starts_with("{"))
    return (*file)->getBuffer().str();
  Expected<std::vector<Image>> images =
      Image::parse_all((*file)->getMemBufferRef());
  if (!images)
    return createStringError(
        "%s: not what gpuexec-info --json writes, and no image either: %s",
        options.against.c_str(), toString(images.takeError()).c_str());
  Reports reports;
  for (const Image &image : *images)
    if (Error error = report_image(options.against, image, options, reports))
      return std::move(error);
  std::string json;
  raw_string_ostream os(json);
  print_json(os, reports);
  return json;
}

/// Reads all files. Returns false when one was no image, after reporting the
/// others.
bool read_all(const Options &options, std::vector<Input> &inputs,
              Reports &reports) {
  bool all_good = true;
  auto failed = [&](Error error) {
    report_error(toString(std::move(error)));
    all_good = false;
  };
  inputs.reserve(options.files.size());
  for (const std::string &path : options.files) {
    Expected<std::unique_ptr<MemoryBuffer>> file = Image::read_file(path);
    if (!file) {
      failed(file.takeError());
      continue;
    }
    Expected<std::vector<Image>> images =
        Image::parse_all((*file)->getMemBufferRef());
    if (!images) {
      failed(images.takeError());
      continue;
    }
    inputs.push_back({std::move(*file), std::move(*images)});
    for (const Image &image : inputs.back().images)
      if (Error error = report_image(path, image, options, reports))
        failed(std::move(error));
  }
  return all_good;
}

void print(const Reports &reports, const Options &options) {
  if (options.quiet || options.diff)
    return;
  if (options.style == Style::json)
    return print_json(outs(), reports);
  if (options.style == Style::csv)
    return print_csv(outs(), reports);
  for (const std::unique_ptr<ImageReport> &report : reports) {
    std::string text;
    raw_string_ostream os(text);
    print_table(os, *report, options.table);
    say(text);
  }
}

/// Returns whether all checks passed. Fails when they could not be made.
Expected<bool> check(const Reports &reports, const Options &options) {
  std::vector<std::string> changes, findings;
  for (const Limits &limits : options.limits)
    limits.check(reports, findings);
  if (!options.against.empty()) {
    Expected<std::string> old = read_old(options);
    if (!old)
      return old.takeError();
    std::optional<Threshold> threshold;
    if (!options.diff)
      threshold = options.threshold;
    if (Error error = compare(reports, *old, threshold,
                              options.diff ? Compared::kernels_and_functions
                                           : Compared::kernels,
                              changes, findings))
      return createStringError("%s: %s", options.against.c_str(),
                               toString(std::move(error)).c_str());
  }
  // Standard output may be JSON or CSV, so findings go to standard error.
  if (!options.quiet)
    for (const std::string &change : changes)
      options.style == Style::table ? say(printable(change) + "\n")
                                    : say_error(printable(change) + "\n");
  for (const std::string &finding : findings)
    report_error(finding);
  return findings.empty() && (!options.diff || changes.empty());
}

Status run(ArrayRef<const char *> arguments) {
  Expected<Options> options = parse_options(arguments);
  if (!options) {
    report_error(toString(options.takeError()));
    return Status::bad_input;
  }
  if (options->done)
    return Status::ok;
  std::vector<Input> inputs;
  Reports reports;
  bool all_good = read_all(*options, inputs, reports);
  print(reports, *options);
  Expected<bool> passed = check(reports, *options);
  if (!passed) {
    report_error(toString(passed.takeError()));
    return Status::bad_input;
  }
  if (!all_good)
    return Status::bad_input;
  return *passed ? Status::ok : Status::check_failed;
}

} // namespace
} // namespace gpuexec::info

int main(int argc, char **argv) {
  gpuexec::colour_messages(gpuexec::Colour::automatic);
  int status = static_cast<int>(
      gpuexec::info::run(ArrayRef<const char *>(argv + 1, argc - 1)));
  return gpuexec::finish_standard_streams("gpuexec-info") ? status : 2;
}
