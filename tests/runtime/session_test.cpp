// Results of a run and its exit status.

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "support/sanitizers.h"
#include "test_models.h"

using namespace sme;
using namespace sme::test;

namespace {

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/// The formula of --checksum for one scalar, from its text.
std::uint64_t leaf(const std::string& name, const std::vector<std::uint64_t>& limbs) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    std::uint64_t h = 0x243F6A8885A308D3;
    for (const std::uint64_t limb : limbs)
        h = (h ^ limb) * 0x9E3779B97F4A7C15;
    return mix(hash ^ mix(h));
}

std::string hex(std::uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "%016llx\n", static_cast<unsigned long long>(value));
    return text;
}

struct Child {
    int status;
    std::string out;
    std::string err;
};

std::string drain(int descriptor) {
    std::string text;
    char buffer[4096];
    ssize_t size;
    while ((size = read(descriptor, buffer, sizeof buffer)) > 0)
        text.append(buffer, static_cast<std::size_t>(size));
    return text;
}

/// Runs the model in a process of its own. `during` is called with its id; stdout goes to `outTo`
/// where that is not negative.
template <typename During>
Child inProcess(const Model& model, std::vector<const char*> arguments, const During& during,
                int outTo = -1) {
    arguments.insert(arguments.begin(), "sim");
    int out[2];
    REQUIRE(pipe(out) == 0);
    const std::string errPath = temporaryPath("stderr");  // a file: nobody has to read it meanwhile
    const pid_t child = fork();
    if (child == 0) {
        dup2(outTo >= 0 ? outTo : out[1], STDOUT_FILENO);
        dup2(open(errPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        close(out[0]);
        close(out[1]);
        _exit(run(model, static_cast<int>(arguments.size()), const_cast<char**>(arguments.data())));
    }
    close(out[1]);
    during(child, out[0]);
    Child result;
    result.out = drain(out[0]);
    close(out[0]);
    waitpid(child, &result.status, 0);
    result.err = readFile(errPath);
    return result;
}

}  // namespace

TEST_CASE("print: whole values, elements, members, in the order asked for") {
    Inputs inputs;
    const Result result =
        simulate(inputs.model(),
                 {"--cycles", "1", "--print", "cmd.list", "--print", "cmd.list[1]", "--print",
                  "cmd.pair", "--print", "cmd.pair.x", "--print", "a.t", "--print", "cmd.gain"});
    CHECK(result.status == 0);
    CHECK(result.out.substr(result.out.find('\n') + 1)
          == "cmd.list: [7, 7]\ncmd.list[1]: 7\ncmd.pair: (x: 0, y: 0)\ncmd.pair.x: 0\na.t: "
             "0\ncmd.gain: 0.5\n");
}

TEST_CASE("print: unknown paths are found out before the run") {
    Inputs inputs;
    const Result result = simulate(inputs.model(), {"--cycles", "1", "--print", "cmd.kepe"});
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(result.err
          == "sim: error: --print: no field or variable 'cmd.kepe'; did you mean 'cmd.keep'?\n");
    CHECK(simulate(inputs.model(), {"--cycles", "1", "--print", "sum"})
              .err.ends_with("did you mean 'res.sum'?\n"));
    CHECK(simulate(inputs.model(), {"--cycles", "1", "--print", "res"}).err
          == "sim: error: --print: no field or variable 'res'; it has 'res.sum'\n");
}

TEST_CASE("a loop limit below what is not counted is refused") {
    Inputs inputs;
    Model model = inputs.model();
    model.uncountedRounds = 3;
    CHECK(simulate(model, {"--cycles", "1", "--loop-limit", "3"}).status == 0);
    const Result result = simulate(model, {"--cycles", "1", "--loop-limit", "2"});
    CHECK(result.status == 2);
    CHECK(result.err.starts_with("sim: error: --loop-limit: this simulator takes up to 3 rounds"));
}

TEST_CASE("print: combinational fields are those of the next row") {
    Mixed mixed({});
    const std::string path = temporaryPath("comb.csv");
    const Result result = simulate(mixed.model(), {"--cycles", "8", "--print", "mix[5].v",
                                                   "--print", "out[5].t", "--threads", "2"});
    CHECK(result.status == 0);
    CHECK(simulate(mixed.model(), {"--cycles", "9", "--trace", path, "--trace-filter", "mix[5].v"})
              .status
          == 0);
    const std::string trace = readFile(path);
    const std::string last = trace.substr(trace.rfind(',') + 1);
    CHECK(result.out.find("mix[5].v: " + last) != std::string::npos);
}

TEST_CASE("list: names, types, widths and kinds") {
    Inputs inputs;
    const Result result = simulate(inputs.model(), {"--list"});
    CHECK(result.status == 0);
    CHECK(result.out
          == "name       type               bits   kind\n"
             "a.t        u8                 8      variable\n"
             "cmd.digit  uint range 0 to 9  4      exposed input\n"
             "cmd.gain   f64                64     exposed input\n"
             "cmd.go     bool               1      exposed input\n"
             "cmd.keep   i16                16     exposed input\n"
             "cmd.light  light              2      exposed input\n"
             "cmd.list   [2]u4              8      exposed input\n"
             "cmd.pair   pair               16     exposed input\n"
             "cmd.v      u8                 8      exposed input\n"
             "res.sum    u8                 8      exposed output\n");
}

TEST_CASE("checksum: as the formula says") {
    Inputs inputs;
    double half = 0.5;
    std::uint64_t halfBits;
    std::memcpy(&halfBits, &half, 8);
    const std::uint64_t expected =
        leaf("a.t", {0}) + leaf("cmd.digit", {0}) + leaf("cmd.gain", {halfBits})
        + leaf("cmd.go", {0}) + leaf("cmd.keep", {~std::uint64_t{0}}) + leaf("cmd.light", {0})
        + leaf("cmd.list[0]", {7}) + leaf("cmd.list[1]", {7}) + leaf("cmd.pair.x", {0})
        + leaf("cmd.pair.y", {0}) + leaf("cmd.v", {0}) + leaf("res.sum", {0});
    const Result result = simulate(inputs.model(), {"--cycles", "0", "--checksum"});
    CHECK(result.status == 0);
    CHECK(result.out == hex(expected));
}

TEST_CASE("checksum: wide numbers limb by limb, numbered names") {
    ModelBuilder builder;
    const std::uint32_t i100 = builder.integer(true, 100);
    const std::uint32_t plane = builder.plane(Home::OneSlot, i100, 2);
    static const std::uint64_t values[] = {~std::uint64_t{0}, ~std::uint64_t{0}, 5, 1};
    builder.planeAt(plane).initial = Initial::Column;
    builder.planeAt(plane).initialData = reinterpret_cast<const std::byte*>(values);
    builder.name("p[", "].x", 2, plane, kVariable);
    const Result result = simulate(
        builder.model(), {"--cycles", "0", "--checksum", "--print", "p[0].x", "--print", "p[1].x"});
    CHECK(result.out
          == "p[0].x: -1\np[1].x: 18446744073709551621\n"
                 + hex(leaf("p[0].x", {~std::uint64_t{0}, ~std::uint64_t{0}})
                       + leaf("p[1].x", {5, 1})));
}

TEST_CASE("many failures in one cycle are cut short") {
    static constexpr FailSite fails[] = {
        {Failure::DivisionByZero, {"many.sme", 3, 4}, {nullptr, nullptr, 0}, nullptr}};
    const auto kernel = []([[maybe_unused]] const Thread& thread, const Slots& slots,
                           std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i)
            fail(thread, slots, 0, 0, i, nullptr);
    };
    ModelBuilder builder;
    const std::uint32_t cls = builder.process("p", kernel, 50, 1, 1, 0, 0, 1);
    builder.sites(cls, nullptr, fails);
    for (const char* threads : {"1", "3"}) {
        const Result result = simulate(builder.model(), {"--cycles", "5", "--threads", threads});
        CHECK(result.status == 1);
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 41);
        CHECK(result.err.starts_with(
            "many.sme:3:4: error: division by zero\n  in instance 'p[0]', cycle 0\n"));
        CHECK(
            result.err.ends_with("  in instance 'p[19]', cycle 0\n30 more failures in cycle 0\n"));
    }
}

