#include <cstdio>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "fuzz/front_end.h"

// Runs the front end on packed inputs, as corpus.py packs them (one a line), or on single files as
// libFuzzer leaves them:
//
//     replay_corpus corpus.txt crash-da39a3ee
//
// What is wrong ends the process, after a line that names the input.

namespace {

int hexDigit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

/// `a\n\x00\\` is four bytes: a, end of line, NUL, backslash.
std::string unpacked(std::string_view line) {
    std::string bytes;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\\' || i + 1 == line.size()) {
            bytes += line[i];
            continue;
        }
        const char kind = line[++i];
        if (kind == 'n') {
            bytes += '\n';
        } else if (kind == 'x' && i + 2 < line.size()) {
            bytes += static_cast<char>(hexDigit(line[i + 1]) * 16 + hexDigit(line[i + 2]));
            i += 2;
        } else {
            bytes += kind;
        }
    }
    return bytes;
}

/// The input under way, for the reader of a crash: named before, as nothing can be printed after.
class Progress {
public:
    explicit Progress(std::string name) : name_(std::move(name)) {}
    void next() {
        ++count_;
        fmt::print("\r{}:{}", name_, count_);
        std::fflush(stdout);
    }
    ~Progress() { fmt::print("\r{}: {} passed, 0 failed\n", name_, count_); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

private:
    std::string name_;
    std::size_t count_ = 0;
};

bool replay(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return false;
    Progress progress(path);
    if (!path.ends_with(".txt")) {
        progress.next();
        std::ostringstream text;
        text << file.rdbuf();
        smec::test::checkFrontEnd(text.str());
        return true;
    }
    for (std::string line; std::getline(file, line);) {
        progress.next();
        smec::test::checkFrontEnd(unpacked(line));
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (replay(argv[i])) continue;
        fmt::print(stderr, "cannot read '{}'\n", argv[i]);
        return 1;
    }
    return argc > 1 ? 0 : 1;
}
