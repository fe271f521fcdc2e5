// What compute-sanitizer makes of a graph with a WHILE node that is launched again before its last launch is over,
// which CUDA allows.
//   nvcc -O3 -std=c++17 -arch=native relaunched.cu -o relaunched
// ./relaunched; compute-sanitizer ./relaunched; CUDA_LAUNCH_BLOCKING=1 compute-sanitizer ./relaunched;
// compute-sanitizer ./relaunched wait
// One kernel of one warp counts steps and ends the loop after 50; the graph is launched twice, and the host waits once,
// at the end. With `clear` a word is cleared between the launches, by the stream; with `wait` the host waits between
// them too.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static void check(cudaError_t code, const char *where) {
    if (code == cudaSuccess) return;
    std::printf("%s: %s\n", where, cudaGetErrorString(code));
    std::exit(1);
}

extern "C" __global__ void __launch_bounds__(32) control(unsigned *steps, cudaGraphConditionalHandle handle) {
    if (threadIdx.x != 0u) return;
    const unsigned done = steps[0] + 1u;
    steps[0] = done;
    if (done % 50u == 0u) cudaGraphSetConditional(handle, 0u);
}

int main(int count_of_words, char **words) {
    const char between = count_of_words > 1 ? words[1][0] : ' ';
    unsigned *steps = nullptr, count = 0;
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaGraphConditionalHandle handle = 0;
    cudaGraphNode_t loop = nullptr, inner = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    check(cudaMalloc(reinterpret_cast<void **>(&steps), 256), "allocating");
    check(cudaMemset(steps, 0, 256), "clearing");
    check(cudaGraphCreate(&graph, 0), "making a graph");
    check(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault), "making a handle");

    cudaGraphNodeParams node = {};
    node.type = cudaGraphNodeTypeConditional;
    node.conditional.handle = handle;
    node.conditional.type = cudaGraphCondTypeWhile;
    node.conditional.size = 1;
#if CUDART_VERSION >= 13000
    check(cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &node), "adding a loop");
#else
    check(cudaGraphAddNode(&loop, graph, nullptr, 0, &node), "adding a loop");
#endif
    void *arguments[] = {&steps, &handle};
    cudaKernelNodeParams kernel = {};
    kernel.func = reinterpret_cast<void *>(&control);
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    check(cudaGraphAddKernelNode(&inner, node.conditional.phGraph_out[0], nullptr, 0, &kernel), "adding a kernel");

    check(cudaGraphInstantiate(&executable, graph, 0), "preparing a graph");
    for (int launch = 0; launch < 2; launch++) {
        if (between == 'c') check(cudaMemsetAsync(steps + 1, 0, sizeof *steps, stream), "clearing");
        if (between == 'w') check(cudaStreamSynchronize(stream), "waiting");
        check(cudaGraphLaunch(executable, stream), "launching a graph");
    }
    check(cudaStreamSynchronize(stream), "waiting");
    check(cudaMemcpy(&count, steps, sizeof count, cudaMemcpyDeviceToHost), "reading");
    std::printf("%u steps, of 100\n", count);
    return count == 100u ? 0 : 1;
}
