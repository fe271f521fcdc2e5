// Devices and their primary contexts.
#pragma once

#include "report.h"

#include <atomic>
#include <cstddef>

// The device that is pretended.
namespace pretended {
constexpr int COMPUTE_CAPABILITY_MAJOR = 9, COMPUTE_CAPABILITY_MINOR = 0;
constexpr int MULTIPROCESSORS = 4;
constexpr unsigned WARP = 32, MOST_THREADS = 1024, THREADS_OF_A_MULTIPROCESSOR = 2048, BLOCKS_OF_A_MULTIPROCESSOR = 32;
constexpr unsigned REGISTERS_OF_A_MULTIPROCESSOR = 65536, SHARED_MEMORY = 48 << 10;
constexpr size_t MEMORY = size_t{4} << 30;
// A version that NVIDIA gives no driver: kernels of this one and of a real one never meet in a cache.
constexpr int INTERFACE_VERSION = 12991;
constexpr unsigned PARAMETER_BYTES = 32764;
}

// A device; its primary context is the same object.
struct Context {
    int device = 0;
    // How often the primary context is retained.
    int retained = 0;
    // The first error that ended it, which every later call gives.
    std::atomic<int> lost{CUDA_SUCCESS};
    std::atomic<size_t> allocated{0};
    // The most at a time, of all that was allocated one after another.
    std::atomic<size_t> most_allocated{0};

    // Ends the context, as an error of a kernel does.
    void lose(CUresult code, const char *why);
};

// The context that is current on this thread.
extern thread_local Context *current;

// What every call begins with: whether it may go on.
CUresult entered(const char *call);

#define ENTER() \
    do { \
        const CUresult may = entered(__func__); \
        if (may != CUDA_SUCCESS) { \
            return may; \
        } \
    } while (false)
