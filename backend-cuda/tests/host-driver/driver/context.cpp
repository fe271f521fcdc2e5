#include "context.h"

#include "memory.h"
#include "objects.h"

#include <cstdio>
#include <cstring>
#include <mutex>

static constexpr int MOST_DEVICES = 8;
static Context contexts[MOST_DEVICES];
static std::atomic<bool> started{false};
static std::mutex retaining;

thread_local Context *current = nullptr;

static int device_count() {
    static const int count = [] {
        const unsigned long long asked = setting("IMMINENT_CUDA_HOST_DEVICES", 2);
        return static_cast<int>(asked < MOST_DEVICES ? asked : MOST_DEVICES);
    }();
    return count;
}

static bool is_device(int device) { return device >= 0 && device < device_count(); }

void Context::lose(CUresult code, const char *why) {
    int none = CUDA_SUCCESS;
    if (lost.compare_exchange_strong(none, code)) {
        say("device %d is lost: %s", device, why);
    }
}

CUresult entered(const char *call) {
    if (!started) {
        return violation(CUDA_ERROR_NOT_INITIALIZED, "%s: cuInit was not called", call);
    }
    if (current == nullptr || current->retained == 0) {
        return violation(CUDA_ERROR_INVALID_CONTEXT, "%s: no context is current on this thread", call);
    }
    return static_cast<CUresult>(current->lost.load());
}

// Tells the backend that this is no GPU. The real driver has no such function.
EXPORT const char *imminent_emulation() { return "host emulation of CUDA"; }

EXPORT CUresult cuInit(unsigned flags) {
    if (flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    started = true;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDriverGetVersion(int *version) {
    *version = pretended::INTERFACE_VERSION;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetCount(int *count) {
    *count = device_count();
    return started ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

EXPORT CUresult cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return is_device(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDeviceGetName(char *name, int length, int device) {
    if (!is_device(device) || length <= 0) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    snprintf(name, static_cast<size_t>(length), "host emulation of CUDA, device %d", device);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, int device) {
    *bytes = pretended::MEMORY;
    return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
    if (!is_device(device)) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    switch (attribute) {
        case 1: *value = pretended::MOST_THREADS; break;
        case 2: case 3: *value = 1024; break;
        case 4: *value = 64; break;
        case 5: *value = 0x7fffffff; break;
        case 6: case 7: *value = 65535; break;
        case 8: *value = pretended::SHARED_MEMORY; break;
        case 10: *value = pretended::WARP; break;
        case 12: case 82: *value = pretended::REGISTERS_OF_A_MULTIPROCESSOR; break;
        case 16: *value = static_cast<int>(setting("IMMINENT_CUDA_HOST_MULTIPROCESSORS", pretended::MULTIPROCESSORS)); break;
        // Not integrated.
        case 18: *value = 0; break;
        case 31: *value = 1; break;
        case 39: *value = pretended::THREADS_OF_A_MULTIPROCESSOR; break;
        case 75: *value = pretended::COMPUTE_CAPABILITY_MAJOR; break;
        case 76: *value = pretended::COMPUTE_CAPABILITY_MINOR; break;
        case 95: *value = 0; break;
        case 106: *value = pretended::BLOCKS_OF_A_MULTIPROCESSOR; break;
        // Memory pools.
        case 115: *value = 1; break;
        default: return violation(CUDA_ERROR_INVALID_VALUE, "cuDeviceGetAttribute: attribute %d is not known here", attribute);
    }
    return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRetain(Context **context, int device) {
    if (!started || !is_device(device)) {
        return started ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_NOT_INITIALIZED;
    }
    std::lock_guard<std::mutex> lock(retaining);
    *context = &contexts[device];
    contexts[device].device = device;
    contexts[device].retained += 1;
    return CUDA_SUCCESS;
}

// The last release ends the context. What is left in it is a leak, unless the device was lost.
static void end(Context &context) {
    drain_streams(&context);
    if (context.lost == CUDA_SUCCESS) {
        const std::string left = left_in(&context);
        if (!left.empty()) {
            violation(CUDA_ERROR_INVALID_CONTEXT, "the last user of device %d left behind: %s", context.device, left.c_str());
        }
    }
    forget_all(&context);
    context.lost = CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease_v2(int device) {
    if (!is_device(device)) {
        return CUDA_ERROR_INVALID_DEVICE;
    }
    std::lock_guard<std::mutex> lock(retaining);
    Context &context = contexts[device];
    if (context.retained == 0) {
        return violation(CUDA_ERROR_INVALID_CONTEXT, "device %d is released more often than it was retained", device);
    }
    if (context.retained == 1) {
        end(context);
    }
    context.retained -= 1;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSetCurrent(Context *context) {
    const bool known = context >= contexts && context < contexts + MOST_DEVICES && context->retained > 0;
    if (!known) {
        return violation(CUDA_ERROR_INVALID_CONTEXT, "cuCtxSetCurrent: %p is no context that lives", static_cast<void *>(context));
    }
    current = context;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSynchronize() {
    ENTER();
    drain_streams(current);
    return static_cast<CUresult>(current->lost.load());
}
