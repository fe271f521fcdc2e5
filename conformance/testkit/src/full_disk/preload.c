// A disk that is full from one call on, as LD_PRELOAD brings it into a program: see mod.rs. Calls that need no room,
// and those on pipes, devices and terminals, are passed on.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls;

// Counts a call. The first that fails leaves a file for the test, past the functions below.
static int full(const char *name) {
    const char *from = getenv("IMMINENT_TEST_FULL_FROM"), *told = getenv("IMMINENT_TEST_FULL_TOLD");
    long call = atomic_fetch_add(&calls, 1) + 1;
    if (!from || !told || call < atol(from)) return 0;
    if (call == atol(from)) {
        long file = syscall(SYS_openat, AT_FDCWD, told, O_CREAT | O_WRONLY, 0600), length = 0;
        while (name[length]) length++;
        syscall(SYS_write, file, name, length);
        syscall(SYS_close, file);
    }
    errno = ENOSPC;
    return 1;
}

static int is_file(int file) {
    struct stat found;
    return fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

// What still fits is written: the caller learns of it by the count, and of the full disk by its next call.
ssize_t write(int file, const void *bytes, size_t length) {
    if (is_file(file) && full("write")) {
        if (atomic_load(&calls) > atol(getenv("IMMINENT_TEST_FULL_FROM")) || length < 2) return -1;
        length /= 2;
    }
    return syscall(SYS_write, file, bytes, length);
}

int open64(const char *path, int flags, ...) {
    __builtin_va_list more;
    __builtin_va_start(more, flags);
    int mode = flags & O_CREAT ? __builtin_va_arg(more, int) : 0;
    __builtin_va_end(more);
    if (flags & O_CREAT && access(path, F_OK) != 0 && full("open")) return -1;
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
    return access(path, F_OK) != 0 && full("mkdir") ? -1 : syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int rename(const char *from, const char *to) {
    return full("rename") ? -1 : syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int fsync(int file) { return full("fsync") ? -1 : syscall(SYS_fsync, file); }

int fdatasync(int file) { return full("fdatasync") ? -1 : syscall(SYS_fdatasync, file); }
