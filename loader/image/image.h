//===-- loader/image/image.h - What the bytes of a GPU program say --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An image is an AMDGPU code object, an NVIDIA cubin or PTX text. This library
// reads one, or all that a container holds, into plain values: nothing here
// touches a device, and every byte of the file is untrusted. An image that
// parses is well-formed as far as this header promises; whatever is not is a
// one-line error.
//
// Specifications: LLVM's AMDGPUUsage (code object V4 to V6, kernel descriptor,
// metadata note), PTX ISA, the ELF that ptxas writes (ABI version 7 and the 8
// of CUDA 13), LLVM's offload binary and clang's offload bundle.

#ifndef GPUEXEC_LOADER_IMAGE_IMAGE_H
#define GPUEXEC_LOADER_IMAGE_IMAGE_H

#include "gpu/amd_kernel_descriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuexec {

/// Why a file is no image that can run. The message is one line, names the
/// file, and ends without a full stop.
class ImageError : public llvm::ErrorInfo<ImageError> {
public:
  enum class Reason {
    /// No such file
    not_found,
    /// A directory, no permission, an I/O error
    unreadable,
    /// Empty, text, an ELF file for something else
    no_image,
    /// Begins as an image and breaks its own format
    malformed,
    /// A good image that the device in question cannot run
    no_match,
  };
  static char ID;
  ImageError(Reason reason, std::string message)
      : why(reason), text(std::move(message)) {}
  Reason reason() const { return why; }
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override;

private:
  Reason why;
  std::string text;
};

/// One explicit parameter of a kernel; offset and size in bytes within the
/// argument block.
struct Argument {
  /// May be empty: cubins keep none
  std::string name;
  uint32_t offset = 0;
  uint32_t size = 0;
};

/// What the runtime fills in behind the explicit arguments of an AMDGPU kernel
/// (code object V5 and V6, and V4's few).
enum class Hidden : uint8_t {
#define HIDDEN_ARGUMENT(NAME) NAME,
#include "gpu/amd_hidden_arguments.def"
  unknown,
};

struct HiddenArgument {
  Hidden kind = Hidden::unknown;
  /// From the start of the kernarg segment
  uint32_t offset = 0;
  uint32_t size = 0;
};

/// What a kernel or a device function costs, as far as the image tells; what it
/// does not tell is empty.
struct Resources {
  /// AMDGPU: vector registers per lane (with the AGPRs where the file is
  /// unified, as `.vgpr_count` counts them); NVIDIA: registers per thread
  std::optional<uint32_t> vgprs;
  /// Accumulation registers per lane, AMDGPU only
  std::optional<uint32_t> agprs;
  /// Scalar registers per wave; NVIDIA: uniform registers are not counted
  std::optional<uint32_t> sgprs;
  /// Registers spilled; NVIDIA cubins do not record spills
  std::optional<uint32_t> vgpr_spills;
  std::optional<uint32_t> sgpr_spills;
  /// Hardware barriers used, NVIDIA
  std::optional<uint32_t> barriers;
  /// Bytes of stack per thread: this function's frame
  std::optional<uint64_t> private_size;
  /// Bytes per thread with all callees; empty when unknown, recursive or
  /// dynamic
  std::optional<uint64_t> stack_size;
  /// Bytes of instructions
  std::optional<uint64_t> code_size;
  /// Calls that the compiler could not follow: the launch must choose a stack
  /// size
  bool dynamic_stack = false;
};

/// The kernel descriptor of an AMDGPU kernel, and where it is.
struct KernelDescriptor : gpu::AmdKernelDescriptor {
  /// Of `NAME.kd`, in the image
  uint64_t address = 0;
  /// Address of the first instruction, in the image
  uint64_t entry = 0;
};

