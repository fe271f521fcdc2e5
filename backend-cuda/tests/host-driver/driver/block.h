// A block of threads: fibers that run until they wait for others.
#pragma once

#include "fiber.h"

#include "../kernel/abi.h"

#include <cstdint>
#include <memory>
#include <vector>

class Block {
public:
    Block();
    ~Block();
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;

    // Runs every thread of one block of a kernel to its end. To be called guarded: a block whose threads cannot go on,
    // and a kernel that goes wrong, leave. `turn` changes the order in which threads run where it is free.
    void run(const imminent_module_info &module, const imminent_kernel &kernel, void **parameters, uint64_t turn);

    static const imminent_runtime RUNTIME;

private:
    // What one thread does.
    struct Thread {
        uint3 at;
        Fiber fiber;
        unsigned stack;
        bool done, waiting;
        imminent_meeting meeting;
        unsigned site, mask, argument;
        unsigned long long value, result;
    };

    static unsigned long long meet(imminent_meeting, unsigned, unsigned, unsigned long long, unsigned);
    static unsigned active_lanes();
    static void trapped(const char *why);
    static void main_of_fiber();

    void start_fiber();
    bool take_thread();
    void go_on(Thread &thread);
    bool barrier();
    bool warp(unsigned first);
    void settle(unsigned first, unsigned group);
    [[noreturn]] void stuck();
    void release(Thread &thread, unsigned long long result);

    std::vector<Thread> threads;
    std::vector<unsigned> ready;
    std::vector<unsigned> free_stacks;
    char *stacks;
    Fiber scheduler;
    unsigned running, running_stack, fresh, done;
    uint64_t turn;
    imminent_place *place;
    const imminent_kernel *kernel;
    void **parameters;
};

// A block that nobody uses, to be kept as long as a launch runs.
std::unique_ptr<Block> take_block();
void give_block_back(std::unique_ptr<Block> block);
