// Loaded modules, their functions, and launches of them.
#pragma once

#include "context.h"

#include "../kernel/abi.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

struct Module {
    ~Module();

    Context *context = nullptr;
    void *library = nullptr;
    const imminent_module_info *info = nullptr;
    // Held while one of its kernels runs: they share their places and their shared memory.
    std::mutex running;
    // Launches that have not come to their end.
    std::atomic<int> under_way{0};
};

struct Function {
    Context *context = nullptr;
    std::shared_ptr<Module> module;
    const imminent_kernel *kernel = nullptr;
};

// A launch with the values of its parameters.
struct Launch {
    std::shared_ptr<Function> function;
    uint3 blocks, threads;
    std::vector<char> values;
    std::vector<size_t> offsets;

    // Runs every block. Loses the context if something goes wrong.
    void run() const;
};

// What a launch asks for, as calls and nodes of graphs give it.
struct LaunchParameters {
    void *function;
    unsigned blocks[3], threads[3], shared_bytes;
    void **values, **extra;
    void *kern, *context;
};

// Checks a launch and copies the values of its parameters.
CUresult prepare(const LaunchParameters &parameters, const char *call, std::shared_ptr<Launch> *launch);

// Counts a launch as under way while it lives.
class UnderWay {
public:
    explicit UnderWay(std::shared_ptr<Module> module) : module(std::move(module)) { this->module->under_way += 1; }
    ~UnderWay() { module->under_way -= 1; }
    UnderWay(const UnderWay &) = delete;
    UnderWay &operator=(const UnderWay &) = delete;

private:
    std::shared_ptr<Module> module;
};
