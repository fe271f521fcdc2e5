// What the driver and a compiled kernel module tell each other. No include: kernels are compiled with this, often.
#pragma once

struct uint3 {
    unsigned x, y, z;
};

// Where a thread stands. The driver sets it before it lets a thread go on; a module runs one launch at a time.
struct imminent_place {
    uint3 thread, block, block_size, grid_size;
};

// What threads meet for.
enum imminent_meeting : unsigned {
    IMMINENT_BARRIER,
    IMMINENT_BARRIER_COUNT,
    IMMINENT_BARRIER_AND,
    IMMINENT_BARRIER_OR,
    // From here on threads of one warp meet: those of a mask.
    IMMINENT_WARP,
    IMMINENT_ANY,
    IMMINENT_ALL,
    IMMINENT_UNIFORM,
    IMMINENT_BALLOT,
    IMMINENT_MATCH_ANY,
    // The argument is the lane whose value is wanted.
    IMMINENT_SHUFFLE,
    IMMINENT_ADD,
    IMMINENT_MIN,
    IMMINENT_MAX,
    IMMINENT_MIN_SIGNED,
    IMMINENT_MAX_SIGNED,
    IMMINENT_AND,
    IMMINENT_OR,
    IMMINENT_XOR,
};

// What the driver does for a kernel.
struct imminent_runtime {
    // Waits for the other threads of the block or the mask, and gives what comes of their values. `site` tells calls
    // apart by their place in the text: threads that meet must do so at one place.
    unsigned long long (*meet)(
        imminent_meeting meeting, unsigned site, unsigned mask, unsigned long long value, unsigned argument);
    // Lanes of the warp that have not come to their end.
    unsigned (*active)();
    // Ends the launch with an error.
    void (*trap)(const char *why);
    // Sets the value of a conditional node's handle.
    void (*set_conditional)(unsigned long long handle, unsigned value);
};

struct imminent_parameter {
    unsigned size;
    // 0: no pointer, 1: to constant data, 2: to data that may be written.
    unsigned pointer;
};

struct imminent_kernel {
    const char *name;
    void (*call)(void **parameters);
    const imminent_parameter *parameters;
    unsigned parameter_count;
    // From __launch_bounds__.
    unsigned most_threads;
};

// The symbol `imminent_module` of a module.
struct imminent_module_info {
    unsigned version;
    // Pretended, so that the choice of a block size has something to choose from.
    unsigned registers;
    imminent_place *place;
    const imminent_runtime **runtime;
    char *shared_start, *shared_end;
    const imminent_kernel *kernels;
    unsigned kernel_count;
};

#define IMMINENT_MODULE_VERSION 2u
