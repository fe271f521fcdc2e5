#include "trap.h"

#include "memory.h"

#include <csetjmp>
#include <csignal>
#include <mutex>
#include <vector>

namespace trap {
namespace {
struct Guard {
    sigjmp_buf back;
    Outcome outcome;
};

thread_local Guard *guard = nullptr;
struct sigaction previous[NSIG];

void handler(int signal, siginfo_t *info, void *machine) {
    if (guard != nullptr) {
        // The fault came from a kernel or a transfer, which hold no lock and are in no allocator.
        if (signal == SIGFPE) {
            leave(CUDA_ERROR_LAUNCH_FAILED, "a kernel divides integers in a way that has no result");
        }
        if (signal == SIGILL) {
            leave(CUDA_ERROR_LAUNCH_FAILED, "a kernel came to an instruction that is not to be reached");
        }
        const uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
        leave(CUDA_ERROR_ILLEGAL_ADDRESS, "a kernel or transfer touches " + memory::describe(address));
    }
    const struct sigaction &old = previous[signal];
    if ((old.sa_flags & SA_SIGINFO) != 0 && old.sa_sigaction != nullptr) {
        old.sa_sigaction(signal, info, machine);
    } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
        old.sa_handler(signal);
    } else {
        sigaction(signal, &old, nullptr);
    }
}

void install() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
        struct sigaction action = {};
        action.sa_sigaction = handler;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, &previous[signal]);
    }
}
}

void prepare_thread() {
    static std::once_flag once;
    std::call_once(once, install);
    // A stack of its own, for a fiber's may be what overflowed.
    static thread_local std::vector<char> stack(64 << 10);
    stack_t own = {};
    own.ss_sp = stack.data();
    own.ss_size = stack.size();
    sigaltstack(&own, nullptr);
}

Outcome guarded(const std::function<void()> &run) {
    Guard here;
    guard = &here;
    if (sigsetjmp(here.back, 1) == 0) {
        run();
    }
    guard = nullptr;
    return here.outcome;
}

void leave(CUresult code, const std::string &why) {
    Guard *const to = guard;
    to->outcome.code = code;
    to->outcome.why = why;
    guard = nullptr;
    siglongjmp(to->back, 1);
}
}
