// Graphs of launches.
#pragma once

#include "module.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

struct Graph {
    Context *context = nullptr;
    struct Node {
        std::shared_ptr<Launch> launch;
        std::vector<size_t> after;
    };
    std::vector<Node> nodes;
};

struct GraphNode {
    Context *context = nullptr;
    std::shared_ptr<Graph> graph;
    size_t position = 0;
};

// A graph that is ready: its launches, in an order that its edges allow.
struct GraphExec {
    Context *context = nullptr;
    std::shared_ptr<Graph> graph;
    std::mutex mutex;
    std::vector<std::shared_ptr<Launch>> launches;
    // From positions of nodes to those of launches.
    std::vector<size_t> positions;
};
