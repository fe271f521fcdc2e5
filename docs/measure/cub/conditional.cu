// What a step of a loop costs on the device when a graph's WHILE node runs it, beside the same kernels as plain nodes
// of a long graph that the host launches again and again, and beside such a graph whose edges let a kernel begin before
// the last one has ended (programmatic dependent launch, compute capability 9.0). JSON lines; for CUDA 12.4 and later,
// CUDA 13 among them.
// nvcc -O3 -std=c++17 -arch=native conditional.cu -o conditional && ./conditional > conditional.jsonl
// A step is `kernels` dependent kernels of `blocks` x 256 threads, and a control kernel of one warp, which counts the
// step and ends the loop. As in Imminent's programs every kernel first reads whose turn it is, so what was launched
// past the end does nothing.   "while"   a WHILE node whose body has `unrolled` steps
//   "graph"   a graph of `unrolled` steps, launched as often as it takes, without waiting between
//   "early"   the same with programmatic edges
// "nested …"  the same for a step of an outer loop that holds an inner loop of 8 steps, with a WHILE node for each loop
// `step_us` is the time of one step (of the inner loop, in nested ones) in a run of `steps` steps; `short_us` is a
// whole run of 16 steps that is waited for; `prepare_us` is what it takes to build the graph and make it ready.
// Medians.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(cudaError_t code, const char *where) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(code));
    std::exit(1);
}

// Words of the state: 0 whose turn it is, 1 steps of the outer loop, 2 steps of the inner loop since it was entered.
static const unsigned HALTED = 0xffffffffu;
static const unsigned INNER_STEPS = 8;

// With programmatic edges: lets the next kernel's blocks come, and waits until the last kernel's writes are there. Else
// nothing.
static __device__ __forceinline__ void meet() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

extern "C" __global__ void __launch_bounds__(256) work(volatile unsigned *state, unsigned turn, unsigned *cells) {
    meet();
    if (state[0] != turn) return;
    cells[blockIdx.x * 256u + threadIdx.x] += 1u;
}

// Ends a step of the outer loop.
extern "C" __global__ void __launch_bounds__(32)
    control(volatile unsigned *state, unsigned turn, unsigned limit, cudaGraphConditionalHandle handle, int conditional) {
    meet();
    if (threadIdx.x != 0u || state[0] != turn) return;
    const unsigned steps = state[1] + 1u;
    state[1] = steps;
    if (steps != limit) {
        state[0] = 0u;
        return;
    }
    state[0] = HALTED;
    if (conditional) cudaGraphSetConditional(handle, 0u);
}

// Stands before the inner loop.
extern "C" __global__ void __launch_bounds__(32) enter(volatile unsigned *state, cudaGraphConditionalHandle handle, int conditional) {
    meet();
    if (threadIdx.x != 0u || state[0] != 0u) return;
    state[0] = 1u;
    if (conditional) cudaGraphSetConditional(handle, 1u);
}

// Ends a step of the inner loop.
extern "C" __global__ void __launch_bounds__(32)
    inner_control(volatile unsigned *state, cudaGraphConditionalHandle handle, int conditional) {
    meet();
    if (threadIdx.x != 0u || state[0] != 1u) return;
    const unsigned steps = state[2] + 1u;
    state[2] = steps == INNER_STEPS ? 0u : steps;
    if (steps != INNER_STEPS) return;
    state[0] = 2u;
    if (conditional) cudaGraphSetConditional(handle, 0u);
}

using Clock = std::chrono::steady_clock;

static double since(Clock::time_point start) { return std::chrono::duration<double, std::micro>(Clock::now() - start).count(); }

static double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

struct Device {
    cudaStream_t stream = nullptr;
    unsigned *state = nullptr, *cells = nullptr;
    bool early = false;
    Device() {
        int ordinal = 0, major = 0;
        check(cudaSetDevice(ordinal), "taking the device");
        check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal), "asking the device");
        early = major >= 9;
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
        check(cudaMalloc(reinterpret_cast<void **>(&state), 256), "allocating");
        check(cudaMalloc(reinterpret_cast<void **>(&cells), 4 * 256 * 1024), "allocating");
        check(cudaMemset(cells, 0, 4 * 256 * 1024), "clearing");
    }
};

