//===-- emulator/machine/elf_symbols.h - Names from an ELF image *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_MACHINE_ELF_SYMBOLS_H
#define GPUEXEC_EMULATOR_MACHINE_ELF_SYMBOLS_H

#include "emulator/machine/launch.h"

namespace gpuexec::emulator {

/// Names for program counters from an ELF image's symbol table and DWARF. Keeps
/// a copy of `image`; `delta` is an address in memory minus the address in the
/// image. `prepare`: see Options::prepare_lines.
std::shared_ptr<SymbolSource>
make_elf_symbols(llvm::StringRef image, uint64_t delta, bool prepare = false);

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_ELF_SYMBOLS_H
