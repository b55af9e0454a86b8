//===-- toolchain/gpucc/self_run.cpp - See self_run.h ---------------------===//
#include "self_run.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec {

namespace {

// The image is page-aligned, as in a file of its own.
constexpr size_t IMAGE_OFFSET = 4096;

// Linux reads this many bytes of the first line, including the "#!".
constexpr size_t LONGEST_LINE = 255;

std::string put_line(const std::string &path, const std::string &launcher) {
  std::ifstream in(path, std::ios::binary);
  std::string image{std::istreambuf_iterator<char>(in), {}};
  if (!in || image.empty())
    return path + ": cannot read what was linked";
  in.close();
  std::string line = "#!" + launcher + "\n";
  line.resize(IMAGE_OFFSET, '\n');
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << line << image;
  out.close();
  if (!out)
    return path + ": cannot be written: " + strerror(errno);
  struct stat status; // PTX is not executable: adds x wherever r is
  if (stat(path.c_str(), &status) ||
      chmod(path.c_str(), status.st_mode | (status.st_mode & 0444) >> 2))
    return path + ": cannot be made executable: " + strerror(errno);
  return "";
}

} // namespace

std::string output_of(const std::vector<std::string> &arguments) {
  std::string output = "a.out";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if ((argument == "-o" || argument == "--output") &&
        i + 1 < arguments.size())
      output = arguments[++i];
    else if (argument.starts_with("-o") && argument.size() > 2)
      output = argument.substr(2);
    else if (argument.starts_with("--output="))
      output = argument.substr(9);
  }
  return output;
}

std::string unfit_for_first_line(const std::string &launcher) {
  if (launcher.find_first_of(" \t\n") != std::string::npos)
    return "--self-run: a program's first line cannot name " + launcher +
           ": there is a space in it";
  if (launcher.size() + 2 > LONGEST_LINE)
    return "--self-run: a program's first line cannot name " + launcher +
           ": it is longer than " + std::to_string(LONGEST_LINE - 2) +
           " characters";
  return "";
}

int make_self_run(const std::string &output, const std::string &launcher) {
  std::error_code none; // not regular: a device (/dev/null), or no file at all
  if (!std::filesystem::is_regular_file(output, none))
    return 0;
  if (std::string problem = put_line(output, launcher); !problem.empty()) {
    fprintf(stderr, "gpucc: error: %s\n", problem.c_str());
    unlink(output.c_str()); // make would use the incomplete file
    return 1;
  }
  return 0;
}

} // namespace gpuexec
