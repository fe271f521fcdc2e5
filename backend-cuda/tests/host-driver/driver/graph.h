// Graphs of launches, and of nodes that repeat a graph.
#pragma once

#include "module.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

struct Graph;

// What a conditional node is asked by: a value that launches of the same graph set.
struct Conditional {
    Context *context = nullptr;
    // The graph that its one node belongs to.
    std::weak_ptr<Graph> graph;
    bool has_node = false;
    // What kernels call it by, also when the graph is gone that an executable one was made of.
    unsigned long long handle = 0;
    unsigned at_first = 0;
    std::atomic<unsigned> value{0};
};

struct Graph {
    Context *context = nullptr;
    // A body belongs to its node, and goes with the graph that holds that.
    bool is_body = false;
    struct Node {
        // A launch, or the WHILE node of a handle: its body, and the place that the caller reads the body's handle
        // from.
        std::shared_ptr<Launch> launch;
        std::shared_ptr<Conditional> conditional;
        std::shared_ptr<Graph> body;
        std::unique_ptr<void *> body_handle;
        std::vector<size_t> after;
    };
    std::vector<Node> nodes;
};

struct GraphNode {
    Context *context = nullptr;
    std::shared_ptr<Graph> graph;
    size_t position = 0;
};

// A graph that is ready: its nodes in an order that their edges allow. What is on a stream keeps its own copy.
struct Ready {
    struct Step {
        std::shared_ptr<Launch> launch;
        std::shared_ptr<Conditional> conditional;
        std::shared_ptr<Ready> body;
    };
    std::vector<Step> steps;
    // From positions of nodes to those of steps.
    std::vector<size_t> positions;

    explicit Ready(const Graph &graph);
    // Counts every launch as under way.
    void hold(std::vector<std::shared_ptr<UnderWay>> &under_way) const;
    // The values that handles have when the graph is launched.
    void begin() const;
    void run(Context *context) const;
};

struct GraphExec {
    Context *context = nullptr;
    std::shared_ptr<Graph> graph;
    std::mutex mutex;
    std::shared_ptr<Ready> ready;
};

// Sets the value of a handle, for a kernel of the graph that runs on this thread.
void set_conditional(unsigned long long handle, unsigned value);
