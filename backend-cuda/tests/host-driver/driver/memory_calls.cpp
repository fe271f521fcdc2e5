// The driver's calls on memory. Transfers are checked when they are asked for, and again when their turn comes.

#include "memory.h"
#include "objects.h"
#include "trap.h"

#include <cstring>

static char POOLS[8];

static void *pool_of(int device) { return &POOLS[device & 7]; }

static bool is_pool(void *pool) { return pool >= POOLS && pool < POOLS + sizeof POOLS; }

EXPORT CUresult cuDeviceGetDefaultMemPool(void **pool, int device) {
    *pool = pool_of(device);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemPoolSetAttribute(void *pool, int, void *value) {
    ENTER();
    return is_pool(pool) && value != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuMemPoolGetAttribute(void *pool, int attribute, void *value) {
    ENTER();
    // This pool keeps nothing: what is reserved is what is used.
    const int RESERVED_MEM_CURRENT = 5, RESERVED_MEM_HIGH = 6, USED_MEM_CURRENT = 7, USED_MEM_HIGH = 8;
    if (!is_pool(pool) || value == nullptr) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    switch (attribute) {
    case RESERVED_MEM_CURRENT:
    case USED_MEM_CURRENT:
        *static_cast<uint64_t *>(value) = current->allocated;
        return CUDA_SUCCESS;
    case RESERVED_MEM_HIGH:
    case USED_MEM_HIGH:
        *static_cast<uint64_t *>(value) = current->most_allocated;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

EXPORT CUresult cuMemPoolTrimTo(void *pool, size_t) {
    ENTER();
    return is_pool(pool) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuMemGetInfo_v2(size_t *available, size_t *total) {
    ENTER();
    *available = pretended::MEMORY - current->allocated;
    *total = pretended::MEMORY;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAllocAsync(uint64_t *address, size_t bytes, void *on) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(on, __func__);
    if (stream == nullptr || bytes == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const uint64_t start = memory::reserve(current, bytes);
    if (start == 0) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    stream->put([start] { memory::commit(start); });
    *address = start;
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemFreeAsync(uint64_t address, void *on) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(on, __func__);
    if (stream == nullptr || !memory::retire(current, address)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    stream->put([address] { memory::release(address); }, true);
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    ENTER();
    if (bytes == 0 || flags > 7) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    *address = memory::pin(current, bytes);
    return *address == nullptr ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

EXPORT CUresult cuMemFreeHost(void *address) {
    ENTER();
    return memory::unpin(address) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// A transfer of the page-locked memory `host`, which is under way as long as this lives.
class Transfer {
public:
    explicit Transfer(const void *host) : host(host) {}
    ~Transfer() { memory::pinned_done(host); }
    Transfer(const Transfer &) = delete;
    Transfer &operator=(const Transfer &) = delete;

private:
    const void *host;
};

static CUresult promised(const char *call, uint64_t address, size_t bytes) {
    if (memory::is_promised(current, address, bytes)) {
        return CUDA_SUCCESS;
    }
    return violation(CUDA_ERROR_INVALID_VALUE, "%s: %zu bytes at %s are no memory of this context", call, bytes, memory::describe(address).c_str());
}

// Runs a transfer, whose memory was found to be there.
static void guarded(Context *context, const std::function<void()> &run) {
    const trap::Outcome outcome = trap::guarded(run);
    if (outcome.code != CUDA_SUCCESS) {
        context->lose(outcome.code, outcome.why.c_str());
    }
}

// A transfer between the host and the device.
static CUresult transfer(const char *call, void *on, uint64_t device, const void *host, size_t bytes, bool up) {
    const std::shared_ptr<Stream> stream = stream_of(on, call);
    if (stream == nullptr || promised(call, device, bytes) != CUDA_SUCCESS) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (!memory::pinned_use(host, bytes)) {
        return violation(CUDA_ERROR_INVALID_VALUE, "%s: %zu bytes at %p of the host are not page-locked", call, bytes, host);
    }
    const auto under_way = std::make_shared<Transfer>(host);
    Context *const context = current;
    stream->put([=] {
        if (!memory::is_there(context, device, bytes, call)) {
            return;
        }
        guarded(context, [=] {
            void *const there = reinterpret_cast<void *>(device);
            memcpy(up ? there : const_cast<void *>(host), up ? host : there, bytes);
        });
    });
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *on) {
    ENTER();
    return transfer(__func__, on, to, from, bytes, true);
}

EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *on) {
    ENTER();
    return transfer(__func__, on, from, to, bytes, false);
}

EXPORT CUresult cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *on) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(on, __func__);
    if (stream == nullptr || promised(__func__, to, bytes) != CUDA_SUCCESS || promised(__func__, from, bytes) != CUDA_SUCCESS) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (to < from + bytes && from < to + bytes) {
        return violation(CUDA_ERROR_INVALID_VALUE, "cuMemcpyDtoDAsync: source and target overlap");
    }
    Context *const context = current;
    stream->put([=] {
        if (memory::is_there(context, to, bytes, "a copy") && memory::is_there(context, from, bytes, "a copy")) {
            guarded(context, [=] { memcpy(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes); });
        }
    });
    return CUDA_SUCCESS;
}

EXPORT CUresult cuMemsetD32Async(uint64_t to, unsigned value, size_t count, void *on) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(on, __func__);
    if (stream == nullptr || to % 4 != 0 || promised(__func__, to, count * 4) != CUDA_SUCCESS) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    Context *const context = current;
    stream->put([=] {
        if (memory::is_there(context, to, count * 4, "setting memory")) {
            guarded(context, [=] {
                unsigned *const words = reinterpret_cast<unsigned *>(to);
                for (size_t at = 0; at < count; at++) {
                    words[at] = value;
                }
            });
        }
    });
    return CUDA_SUCCESS;
}
