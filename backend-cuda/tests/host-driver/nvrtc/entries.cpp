#include "entries.h"

#include <cctype>
#include <cstdlib>
#include <vector>

namespace {
bool is_word(char byte) { return isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '_'; }

struct Found {
    std::string name;
    std::string most_threads;
};

// The kernel whose declaration goes on at a place: its name is the word before the first bracket that opens a list of
// parameters.
bool read_kernel(const std::string &text, size_t at, Found &found) {
    found.most_threads = "1024";
    while (at < text.size()) {
        while (at < text.size() && !is_word(text[at])) {
            if (text[at] == ';' || text[at] == '{') {
                return false;
            }
            at++;
        }
        const size_t start = at;
        while (at < text.size() && is_word(text[at])) {
            at++;
        }
        const std::string word = text.substr(start, at - start);
        while (at < text.size() && isspace(static_cast<unsigned char>(text[at])) != 0) {
            at++;
        }
        if (at == text.size() || text[at] != '(') {
            continue;
        }
        if (word != "__launch_bounds__") {
            found.name = word;
            return true;
        }
        const size_t end = text.find_first_of(",)", at);
        if (end == std::string::npos) {
            return false;
        }
        found.most_threads = text.substr(at + 1, end - at - 1);
        at = text.find(')', at) + 1;
    }
    return false;
}

// Registers of a thread, pretended: another number for another text, so that every choice of a block size is made.
unsigned registers(const std::string &text) {
    static const unsigned CHOICES[] = {32, 40, 64, 96, 168};
    unsigned sum = 0;
    for (const char byte : text) {
        sum = sum * 31 + static_cast<unsigned char>(byte);
    }
    return CHOICES[(sum >> 8) % (sizeof CHOICES / sizeof CHOICES[0])];
}
}

bool add_entries(const std::string &text, std::string &whole) {
    static const std::string mark = "__global__";
    std::string entries;
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        Found found;
        if (!read_kernel(text, at + mark.size(), found)) {
            return false;
        }
        entries += (entries.empty() ? "" : ", ") + ("IMMINENT_KERNEL(" + found.name) + ", " + found.most_threads + ")";
    }
    if (entries.empty()) {
        return false;
    }
    whole += "#include \"entries.h\"\nIMMINENT_MODULE(" + std::to_string(registers(text)) + ", " + entries + ")\n";
    return true;
}
