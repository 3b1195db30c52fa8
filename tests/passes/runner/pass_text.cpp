// Tests of passes as text:
//
//     pass_text FILE.ir...            runs them
//     pass_text --update FILE.ir...   writes what the passes make into them
//
// A file names a pass and rules that are left out, has a design, and then what becomes of it, or that
// nothing does:
//
//     // pass: fold without lane-rounds
//     // What it is about.
//     design top, 1 processes
//     …
//     // becomes
//     design top, 1 processes
//     …
//
// or `// unchanged` in place of `// becomes` and a design. `// log: 0 of 9 counted` behind the first line
// asks for a log of plane 0, as a plan does. docs/ir.md has the grammar of designs.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "ir/analysis.h"
#include "ir_reader/parse.h"
#include "passes/pipeline.h"

namespace {

using namespace smec;

constexpr std::string_view kPass = "// pass: ", kLog = "// log: ", kBecomes = "// becomes\n",
                           kUnchanged = "// unchanged\n";

/// What is wrong with a test.
struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Test {
    std::string head;  ///< all up to the line that says what becomes of it
    std::vector<ir::LogWanted> logs{};
    const passes::Pass* pass = nullptr;
    passes::Options options{};
    std::shared_ptr<rules::Ledger> ledger{};  ///< of the options
    std::string expected;                     ///< empty: what it was
};

const passes::Pass* passNamed(const std::string& name) {
    for (const passes::Pass& pass : passes::all())
        if (pass.name == name) return &pass;
    throw Wrong("1: there is no pass '" + name + "'");
}

void readPass(const std::string& text, Test& test) {
    if (!text.starts_with(kPass)) throw Wrong("1: expected '// pass: NAME'");
    std::istringstream words(text.substr(kPass.size(), text.find('\n') - kPass.size()));
    std::string word;
    words >> word;
    test.pass = passNamed(word);
    rules::Without without;
    while (words >> word) {
        if (word == "without") continue;
        const auto rule = rules::ruleOf(word);
        if (!rule) throw Wrong("1: there is no rule '" + word + "'");
        without.add(*rule);
    }
    test.ledger = std::make_shared<rules::Ledger>(without);
    test.options.ledger = *test.ledger;
}

/// "0 of 9 counted"
ir::LogWanted logOf(const std::string& text) {
    std::istringstream words(text);
    ir::LogWanted log{};
    std::string of, counted;
    words >> log.array.index >> of >> log.form.entries;
    if (!words || of != "of") throw Wrong("expected '// log: PLANE of ENTRIES [counted]'");
    log.form.isCounted = (words >> counted) && counted == "counted";
    return log;
}

void readLogs(const std::string& text, Test& test) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line) && line.starts_with("//");)
        if (line.starts_with(kLog)) test.logs.push_back(logOf(line.substr(kLog.size())));
}

Test testOf(const std::string& text) {
    Test test;
    readPass(text, test);
    readLogs(text, test);
    for (const std::string_view mark : {kBecomes, kUnchanged}) {
        const std::size_t at = text.find("\n" + std::string(mark));
        if (at == std::string::npos) continue;
        test.head = text.substr(0, at + 1);
        test.expected = text.substr(at + 1 + mark.size());
        if (mark == kBecomes && test.expected.empty())
            throw Wrong("no design stands behind '// becomes'");
        if (mark == kUnchanged && !test.expected.empty())
            throw Wrong("something stands behind '// unchanged'");
        return test;
    }
    test.head = text;
    return test;
}

ir::Design designOf(const std::string& text) {
    ir::Parsed parsed = ir::parse(text);
    if (!parsed.design)
        throw Wrong(std::to_string(parsed.error.line) + ":" + std::to_string(parsed.error.column)
                    + ": " + parsed.error.message);
    return std::move(*parsed.design);
}

void check(const ir::Design& design, const std::string& what) {
    const std::vector<std::string> complaints = ir::verify(design);
    if (!complaints.empty()) throw Wrong(what + " is not sound: " + complaints.front());
}

std::string firstDifference(const std::string& is, const std::string& wanted) {
    std::istringstream a(is), b(wanted);
    for (std::size_t number = 1;; ++number) {
        std::string x, y;
        const bool hasX = static_cast<bool>(std::getline(a, x));
        const bool hasY = static_cast<bool>(std::getline(b, y));
        if (x != y || hasX != hasY)
            return "in line " + std::to_string(number) + " of the result: '" + x + "', and not '"
                   + y + "'";
    }
}

std::string readFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Wrong("it cannot be read");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void run(const std::string& path, bool updates) {
    Test test = testOf(readFile(path));
    test.options.logs = test.logs;
    ir::Design design = designOf(test.head);
    check(design, "the design");
    const std::string before = ir::print(design);
    test.pass->apply(design, test.options);
    check(design, "what the pass made");
    const std::string after = ir::print(design);
    if (updates) {
        std::ofstream out(path, std::ios::binary);
        out << test.head;
        if (after == before)
            out << kUnchanged;
        else
            out << kBecomes << after;
        return;
    }
    if (test.head.size() == readFile(path).size())
        throw Wrong("it says neither '// becomes' nor '// unchanged'; --update writes it");
    const std::string& wanted = test.expected.empty() ? before : test.expected;
    if (after != wanted) throw Wrong(firstDifference(after, wanted));
}

}  // namespace

int main(int argc, char** argv) {
    const bool updates = argc > 1 && std::string_view(argv[1]) == "--update";
    int wrong = 0;
    for (int i = updates ? 2 : 1; i < argc; ++i) {
        try {
            run(argv[i], updates);
        } catch (const Wrong& problem) {
            std::fprintf(stderr, "%s: %s\n", argv[i], problem.what());
            ++wrong;
        }
    }
    std::printf("%d texts, %d wrong\n", argc - (updates ? 2 : 1), wrong);
    return wrong == 0 && argc > (updates ? 2 : 1) ? EXIT_SUCCESS : EXIT_FAILURE;
}