// A chain of nodes at the end of which the next is put.
struct Chain {
    cudaGraph_t graph;
    bool early;
    cudaGraphNode_t last = nullptr;

    void kernel(const void *function, unsigned blocks, unsigned threads, void **arguments) {
        cudaKernelNodeParams node = {};
        node.func = const_cast<void *>(function);
        node.gridDim = dim3(blocks, 1, 1);
        node.blockDim = dim3(threads, 1, 1);
        node.kernelParams = arguments;
        cudaGraphNode_t added = nullptr;
        check(cudaGraphAddKernelNode(&added, graph, nullptr, 0, &node), "adding a kernel");
        after(added, early);
    }

    // A loop as long as the handle is not 0; gives the graph of its body.
    cudaGraph_t loop(cudaGraphConditionalHandle handle) {
        cudaGraphNodeParams node = {};
        node.type = cudaGraphNodeTypeConditional;
        node.conditional.handle = handle;
        node.conditional.type = cudaGraphCondTypeWhile;
        node.conditional.size = 1;
        cudaGraphNode_t added = nullptr;
#if CUDART_VERSION >= 13000
        check(cudaGraphAddNode(&added, graph, nullptr, nullptr, 0, &node), "adding a loop");
#else
        check(cudaGraphAddNode(&added, graph, nullptr, 0, &node), "adding a loop");
#endif
        after(added, false);
        return node.conditional.phGraph_out[0];
    }

  private:
    void after(cudaGraphNode_t added, bool programmatic) {
        if (last != nullptr) {
            cudaGraphEdgeData edge = {};
            if (programmatic) {
                edge.from_port = cudaGraphKernelNodePortProgrammatic;
                edge.type = cudaGraphDependencyTypeProgrammatic;
            }
#if CUDART_VERSION >= 13000
            check(cudaGraphAddDependencies(graph, &last, &added, &edge, 1), "adding an edge");
#else
            check(cudaGraphAddDependencies_v2(graph, &last, &added, &edge, 1), "adding an edge");
#endif
        }
        last = added;
    }
};

struct Shape {
    unsigned kernels, blocks, unrolled;
    bool conditional, early, nested;
};

// A graph ready to be launched, and the steps that a launch of it runs at most (0: all).
struct Program {
    cudaGraphExec_t executable = nullptr;
    cudaGraph_t graph = nullptr;
    double prepare_us = 0;

    Program(Device &device, const Shape &shape, unsigned limit) {
        const auto start = Clock::now();
        check(cudaGraphCreate(&graph, 0), "making a graph");
        cudaGraphConditionalHandle handle = 0, inner = 0;
        int conditional = shape.conditional;
        Chain chain{graph, shape.early};
        if (shape.conditional) {
            check(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault), "making a handle");
            chain = Chain{chain.loop(handle), shape.early};
            // A handle belongs to the graph that has its node: here, the body.
            if (shape.nested) check(cudaGraphConditionalHandleCreate(&inner, chain.graph, 0, cudaGraphCondAssignDefault), "making a handle");
        }
        unsigned turn = 0;
        auto works = [&](Chain &to, unsigned whose) {
            void *arguments[] = {&device.state, &whose, &device.cells};
            for (unsigned i = 0; i < shape.kernels; i++) {
                to.kernel(reinterpret_cast<const void *>(&work), shape.blocks, 256, arguments);
            }
        };
        for (unsigned step = 0; step < shape.unrolled; step++) {
            if (shape.nested) {
                void *entering[] = {&device.state, &inner, &conditional};
                chain.kernel(reinterpret_cast<const void *>(&enter), 1, 32, entering);
                Chain body = shape.conditional ? Chain{chain.loop(inner), shape.early} : chain;
                for (unsigned i = 0; i < (shape.conditional ? 1u : INNER_STEPS); i++) {
                    works(body, 1);
                    body.kernel(reinterpret_cast<const void *>(&inner_control), 1, 32, entering);
                }
                if (!shape.conditional) chain = body;
                turn = 2;
            } else {
                works(chain, 0);
            }
            void *ending[] = {&device.state, &turn, &limit, &handle, &conditional};
            chain.kernel(reinterpret_cast<const void *>(&control), 1, 32, ending);
        }
        check(cudaGraphInstantiate(&executable, graph, 0), "preparing a graph");
        check(cudaGraphUpload(executable, device.stream), "uploading a graph");
        check(cudaStreamSynchronize(device.stream), "waiting");
        prepare_us = since(start);
    }
    ~Program() {
        cudaGraphExecDestroy(executable);
        cudaGraphDestroy(graph);
    }
    Program(const Program &) = delete;
};

