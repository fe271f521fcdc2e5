// Where threads of a block wait for each other: who may go on, and with what.

#include "block.h"

#include "context.h"
#include "trap.h"

#include <string>

static constexpr unsigned WARP = pretended::WARP;

static bool is_barrier(imminent_meeting meeting) { return meeting < IMMINENT_WARP; }

static const char *name(imminent_meeting meeting) {
    switch (meeting) {
        case IMMINENT_BARRIER: return "__syncthreads";
        case IMMINENT_BARRIER_COUNT: return "__syncthreads_count";
        case IMMINENT_BARRIER_AND: return "__syncthreads_and";
        case IMMINENT_BARRIER_OR: return "__syncthreads_or";
        case IMMINENT_WARP: return "__syncwarp";
        case IMMINENT_ANY: return "__any_sync";
        case IMMINENT_ALL: return "__all_sync";
        case IMMINENT_UNIFORM: return "__uni_sync";
        case IMMINENT_BALLOT: return "__ballot_sync";
        case IMMINENT_MATCH_ANY: return "__match_any_sync";
        case IMMINENT_SHUFFLE: return "a shuffle";
        default: return "a reduction of a warp";
    }
}

// Lets every thread of the block go on if all that have not come to their end wait at one barrier.
bool Block::barrier() {
    const Thread *first = nullptr;
    unsigned long long count = 0, waiting = 0;
    for (const Thread &thread : threads) {
        if (thread.done) {
            continue;
        }
        if (!thread.waiting || !is_barrier(thread.meeting)) {
            return false;
        }
        first = first == nullptr ? &thread : first;
        if (thread.site != first->site || thread.meeting != first->meeting) {
            trap::leave(CUDA_ERROR_LAUNCH_FAILED, "threads of a block wait at different barriers");
        }
        waiting += 1;
        count += thread.value;
    }
    unsigned long long result = 0;
    switch (first->meeting) {
        case IMMINENT_BARRIER_COUNT: result = count; break;
        case IMMINENT_BARRIER_AND: result = count == waiting; break;
        case IMMINENT_BARRIER_OR: result = count != 0; break;
        default: break;
    }
    for (Thread &thread : threads) {
        if (!thread.done) {
            release(thread, result);
        }
    }
    return true;
}

// Lets the groups of one warp go on whose threads have all come. Gives whether one could.
bool Block::warp(unsigned first) {
    const unsigned lanes = threads.size() - first < WARP ? static_cast<unsigned>(threads.size()) - first : WARP;
    bool met = false;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const Thread &thread = threads[first + lane];
        if (thread.done || !thread.waiting || is_barrier(thread.meeting)) {
            continue;
        }
        if ((thread.mask >> lane & 1) == 0) {
            trap::leave(CUDA_ERROR_LAUNCH_FAILED, std::string("a thread calls ") + name(thread.meeting) + " with a mask that it is not in");
        }
        // Threads that have come to their end are not waited for.
        unsigned group = 0;
        bool all = true;
        for (unsigned other = 0; other < lanes && all; other++) {
            const Thread &one = threads[first + other];
            if ((thread.mask >> other & 1) == 0 || one.done) {
                continue;
            }
            all = one.waiting && one.meeting == thread.meeting && one.site == thread.site && one.mask == thread.mask;
            group |= 1u << other;
        }
        if (all) {
            settle(first, group);
            met = true;
        }
    }
    return met;
}

// Gives every thread of a group what comes of the values of all.
void Block::settle(unsigned first, unsigned group) {
    const Thread &any = threads[first + static_cast<unsigned>(__builtin_ctz(group))];
    const imminent_meeting meeting = any.meeting;
    unsigned long long folded = any.value;
    unsigned ballot = 0;
    bool uniform = true;
    for (unsigned lanes = group; lanes != 0; lanes &= lanes - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes));
        const unsigned long long value = threads[first + lane].value;
        ballot |= value != 0 ? 1u << lane : 0;
        uniform = uniform && value == any.value;
        if (lanes == group) {
            continue;
        }
        switch (meeting) {
            case IMMINENT_ADD: folded = static_cast<unsigned>(folded + value); break;
            case IMMINENT_MIN: folded = value < folded ? value : folded; break;
            case IMMINENT_MAX: folded = value > folded ? value : folded; break;
            case IMMINENT_MIN_SIGNED:
                folded = static_cast<long long>(value) < static_cast<long long>(folded) ? value : folded;
                break;
            case IMMINENT_MAX_SIGNED:
                folded = static_cast<long long>(value) > static_cast<long long>(folded) ? value : folded;
                break;
            case IMMINENT_AND: folded &= value; break;
            case IMMINENT_OR: folded |= value; break;
            case IMMINENT_XOR: folded ^= value; break;
            default: break;
        }
    }
    for (unsigned lanes = group; lanes != 0; lanes &= lanes - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes));
        Thread &thread = threads[first + lane];
        unsigned long long result = folded;
        switch (meeting) {
            case IMMINENT_WARP: result = 0; break;
            case IMMINENT_ANY: result = ballot != 0; break;
            case IMMINENT_ALL: result = ballot == group; break;
            case IMMINENT_UNIFORM: result = uniform; break;
            case IMMINENT_BALLOT: result = ballot; break;
            case IMMINENT_MATCH_ANY:
                result = 0;
                for (unsigned others = group; others != 0; others &= others - 1) {
                    const unsigned other = static_cast<unsigned>(__builtin_ctz(others));
                    result |= threads[first + other].value == thread.value ? 1u << other : 0;
                }
                break;
            case IMMINENT_SHUFFLE: {
                const unsigned from = thread.argument & (WARP - 1);
                // What a lane outside the group gives is undefined.
                result = (group >> from & 1) != 0 ? threads[first + from].value : 0xa5a5a5a5a5a5a5a5u;
                break;
            }
            default: break;
        }
        release(thread, result);
    }
}

// No thread can go on.
void Block::stuck() {
    std::string why = "threads of a block wait for each other in vain:";
    const char *last = "";
    for (const Thread &thread : threads) {
        if (!thread.done && name(thread.meeting) != last) {
            last = name(thread.meeting);
            why += std::string(" thread ") + std::to_string(&thread - threads.data()) + " at " + last + ";";
        }
    }
    trap::leave(CUDA_ERROR_LAUNCH_FAILED, why);
}
