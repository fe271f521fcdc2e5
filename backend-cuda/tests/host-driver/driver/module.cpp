#include "module.h"

#include "block.h"
#include "objects.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

Module::~Module() {
    if (library != nullptr) {
        dlclose(library);
    }
}

// Bytes of an ELF file, from its header: the table of sections comes last. 0 if it is none for this machine.
static size_t image_bytes(const void *image) {
    Elf64_Ehdr head;
    memcpy(&head, image, SELFMAG);
    if (memcmp(image, ELFMAG, SELFMAG) != 0) {
        return 0;
    }
    memcpy(&head, image, sizeof head);
#if defined(__x86_64__)
    constexpr Elf64_Half machine = EM_X86_64;
#else
    constexpr Elf64_Half machine = EM_AARCH64;
#endif
    return head.e_machine == machine ? head.e_shoff + size_t{head.e_shnum} * head.e_shentsize : 0;
}

EXPORT CUresult cuModuleLoadData(void **handle, const void *image) {
    ENTER();
    if (memcmp(image, ELFMAG, SELFMAG) != 0) {
        return CUDA_ERROR_INVALID_IMAGE;
    }
    const size_t bytes = image_bytes(image);
    if (bytes == 0) {
        say("cuModuleLoadData: the machine code is for a real device");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    const int file = memfd_create("imminent-kernel", MFD_CLOEXEC);
    if (file < 0 || write(file, image, bytes) != static_cast<ssize_t>(bytes)) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    auto module = std::make_shared<Module>();
    module->context = current;
    // The number of a file that was closed is used again, and the loader knows libraries by their names.
    static std::atomic<unsigned> serial{0};
    const std::string path = "/proc/self/fd/" + std::string(1 + serial++ % 4096, '/') + std::to_string(file);
    module->library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    close(file);
    if (module->library == nullptr) {
        say("cuModuleLoadData: %s", dlerror());
        return CUDA_ERROR_INVALID_IMAGE;
    }
    module->info = static_cast<const imminent_module_info *>(dlsym(module->library, "imminent_module"));
    if (module->info == nullptr || module->info->version != IMMINENT_MODULE_VERSION) {
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    *module->info->runtime = &Block::RUNTIME;
    *handle = modules().add(std::move(module));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(void *handle) {
    ENTER();
    const std::shared_ptr<Module> module = modules().remove(handle, __func__);
    if (module == nullptr || module->context != current) {
        return violation(CUDA_ERROR_INVALID_HANDLE, "cuModuleUnload: no module of the current context");
    }
    if (module->under_way != 0) {
        violation(CUDA_ERROR_INVALID_HANDLE, "cuModuleUnload: launches of the module are under way");
    }
    functions().forget([&module](const Function &function) { return function.module == module; });
    return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetFunction(void **handle, void *of, const char *name) {
    ENTER();
    const std::shared_ptr<Module> module = modules().get(of, __func__);
    if (module == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    for (unsigned at = 0; at < module->info->kernel_count; at++) {
        const imminent_kernel &kernel = module->info->kernels[at];
        if (strcmp(kernel.name, name) == 0) {
            auto function = std::make_shared<Function>();
            function->context = module->context;
            function->module = module;
            function->kernel = &kernel;
            *handle = functions().add(std::move(function));
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *handle, int threads, size_t shared) {
    ENTER();
    const std::shared_ptr<Function> function = functions().get(handle, __func__);
    if (function == nullptr || threads <= 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    using namespace pretended;
    const unsigned size = static_cast<unsigned>(threads);
    const imminent_module_info &info = *function->module->info;
    const size_t used = shared + (info.shared_start != nullptr ? static_cast<size_t>(info.shared_end - info.shared_start) : 0);
    unsigned most = BLOCKS_OF_A_MULTIPROCESSOR;
    most = std::min(most, THREADS_OF_A_MULTIPROCESSOR / size);
    most = std::min(most, REGISTERS_OF_A_MULTIPROCESSOR / (info.registers * size));
    if (used > SHARED_MEMORY) {
        most = 0;
    } else if (used > 0) {
        most = std::min(most, static_cast<unsigned>(228 * 1024 / used));
    }
    *blocks = static_cast<int>(most);
    return CUDA_SUCCESS;
}