TEST_CASE("a time limit ends the run after a cycle, with status 4") {
    Ring ring(8);
    for (const char* threads : {"1", "2"}) {
        const Result result =
            simulate(ring.model(), {"--timeout", "0.05", "--threads", threads, "--checksum"});
        CHECK(result.status == 4);
        CHECK(result.out.size() == 17);
        CHECK(result.err.starts_with("sim: error: time limit reached after cycle "));
    }
}

TEST_CASE("SIGINT ends the run cleanly with status 130, SIGTERM with 143") {
    Mixed mixed({});
    for (const int signal : {SIGINT, SIGTERM}) {
        for (const char* threads : {"1", "2", "auto"}) {
            const std::string path = temporaryPath("signal.csv");
            const Child child = inProcess(mixed.model(),
                                          {"--cycles", "1000000000", "--threads", threads,
                                           "--trace", path.c_str(), "--checksum"},
                                          [&](pid_t pid, int out) {
                                              char byte;
                                              REQUIRE(read(out, &byte, 1) == 1);  // it runs
                                              kill(pid, signal);
                                          });
            REQUIRE(WIFEXITED(child.status));
            CHECK(WEXITSTATUS(child.status) == 128 + signal);
            CHECK(child.err.find("interrupted after cycle ") != std::string::npos);
            CHECK(child.err.find("\ncycles ") != std::string::npos);
            CHECK(child.out.ends_with("\n"));
            // all rows up to the last cycle are there
            const std::string trace = readFile(path);
            const std::size_t lastLine = trace.rfind('\n', trace.size() - 2) + 1;
            const std::string last = trace.substr(lastLine, trace.find(',', lastLine) - lastLine);
            CHECK(child.err.find("interrupted after cycle " + last + "\n") != std::string::npos);
        }
    }
}

