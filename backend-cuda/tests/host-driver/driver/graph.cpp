#include "graph.h"

#include "objects.h"

EXPORT CUresult cuGraphCreate(void **handle, unsigned flags) {
    ENTER();
    if (flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    auto graph = std::make_shared<Graph>();
    graph->context = current;
    *handle = graphs().add(std::move(graph));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphDestroy(void *handle) {
    ENTER();
    const std::shared_ptr<Graph> graph = graphs().remove(handle, __func__);
    if (graph == nullptr) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    graph_nodes().forget([&graph](const GraphNode &node) { return node.graph == graph; });
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphAddKernelNode_v2(
    void **handle, void *to, void *const *after, size_t count, const LaunchParameters *asked) {
    ENTER();
    const std::shared_ptr<Graph> graph = graphs().get(to, __func__);
    if (graph == nullptr || graph->context != current) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    Graph::Node made;
    const CUresult code = prepare(*asked, __func__, &made.launch);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    for (size_t at = 0; at < count; at++) {
        const std::shared_ptr<GraphNode> node = graph_nodes().get(after[at], __func__);
        if (node == nullptr || node->graph != graph) {
            return violation(CUDA_ERROR_INVALID_VALUE, "%s: it is to come after a node of another graph", __func__);
        }
        made.after.push_back(node->position);
    }
    auto node = std::make_shared<GraphNode>();
    node->context = current;
    node->graph = graph;
    node->position = graph->nodes.size();
    graph->nodes.push_back(std::move(made));
    *handle = graph_nodes().add(std::move(node));
    return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphInstantiateWithFlags(void **handle, void *of, unsigned long long flags) {
    ENTER();
    const std::shared_ptr<Graph> graph = graphs().get(of, __func__);
    if (graph == nullptr || flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    auto exec = std::make_shared<GraphExec>();
    exec->context = current;
    exec->graph = graph;
    exec->positions.resize(graph->nodes.size());
    // The last node that may come now comes first: where no edge orders them, nodes run against the order of their making.
    std::vector<char> taken(graph->nodes.size(), 0);
    const auto may_come = [&](size_t position) {
        for (const size_t before : graph->nodes[position].after) {
            if (!taken[before]) {
                return false;
            }
        }
        return !taken[position];
    };
    std::vector<size_t> candidates;
    std::vector<std::vector<size_t>> followers(graph->nodes.size());
    for (size_t position = 0; position < graph->nodes.size(); position++) {
        for (const size_t before : graph->nodes[position].after) {
            followers[before].push_back(position);
        }
        if (graph->nodes[position].after.empty()) {
            candidates.push_back(position);
        }
    }
    while (!candidates.empty()) {
        const size_t position = candidates.back();
        candidates.pop_back();
        taken[position] = 1;
        exec->positions[position] = exec->launches.size();
        exec->launches.push_back(graph->nodes[position].launch);
        for (const size_t follower : followers[position]) {
            if (may_come(follower)) {
                candidates.push_back(follower);
            }
        }
    }
    *handle = graph_execs().add(std::move(exec));
    return CUDA_SUCCESS;
}

// Launches that were put on a stream keep the values that they had then.
EXPORT CUresult cuGraphExecKernelNodeSetParams_v2(void *of, void *at, const LaunchParameters *asked) {
    ENTER();
    const std::shared_ptr<GraphExec> exec = graph_execs().get(of, __func__);
    const std::shared_ptr<GraphNode> node = graph_nodes().get(at, __func__);
    if (exec == nullptr || node == nullptr || node->graph != exec->graph) {
        return violation(CUDA_ERROR_INVALID_VALUE, "%s: the node is none of the graph that this was made of", __func__);
    }
    std::shared_ptr<Launch> launch;
    const CUresult code = prepare(*asked, __func__, &launch);
    if (code == CUDA_SUCCESS) {
        std::lock_guard<std::mutex> lock(exec->mutex);
        exec->launches[exec->positions[node->position]] = std::move(launch);
    }
    return code;
}

EXPORT CUresult cuGraphExecDestroy(void *handle) {
    ENTER();
    // What is under way keeps its own list of launches.
    return graph_execs().remove(handle, __func__) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

EXPORT CUresult cuGraphUpload(void *handle, void *to) {
    ENTER();
    return graph_execs().get(handle, __func__) != nullptr && stream_of(to, __func__) != nullptr ? CUDA_SUCCESS
                                                                                                : CUDA_ERROR_INVALID_HANDLE;
}

EXPORT CUresult cuGraphLaunch(void *handle, void *to) {
    ENTER();
    const std::shared_ptr<GraphExec> exec = graph_execs().get(handle, __func__);
    const std::shared_ptr<Stream> stream = stream_of(to, __func__);
    if (exec == nullptr || stream == nullptr || exec->context != current) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    std::vector<std::shared_ptr<Launch>> launches;
    {
        std::lock_guard<std::mutex> lock(exec->mutex);
        launches = exec->launches;
    }
    std::vector<std::shared_ptr<UnderWay>> under_way;
    for (const auto &launch : launches) {
        under_way.push_back(std::make_shared<UnderWay>(launch->function->module));
    }
    Context *const context = current;
    stream->put([launches = std::move(launches), under_way = std::move(under_way), context] {
        for (const auto &launch : launches) {
            if (context->lost == CUDA_SUCCESS) {
                launch->run();
            }
        }
    });
    return CUDA_SUCCESS;
}
