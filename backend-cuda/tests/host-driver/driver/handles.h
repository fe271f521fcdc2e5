// Handles: numbers that are never used again, so that one of something destroyed is always found out.
#pragma once

#include "report.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

template <typename T> class Handles {
public:
    explicit Handles(const char *what, uintptr_t first) : what(what), next(first) {}

    // A new handle.
    void *add(std::shared_ptr<T> value) {
        std::lock_guard<std::mutex> lock(mutex);
        const uintptr_t handle = next;
        next += 16;
        values.emplace(handle, std::move(value));
        return reinterpret_cast<void *>(handle);
    }

    // What a handle stands for; null, after saying so, if it stands for nothing.
    std::shared_ptr<T> get(void *handle, const char *call) {
        std::lock_guard<std::mutex> lock(mutex);
        const auto found = values.find(reinterpret_cast<uintptr_t>(handle));
        if (found == values.end()) {
            violation(CUDA_ERROR_INVALID_HANDLE, "%s: %p is no %s, or one that was destroyed", call, handle, what);
            return nullptr;
        }
        return found->second;
    }

    // The same, and the handle stands for nothing from now on.
    std::shared_ptr<T> remove(void *handle, const char *call) {
        std::shared_ptr<T> value = get(handle, call);
        std::lock_guard<std::mutex> lock(mutex);
        values.erase(reinterpret_cast<uintptr_t>(handle));
        return value;
    }

    // Those that satisfy a condition.
    template <typename Condition> std::vector<std::shared_ptr<T>> matching(Condition condition) {
        std::lock_guard<std::mutex> lock(mutex);
        std::vector<std::shared_ptr<T>> found;
        for (const auto &entry : values) {
            if (condition(*entry.second)) {
                found.push_back(entry.second);
            }
        }
        return found;
    }

    // Forgets those that satisfy a condition.
    template <typename Condition> void forget(Condition condition) {
        std::lock_guard<std::mutex> lock(mutex);
        for (auto at = values.begin(); at != values.end();) {
            at = condition(*at->second) ? values.erase(at) : std::next(at);
        }
    }

private:
    const char *what;
    uintptr_t next;
    std::mutex mutex;
    std::map<uintptr_t, std::shared_ptr<T>> values;
};
