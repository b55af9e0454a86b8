//===-- emulator/cuda/driver/code.cpp - See code.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/code.h"
#include "loader/image/contents.h"

#include "llvm/ADT/StringExtras.h"

namespace gpuexec::cuda {

namespace {

/// The number behind `.target sm_` of PTX; 0 when there is none.
int target_of(llvm::StringRef text) {
  constexpr size_t HEAD = 1 << 14; // the directive is the second of the text
  text = text.take_front(HEAD);
  const size_t at = text.find(".target");
  if (at == llvm::StringRef::npos)
    return 0;
  text = text.drop_front(at);
  const size_t name = text.find("sm_");
  unsigned number = 0;
  if (name == llvm::StringRef::npos)
    return 0;
  text.drop_front(name + 3).consumeInteger(10, number);
  return int(std::min(number, 9999u));
}

struct Choice {
  llvm::StringRef bytes;
  bool is_ptx = false;
  std::vector<parsing::Member> members; ///< hold the bytes
};

/// Picks the PTX with the highest target that the device has; else, if that is
/// wanted, the PTX with the lowest.
CodeError choose(const Source &source, const CodeSettings &settings,
                 Choice &choice, std::string &log) {
  parsing::ContainerBudget budget;
  auto opened = parsing::open_container(source.bytes, "fat binary", budget);
  if (!opened) {
    log = llvm::toString(opened.takeError());
    return CodeError::invalid_image;
  }
  if (*opened)
    choice.members = std::move(**opened);
  int best = -1, lowest = 0;
  llvm::StringRef newer;
  for (const parsing::Member &member : choice.members) {
    if (!parsing::looks_like_ptx(member.bytes))
      continue;
    const int target = target_of(member.bytes);
    if (!lowest || target < lowest) {
      lowest = target;
      newer = member.bytes;
    }
    if (target > settings.capability || target <= best)
      continue;
    best = target;
    choice.bytes = member.bytes;
    choice.is_ptx = true;
  }
  if (best < 0 && lowest && settings.takes_newer) {
    choice.bytes = newer;
    choice.is_ptx = true;
    best = lowest;
  }
  if (best >= 0)
    return CodeError::none;
  if (lowest)
    log = llvm::formatv("the fat binary has PTX for sm_{0} at least, and the "
                        "device is sm_{1}: set GPUEXEC_CUDA_CAPABILITY, or "
                        "compile for an older one",
                        lowest, settings.capability);
  else
    log = "the fat binary has machine code for NVIDIA GPUs and no PTX: compile "
          "it with PTX (nvcc -arch=compute_80 -code=compute_80, gpucc --arch)";
  return CodeError::no_binary;
}

HiddenFacts hidden_facts(const HiddenArgument &hidden) {
  HiddenFacts facts;
  facts.offset = hidden.offset;
  facts.size = hidden.size;
  auto is = [&](HiddenFacts::Kind kind, unsigned dimension = 0) {
    facts.kind = kind;
    facts.dimension = dimension;
  };
  switch (hidden.kind) {
  case Hidden::block_count_x:
  case Hidden::block_count_y:
  case Hidden::block_count_z:
    is(HiddenFacts::block_count,
       unsigned(hidden.kind) - unsigned(Hidden::block_count_x));
    break;
  case Hidden::group_size_x:
  case Hidden::group_size_y:
  case Hidden::group_size_z:
    is(HiddenFacts::group_size,
       unsigned(hidden.kind) - unsigned(Hidden::group_size_x));
    break;
  case Hidden::grid_dims:
    is(HiddenFacts::grid_dimensions);
    break;
  case Hidden::dynamic_lds_size:
    is(HiddenFacts::dynamic_shared);
    break;
  case Hidden::queue_ptr:
    is(HiddenFacts::queue);
    break;
  default: // only whole blocks are launched; gfx11 has its apertures itself
    break;
  }
  return facts;
}

KernelFacts facts_of(const Kernel &kernel) {
  KernelFacts facts;
  facts.symbol = kernel.symbol;
  for (const Argument &argument : kernel.arguments)
    facts.parameters.push_back({argument.offset, argument.size});
  for (const HiddenArgument &hidden : kernel.hidden)
    if (parsing::in_range(hidden.offset, hidden.size, kernel.kernarg_size))
      facts.hidden.push_back(hidden_facts(hidden));
  facts.parameters_size = uint32_t(kernel.arguments_size);
  facts.kernarg_size = uint32_t(kernel.kernarg_size);
  facts.shared_size = uint32_t(kernel.shared_size);
  facts.private_size = uint32_t(kernel.resources.private_size.value_or(0));
  facts.dynamic_stack = kernel.resources.dynamic_stack;
  facts.registers = kernel.resources.vgprs.value_or(0);
  facts.max_threads = kernel.max_threads;
  return facts;
}

/// Reads the facts of the kernels in the code object.
CodeError read_facts(Code &code, std::string &log) {
  auto image = Image::parse(llvm::MemoryBufferRef(code.object, "code object"));
  if (!image) {
    log = llvm::toString(image.takeError());
    return CodeError::invalid_image;
  }
  if (image->format() != Image::Format::amdgpu) {
    log = "the code object is for no AMD GPU";
    return CodeError::invalid_image;
  }
  for (const Kernel &kernel : image->kernels()) {
    if (kernel.arguments_size > kernel.kernarg_size) {
      log = "kernel '" + kernel.name + "': arguments outside of its block";
      return CodeError::invalid_image;
    }
    code.kernels[kernel.name] = facts_of(kernel);
  }
  for (const Global &global : image->globals())
    if (global.visible && global.defined)
      code.variables.push_back(global.name);
  return CodeError::none;
}

} // namespace

CodeError check_source(const Source &source, const CodeSettings &settings,
                       std::string &log) {
  Choice choice;
  return source.kind == SourceKind::fat_binary
             ? choose(source, settings, choice, log)
             : CodeError::none;
}

CodeError find_ptx(const Source &source, const CodeSettings &settings,
                   std::string &ptx, std::string &log) {
  if (source.kind == SourceKind::ptx) {
    ptx = source.bytes;
    return CodeError::none;
  }
  Choice choice;
  if (CodeError error = choose(source, settings, choice, log);
      error != CodeError::none)
    return error;
  ptx = choice.bytes.rtrim('\0').str();
  return CodeError::none;
}

CodeError make_code(const std::string &ptx, const CodeSettings &settings,
                    Made made, Code &code, std::string &log) {
  const CodeError error = translate(ptx, settings, made, code.object, log);
  return error == CodeError::none ? read_facts(code, log) : error;
}

CodeError make_code(const Source &source, const CodeSettings &settings,
                    Code &code, std::string &log) {
  if (source.kind == SourceKind::amdgpu) {
    code.object = source.bytes;
    return read_facts(code, log);
  }
  std::string ptx;
  const CodeError error = find_ptx(source, settings, ptx, log);
  return error == CodeError::none
             ? make_code(ptx, settings, Made::code_object, code, log)
             : error;
}

} // namespace gpuexec::cuda
