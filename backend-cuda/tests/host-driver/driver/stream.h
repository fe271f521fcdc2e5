// Streams: each a thread that does its work in order, while the caller goes on. Events are marks in them.
#pragma once

#include "context.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

// A point in a stream that others wait for.
class Mark {
public:
    void pass();
    bool is_passed();
    void wait();

private:
    std::mutex mutex;
    std::condition_variable passed_now;
    bool passed = false;
};

// An event: the mark that was recorded last, if one was.
struct Event {
    Context *context = nullptr;
    std::mutex mutex;
    std::shared_ptr<Mark> mark;

    std::shared_ptr<Mark> last();
};

class Stream {
public:
    explicit Stream(Context *context) : context(context) {}

    // Puts work at the end. Once the context is lost, work is dropped; `always` is done even then.
    void put(std::function<void()> work, bool always = false);
    // Waits until what is on the stream now is done.
    void drain();
    bool is_idle();
    // Lets the thread end after what is on the stream.
    void close();

    Context *const context;

    // Starts the thread, which keeps the stream until it ends.
    static std::shared_ptr<Stream> start(Context *context);

private:
    struct Work {
        std::function<void()> run;
        bool always;
    };

    void work();

    std::mutex mutex;
    std::condition_variable changed;
    std::deque<Work> queue;
    unsigned long long put_so_far = 0, done_so_far = 0;
    bool closed = false;
};
