#include "report.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

static void write_line(const char *format, va_list values) {
    char text[1024];
    vsnprintf(text, sizeof text, format, values);
    fprintf(stderr, "host emulation of CUDA: %s\n", text);
}

void say(const char *format, ...) {
    va_list values;
    va_start(values, format);
    write_line(format, values);
    va_end(values);
}

CUresult violation(CUresult code, const char *format, ...) {
    va_list values;
    va_start(values, format);
    write_line(format, values);
    va_end(values);
    static const bool strict = setting("IMMINENT_CUDA_HOST_STRICT", 1) != 0;
    if (strict) {
        abort();
    }
    return code;
}

unsigned long long setting(const char *name, unsigned long long otherwise) {
    const char *text = getenv(name);
    return text != nullptr && *text != 0 ? strtoull(text, nullptr, 0) : otherwise;
}

struct Words {
    CUresult code;
    const char *name;
    const char *text;
};

static const Words WORDS[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for the device"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
};

EXPORT CUresult cuGetErrorName(CUresult code, const char **name) {
    for (const Words &words : WORDS) {
        if (words.code == code) {
            *name = words.name;
            return CUDA_SUCCESS;
        }
    }
    *name = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuGetErrorString(CUresult code, const char **text) {
    for (const Words &words : WORDS) {
        if (words.code == code) {
            *text = words.text;
            return CUDA_SUCCESS;
        }
    }
    *text = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}
