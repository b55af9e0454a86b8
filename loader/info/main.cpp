//===-- loader/info/main.cpp - gpuexec-info -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `gpuexec-info [options] IMAGE...` prints the contents of GPU images and the
// resources of their kernels, without running them; `gpuexec-info diff OLD NEW`
// what differs between two. Exit status: 0, 1 when a check failed or the two
// differ, 2 for bad options and files that are no images.

#include "loader/command_line/completion.h"
#include "loader/command_line/messages.h"
#include "loader/command_line/option_values.h"
#include "loader/command_line/standard_streams.h"
#include "loader/info/checks.h"
#include "loader/info/exact.h"
#include "loader/info/resident.h"
#include "support/printable.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuexec::info {
namespace {

enum class Status { ok = 0, check_failed = 1, bad_input = 2 };
enum class Style { table, json, csv };

struct Options : CommandOptions {
  Style style = Style::table;
  bool json = false, csv = false, quiet = false, exact = false,
       diff = false, // the first word is `diff`
      version = false;
  std::string arch, against;
  std::optional<DeviceRequest> device; ///< --device
  TableOptions table;
  ReportOptions report;
  Threshold threshold;
  std::vector<Limits> limits;
  std::vector<std::string> files;
};

/// --json or --csv, which is noted in `given` too.
Error set_style(Options &to, bool &given, Style style) {
  to.style = style;
  return set(given);
}

Error read_bytes(const Given &given, uint64_t &to) {
  return to_integer(StringRef(given.value), to, 10)
             ? Error::success()
             : given.is_not("a number of bytes");
}

Error read_arch(const Given &given, std::string &to) {
  to = given.value;
  return StringRef(to).starts_with("sm_")
             ? Error::success()
             : given.is_not("an architecture such as sm_90");
}

/// Stores the parsed value of an option, or returns its error with the name of
/// the option.
template <typename T>
Error store(const Given &given, T &to, Expected<T> parsed) {
  if (!parsed)
    return failure(Reason::failed, "{0}: {1}", given.name,
                   toString(parsed.takeError()));
  to = std::move(*parsed);
  return Error::success();
}

constexpr OptionRow ROWS[] = {
#include "loader/info/options.def"
};

void print_help() {
  outs() << "OVERVIEW: tells what GPU images hold and what their kernels cost, "
            "without a GPU\n\nUSAGE: gpuexec-info [options] IMAGE...\n"
            "       gpuexec-info diff [options] OLD NEW\n\n";
  print_options(outs(), ROWS);
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

Expected<Options> parse_options(ArrayRef<const char *> words) {
  const OptionTable table{ROWS, "gpuexec-info"};
  Options options;
  bool only_files = false;
  while (!words.empty()) {
    Expected<size_t> read = only_files ? 0 : table.read(words, options);
    if (!read)
      return read.takeError();
    if (options.help || options.version)
      return options;
    words = words.drop_front(*read);
    if (words.empty())
      break;
    const StringRef word = words.front();
    words = words.drop_front();
    if (!only_files && word == "--")
      only_files = true;
    else if (!only_files && word == "diff" && options.files.empty() &&
             !options.diff)
      options.diff = true;
    else
      options.files.push_back(word.str());
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

/// Prints the line of `diff`, the only command, for a shell.
void print_command(raw_ostream &os, StringRef prefix) {
  if (StringRef("diff").starts_with(prefix))
    os << "diff\tPrint what differs between two images\n";
}

Status run(ArrayRef<const char *> arguments) {
  if (!arguments.empty() &&
      answer_shell(outs(), arguments.front(), ROWS, ":files",
                   [](StringRef prefix) { print_command(outs(), prefix); }))
    return Status::ok;
  Expected<Options> options = parse_options(arguments);
  if (!options) {
    report_error(toString(options.takeError()));
    return Status::bad_input;
  }
  if (options->help)
    print_help();
  if (options->version)
    say("gpuexec-info " GPUEXEC_VERSION "\n");
  if (options->help || options->version)
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
