// What handles stand for, all of it.
#pragma once

#include "graph.h"
#include "handles.h"
#include "module.h"
#include "stream.h"

#include <string>
#include <vector>

// Never destroyed: threads of streams outlive main.
Handles<Stream> &streams();
Handles<Event> &events();
Handles<Module> &modules();
Handles<Function> &functions();
Handles<Graph> &graphs();
Handles<GraphNode> &graph_nodes();
Handles<GraphExec> &graph_execs();
Handles<Conditional> &conditionals();

// The stream behind a handle, if it is one of the current context.
std::shared_ptr<Stream> stream_of(void *handle, const char *call);

// Streams of a context that were not destroyed.
std::vector<std::shared_ptr<Stream>> streams_of(Context *context);
// Waits until everything on every stream of a context is done.
void drain_streams(Context *context);
// What of a context was not destroyed, in words; nothing if all was.
std::string left_in(Context *context);
void forget_all(Context *context);
