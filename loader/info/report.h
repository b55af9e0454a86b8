//===-- loader/info/report.h - What gpuexec-info prints ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects facts about images in rows, and prints the rows as a table, JSON or
// CSV. The facts come from image/ and disassembly.h.

#ifndef GPUEXEC_LOADER_INFO_REPORT_H
#define GPUEXEC_LOADER_INFO_REPORT_H

#include "loader/image/occupancy.h"
#include "loader/info/disassembly.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuexec::info {

/// The columns of columns.def, in its order.
enum class Column {
#define COLUMN(KEY, HEADING, WORDS, GETTER) KEY,
#include "loader/info/columns.def"
};
inline constexpr size_t COLUMN_COUNT = 0
#define COLUMN(KEY, HEADING, WORDS, GETTER) +1
#include "loader/info/columns.def"
    ;
llvm::StringRef key(Column column);
llvm::StringRef heading(Column column);
/// "registers": for messages.
llvm::StringRef words(Column column);

/// A kernel or a device function. Points into its Image, which must outlive it.
struct Row {
  std::string name;               ///< in the image
  std::string readable;           ///< the name for people: C++'s is demangled
  const Kernel *kernel = nullptr; ///< null for a device function
  const Resources *resources = nullptr;
  bool is_amdgpu = false;
  std::optional<Occupancy> occupancy;
  const FunctionCode *code = nullptr; ///< null without disassembly
  std::optional<uint64_t> value(Column column) const;
};

struct ReportOptions {
  std::optional<uint32_t> block_size; ///< else default_block_size()
  uint64_t dynamic_shared = 0;        ///< bytes that every launch adds
};

/// One image and its rows. `own_resources`: numbers that replace the image's.
struct ImageReport {
  std::string file;     ///< as given on the command line
  std::string resident; ///< what a device holds at once; "": not asked
  const Image *image = nullptr;
  std::vector<Row> kernels, functions;
  std::map<std::string, FunctionCode> code;
  std::map<std::string, Resources> own_resources;
};

/// `exact`: resources of kernels by name, from a driver or ptxas; may be empty.
llvm::Expected<std::unique_ptr<ImageReport>>
make_report(llvm::StringRef file, const Image &image,
            const ReportOptions &options,
            std::map<std::string, Resources> exact);

struct TableOptions {
  bool functions = false, symbols = false, opcodes = false;
};
/// Each writes printable text: a table for one image; JSON or CSV for all.
void print_table(llvm::raw_ostream &os, const ImageReport &report,
                 const TableOptions &options);
void print_json(llvm::raw_ostream &os,
                llvm::ArrayRef<std::unique_ptr<ImageReport>> reports);
void print_csv(llvm::raw_ostream &os,
               llvm::ArrayRef<std::unique_ptr<ImageReport>> reports);

} // namespace gpuexec::info

#endif
