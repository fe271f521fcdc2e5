// A value that NVIDIA's compilers do not know where it comes from. They merge a load of memory that nobody writes with
// another one, and make a minimum of a choice that compares with a zero which they know.
DEVICE $t opaque_$t($t x) {
#if defined(__CUDACC_VER_MAJOR__) || defined(__NV_CL_C_VERSION)
    asm("" : "+$c"(x));
#endif
    return x;
}
