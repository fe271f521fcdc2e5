// Result codes, and what happens when a call is wrong.
#pragma once

// The driver's result codes that this one gives.
enum CUresult : int {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_NOT_SUPPORTED = 801,
};

#define IMMINENT_FORMAT(text, values) __attribute__((format(printf, text, values)))

// Says something on standard error.
void say(const char *format, ...) IMMINENT_FORMAT(1, 2);

// A call that no correct program makes. The process ends, unless IMMINENT_CUDA_HOST_STRICT=0: then the call gives the
// code, which is what the real driver does where it looks.
CUresult violation(CUresult code, const char *format, ...) IMMINENT_FORMAT(2, 3);

// A number from the environment.
unsigned long long setting(const char *name, unsigned long long otherwise);

#define EXPORT extern "C" __attribute__((visibility("default")))
