// A trace format is a class and a line in a table.

#include <catch2/catch.hpp>

#include "engine/engine.h"
#include "test_models.h"
#include "trace/traces.h"
#include "values/format.h"

using namespace sme;
using namespace sme::test;

namespace {

/// A text dump: `cycle 3` and a line `name = value` for each value that is not what it was.
class DumpWriter final : public TraceWriter {
public:
    explicit DumpWriter(TextSink& sink) : sink_(sink) {}
    void begin(TraceDescription description) override { resume(std::move(description), {}); }
    TraceState state() const override { return {}; }
    void resume(TraceDescription description, const TraceState&) override {
        signals_ = std::move(description.signals);
        before_.resize(signals_.size());
    }
    void row(const TraceRow& row, std::uint64_t cycle) override {
        sink_.write("cycle " + std::to_string(cycle) + "\n");
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            std::string text;
            appendScalar(text, *signals_[i].type, row.values[i], {});
            if (text != before_[i]) sink_.write(signals_[i].name + " = " + text + "\n");
            before_[i] = text;
        }
    }
    void end() override { sink_.write("end\n"); }

private:
    TextSink& sink_;
    std::vector<TraceSignal> signals_;
    std::vector<std::string> before_;
};

std::unique_ptr<TraceWriter> makeDump(TextSink& sink) { return std::make_unique<DumpWriter>(sink); }

constexpr TraceFormat kBoth[] = {
    {".csv", makeCsvWriter},
    {".dump", makeDump},
};

/// Writes the rows of a run.
class Rowing final : public Observer {
public:
    explicit Rowing(Traces& traces) : traces_(traces) { wantsDuring = true; }
    std::uint32_t during(std::uint64_t cycle) override {
        return traces_.row(cycle) ? 0 : std::uint32_t{kNoOutput};
    }
    std::uint32_t between(std::uint64_t) override { return 0; }

private:
    Traces& traces_;
};

}  // namespace

TEST_CASE("two formats at once, by the endings of their files") {
    Ring ring(3);
    StringSink out;
    StringSink err;
    Engine engine(ring.model(), {}, 0, 1'000, out, err);
    const NameTable names(ring.model());
    TraceSelection selection;
    selection.filters = {"link[1].v", "link[2].v"};
    selection.stop = 3;
    Traces traces(engine, selectColumns(names, selection), selection, kBoth);
    const std::string csv = temporaryPath("two.csv");
    const std::string dump = temporaryPath("two.dump");
    REQUIRE_FALSE(traces.open({csv, dump}, out));
    Traces other(engine, selectColumns(names, selection), selection, kBoth);
    const FileProblem unknown = other.open({temporaryPath("two.fst")}, out);
    CHECK(unknown.status == 2);
    CHECK(unknown.message.ends_with("there are traces that end in .csv or .dump"));
    Rowing rowing(traces);
    engine.run(5, &rowing);
    CHECK_FALSE(traces.finish());
    CHECK(readFile(csv) == "cycle,link[1].v,link[2].v\n0,0,0\n1,12346,1\n2,2,12347\n");
    CHECK(readFile(dump)
          == "cycle 0\nlink[1].v = 0\nlink[2].v = 0\ncycle 1\nlink[1].v = 12346\nlink[2].v = "
             "1\ncycle 2\nlink[1].v = 2\nlink[2].v = 12347\nend\n");
}

TEST_CASE("standard output and pipes have the first format") {
    CHECK(formatOf("a.dump", true, kBoth) == &kBoth[1]);
    CHECK(formatOf("-", false, kBoth) == &kBoth[0]);
    CHECK(formatOf("a.txt", true, kBoth) == nullptr);
    CHECK(whyNoFormat("a", kBoth)
          == "cannot write a trace to 'a': there are traces that end in .csv or .dump");
}