struct Kernel {
  /// As launched: `_start`
  std::string name;
  /// Of the launchable object: `_start.kd` on AMDGPU, else the name
  std::string symbol;
  /// The loader can find `symbol` by name. Always true on NVIDIA.
  bool visible = true;
  std::vector<Argument> arguments;
  /// Only those that the kernel reads; none on NVIDIA
  std::vector<HiddenArgument> hidden;
  /// End of the last explicit argument; what cuLaunchKernel expects
  uint64_t arguments_size = 0;
  /// Bytes of the argument block with its hidden arguments; nothing may be
  /// written behind them
  uint64_t kernarg_size = 0;
  uint64_t kernarg_alignment = 8;
  /// Bytes of static LDS or shared memory that the program asks for (without
  /// the 1 KiB that CUDA reserves per block).
  uint64_t shared_size = 0;
  /// Bytes that CUDA reserves besides in each block, if the image counts them
  /// (from sm_90 on).
  uint64_t shared_reserved = 0;
  /// Bytes of the constant bank that holds the arguments, NVIDIA
  uint64_t constant_size = 0;
  uint32_t wave_size = 32;
  /// Per block; 0 = the device's own limit
  uint32_t max_threads = 0;
  /// 0 0 0 = any
  std::array<uint32_t, 3> required_block{0, 0, 0};
  /// AMDGPU `.kind`: normal, init or fini
  std::string kind;
  Resources resources;
  /// Its instructions within Image::bytes(); empty when the image has none
  llvm::StringRef code;
  std::optional<KernelDescriptor> descriptor;

  const HiddenArgument *find_hidden(Hidden kind) const;
};

/// A function that is no kernel.
struct DeviceFunction {
  std::string name;
  /// AMDGPU: in the image; cubin: in its section
  uint64_t address = 0;
  Resources resources;
  /// Its instructions within Image::bytes(); empty when the image has none
  llvm::StringRef code;
};

struct Global {
  enum class Space { global, constant, shared };
  std::string name;
  /// AMDGPU: in the image; cubin: in its section; PTX: none
  uint64_t address = 0;
  /// Bytes; 0 = the image does not say
  uint64_t size = 0;
  Space space = Space::global;
  /// The loader can find it by name: it is neither static nor hidden
  bool visible = true;
  /// False: an external symbol of the image
  bool defined = true;
};

/// A constructor or destructor that the loader must put into the tables of an
/// NVIDIA image: `symbol` is an 8-byte global that holds the function's address
/// on the device.
struct InitObject {
  std::string symbol;
  uint16_t priority = 65535;
};

/// The image's client object of the mailbox. Its symbol and size tell which
/// LLVM release compiled the image.
struct RpcClient {
  /// `__llvm_rpc_client`, or LLVM 19's `__llvm_libc_rpc_client` (a pointer to
  /// the client, of 8 bytes)
  std::string symbol;
  uint64_t size = 0;
};

struct ImageContents;

/// One image, read. Refers to the bytes that it was parsed from: they must
/// outlive it. Moves, does not copy.
class Image {
public:
  enum class Format { amdgpu, cubin, ptx };

  /// Reads a file (`-` is standard input). The buffer ends in a zero byte that
  /// does not count. Errors: ImageError not_found, unreadable (a directory too)
  /// or no_image (empty).
  static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
  read_file(llvm::StringRef path);

  /// The only image of a file; a container of several is an error that lists
  /// them: parse_all() is for those. The buffer's identifier is the file name
  /// in messages. Errors: ImageError no_image or malformed.
  static llvm::Expected<Image> parse(llvm::MemoryBufferRef file);

  /// Every image of a file, at least one: the file itself, or the entries for
  /// GPUs of an LLVM offload binary, a clang offload bundle, a CUDA fatbin or a
  /// host ELF with a section of those, in file order.
  static llvm::Expected<std::vector<Image>>
  parse_all(llvm::MemoryBufferRef file);

  /// Of several images the one that suits `device` best (the exact architecture
  /// before a generic one, machine code before PTX), or an ImageError no_match
  /// that says what there is. `device` as in runs_on().
  static llvm::Expected<const Image *> choose(llvm::ArrayRef<Image> images,
                                              llvm::StringRef device);

