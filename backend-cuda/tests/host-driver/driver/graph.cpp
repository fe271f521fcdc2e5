#include "graph.h"

#include "objects.h"
#include "trap.h"

// The nodes of a graph that goes, and what belongs to them.
static void forget(const std::shared_ptr<Graph> &graph) {
    for (const Graph::Node &node : graph->nodes) {
        if (node.body != nullptr) {
            graphs().forget([&node](const Graph &one) { return &one == node.body.get(); });
            forget(node.body);
        }
    }
    conditionals().forget([&graph](const Conditional &one) { return one.graph.lock() == graph; });
    graph_nodes().forget([&graph](const GraphNode &node) { return node.graph == graph; });
}

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
    if (graph->is_body) {
        return violation(CUDA_ERROR_INVALID_VALUE, "%s: the body of a node goes with the graph that holds the node", __func__);
    }
    forget(graph);
    return CUDA_SUCCESS;
}

// Checks which nodes one is to come after.
static CUresult come_after(
    const std::shared_ptr<Graph> &graph, void *const *after, size_t count, Graph::Node &made, const char *call) {
    for (size_t at = 0; at < count; at++) {
        const std::shared_ptr<GraphNode> node = graph_nodes().get(after[at], call);
        if (node == nullptr || node->graph != graph) {
            return violation(CUDA_ERROR_INVALID_VALUE, "%s: it is to come after a node of another graph", call);
        }
        made.after.push_back(node->position);
    }
    return CUDA_SUCCESS;
}

static void *added(const std::shared_ptr<Graph> &graph, Graph::Node made) {
    auto node = std::make_shared<GraphNode>();
    node->context = current;
    node->graph = graph;
    node->position = graph->nodes.size();
    graph->nodes.push_back(std::move(made));
    return graph_nodes().add(std::move(node));
}

EXPORT CUresult cuGraphAddKernelNode_v2(
    void **handle, void *to, void *const *after, size_t count, const LaunchParameters *asked) {
    ENTER();
    const std::shared_ptr<Graph> graph = graphs().get(to, __func__);
    if (graph == nullptr || graph->context != current) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    Graph::Node made;
    CUresult code = prepare(*asked, __func__, &made.launch);
    if (code == CUDA_SUCCESS) {
        code = come_after(graph, after, count, made, __func__);
    }
    if (code == CUDA_SUCCESS) {
        *handle = added(graph, std::move(made));
    }
    return code;
}

EXPORT CUresult cuGraphConditionalHandleCreate(
    unsigned long long *handle, void *of, void *context, unsigned at_first, unsigned flags) {
    ENTER();
    const std::shared_ptr<Graph> graph = graphs().get(of, __func__);
    // Without the flag a handle keeps what the launch before left it, which nothing here wants.
    if (graph == nullptr || graph->context != current || context != current || flags != 1) {
        return violation(CUDA_ERROR_INVALID_VALUE, "%s: another context, or flags that are not emulated", __func__);
    }
    auto made = std::make_shared<Conditional>();
    made->context = current;
    made->graph = graph;
    made->at_first = at_first;
    *handle = made->handle = reinterpret_cast<uintptr_t>(conditionals().add(made));
    return CUDA_SUCCESS;
}

// What cuGraphAddNode_v2 is told of a node: its kind, and for a conditional one this.
struct NodeParameters {
    int kind, reserved[3];
    unsigned long long handle;
    int condition;
    unsigned bodies;
    void **body;
    void *context;
};

