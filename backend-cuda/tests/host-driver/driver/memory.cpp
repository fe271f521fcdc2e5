#include "memory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(address, bytes) ((void)0)
#endif

// With AddressSanitizer in the process, it is told which bytes may be touched.
extern "C" void __asan_poison_memory_region(const volatile void *, size_t) __attribute__((weak));
extern "C" void __asan_unpoison_memory_region(const volatile void *, size_t) __attribute__((weak));

namespace memory {
namespace {
enum class State { Promised, Live };

struct Piece {
    Context *context;
    char *map;
    size_t mapped;
    size_t bytes;
    State state;
    bool retired;
    bool pinned;
    int under_way;
};

std::mutex mutex;
// By address. Never destroyed: threads of streams outlive main.
std::map<uint64_t, Piece> &pieces = *new std::map<uint64_t, Piece>();
// Mappings that are not used again yet, so that old addresses are found out.
std::deque<std::pair<char *, size_t>> &resting = *new std::deque<std::pair<char *, size_t>>();

constexpr size_t ALIGNMENT = 256;
constexpr size_t RESTING = 4096;
constexpr unsigned char GARBAGE = 0xa5, END = 0xe7;
// Of larger pieces only the start and the end are filled with garbage.
constexpr size_t FILLED = size_t{16} << 20;

size_t page() {
    static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

// What nobody may touch at either end of a mapping: far enough for an index that is wrong by some thousand words.
constexpr size_t GUARD = size_t{64} << 10;

size_t up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

// A mapping that nobody may touch. The piece ends as close to the last page as its alignment
// allows.
uint64_t map(Context *context, size_t bytes, bool pinned) {
    const size_t inner = up(up(bytes, ALIGNMENT), page());
    const size_t mapped = inner + 2 * GUARD;
    void *start = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
        return 0;
    }
    char *map = static_cast<char *>(start);
    const uint64_t address = reinterpret_cast<uint64_t>(map) + GUARD + inner - up(bytes, ALIGNMENT);
    pieces[address] = Piece{context, map, mapped, bytes, State::Promised, false, pinned, 0};
    return address;
}

void open(uint64_t address, Piece &piece) {
    mprotect(piece.map + GUARD, piece.mapped - 2 * GUARD, PROT_READ | PROT_WRITE);
    char *start = reinterpret_cast<char *>(address);
    const size_t head = std::min(piece.bytes, FILLED);
    memset(start, GARBAGE, head);
    memset(start + piece.bytes - std::min(piece.bytes - head, FILLED), GARBAGE, std::min(piece.bytes - head, FILLED));
    memset(piece.map + GUARD, END, static_cast<size_t>(start - (piece.map + GUARD)));
    memset(start + piece.bytes, END, up(piece.bytes, ALIGNMENT) - piece.bytes);
    VALGRIND_MAKE_MEM_UNDEFINED(start, piece.bytes);
    if (__asan_poison_memory_region != nullptr) {
        __asan_poison_memory_region(piece.map + GUARD, piece.mapped - 2 * GUARD);
        __asan_unpoison_memory_region(start, piece.bytes);
    }
    piece.state = State::Live;
}

// Whether nothing was written to what the piece leaves of its first and its last page.
bool edges_are_whole(uint64_t address, const Piece &piece) {
    // AddressSanitizer has looked at every access.
    if (__asan_unpoison_memory_region != nullptr) {
        return true;
    }
    const char *start = reinterpret_cast<const char *>(address);
    const auto whole = [](const char *from, const char *to) {
        return std::all_of(from, to, [](char byte) { return static_cast<unsigned char>(byte) == END; });
    };
    return whole(piece.map + GUARD, start) && whole(start + piece.bytes, start + up(piece.bytes, ALIGNMENT));
}

void unmap(std::map<uint64_t, Piece>::iterator found) {
    const Piece &piece = found->second;
    if (__asan_unpoison_memory_region != nullptr) {
        __asan_unpoison_memory_region(piece.map, piece.mapped);
    }
    madvise(piece.map, piece.mapped, MADV_DONTNEED);
    mprotect(piece.map, piece.mapped, PROT_NONE);
    resting.emplace_back(piece.map, piece.mapped);
    if (resting.size() > RESTING) {
        munmap(resting.front().first, resting.front().second);
        resting.pop_front();
    }
    pieces.erase(found);
}

// The piece at or before an address.
std::map<uint64_t, Piece>::iterator before(uint64_t address) {
    auto found = pieces.upper_bound(address);
    return found == pieces.begin() ? pieces.end() : std::prev(found);
}

// The piece that holds a stretch.
std::map<uint64_t, Piece>::iterator holding(uint64_t address, size_t bytes) {
    const auto found = before(address);
    if (found == pieces.end() || address - found->first > found->second.bytes ||
        bytes > found->second.bytes - (address - found->first)) {
        return pieces.end();
    }
    return found;
}

std::string words(uint64_t address) {
    const auto found = before(address);
    char text[160];
    if (found == pieces.end() || address > reinterpret_cast<uint64_t>(found->second.map) + found->second.mapped) {
        snprintf(text, sizeof text, "%#lx, where nothing is or what was there has been released", address);
        return text;
    }
    const Piece &piece = found->second;
    const char *state = piece.state == State::Promised ? ", not allocated yet in the order of its stream" : "";
    snprintf(text, sizeof text, "byte %lu of a piece of %zu bytes%s%s", address - found->first, piece.bytes, state,
             piece.retired ? ", whose release has been asked for" : "");
    return text;
}
}

uint64_t reserve(Context *context, size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    if (bytes > pretended::MEMORY - std::min(pretended::MEMORY, context->allocated.load())) {
        return 0;
    }
    const uint64_t address = map(context, bytes, false);
    if (address != 0) {
        context->allocated += bytes;
        context->most_allocated = std::max(context->most_allocated.load(), context->allocated.load());
    }
    return address;
}

void commit(uint64_t address) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = pieces.find(address);
    if (found != pieces.end()) {
        open(address, found->second);
    }
}

