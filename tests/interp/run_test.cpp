#include <catch2/catch.hpp>

#include <cstdio>
#include <unistd.h>

#include "formats/trace_writer.h"
#include "interp/hash.h"
#include "interp/interpreter.h"
#include "interp/run.h"
#include "sme/fnv1a.h"

#include "builder.h"
#include "support/files.h"

using namespace smec;
using namespace smec::handmade;

namespace {

using smec::test::Folder;

/// Sends a stream to a file while it lives.
class Redirect {
public:
    Redirect(FILE* stream, const std::string& path) : stream_(stream) {
        std::fflush(stream_);
        saved_ = dup(fileno(stream_));
        FILE* target = std::fopen(path.c_str(), "wb");
        dup2(fileno(target), fileno(stream_));
        std::fclose(target);
    }
    ~Redirect() {
        std::fflush(stream_);
        dup2(saved_, fileno(stream_));
        close(saved_);
    }

private:
    FILE* stream_;
    int saved_;
};

struct Result {
    int status;
    std::string out;
    std::string err;
};

Result run(const DesignBuilder& builder, const std::vector<std::string>& arguments,
           const Folder& folder) {
    int status = 0;
    {
        const Redirect out(stdout, folder.file("stdout"));
        const Redirect err(stderr, folder.file("stderr"));
        status = interp::run({builder.design, builder.sources}, arguments);
    }
    return {status, folder.read("stdout"), folder.read("stderr")};
}

/// An accumulator: inputs `cmd.v`, `cmd.w[2]` (hold), exposed output `res.sum`.
DesignBuilder accumulator() {
    DesignBuilder builder;
    TypeTable& types = builder.design.types;
    const TypeId u8 = types.integer(8, false);
    const TypeId light =
        types.enumeration({"light", builder.range, 2, false, {{"RED", 0}, {"BLUE", 2}}});
    const TypeId pair = types.array(u8, 2);
    const Value none{Value::List{{Integer(0)}, {Integer(9)}}};
    const BusId cmd = builder.bus("cmd",
                                  {{{"v", u8, false, false, {}},
                                    {"w", pair, true, false, {}},
                                    {"c", light, false, false, {}}},
                                   1},
                                  {Value{Integer(3)}, none, Value{Integer(0)}}, true);
    const BusId res =
        builder.bus("res", {{{"sum", u8, false, false, {}}}, 1}, {Value{Integer(0)}}, true);
    BodyBuilder b = builder.body();
    const VarId t = b.var("t", VarKind::Process, u8);
    b.body.statements.push_back(
        b.trace("{} {} {}", {b.read(0, 0, u8), b.read(0, 1, pair), b.read(0, 2, light)}));
    b.body.statements.push_back(b.assign(t, b.binary(BinaryOp::Add, b.read(t), b.read(0, 0, u8))));
    b.body.statements.push_back(b.assign(1, 0, u8, b.read(t)));
    builder.process("a", ProcKind::Clocked, b.body, {{cmd, true, false}, {res, false, true}},
                    {Value{Integer(0)}});
    return builder;
}

const char* kInput = "cycle,cmd.v,cmd.w[1],cmd.c\n0,5,1,BLUE\n1,200,2,0\n";

}  // namespace

TEST_CASE("inputs drive the run and end it") {
    const Folder folder;
    const DesignBuilder builder = accumulator();
    const std::string input = folder.write("in.csv", kInput);
    const Result result = run(builder,
                              {"--input", input, "--quiet", "--print", "a.t", "--print", "cmd.w[1]",
                               "--print", "cmd.w", "--print", "cmd.v"},
                              folder);
    CHECK(result.status == 0);
    CHECK(result.out
          == "5 [0, 1] BLUE\n200 [0, 2] RED\na.t: 205\ncmd.w[1]: 2\ncmd.w: [0, 2]\ncmd.v: 3\n");
    CHECK(result.err.empty());
}

TEST_CASE("after the last row: defaults, hold inputs keep it") {
    const Folder folder;
    const Result result =
        run(accumulator(), {"--input", folder.write("in.csv", kInput), "--cycles", "3"}, folder);
    CHECK(result.out == "5 [0, 1] BLUE\n200 [0, 2] RED\n3 [0, 2] RED\n");
    CHECK(result.err.find("cycles          3\n") != std::string::npos);
    CHECK(result.err.find("interpreter") != std::string::npos);
}

TEST_CASE("what holds after the last row is in the state") {
    const Folder folder;
    const DesignBuilder builder = accumulator();
    const std::string input = folder.write("in.csv", kInput);
    const auto outputOf = [&](const interp::State* from, std::uint64_t until) {
        std::string text;
        const auto out = [&](std::string_view said) {
            text += said;
            return 0;
        };
        interp::Run run({builder.design, builder.sources}, {}, {out, [](std::string_view) {}});
        run.drive(input);
        if (from) run.simulation().restore(*from);
        while (run.simulation().cycle() < until)
            run.cycle();
        run.output().flush();
        return std::pair(text, run.simulation().snapshot());
    };
    for (const std::uint64_t middle : {1u, 2u, 3u}) {
        const auto [before, kept] = outputOf(nullptr, middle);
        CHECK(before + outputOf(&kept, 5).first == outputOf(nullptr, 5).first);
    }
}