  Image(Image &&);
  Image &operator=(Image &&);
  ~Image();

  Format format() const;
  /// "AMDGPU code object", "CUDA cubin" or "PTX"
  llvm::StringRef format_name() const;

  /// The processor without features: `gfx942`, `gfx9-4-generic`, `sm_90`,
  /// `sm_90a`. PTX: its `.target`.
  llvm::StringRef arch() const;
  /// With features that the image insists on: `gfx90a:sramecc+:xnack-`. NVIDIA:
  /// as arch().
  llvm::StringRef target_id() const;
  /// `amdgcn-amd-amdhsa` or `nvptx64-nvidia-cuda`.
  llvm::StringRef triple() const;
  /// AMDGPU: 4, 5 or 6 (code object V). Cubin: 7 or 8 (the ELF header's byte).
  /// PTX: major * 10 + minor of `.version`.
  unsigned abi_version() const;
  /// The program that made the image, when it says; may be empty.
  llvm::StringRef producer() const;
  /// True of an object file or a cubin of `ptxas -c`, which must be linked
  /// before a device takes it.
  bool relocatable() const;

  /// Null error when a device can run it, else ImageError no_match with the
  /// reason. `device`: the target id an HSA agent reports without its triple
  /// (`gfx942:sramecc+:xnack-`), or `sm_90`.
  llvm::Error runs_on(llvm::StringRef device) const;

  /// The bytes to give to the device's driver, without the container. PTX: the
  /// text, followed by a zero byte.
  llvm::StringRef bytes() const;
  /// Of PTX: how many modules its text has, which must be linked; each ends
  /// with a zero byte. 1 of other images.
  unsigned module_count() const;
  /// The file's name, with the entry when it came out of a container: for
  /// messages.
  llvm::StringRef name() const;

  llvm::ArrayRef<Kernel> kernels() const;
  llvm::ArrayRef<DeviceFunction> functions() const;
  llvm::ArrayRef<Global> globals() const;
  /// Null when the image has none of that name. Both live as long as the image.
  const Kernel *find_kernel(llvm::StringRef name) const;
  const Global *find_global(llvm::StringRef name) const;
  /// The stack that a kernel needs is not known: it recurses, calls through
  /// pointers, or is PTX. The kernels around _start do not count: they call
  /// constructors and exit handlers through pointers in every program.
  bool has_unknown_stack() const;
  /// Bytes of main()'s stack frame and of the largest other one of a kernel or
  /// function: main may call any function. 0 of PTX.
  uint64_t largest_frames() const;
  /// Bytes of all stack frames of 1 KiB and more together: without recursion no
  /// path of calls has more, its smaller frames aside. 0 of PTX.
  uint64_t large_frames() const;

  /// NVIDIA: sorted by ascending priority, ties in symbol order; destructors
  /// are to run backwards. Empty on AMDGPU, whose linker builds the tables.
  llvm::ArrayRef<InitObject> constructors() const;
  llvm::ArrayRef<InitObject> destructors() const;

  /// Empty when the image defines no client object: it never calls its host.
  std::optional<RpcClient> rpc_client() const;
  /// The largest wave size among the kernels, 32 or 64: the stride for which a
  /// mailbox must have room.
  uint32_t max_wave_size() const;

private:
  template <typename F> void each_frame(F see) const;
  explicit Image(std::unique_ptr<ImageContents> parsed);
  std::unique_ptr<ImageContents> contents; // null only after a move
};

/// True of AMDGPU processors with one file for VGPRs and AGPRs, where the
/// latter count on top (gfx90a and its successors).
bool has_unified_registers(llvm::StringRef arch);

/// The spelling of the metadata without `hidden_`: "block_count_x".
llvm::StringRef to_string(Hidden kind);

} // namespace gpuexec

#endif
