// The end of every module: from kernels to what the driver needs for calling them. NVRTC's text follows language.h,
// then comes this, then one list of entries.
#pragma once

namespace imminent_host {
template <typename T> struct value_of {
    typedef T type;
    static constexpr unsigned pointer = 0;
};
template <typename T> struct value_of<const T> : value_of<T> {};
template <typename T> struct value_of<T *> {
    typedef T *type;
    static constexpr unsigned pointer = 2;
};
template <typename T> struct value_of<const T *> {
    typedef const T *type;
    static constexpr unsigned pointer = 1;
};
template <typename T> struct value_of<T *const> : value_of<T *> {};
template <typename T> struct value_of<T *__restrict> : value_of<T *> {};
template <typename T> struct value_of<T *const __restrict> : value_of<T *> {};

template <int... N> struct numbers {};
template <typename... A, int... N>
static inline void call(void (*kernel)(A...), void **parameters, numbers<N...>) {
    kernel(*(typename value_of<A>::type *)parameters[N]...);
}

template <typename... A> static constexpr unsigned count(void (*)(A...)) { return sizeof...(A); }
template <typename... A> struct signature {
    static inline const imminent_parameter parameters[sizeof...(A) + 1] = {
        {sizeof(typename value_of<A>::type), value_of<A>::pointer}..., {0, 0}};
};
template <typename... A> static const imminent_parameter *parameters_of(void (*)(A...)) {
    return signature<A...>::parameters;
}

template <auto kernel> static void caller(void **parameters) {
    call(kernel, parameters, numbers<__integer_pack(count(kernel))...>());
}

template <auto kernel> static imminent_kernel entry(const char *name, unsigned most_threads) {
    return {name, caller<kernel>, parameters_of(kernel), count(kernel), most_threads};
}
}

// Texts declare it themselves, as they must for NVRTC.
extern "C" __attribute__((visibility("hidden"))) void cudaGraphSetConditional(unsigned long long handle, unsigned value) {
    imminent_host::runtime->set_conditional(handle, value);
}

extern "C" {
extern char __start_imminent_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_imminent_shared[] __attribute__((weak, visibility("hidden")));
}

#define IMMINENT_MODULE(registers, ...) \
    static const imminent_kernel imminent_kernels[] = {__VA_ARGS__}; \
    extern "C" __attribute__((visibility("default"))) const imminent_module_info imminent_module = { \
        IMMINENT_MODULE_VERSION, \
        registers, \
        &imminent_host::place, \
        &imminent_host::runtime, \
        __start_imminent_shared, \
        __stop_imminent_shared, \
        imminent_kernels, \
        sizeof imminent_kernels / sizeof imminent_kernels[0]};
#define IMMINENT_KERNEL(name, most_threads) imminent_host::entry<name>(#name, most_threads)