TEST_CASE("bad inputs are refused") {
    const Folder folder;
    const auto statusOf = [&](const std::string& text) {
        return run(accumulator(), {"--quiet", "--input", folder.write("in.csv", text)}, folder)
            .status;
    };
    CHECK(statusOf("cycle,cmd.v\n0,5\n") == 0);
    CHECK(statusOf("cycle,cmd.v\r\n0,5\r\n\r\n") == 0);
    CHECK(statusOf("\xEF\xBB\xBF"
                   "cycle , \"cmd.v\"\n 0,005 \n")
          == 0);
    CHECK(statusOf("cycle,cmd.v\n0,\"5\n") == 1);
    CHECK(statusOf("cycle,cmd.v\n0,\"5\"6\n") == 1);
    CHECK(statusOf("cycle,cmd.v\n\n0,5\n") == 1);
    CHECK(statusOf("") == 1);
    CHECK(statusOf("time,cmd.v\n0,5\n") == 1);
    CHECK(statusOf("cycle,cmd.v\n1,5\n") == 1);
    CHECK(statusOf("cycle,cmd.v\n0,256\n") == 1);
    CHECK(statusOf("cycle,cmd.v\n0,-1\n") == 1);
    CHECK(statusOf("cycle,cmd.v\n0,\n") == 1);
    CHECK(statusOf("cycle,cmd.v\n0,5,6\n") == 1);
    CHECK(statusOf("cycle,cmd.c\n0,1\n") == 1);
    CHECK(statusOf("cycle,cmd.w\n0,1\n") == 1);
    CHECK(statusOf("cycle,res.sum\n0,1\n") == 1);
    CHECK(statusOf("cycle,a.t\n0,1\n") == 1);
    CHECK(statusOf("cycle,cmd.v,cmd.v\n0,1,1\n") == 1);
    CHECK(run(accumulator(), {"--input", folder.file("none.csv")}, folder).status == 3);
}

TEST_CASE("traces show what is read in each cycle, in natural order of names") {
    const Folder folder;
    const std::string input = folder.write("in.csv", kInput);
    const Result result = run(
        accumulator(),
        {"--quiet", "--input", input, "--cycles", "3", "--trace", folder.file("t.csv")}, folder);
    CHECK(result.status == 0);
    CHECK(folder.read("t.csv")
          == "cycle,cmd.c,cmd.v,cmd.w[0],cmd.w[1],res.sum\n0,BLUE,5,0,1,0\n1,RED,200,0,2,5\n2,RED,"
             "3,0,2,205\n");
    run(accumulator(),
        {"--quiet", "--cycles", "4", "--trace", folder.file("t.csv"), "--trace-filter", "*t",
         "--trace-start", "1", "--trace-stop", "3"},
        folder);
    CHECK(folder.read("t.csv") == "cycle,a.t\n1,3\n2,6\n");
    CHECK(run(accumulator(), {"--cycles", "1", "--trace", folder.file("t.xyz")}, folder).status
          == 2);
}

TEST_CASE("a recorded trace is what is expected of the next run") {
    const Folder folder;
    const DesignBuilder builder = accumulator();
    run(builder, {"--quiet", "--cycles", "5", "--trace-all", "--trace", folder.file("t.csv")},
        folder);
    CHECK(
        run(builder, {"--quiet", "--cycles", "5", "--expect", folder.file("t.csv")}, folder).status
        == 0);
    const std::string wrong = folder.write("wrong.csv", "cycle,res.sum\n0,0\n1,3\n2,7\n");
    const Result result = run(builder, {"--quiet", "--cycles", "5", "--expect", wrong}, folder);
    CHECK(result.status == 1);
    CHECK(result.err == wrong + ":4: error: cycle 2, res.sum: expected 7, got 6\n");
    CHECK(
        run(builder, {"--quiet", "--cycles", "4", "--expect", folder.file("t.csv")}, folder).status
        == 1);
}

TEST_CASE("a message about a file has its place") {
    const Folder folder;
    const std::string input = folder.write("in.csv", "cycle,cmd.v\n0,5\n1,300\n");
    CHECK(run(accumulator(), {"--input", input}, folder).err
          == input + ":3:3: error: '300' does not fit into u8 ('cmd.v')\n");
    const std::string other = folder.write("in.csv", "cycle,cmd.x\n0,5\n");
    CHECK(run(accumulator(), {"--input", other}, folder).err
          == other + ":1:7: error: unknown input 'cmd.x'; did you mean 'cmd.v'?\n");
    CHECK(run(accumulator(), {"--cycles", "1", "--print", "res"}, folder).err
          == "smec: error: --print: no field or variable 'res'; it has 'res.sum'\n");
    CHECK(run(accumulator(), {"--cycles", "1", "--print", "cmd", "--quiet"}, folder).err.empty());
}

