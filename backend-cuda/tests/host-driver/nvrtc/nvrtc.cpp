// NVRTC's calls: the text is compiled by g++ to a library that the driver beside this one loads. Libraries are kept by
// what they are made of, in the folder IMMINENT_CUDA_HOST_CACHE or `cache` beside this library.

#include "entries.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#define EXPORT extern "C" __attribute__((visibility("default")))

enum nvrtcResult : int {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
};

static const int ARCHITECTURES[] = {75, 80, 86, 89, 90};

struct Program {
    std::string text, name, log, image;
};

EXPORT const char *nvrtcGetErrorString(nvrtcResult code) {
    switch (code) {
        case NVRTC_SUCCESS: return "NVRTC_SUCCESS";
        case NVRTC_ERROR_INVALID_INPUT: return "NVRTC_ERROR_INVALID_INPUT";
        case NVRTC_ERROR_INVALID_PROGRAM: return "NVRTC_ERROR_INVALID_PROGRAM";
        case NVRTC_ERROR_INVALID_OPTION: return "NVRTC_ERROR_INVALID_OPTION";
        case NVRTC_ERROR_COMPILATION: return "NVRTC_ERROR_COMPILATION";
        case NVRTC_ERROR_INTERNAL_ERROR: return "NVRTC_ERROR_INTERNAL_ERROR";
        default: return "NVRTC_ERROR unknown";
    }
}

