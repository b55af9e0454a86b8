//===-- emulator/hsa/api_unsupported.cpp - What is there to be linked with ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libhsa-runtime64 that are not emulated: other processes, other
// APIs' buffers, images, the finalizer, shared virtual memory. Clients link
// with them; when one is called, it prints its name and fails. It reads no
// argument, so hsa.h with its prototypes is not included.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator {
int not_emulated_status(const char *function); // api_system.cpp
}

#define NOT_EMULATED(NAME)                                                     \
  extern "C" __attribute__((visibility("default"))) int NAME(...) {            \
    return gpuexec::emulator::not_emulated_status(#NAME);                      \
  }

NOT_EMULATED(hsa_amd_coherency_get_type)
NOT_EMULATED(hsa_amd_coherency_set_type)
NOT_EMULATED(hsa_amd_deregister_deallocation_callback)
NOT_EMULATED(hsa_amd_enable_logging)
NOT_EMULATED(hsa_amd_image_create)
NOT_EMULATED(hsa_amd_image_get_info_max_dim)
NOT_EMULATED(hsa_amd_interop_map_buffer)
NOT_EMULATED(hsa_amd_interop_unmap_buffer)
NOT_EMULATED(hsa_amd_ipc_memory_attach)
NOT_EMULATED(hsa_amd_ipc_memory_create)
NOT_EMULATED(hsa_amd_ipc_memory_detach)
NOT_EMULATED(hsa_amd_ipc_signal_attach)
NOT_EMULATED(hsa_amd_ipc_signal_create)
NOT_EMULATED(hsa_amd_memory_migrate)
NOT_EMULATED(hsa_amd_register_deallocation_callback)
NOT_EMULATED(hsa_amd_svm_attributes_get)
NOT_EMULATED(hsa_amd_svm_attributes_set)
NOT_EMULATED(hsa_amd_svm_prefetch_async)
NOT_EMULATED(hsa_amd_vmem_address_free)
NOT_EMULATED(hsa_amd_vmem_address_reserve)
NOT_EMULATED(hsa_amd_vmem_address_reserve_align)
NOT_EMULATED(hsa_amd_vmem_export_shareable_handle)
NOT_EMULATED(hsa_amd_vmem_get_access)
NOT_EMULATED(hsa_amd_vmem_get_alloc_properties_from_handle)
NOT_EMULATED(hsa_amd_vmem_handle_create)
NOT_EMULATED(hsa_amd_vmem_handle_release)
NOT_EMULATED(hsa_amd_vmem_import_shareable_handle)
NOT_EMULATED(hsa_amd_vmem_map)
NOT_EMULATED(hsa_amd_vmem_retain_alloc_handle)
NOT_EMULATED(hsa_amd_vmem_set_access)
NOT_EMULATED(hsa_amd_vmem_unmap)
NOT_EMULATED(hsa_code_object_get_info)
NOT_EMULATED(hsa_code_object_get_symbol)
NOT_EMULATED(hsa_code_object_get_symbol_from_name)
NOT_EMULATED(hsa_code_object_iterate_symbols)
NOT_EMULATED(hsa_code_object_serialize)
NOT_EMULATED(hsa_code_symbol_get_info)
NOT_EMULATED(hsa_ext_image_clear)
NOT_EMULATED(hsa_ext_image_copy)
NOT_EMULATED(hsa_ext_image_create)
NOT_EMULATED(hsa_ext_image_create_with_layout)
NOT_EMULATED(hsa_ext_image_data_get_info)
NOT_EMULATED(hsa_ext_image_data_get_info_with_layout)
NOT_EMULATED(hsa_ext_image_destroy)
NOT_EMULATED(hsa_ext_image_export)
NOT_EMULATED(hsa_ext_image_get_capability)
NOT_EMULATED(hsa_ext_image_get_capability_with_layout)
NOT_EMULATED(hsa_ext_image_import)
NOT_EMULATED(hsa_ext_program_add_module)
NOT_EMULATED(hsa_ext_program_create)
NOT_EMULATED(hsa_ext_program_destroy)
NOT_EMULATED(hsa_ext_program_finalize)
NOT_EMULATED(hsa_ext_program_get_info)
NOT_EMULATED(hsa_ext_program_iterate_modules)
NOT_EMULATED(hsa_ext_sampler_create)
NOT_EMULATED(hsa_ext_sampler_destroy)
