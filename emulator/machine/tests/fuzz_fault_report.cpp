//===-- emulator/machine/tests/fuzz_fault_report.cpp - Any image's fault --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fault in a program whose image is any bytes is told in lines of text that
// no terminal would obey.
//===----------------------------------------------------------------------===//
#include "emulator/machine/elf_symbols.h"
#include "emulator/machine/report.h"
#include "support/printable.h"

#include <cstdlib>

using namespace gpuexec::emulator;

static void check(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (gpuexec::printable(line) != line)
      abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef image(reinterpret_cast<const char *>(data), size);
  constexpr uint64_t DELTA = 0x7f0000000000;
  FaultReport report;
  report.site.symbols = make_elf_symbols(image, DELTA);
  report.site.kernel.assign(image.take_front(200));
  report.site.pc = DELTA + 0x1620; // in the kept inputs
  for (uint64_t caller : {0x1744, 0x1004, 0x2000, 0})
    report.site.callers.push_back(caller ? DELTA + caller : 0);
  if (size & 1) // more than are shown
    report.site.callers.resize(40, DELTA + 0x1704);
  report.fault.kind = Fault::Kind::unmapped;
  report.fault.detail = report.site.kernel;
  AddressSpace memory;
  complete(report, memory);
  check(report.text);
  check(describe(report.site));
  return 0;
}
