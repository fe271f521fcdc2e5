#include "block.h"

#include "context.h"
#include "graph.h"
#include "trap.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(start, end) ((void)0)
#endif

// Bytes of a thread's stack, and of the page below it that nobody may touch.
static constexpr size_t STACK = size_t{128} << 10, GUARD = 4096;
static constexpr unsigned MOST = pretended::MOST_THREADS, WARP = pretended::WARP;

static thread_local Block *active = nullptr;

const imminent_runtime Block::RUNTIME = {Block::meet, Block::active_lanes, Block::trapped, set_conditional};

Block::Block() {
    void *start = mmap(nullptr, MOST * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
        say("there is no room for the stacks of a block");
        abort();
    }
    stacks = static_cast<char *>(start);
    for (unsigned stack = 0; stack < MOST; stack++) {
        mprotect(stacks + stack * STACK, GUARD, PROT_NONE);
        VALGRIND_STACK_REGISTER(stacks + stack * STACK + GUARD, stacks + (stack + 1) * STACK - 1);
    }
}

Block::~Block() { munmap(stacks, MOST * STACK); }

void Block::run(const imminent_module_info &module, const imminent_kernel &function, void **values, uint64_t number) {
    place = module.place;
    kernel = &function;
    parameters = values;
    turn = number;
    const uint3 size = place->block_size;
    const unsigned count = size.x * size.y * size.z;
    threads.resize(count);
    for (unsigned at = 0; at < count; at++) {
        threads[at].at = uint3{at % size.x, at / size.x % size.y, at / size.x / size.y};
        threads[at].done = threads[at].waiting = false;
    }
    // A launch that was left may have left anything.
    ready.clear();
    free_stacks.clear();
    for (unsigned stack = MOST; stack-- > 0;) {
        free_stacks.push_back(stack);
    }
    fresh = done = 0;
    active = this;
    // Nobody may count on what shared memory held before.
    if (module.shared_start != nullptr) {
        memset(module.shared_start, 0xa5, static_cast<size_t>(module.shared_end - module.shared_start));
    }
    while (done < count) {
        if (fresh < count) {
            start_fiber();
        } else if (!ready.empty()) {
            Thread &next = threads[ready.back()];
            ready.pop_back();
            go_on(next);
        } else {
            bool met = barrier();
            for (unsigned first = 0; first < count && !met; first += WARP) {
                met = warp(first);
            }
            if (!met) {
                stuck();
            }
        }
    }
}

// Runs threads that have not begun on a new stack, until one of them waits or none is left.
void Block::start_fiber() {
    running_stack = free_stacks.back();
    free_stacks.pop_back();
    Fiber fiber;
    begin_fiber(fiber, stacks + running_stack * STACK + GUARD, STACK - GUARD, main_of_fiber);
    switch_fibers(scheduler, fiber);
}

// The next thread that has not begun becomes the running one.
bool Block::take_thread() {
    const unsigned count = static_cast<unsigned>(threads.size());
    if (fresh == count) {
        return false;
    }
    const unsigned at = (turn & 1) != 0 ? count - 1 - fresh : fresh;
    fresh += 1;
    running = static_cast<unsigned>((at + turn / 2 * 5) % count);
    threads[running].stack = running_stack;
    place->thread = threads[running].at;
    return true;
}

void Block::main_of_fiber() {
    // The same thread of the host runs a block from its first thread to its last.
    Block &block = *active;
    while (block.take_thread()) {
        block.kernel->call(block.parameters);
        block.threads[block.running].done = true;
        block.done += 1;
        block.running_stack = block.threads[block.running].stack;
    }
    block.free_stacks.push_back(block.running_stack);
    Fiber ended;
    switch_fibers(ended, block.scheduler);
    abort();
}

void Block::go_on(Thread &thread) {
    running = static_cast<unsigned>(&thread - threads.data());
    place->thread = thread.at;
    switch_fibers(scheduler, thread.fiber);
}

unsigned long long Block::meet(
    imminent_meeting meeting, unsigned site, unsigned mask, unsigned long long value, unsigned argument) {
    Block &block = *active;
    Thread &thread = block.threads[block.running];
    thread.waiting = true;
    thread.meeting = meeting;
    thread.site = site;
    thread.mask = mask;
    thread.value = value;
    thread.argument = argument;
    switch_fibers(thread.fiber, block.scheduler);
    return thread.result;
}

unsigned Block::active_lanes() {
    const Block &block = *active;
    const unsigned first = block.running / WARP * WARP;
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < WARP && first + lane < block.threads.size(); lane++) {
        lanes |= block.threads[first + lane].done ? 0u : 1u << lane;
    }
    return lanes;
}

void Block::trapped(const char *why) { trap::leave(CUDA_ERROR_LAUNCH_FAILED, why); }

void Block::release(Thread &thread, unsigned long long result) {
    thread.waiting = false;
    thread.result = result;
    ready.push_back(static_cast<unsigned>(&thread - threads.data()));
}

// Blocks that nobody uses.
static std::mutex &idle_mutex = *new std::mutex();
static std::vector<std::unique_ptr<Block>> &idle = *new std::vector<std::unique_ptr<Block>>();

std::unique_ptr<Block> take_block() {
    std::lock_guard<std::mutex> lock(idle_mutex);
    if (idle.empty()) {
        return std::make_unique<Block>();
    }
    std::unique_ptr<Block> block = std::move(idle.back());
    idle.pop_back();
    return block;
}

void give_block_back(std::unique_ptr<Block> block) {
    std::lock_guard<std::mutex> lock(idle_mutex);
    idle.push_back(std::move(block));
}
