// Stacks that take turns on one thread of the host.
#pragma once

#include <cstddef>
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

// Where a stack that does not run goes on.
struct Fiber {
#if defined(__x86_64__)
    void *stack_pointer = nullptr;
#else
    ucontext_t context;
#endif
};

// Lets `to` go on, until something goes back to `from`.
void switch_fibers(Fiber &from, Fiber &to);
// Makes a fiber that begins with `entry` on a stack. `entry` never returns.
void begin_fiber(Fiber &fiber, char *stack, size_t bytes, void (*entry)());
