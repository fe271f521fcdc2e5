#include "block.h"
#include "memory.h"
#include "objects.h"
#include "trap.h"

#include <cstring>

CUresult prepare(const LaunchParameters &asked, const char *call, std::shared_ptr<Launch> *launch) {
    const std::shared_ptr<Function> function = functions().get(asked.function, call);
    if (function == nullptr || function->context != current) {
        return violation(CUDA_ERROR_INVALID_HANDLE, "%s: the function is none of the current context", call);
    }
    const imminent_kernel &kernel = *function->kernel;
    const auto [bx, by, bz] = asked.blocks;
    const auto [tx, ty, tz] = asked.threads;
    const bool grid = bx != 0 && by != 0 && bz != 0 && bx <= 0x7fffffff && by <= 65535 && bz <= 65535;
    const bool block = tx != 0 && ty != 0 && tz != 0 && tx <= 1024 && ty <= 1024 && tz <= 64 &&
                       tx * ty * tz <= pretended::MOST_THREADS;
    if (!grid || !block) {
        return violation(CUDA_ERROR_INVALID_VALUE, "%s: %u x %u x %u blocks of %u x %u x %u threads of %s", call, bx, by, bz, tx, ty, tz, kernel.name);
    }
    if (tx * ty * tz > kernel.most_threads) {
        return violation(CUDA_ERROR_INVALID_VALUE, "%s: %s has __launch_bounds__(%u)", call, kernel.name, kernel.most_threads);
    }
    if (asked.shared_bytes != 0 || asked.extra != nullptr) {
        return violation(CUDA_ERROR_NOT_SUPPORTED, "%s: dynamic shared memory and `extra` are not emulated", call);
    }
    auto made = std::make_shared<Launch>();
    made->function = function;
    made->blocks = uint3{bx, by, bz};
    made->threads = uint3{tx, ty, tz};
    for (unsigned at = 0; at < kernel.parameter_count; at++) {
        const size_t offset = (made->values.size() + 15) / 16 * 16;
        if (asked.values[at] == nullptr) {
            return violation(CUDA_ERROR_INVALID_VALUE, "%s: there is no parameter %u of %s", call, at, kernel.name);
        }
        made->offsets.push_back(offset);
        made->values.resize(offset + kernel.parameters[at].size);
        memcpy(made->values.data() + offset, asked.values[at], kernel.parameters[at].size);
    }
    size_t bytes = 0;
    for (unsigned at = 0; at < kernel.parameter_count; at++) {
        bytes += kernel.parameters[at].size;
    }
    if (bytes > pretended::PARAMETER_BYTES) {
        return violation(CUDA_ERROR_INVALID_VALUE, "%s: parameters of %zu bytes", call, bytes);
    }
    *launch = std::move(made);
    return CUDA_SUCCESS;
}

// Whether pointers lead to memory, and none to memory that another of them writes to: kernels declare theirs
// `__restrict__`.
static bool pointers_are_good(const Launch &launch, void **values) {
    const imminent_kernel &kernel = *launch.function->kernel;
    Context *context = launch.function->context;
    for (unsigned at = 0; at < kernel.parameter_count; at++) {
        if (kernel.parameters[at].pointer == 0) {
            continue;
        }
        uint64_t address;
        memcpy(&address, values[at], sizeof address);
        const std::string what = "parameter " + std::to_string(at) + " of " + kernel.name;
        if (!memory::is_there(context, address, 1, what.c_str())) {
            return false;
        }
        for (unsigned other = 0; other < kernel.parameter_count; other++) {
            uint64_t there = 0;
            if (other == at || kernel.parameters[other].pointer == 0 || kernel.parameters[at].pointer != 2) {
                continue;
            }
            memcpy(&there, values[other], sizeof there);
            if (there == address) {
                violation(CUDA_ERROR_INVALID_VALUE, "%s may be written and is parameter %u too", what.c_str(), other);
            }
        }
    }
    return true;
}

// A step through all blocks in another order than theirs.
static uint64_t stride(uint64_t count) {
    for (const uint64_t prime : {7919u, 104729u, 1299709u}) {
        if (count % prime != 0) {
            return prime % count;
        }
    }
    return 1;
}

void Launch::run() const {
    static std::atomic<uint64_t> launches{setting("IMMINENT_CUDA_HOST_SEED", 0)};
    const uint64_t turn = launches++;
    const imminent_module_info &module = *function->module->info;
    const imminent_kernel &kernel = *function->kernel;
    // The kernel has its own copy: what it writes to its parameters ends with it.
    std::vector<char> own = values;
    std::vector<void *> parameters;
    for (const size_t offset : offsets) {
        parameters.push_back(own.data() + offset);
    }
    if (!pointers_are_good(*this, parameters.data())) {
        return;
    }
    std::unique_ptr<Block> block = take_block();
    std::unique_lock<std::mutex> lock(function->module->running);
    imminent_place &place = *module.place;
    place.block_size = threads;
    place.grid_size = blocks;
    const uint64_t count = uint64_t{blocks.x} * blocks.y * blocks.z;
    const uint64_t step = turn % 3 == 0 ? 1 : stride(count);
    uint64_t at = turn % count;
    const trap::Outcome outcome = trap::guarded([&] {
        for (uint64_t n = 0; n < count; n++) {
            place.block = uint3{
                static_cast<unsigned>(at % blocks.x), static_cast<unsigned>(at / blocks.x % blocks.y),
                static_cast<unsigned>(at / blocks.x / blocks.y)};
            block->run(module, kernel, parameters.data(), turn + n);
            at = (at + step) % count;
        }
    });
    lock.unlock();
    give_block_back(std::move(block));
    if (outcome.code != CUDA_SUCCESS) {
        const std::string why = std::string("kernel ") + kernel.name + ": " + outcome.why;
        function->context->lose(outcome.code, why.c_str());
    }
}

EXPORT CUresult cuLaunchKernel(
    void *function, unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty, unsigned tz, unsigned shared_bytes,
    void *to, void **values, void **extra) {
    ENTER();
    const std::shared_ptr<Stream> stream = stream_of(to, __func__);
    if (stream == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    std::shared_ptr<Launch> launch;
    const LaunchParameters asked = {function, {bx, by, bz}, {tx, ty, tz}, shared_bytes, values, extra, nullptr, nullptr};
    const CUresult code = prepare(asked, __func__, &launch);
    if (code == CUDA_SUCCESS) {
        const auto under_way = std::make_shared<UnderWay>(launch->function->module);
        stream->put([launch, under_way] { launch->run(); });
    }
    return code;
}