TEST_CASE(
    "standard output that nobody reads ends a run in silence, and a full disk with status 3") {
    Mixed mixed({});
    // ThreadSanitizer's runtime raises SIGPIPE again once the run has put the old handler back
#ifndef SMEC_THREAD_SANITIZER
    SECTION("a closed pipe") {
        const Child child =
            inProcess(mixed.model(), {"--cycles", "1000000000", "--threads", "2", "--quiet"},
                      [](pid_t, int out) {
                          char byte;
                          REQUIRE(read(out, &byte, 1) == 1);
                          close(out);
                      });
        REQUIRE(WIFEXITED(child.status));
        CHECK(WEXITSTATUS(child.status) == 128 + SIGPIPE);
        CHECK(child.err.empty());
    }
#endif
    SECTION("a full disk") {
        const int full = open("/dev/full", O_WRONLY);
        REQUIRE(full >= 0);
        const Child child = inProcess(
            mixed.model(), {"--cycles", "3", "--quiet"}, [](pid_t, int) {}, full);
        close(full);
        REQUIRE(WIFEXITED(child.status));
        CHECK(WEXITSTATUS(child.status) == 3);
        CHECK(child.err == "sim: error: cannot write standard output: No space left on device\n");
    }
    SECTION("a trace file on a full disk") {
        const std::string link = temporaryPath("full.csv");
        REQUIRE((symlink("/dev/full", link.c_str()) == 0 || errno == EEXIST));
        const Result result = simulate(mixed.model(), {"--cycles", "3", "--trace", link});
        CHECK(result.status == 3);
        CHECK(result.err == "sim: error: cannot write '" + link + "': No space left on device\n");
    }
}

TEST_CASE("progress is told on stderr") {
    Ring ring(8);
    const Child child =
        inProcess(ring.model(), {"--timeout", "1.2", "--progress", "--quiet"}, [](pid_t, int) {});
    REQUIRE(WIFEXITED(child.status));
    CHECK(WEXITSTATUS(child.status) == 4);
    CHECK(child.err.starts_with("cycle "));
    CHECK(child.err.find(" cycles/s, ") != std::string::npos);
    CHECK(std::count(child.err.begin(), child.err.end(), '\n') == 3);
}