EXPORT nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
    *count = sizeof ARCHITECTURES / sizeof ARCHITECTURES[0];
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetSupportedArchs(int *architectures) {
    memcpy(architectures, ARCHITECTURES, sizeof ARCHITECTURES);
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcCreateProgram(
    Program **program, const char *text, const char *name, int headers, const char *const *, const char *const *) {
    if (program == nullptr || text == nullptr || headers != 0) {
        return NVRTC_ERROR_INVALID_INPUT;
    }
    *program = new Program{text, name == nullptr ? "default_program" : name, "", ""};
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcDestroyProgram(Program **program) {
    if (program == nullptr || *program == nullptr) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    delete *program;
    *program = nullptr;
    return NVRTC_SUCCESS;
}

// What g++ must be told; false for an option that NVRTC does not have.
static bool translate(const std::string &option, std::vector<std::string> &flags) {
    if (option == "--fmad=false") {
        flags.push_back("-ffp-contract=off");
    } else if (option == "--fmad=true") {
        flags.push_back("-ffp-contract=fast");
    } else if (option.rfind("--std=c++", 0) == 0) {
        flags.push_back(option.substr(1));
    } else if (option.rfind("--gpu-architecture=sm_", 0) == 0 || option.rfind("--gpu-architecture=compute_", 0) == 0) {
        const int architecture = atoi(option.c_str() + option.find('_') + 1);
        for (const int known : ARCHITECTURES) {
            if (known == architecture) {
                return true;
            }
        }
        return false;
    } else {
        // The host rounds as these ask for in any case, and knows lines without being told.
        static const char *const KNOWN[] = {"--ftz=false",        "--prec-div=true",    "--prec-sqrt=true", "--disable-warnings",
                                            "-lineinfo", "--generate-line-info", "-default-device"};
        for (const char *known : KNOWN) {
            if (option == known) {
                return true;
            }
        }
        return false;
    }
    return true;
}

static std::string folder() {
    Dl_info info;
    dladdr(reinterpret_cast<void *>(&nvrtcGetErrorString), &info);
    const std::string path = info.dli_fname;
    const size_t end = path.rfind('/');
    return end == std::string::npos ? "." : path.substr(0, end);
}

static unsigned long long hash(const std::string &text) {
    unsigned long long state = 0xcbf29ce484222325u;
    for (const char byte : text) {
        state = (state ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
        state ^= state >> 29;
    }
    return state;
}

static bool read_file(const std::string &path, std::string &bytes) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream all;
    all << file.rdbuf();
    bytes = all.str();
    return static_cast<bool>(file) && !bytes.empty();
}

// What is compiled into every module, and how, beside its text.
static std::string surroundings() {
    const char *flags = getenv("IMMINENT_CUDA_HOST_FLAGS");
    std::string all = flags != nullptr ? flags : "";
    for (const char *name : {"abi.h", "language.h", "numbers.h", "threads.h", "atomics.h", "entries.h"}) {
        std::string text;
        read_file(folder() + "/kernel/" + name, text);
        all += text;
    }
    return all;
}

// A minor version that no NVRTC of NVIDIA's has, another one for other headers: whoever keeps compiled kernels by the
// version of their compiler finds none of another.
EXPORT nvrtcResult nvrtcVersion(int *major, int *minor) {
    *major = 12;
    *minor = static_cast<int>(1000 + hash(surroundings()) % 1000000);
    return NVRTC_SUCCESS;
}

// Runs a program without a shell; gives whether it succeeded, and adds what it said.
static bool run(const std::vector<std::string> &words, const std::string &said) {
    std::vector<char *> arguments;
    for (const std::string &word : words) {
        arguments.push_back(const_cast<char *>(word.c_str()));
    }
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const int file = open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(file, 1);
        dup2(file, 2);
        execvp(arguments[0], arguments.data());
        dprintf(2, "%s could not be started\n", arguments[0]);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

EXPORT nvrtcResult nvrtcCompileProgram(Program *program, int count, const char *const *options) {
    if (program == nullptr) {
        return NVRTC_ERROR_INVALID_PROGRAM;
    }
    program->log.clear();
    program->image.clear();
    const char *compiler = getenv("CXX");
    const std::string home = folder();
    // A process that loads a kernel has the C library. To link it and that of C++ takes a quarter of the time.
    std::vector<std::string> words = {
        compiler != nullptr && *compiler != 0 ? compiler : "g++", "-x", "c++", "-O1", "-w", "-shared", "-fPIC",
        "-fvisibility=hidden", "-fno-gnu-unique", "-fno-exceptions", "-fno-rtti", "-fno-asynchronous-unwind-tables",
        "-nostartfiles", "-nodefaultlibs", "-Wl,-Bsymbolic", "-I" + home + "/kernel"};
    for (int at = 0; at < count; at++) {
        if (!translate(options[at], words)) {
            program->log = std::string("nvrtc: error: unrecognized option ") + options[at] + " found\n";
            return NVRTC_ERROR_INVALID_OPTION;
        }
    }
    // For sanitizers.
    if (const char *flags = getenv("IMMINENT_CUDA_HOST_FLAGS")) {
        std::istringstream more(flags);
        for (std::string flag; more >> flag;) {
            words.push_back(flag);
        }
    }
    std::string whole = "#include \"language.h\"\n#line 1 \"" + program->name + "\"\n" + program->text + "\n";
    if (!add_entries(program->text, whole)) {
        program->log = program->name + ": error: a kernel's name could not be found\n";
        return NVRTC_ERROR_COMPILATION;
    }
    std::string key = whole;
    for (const std::string &word : words) {
        key += '\0' + word;
    }
    const std::string headers = surroundings();
    const char *asked = getenv("IMMINENT_CUDA_HOST_CACHE");
    const std::string cache = asked != nullptr && *asked != 0 ? asked : home + "/cache";
    mkdir(cache.c_str(), 0700);
    char digits[64];
    snprintf(digits, sizeof digits, "/%016llx%016llx", hash(key), hash(headers + key));
    const std::string kept = cache + digits + ".so";
    if (read_file(kept, program->image)) {
        return NVRTC_SUCCESS;
    }
    static std::atomic<unsigned> serial{0};
    const std::string stem = cache + digits + "." + std::to_string(getpid()) + "." + std::to_string(serial++);
    const std::string source = stem + ".cpp", made = stem + ".so", said = stem + ".log";
    std::ofstream(source) << whole;
    words.insert(words.end(), {"-o", made, source, "-lm", "-lgcc"});
    const bool good = run(words, said);
    read_file(said, program->log);
    const bool read = good && read_file(made, program->image);
    if (good) {
        // Whole or not at all: several processes may share the folder.
        rename(made.c_str(), kept.c_str());
    }
    unlink(source.c_str());
    unlink(said.c_str());
    return read ? NVRTC_SUCCESS : NVRTC_ERROR_COMPILATION;
}

EXPORT nvrtcResult nvrtcGetProgramLogSize(Program *program, size_t *bytes) {
    *bytes = program->log.size() + 1;
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetProgramLog(Program *program, char *log) {
    memcpy(log, program->log.c_str(), program->log.size() + 1);
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetCUBINSize(Program *program, size_t *bytes) {
    *bytes = program->image.size();
    return NVRTC_SUCCESS;
}

EXPORT nvrtcResult nvrtcGetCUBIN(Program *program, char *image) {
    memcpy(image, program->image.data(), program->image.size());
    return NVRTC_SUCCESS;
}

// There is no PTX: every architecture that the driver beside this one pretends to be is known here.
EXPORT nvrtcResult nvrtcGetPTXSize(Program *, size_t *bytes) {
    *bytes = 0;
    return NVRTC_ERROR_INVALID_INPUT;
}

EXPORT nvrtcResult nvrtcGetPTX(Program *, char *) { return NVRTC_ERROR_INVALID_INPUT; }