EXPORT CUresult cuGraphAddNode_v2(
    void **handle, void *to, void *const *after, const void *edges, size_t count, NodeParameters *asked) {
    ENTER();
    constexpr int CONDITIONAL = 13, WHILE = 1;
    const std::shared_ptr<Graph> graph = graphs().get(to, __func__);
    if (graph == nullptr || graph->context != current) {
        return CUDA_ERROR_INVALID_HANDLE;
    }
    if (asked->kind != CONDITIONAL || asked->condition != WHILE || edges != nullptr) {
        return violation(CUDA_ERROR_NOT_SUPPORTED, "%s: only WHILE nodes behind plain edges are emulated", __func__);
    }
    Graph::Node made;
    made.conditional = conditionals().get(reinterpret_cast<void *>(asked->handle), __func__);
    if (made.conditional == nullptr || made.conditional->graph.lock() != graph || made.conditional->has_node ||
        asked->bodies != 1 || asked->context != current) {
        return violation(CUDA_ERROR_INVALID_VALUE, "%s: the handle is another graph's or node's, or the node has not one body", __func__);
    }
    const CUresult code = come_after(graph, after, count, made, __func__);
    if (code != CUDA_SUCCESS) {
        return code;
    }
    made.conditional->has_node = true;
    made.body = std::make_shared<Graph>();
    made.body->context = current;
    made.body->is_body = true;
    made.body_handle = std::make_unique<void *>(graphs().add(made.body));
    asked->body = made.body_handle.get();
    *handle = added(graph, std::move(made));
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
    exec->ready = std::make_shared<Ready>(*graph);
    *handle = graph_execs().add(std::move(exec));
    return CUDA_SUCCESS;
}

Ready::Ready(const Graph &of) {
    const Graph *const graph = &of;
    positions.resize(graph->nodes.size());
    // The last node that may come now comes first: where no edge orders them, nodes run against the order of their
    // making.
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
        const Graph::Node &node = graph->nodes[position];
        positions[position] = steps.size();
        steps.push_back({node.launch, node.conditional, node.body == nullptr ? nullptr : std::make_shared<Ready>(*node.body)});
        for (const size_t follower : followers[position]) {
            if (may_come(follower)) {
                candidates.push_back(follower);
            }
        }
    }
}

void Ready::hold(std::vector<std::shared_ptr<UnderWay>> &under_way) const {
    for (const Step &step : steps) {
        if (step.launch != nullptr) {
            under_way.push_back(std::make_shared<UnderWay>(step.launch->function->module));
        } else {
            step.body->hold(under_way);
        }
    }
}

// The handles whose nodes are in the graph that this thread runs.
static thread_local std::vector<Conditional *> of_running;

void Ready::begin() const {
    for (const Step &step : steps) {
        if (step.conditional != nullptr) {
            step.conditional->value = step.conditional->at_first;
            of_running.push_back(step.conditional.get());
            step.body->begin();
        }
    }
}

void Ready::run(Context *context) const {
    for (const Step &step : steps) {
        if (step.launch != nullptr && context->lost == CUDA_SUCCESS) {
            step.launch->run();
        }
        while (step.conditional != nullptr && step.conditional->value != 0 && context->lost == CUDA_SUCCESS) {
            step.body->run(context);
        }
    }
}

void set_conditional(unsigned long long handle, unsigned value) {
    for (Conditional *one : of_running) {
        if (one->handle == handle) {
            one->value = value;
            return;
        }
    }
    trap::leave(CUDA_ERROR_LAUNCH_FAILED, "cudaGraphSetConditional: no node of the graph that runs has this handle");
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
        auto changed = std::make_shared<Ready>(*exec->ready);
        changed->steps[changed->positions[node->position]].launch = std::move(launch);
        exec->ready = std::move(changed);
    }
    return code;
}

EXPORT CUresult cuGraphExecDestroy(void *handle) {
    ENTER();
    // What is under way keeps its own list of steps.
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
    std::shared_ptr<Ready> ready;
    {
        std::lock_guard<std::mutex> lock(exec->mutex);
        ready = exec->ready;
    }
    std::vector<std::shared_ptr<UnderWay>> under_way;
    ready->hold(under_way);
    Context *const context = current;
    stream->put([ready = std::move(ready), under_way = std::move(under_way), context] {
        of_running.clear();
        ready->begin();
        ready->run(context);
        of_running.clear();
    });
    return CUDA_SUCCESS;
}