// Microseconds of a run of `limit` steps that is waited for.
static double run(Device &device, const Program &program, const Shape &shape, unsigned limit) {
    check(cudaMemsetAsync(device.state, 0, 256, device.stream), "clearing");
    check(cudaStreamSynchronize(device.stream), "waiting");
    const unsigned launches = shape.conditional ? 1 : (limit + shape.unrolled - 1) / shape.unrolled;
    const auto start = Clock::now();
    for (unsigned i = 0; i < launches; i++) check(cudaGraphLaunch(program.executable, device.stream), "launching a graph");
    check(cudaStreamSynchronize(device.stream), "waiting");
    const double time = since(start);
    unsigned state[3] = {};
    check(cudaMemcpy(state, device.state, sizeof state, cudaMemcpyDeviceToHost), "reading the state");
    if (state[0] != HALTED || state[1] != limit) {
        std::fprintf(stderr, "%u steps were done, not %u (turn %u)\n", state[1], limit, state[0]);
        std::exit(1);
    }
    return time;
}

static double times(Device &device, const Program &program, const Shape &shape, unsigned limit, int rounds) {
    std::vector<double> rows;
    for (int i = 0; i < rounds + 2; i++) {
        const double time = run(device, program, shape, limit);
        if (i >= 2) rows.push_back(time);
    }
    return median(rows);
}

static void line(Device &device, const char *what, const Shape &shape) {
    const unsigned steps = shape.nested ? 512 : 4096, few = 16;
    const Program longer(device, shape, steps), shorter(device, shape, few);
    const unsigned inner = shape.nested ? INNER_STEPS : 1;
    const double long_us = times(device, longer, shape, steps, 9), short_us = times(device, shorter, shape, few, 51);
    std::printf("{\"what\":\"%s\",\"loops\":%d,\"kernels\":%u,\"blocks\":%u,\"unrolled\":%u,\"steps\":%u,\"step_us\":%.3f,"
                "\"short_us\":%.2f,\"prepare_us\":%.0f}\n",
                what, shape.nested ? 2 : 1, shape.kernels, shape.blocks, shape.unrolled, steps * inner, long_us / (steps * inner), short_us,
                longer.prepare_us);
    std::fflush(stdout);
}

int main() {
    Device device;
    // What needs the newest driver comes last: a call that it refuses ends the program.
    for (bool early : {false, true}) {
        if (early && !device.early) break;
        for (unsigned blocks : {1u, 132u}) {
            for (unsigned kernels : {0u, 1u, 2u, 4u, 16u}) {
                if (!early) {
                    for (unsigned unrolled : {1u, 4u, 16u}) line(device, "while", {kernels, blocks, unrolled, true, false, false});
                }
                for (unsigned unrolled : {16u, 64u}) line(device, early ? "early" : "graph", {kernels, blocks, unrolled, false, early, false});
            }
        }
        for (unsigned kernels : {1u, 4u}) {
            if (!early) line(device, "nested while", {kernels, 132, 1, true, false, true});
            line(device, early ? "nested early" : "nested graph", {kernels, 132, 16, false, early, true});
        }
    }
    return 0;
}
