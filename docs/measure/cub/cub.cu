// What CUB takes for the same primitives, sizes and values as `selftest --primitives` (backend-cuda/examples/selftest),
// as JSON lines: calls queued back to back on one stream, and calls that are waited for one by one. For the CUB of CUDA
// 12.8 and later, CUDA 13 among them.
//   nvcc -O3 -std=c++17 -arch=native cub.cu -o cub && ./cub > cub.jsonl
#include <cub/cub.cuh>
#include <cuda/std/cstdint>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void check(cudaError_t code, const char *where) {
    if (code == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", where, cudaGetErrorString(code));
    std::exit(1);
}

// Seconds of a call: one of many in a row, and one that is waited for. Medians.
struct Times {
    double queued, single;
};

static double median(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

template <typename Call> static Times seconds(Call call) {
    using clock = std::chrono::steady_clock;
    auto run = [&](int calls) {
        check(cudaDeviceSynchronize(), "waiting");
        const auto start = clock::now();
        for (int i = 0; i < calls; i++) call();
        check(cudaDeviceSynchronize(), "waiting");
        return std::chrono::duration<double>(clock::now() - start).count();
    };
    run(2);
    int calls = 1;
    while (run(calls) < 0.02 && calls < 1 << 16) calls *= 2;
    std::vector<double> rows, singles;
    for (int i = 0; i < 9; i++) rows.push_back(run(calls) / calls);
    for (int i = 0; i < 101; i++) singles.push_back(run(1));
    return {median(rows), median(singles)};
}

struct Memory {
    void *at = nullptr;
    explicit Memory(size_t bytes) { check(cudaMalloc(&at, std::max<size_t>(bytes, 16)), "allocating"); }
    ~Memory() { cudaFree(at); }
    Memory(const Memory &) = delete;
    template <typename T> T *as() const { return static_cast<T *>(at); }
};

// Times a device-wide algorithm of CUB, which is asked for its scratch memory once, before.
template <typename Algorithm>
static void line(const char *what, const char *scalar, size_t rows, double bytes, double copy_rate, Algorithm algorithm) {
    size_t scratch_bytes = 0;
    check(algorithm(nullptr, scratch_bytes), what);
    Memory scratch(scratch_bytes);
    const Times times = seconds([&] { check(algorithm(scratch.at, scratch_bytes), what); });
    const double rate = bytes / times.queued / 1e9;
    std::printf("{\"library\":\"cub\",\"what\":\"%s\",\"scalar\":\"%s\",\"rows\":%zu,\"us\":%.3f,\"single_us\":%.3f,\"gbps\":%.2f,"
                "\"share_of_copy\":%.3f}\n",
                what, scalar, rows, times.queued * 1e6, times.single * 1e6, rate, rate / copy_rate);
    std::fflush(stdout);
}

// The same words as the other program's, so that selections keep as many rows.
static std::vector<uint32_t> words(size_t count, bool floats) {
    uint64_t state = 0x9e3779b97f4a7c15ull;
    std::vector<uint32_t> words(count);
    for (auto &word : words) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        const auto random = static_cast<uint32_t>(state >> 32);
        word = floats ? 0x3f800000u | random >> 9 : random;
    }
    return words;
}

// A row, by its value.
struct Below {
    uint32_t limit;
    const uint32_t *values;
    __host__ __device__ bool operator()(uint32_t row) const { return values[row] < limit; }
};

// A column on the device, a place for a copy of it, and how fast that copy is.
struct Column {
    Memory from, to;
    double copy_rate;
    Column(size_t bytes, bool floats) : from(bytes), to(bytes) {
        const auto data = words(bytes / 4, floats);
        check(cudaMemcpy(from.at, data.data(), bytes, cudaMemcpyHostToDevice), "writing");
        const Times times = seconds([&] { check(cudaMemcpyAsync(to.at, from.at, bytes, cudaMemcpyDeviceToDevice), "copying"); });
        copy_rate = 2.0 * static_cast<double>(bytes) / times.queued / 1e9;
    }
};

template <typename T> static void reductions_and_scans(const char *scalar, size_t rows, bool floats) {
    const double read = static_cast<double>(rows * sizeof(T));
    Column column(rows * sizeof(T), floats);
    Memory result(64), row(16);
    const auto n = static_cast<int>(rows);
    line("min", scalar, rows, read, column.copy_rate, [&](void *s, size_t &b) {
        return cub::DeviceReduce::Min(s, b, column.from.as<T>(), result.as<T>(), n);
    });
    line("sum", scalar, rows, read, column.copy_rate, [&](void *s, size_t &b) {
        return cub::DeviceReduce::Sum(s, b, column.from.as<T>(), result.as<T>(), n);
    });
    line("arg_min", scalar, rows, read, column.copy_rate, [&](void *s, size_t &b) {
        return cub::DeviceReduce::ArgMin(s, b, column.from.as<T>(), result.as<T>(), row.as<cuda::std::int64_t>(), cuda::std::int64_t{n});
    });
    if (sizeof(T) == 4) {
        line("scan", scalar, rows, 2 * read, column.copy_rate, [&](void *s, size_t &b) {
            return cub::DeviceScan::InclusiveSum(s, b, column.from.as<T>(), column.to.as<T>(), n);
        });
    }
}

static void selections_and_sorts(size_t rows) {
    const double bytes = static_cast<double>(rows * 4);
    Column column(rows * 4, false);
    Memory list(rows * 4), numbers(rows * 4), count(16);
    std::vector<uint32_t> row_numbers(rows);
    for (size_t i = 0; i < rows; i++) row_numbers[i] = static_cast<uint32_t>(i);
    check(cudaMemcpy(numbers.at, row_numbers.data(), rows * 4, cudaMemcpyHostToDevice), "writing");
    const auto n = static_cast<int>(rows);
    for (const auto per_cent : {1u, 50u}) {
        const auto limit = static_cast<uint32_t>(0xffffffffull * per_cent / 100);
        const std::string what = "select " + std::to_string(per_cent) + "%";
        // Row numbers of the values that pass, as the other program lists them.
        thrust::counting_iterator<uint32_t> all(0);
        line(what.c_str(), "u32", rows, bytes * (1.0 + per_cent / 100.0), column.copy_rate, [&](void *s, size_t &b) {
            return cub::DeviceSelect::If(s, b, all, list.as<uint32_t>(), count.as<cuda::std::int64_t>(), n,
                                         Below{limit, column.from.as<uint32_t>()});
        });
    }
    if (rows <= size_t{1} << 26) {
        line("sort pairs", "u32", rows, 17.0 * bytes, column.copy_rate, [&](void *s, size_t &b) {
            return cub::DeviceRadixSort::SortPairs(s, b, column.from.as<uint32_t>(), column.to.as<uint32_t>(),
                                                   numbers.as<uint32_t>(), list.as<uint32_t>(), n);
        });
    }
}

int main() {
    for (int log = 10; log <= 28; log += 2) {
        const size_t rows = size_t{1} << log;
        reductions_and_scans<uint32_t>("u32", rows, false);
        reductions_and_scans<uint64_t>("u64", rows, false);
        reductions_and_scans<float>("f32", rows, true);
        selections_and_sorts(rows);
    }
}
