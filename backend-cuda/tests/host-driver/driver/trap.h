// Kernels and transfers run guarded: what would end the process ends the launch with an error.
#pragma once

#include "report.h"

#include <functional>
#include <string>

namespace trap {
struct Outcome {
    CUresult code = CUDA_SUCCESS;
    std::string why;
};

// Once on every thread that runs guarded work.
void prepare_thread();
// Runs something until it ends, leaves, or touches memory that is not there. What it leaves is not unwound.
Outcome guarded(const std::function<void()> &run);
// Ends what runs guarded on this thread.
[[noreturn]] void leave(CUresult code, const std::string &why);
}
