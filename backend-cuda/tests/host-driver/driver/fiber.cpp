#include "fiber.h"

#if defined(__x86_64__)

// Only what a called function must keep is kept: six registers and the stack. A signal mask is not, which would take a
// system call.
asm(R"(
.text
.p2align 4
.type imminent_switch, @function
imminent_switch:
    .cfi_startproc
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    retq
    .cfi_endproc
.size imminent_switch, .-imminent_switch
)");

extern "C" void imminent_switch(void **from, void *to) __attribute__((visibility("hidden")));

void switch_fibers(Fiber &from, Fiber &to) { imminent_switch(&from.stack_pointer, to.stack_pointer); }

void begin_fiber(Fiber &fiber, char *stack, size_t bytes, void (*entry)()) {
    // Six registers, where to begin, and a word, so that the stack is aligned as after a call.
    void **top = reinterpret_cast<void **>(stack + bytes / 16 * 16);
    top[-1] = nullptr;
    top[-2] = reinterpret_cast<void *>(entry);
    fiber.stack_pointer = top - 8;
}

#else

void switch_fibers(Fiber &from, Fiber &to) { swapcontext(&from.context, &to.context); }

void begin_fiber(Fiber &fiber, char *stack, size_t bytes, void (*entry)()) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = stack;
    fiber.context.uc_stack.ss_size = bytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, entry, 0);
}

#endif
