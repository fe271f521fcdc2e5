#include "stream.h"

#include "objects.h"
#include "trap.h"

#include <chrono>
#include <thread>
#include <vector>

// More work than this waits on the caller's side, as with the real driver.
static constexpr size_t MOST_WORK = 1024;

void Mark::pass() {
    std::lock_guard<std::mutex> lock(mutex);
    passed = true;
    passed_now.notify_all();
}

bool Mark::is_passed() {
    std::lock_guard<std::mutex> lock(mutex);
    return passed;
}

void Mark::wait() {
    std::unique_lock<std::mutex> lock(mutex);
    passed_now.wait(lock, [this] { return passed; });
}

std::shared_ptr<Mark> Event::last() {
    std::lock_guard<std::mutex> lock(mutex);
    return mark;
}

// Streams whose threads run. Never destroyed: they outlive main.
static std::mutex &running_mutex = *new std::mutex();
static std::condition_variable &running_changed = *new std::condition_variable();
static std::vector<Stream *> &running = *new std::vector<Stream *>();

std::shared_ptr<Stream> Stream::start(Context *context) {
    auto stream = std::make_shared<Stream>(context);
    {
        std::lock_guard<std::mutex> lock(running_mutex);
        running.push_back(stream.get());
    }
    std::thread([stream] {
        trap::prepare_thread();
        stream->work();
        std::lock_guard<std::mutex> lock(running_mutex);
        for (auto at = running.begin(); at != running.end(); ++at) {
            if (*at == stream.get()) {
                running.erase(at);
                break;
            }
        }
        running_changed.notify_all();
    }).detach();
    return stream;
}

void Stream::put(std::function<void()> work, bool always) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [this] { return queue.size() < MOST_WORK; });
    queue.push_back(Work{std::move(work), always});
    put_so_far += 1;
    changed.notify_all();
}

void Stream::drain() {
    std::unique_lock<std::mutex> lock(mutex);
    const unsigned long long target = put_so_far;
    changed.wait(lock, [this, target] { return done_so_far >= target; });
}

bool Stream::is_idle() {
    std::lock_guard<std::mutex> lock(mutex);
    return done_so_far == put_so_far;
}

void Stream::close() {
    std::lock_guard<std::mutex> lock(mutex);
    closed = true;
    changed.notify_all();
}

// Now and then a stream takes its time, so that what waits for nothing comes too early.
static void dawdle(unsigned long long number) {
    static const unsigned long long every = setting("IMMINENT_CUDA_HOST_DELAY_EVERY", 61);
    static const unsigned long long microseconds = setting("IMMINENT_CUDA_HOST_DELAY_US", 200);
    if (every != 0 && number % every == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    }
}

void Stream::work() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
        changed.wait(lock, [this] { return closed || !queue.empty(); });
        if (queue.empty()) {
            return;
        }
        const Work next = std::move(queue.front());
        queue.pop_front();
        lock.unlock();
        dawdle(done_so_far + reinterpret_cast<uintptr_t>(this) / 64);
        if (next.always || context->lost == CUDA_SUCCESS) {
            next.run();
        }
        lock.lock();
        done_so_far += 1;
        changed.notify_all();
    }
}

void drain_streams(Context *context) {
    // Streams that were destroyed end by themselves; the others are waited for one by one.
    std::vector<std::shared_ptr<Stream>> open = streams_of(context);
    for (const auto &stream : open) {
        stream->drain();
    }
    std::unique_lock<std::mutex> lock(running_mutex);
    running_changed.wait(lock, [context, &open] {
        for (Stream *stream : running) {
            bool is_open = stream->context != context;
            for (const auto &one : open) {
                is_open = is_open || one.get() == stream;
            }
            if (!is_open) {
                return false;
            }
        }
        return true;
    });
}
