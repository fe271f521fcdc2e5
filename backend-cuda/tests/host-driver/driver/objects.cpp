#include "objects.h"

#include "memory.h"

// Numbers that are told apart at a glance, and that no pointer has.
Handles<Stream> &streams() {
    static auto &all = *new Handles<Stream>("stream", 0x57000001);
    return all;
}
Handles<Event> &events() {
    static auto &all = *new Handles<Event>("event", 0xe7000002);
    return all;
}
Handles<Module> &modules() {
    static auto &all = *new Handles<Module>("module", 0x30d000003);
    return all;
}
Handles<Function> &functions() {
    static auto &all = *new Handles<Function>("function", 0xf00000004);
    return all;
}
Handles<Graph> &graphs() {
    static auto &all = *new Handles<Graph>("graph", 0x96000005);
    return all;
}
Handles<GraphNode> &graph_nodes() {
    static auto &all = *new Handles<GraphNode>("node of a graph", 0x90d000006);
    return all;
}
Handles<GraphExec> &graph_execs() {
    static auto &all = *new Handles<GraphExec>("executable graph", 0x9e000007);
    return all;
}

Handles<Conditional> &conditionals() {
    static auto &all = *new Handles<Conditional>("handle of a conditional node", 0xc0d1000008);
    return all;
}

std::shared_ptr<Stream> stream_of(void *handle, const char *call) {
    std::shared_ptr<Stream> stream = streams().get(handle, call);
    if (stream != nullptr && stream->context != current) {
        violation(CUDA_ERROR_INVALID_HANDLE, "%s: the stream belongs to another context than the current one", call);
        return nullptr;
    }
    return stream;
}

std::vector<std::shared_ptr<Stream>> streams_of(Context *context) {
    return streams().matching([context](const Stream &stream) { return stream.context == context; });
}

std::string left_in(Context *context) {
    const auto ours = [context](const auto &object) { return object.context == context; };
    const std::pair<size_t, const char *> counts[] = {
        {memory::count(context), "pieces of memory"},
        {streams().matching(ours).size(), "streams"},
        {events().matching(ours).size(), "events"},
        {modules().matching(ours).size(), "modules"},
        {graphs().matching(ours).size(), "graphs"},
        {graph_execs().matching(ours).size(), "executable graphs"},
    };
    std::string text;
    for (const auto &[count, what] : counts) {
        if (count != 0) {
            text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
        }
    }
    return text;
}

void forget_all(Context *context) {
    const auto ours = [context](const auto &object) { return object.context == context; };
    for (const auto &stream : streams_of(context)) {
        stream->close();
    }
    streams().forget(ours);
    events().forget(ours);
    graph_execs().forget(ours);
    graph_nodes().forget(ours);
    graphs().forget(ours);
    conditionals().forget(ours);
    functions().forget(ours);
    modules().forget(ours);
    memory::forget(context);
}
