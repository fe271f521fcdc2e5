// Device memory and page-locked host memory: each piece a mapping of its own between pages that nobody may touch.
#pragma once

#include "context.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace memory {
// Promises device memory: its address is known, but nobody may touch it before `commit`. 0 if there is no room.
uint64_t reserve(Context *context, size_t bytes);
// The promise comes true in the order of a stream. The memory is full of garbage.
void commit(uint64_t address);
// Its release has been asked for; it lasts until `release`. False, after saying so, if there is no such memory.
bool retire(Context *context, uint64_t address);
// It is gone in the order of a stream.
void release(uint64_t address);

// Whether a call may name the stretch now: one piece holds it, and its release has not been asked for.
bool is_promised(Context *context, uint64_t address, size_t bytes);
// Whether work may touch the stretch now. Loses the context, saying why, if not.
bool is_there(Context *context, uint64_t address, size_t bytes, const char *what);

void *pin(Context *context, size_t bytes);
bool unpin(void *address);
// Whether page-locked memory holds the stretch; transfers that use it are counted until `pinned_done`.
bool pinned_use(const void *address, size_t bytes);
void pinned_done(const void *address);

// Says what lies at an address, for messages.
std::string describe(uint64_t address);
// Pieces of a context that live.
size_t count(Context *context);
void forget(Context *context);
}
