// Reads and writes rows at random: a thread for each of 95,000 rows of 2^20 moves K sectors of 32 bytes, which lie in
// one line or in K columns. Prints mean and least time of 35 launches over 11 lists of rows, in turn.
//
// nvcc -O3 -arch=sm_90 -o random_sectors random_sectors.cu && ./random_sectors
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

static const size_t ROWS = 1 << 20;
static const unsigned LISTED = 95000;
static const int LISTS = 11;

struct alignas(16) Quad { unsigned x, y, z, w; };

// A column has the K-th sectors of all rows, a line those of one row.
template <int K, bool APART> __device__ Quad *sector(Quad *memory, size_t row, int k) {
    return APART ? memory + (k * ROWS + row) * 2 : memory + (row * K + k) * 2;
}

template <int K, bool APART> __global__ void touch(Quad *memory, const unsigned *list) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= LISTED) return;
    const size_t row = list[i];
    Quad low[K], high[K];
#pragma unroll
    for (int k = 0; k < K; k++) {
        const Quad *at = sector<K, APART>(memory, row, k);
        low[k] = at[0];
        high[k] = at[1];
    }
#pragma unroll
    for (int k = 0; k < K; k++) {
        Quad *at = sector<K, APART>(memory, row, k);
        low[k].y += 1;
        high[k].w += 1;
        at[0] = low[k];
        at[1] = high[k];
    }
}

template <int K, bool APART> void measure(Quad *memory, const unsigned *lists, bool sorted) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float least = 1e9, sum = 0;
    for (int turn = 0; turn < 40; turn++) {
        cudaEventRecord(begin);
        touch<K, APART><<<(LISTED + 255) / 256, 256>>>(memory, lists + (turn % LISTS) * LISTED);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        if (turn < 5) continue;
        least = std::min(least, ms);
        sum += ms;
    }
    const double mean = sum / 35, bytes = 64.0 * K * LISTED;
    printf("%s,%d,%s,%.1f,%.1f,%.2f\n", APART ? "columns" : "line", K, sorted ? "ascending" : "random", mean * 1e3,
           least * 1e3, bytes / mean / 1e9);
}

int main() {
    Quad *memory;
    unsigned *device;
    cudaMalloc(&memory, ROWS * 8 * 32);
    cudaMemset(memory, 0, ROWS * 8 * 32);
    std::vector<unsigned> lists(LISTED * LISTS);
    cudaMalloc(&device, lists.size() * 4);
    printf("sectors lie in,sectors of a row,order of rows,mean (us),least (us),TB/s read and written\n");
    for (const bool sorted : {false, true}) {
        for (unsigned &row : lists) row = ((unsigned)rand() * 32768u + rand()) % ROWS;
        for (auto list = lists.begin(); sorted && list != lists.end(); list += LISTED) std::sort(list, list + LISTED);
        cudaMemcpy(device, lists.data(), lists.size() * 4, cudaMemcpyHostToDevice);
        measure<1, false>(memory, device, sorted);
        measure<2, false>(memory, device, sorted);
        measure<4, false>(memory, device, sorted);
        measure<8, false>(memory, device, sorted);
        measure<2, true>(memory, device, sorted);
        measure<4, true>(memory, device, sorted);
        measure<8, true>(memory, device, sorted);
    }
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