TEST_CASE("option --list tells names, types, widths and kinds") {
    const Folder folder;
    CHECK(run(accumulator(), {"--list"}, folder).out
          == "name     type   bits   kind\n"
             "a.t      u8     8      variable\n"
             "cmd.c    light  2      exposed input\n"
             "cmd.v    u8     8      exposed input\n"
             "cmd.w    [2]u8  16     exposed input\n"
             "res.sum  u8     8      exposed output\n");
}

TEST_CASE("the checksum follows its formula") {
    const Folder folder;
    DesignBuilder builder;
    const TypeId u65 = builder.design.types.integer(65, false);
    builder.bus("b", {{{"v", u65, false, false, {}}}, 1}, {Value{(Integer(1) << 64) + 5}});
    std::uint64_t h = 0x243F6A8885A308D3;
    for (const std::uint64_t limb : {5, 1})
        h = (h ^ limb) * 0x9E3779B97F4A7C15;
    const std::uint64_t sum = interp::splitMix64(sme::fnv1a("b.v") ^ interp::splitMix64(h));
    char text[32];
    std::snprintf(text, sizeof text, "%016llx\n", static_cast<unsigned long long>(sum));
    CHECK(run(builder, {"--cycles", "1", "--checksum", "--quiet"}, folder).out == text);
}

TEST_CASE("a run without an end is wrong usage, an endless one meets its timeout") {
    const Folder folder;
    DesignBuilder builder = accumulator();
    CHECK(run(builder, {}, folder).status == 2);
    BodyBuilder b = builder.body();
    b.body.statements.push_back(b.stmt(While{b.boolean(true), {}}));
    b.body.canFail = true;
    builder.process("forever", ProcKind::Clocked, b.body, {});
    const Result result = run(builder, {"--timeout", "0.2"}, folder);
    CHECK(result.status == 4);
}

TEST_CASE("options are a simulator's, with its words for what is wrong") {
    const Folder folder;
    const auto errorOf = [&](const std::vector<std::string>& arguments) {
        const Result result = run(accumulator(), arguments, folder);
        CHECK(result.status == 2);
        CHECK(result.out.empty());
        return result.err;
    };
    CHECK(errorOf({"--cylces", "3"})
          == "smec: error: unknown option '--cylces'; did you mean '--cycles'?\n");
    CHECK(errorOf({"--cycles"}) == "smec: error: --cycles needs a value: --cycles N\n");
    CHECK(errorOf({"--quiet=yes"}) == "smec: error: --quiet takes no value\n");
    CHECK(errorOf({"--threads", "x"})
          == "smec: error: --threads takes a number from 1 to 1024 or auto, not 'x'\n");
    CHECK(errorOf({"--chunk", "pls:2"})
          == "smec: error: --chunk takes a share above 0, up to 1, after pls:, not 'pls:2'\n");
    CHECK(errorOf({"--trace", "t.txt"})
          == "smec: error: --trace takes " + sme::traceNames() + ", not 't.txt'\n");
    CHECK(errorOf({"--report", "text"})
          == "smec: error: --report tells of the threads of a simulator, and the interpreter has "
             "none; run without --interpret\n");
    CHECK(errorOf({"--unchecked"}).starts_with("smec: error: unknown option"));
    CHECK(run(accumulator(),
              {"--cycles=0x2", "--model", "m1", "--threads", "3", "--prepartition", "--quiet"},
              folder)
              .status
          == 0);
    CHECK(run(accumulator(), {"--help"}, folder).out.find("  --trace-filter GLOB")
          != std::string::npos);
    CHECK(run(accumulator(), {"--version"}, folder).out == "top, interpreted by smec\n");
}

TEST_CASE("cover counts the cycles in which its condition held") {
    const Folder folder;
    DesignBuilder builder;
    BodyBuilder b = builder.body();
    const ExprId cycle = b.builtin(Builtin::Cycle, {}, builder.design.types.integer(64, false));
    const ExprId odd =
        b.binary(BinaryOp::Eq, b.binary(BinaryOp::Mod, cycle, b.number(2)), b.number(1));
    b.body.statements.push_back(b.stmt(Cover{odd, "odd", 0}));
    b.body.statements.push_back(b.stmt(Cover{b.boolean(false), "never", 1}));
    builder.process("p", ProcKind::Clocked, b.body, {});
    const Result result = run(builder, {"--cycles", "7", "--quiet"}, folder);
    CHECK(result.err == "cover 'odd' in 'p': 3 cycles\nwarning: cover 'never' in 'p': 0 cycles\n");
}