bool retire(Context *context, uint64_t address) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = pieces.find(address);
    if (found == pieces.end() || found->second.pinned || found->second.retired || found->second.context != context) {
        violation(CUDA_ERROR_INVALID_VALUE, "cuMemFreeAsync: there is no memory of this context to be released at %#lx", address);
        return false;
    }
    found->second.retired = true;
    return true;
}

void release(uint64_t address) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = pieces.find(address);
    if (found == pieces.end()) {
        return;
    }
    Piece &piece = found->second;
    if (piece.state == State::Live && !edges_are_whole(address, piece)) {
        piece.context->lose(CUDA_ERROR_ILLEGAL_ADDRESS, "bytes before the start or after the end of a piece of memory were written");
    }
    piece.context->allocated -= piece.bytes;
    unmap(found);
}

bool is_promised(Context *context, uint64_t address, size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = holding(address, bytes);
    return found != pieces.end() && found->second.context == context && !found->second.retired && !found->second.pinned;
}

bool is_there(Context *context, uint64_t address, size_t bytes, const char *what) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = holding(address, bytes);
    if (found != pieces.end() && found->second.context == context && found->second.state == State::Live) {
        return true;
    }
    const std::string why = std::string(what) + " touches " + std::to_string(bytes) + " bytes at " + words(address);
    context->lose(CUDA_ERROR_ILLEGAL_ADDRESS, why.c_str());
    return false;
}

void *pin(Context *context, size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    const uint64_t address = map(context, bytes, true);
    if (address != 0) {
        open(address, pieces[address]);
    }
    return reinterpret_cast<void *>(address);
}

bool unpin(void *address) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = pieces.find(reinterpret_cast<uint64_t>(address));
    if (found == pieces.end() || !found->second.pinned) {
        violation(CUDA_ERROR_INVALID_VALUE, "cuMemFreeHost: %p is no page-locked memory", address);
        return false;
    }
    if (found->second.under_way != 0) {
        violation(CUDA_ERROR_INVALID_VALUE, "cuMemFreeHost: transfers of %p are under way", address);
    }
    if (!edges_are_whole(found->first, found->second)) {
        violation(CUDA_ERROR_ILLEGAL_ADDRESS, "bytes before the start or after the end of page-locked memory were written");
    }
    unmap(found);
    return true;
}

bool pinned_use(const void *address, size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = holding(reinterpret_cast<uint64_t>(address), bytes);
    if (found == pieces.end() || !found->second.pinned) {
        return false;
    }
    found->second.under_way += 1;
    return true;
}

void pinned_done(const void *address) {
    std::lock_guard<std::mutex> lock(mutex);
    const auto found = holding(reinterpret_cast<uint64_t>(address), 0);
    if (found != pieces.end()) {
        found->second.under_way -= 1;
    }
}

std::string describe(uint64_t address) {
    std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
    return lock.owns_lock() ? words(address) : "an address";
}

size_t count(Context *context) {
    std::lock_guard<std::mutex> lock(mutex);
    return static_cast<size_t>(std::count_if(
        pieces.begin(), pieces.end(), [context](const auto &entry) { return entry.second.context == context; }));
}

void forget(Context *context) {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto at = pieces.begin(); at != pieces.end();) {
        const auto next = std::next(at);
        if (at->second.context == context) {
            unmap(at);
        }
        at = next;
    }
    context->allocated = 0;
}
}
