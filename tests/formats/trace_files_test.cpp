// What a format gets of a row.

#include "formats/trace_files.h"

#include <array>

#include <catch2/catch.hpp>

#include "formats/trace_scopes.h"
#include "formats/trace_selection.h"

using namespace sme;

namespace {

constexpr Type kSmall{Kind::Unsigned, 8, 1, "u8", 0, 0, nullptr, nullptr, 0, 0};
constexpr Type kWide{Kind::Unsigned, 128, 16, "u128", 0, 0, nullptr, nullptr, 0, 0};

/// `3: 0=7 2=5`: the cycle, and what may have changed.
class Listing final : public TraceWriter {
public:
    explicit Listing(TextSink& sink) : sink_(sink) {}
    void begin(TraceDescription) override {}
    TraceState state() const override { return {}; }
    void resume(TraceDescription, const TraceState&) override {}
    void row(const TraceRow& row, std::uint64_t cycle) override {
        sink_.write(std::to_string(cycle) + ":");
        for (const std::uint32_t i : row.changed)
            sink_.write(' ' + std::to_string(i) + '='
                        + std::to_string(static_cast<int>(*row.values[i])));
        sink_.write("\n");
    }

private:
    TextSink& sink_;
};

std::unique_ptr<TraceWriter> makeListing(TextSink& sink) { return std::make_unique<Listing>(sink); }
constexpr TraceFormat kAll{".all", makeListing};
constexpr TraceFormat kTwoElements{".two", makeListing, 2};

std::vector<TraceSignal> fourSignals() {
    return {{"o.m[0]", 3, &kSmall, 0},
            {"o.m[1]", 3, &kSmall, 1},
            {"o.m[2]", 3, &kSmall, 2},
            {"o.w", 3, &kWide, 0}};
}

}  // namespace

TEST_CASE("trace files: all of the first row, then what is named, in order") {
    StringSink all, two;
    TraceFiles files("top", fourSignals(), {});
    files.add(kAll, all);
    files.add(kTwoElements, two);
    const std::byte seven{7}, eight{8};
    files.change(1, &seven);
    files.row(4);
    files.change(2, &eight);
    files.change(0, &seven);
    files.row(5);
    files.row(6);
    CHECK(all.text == "4: 0=0 1=7 2=0 3=0\n5: 0=7 2=8\n6:\n");
    CHECK(two.text == "4: 0=0 1=7 2=0\n5: 0=7\n6:\n");
}

TEST_CASE("trace selection: what only waves show gets another name than variables have") {
    TraceSelection selection;
    selection.filters = {"p.wait"};
    TraceChooser chooser(selection);
    for (const TraceShown shown : {TraceShown::Everywhere, TraceShown::InWaves}) {
        chooser.enter("p.wait", false);
        CHECK(chooser.take("p.wait", kSmall, shown));
    }
    const TraceChooser::Chosen chosen = chooser.finish();
    CHECK(chosen.order == std::vector<std::size_t>{0, 1});
    CHECK(chosen.signals[0].name == "p.wait");
    CHECK(chosen.signals[1].name == "p.wait_");
    CHECK(chosen.signals[1].whole == 7);
    CHECK(chosen.findings.unmatched.empty());
    CHECK(chosen.findings.onlyInWaves.empty());
}

TEST_CASE("trace selection: what filters do not find, and what only waves show of them") {
    TraceSelection selection;
    selection.filters = {"*.wait", "p.wait", "p.n", "q*", "p.*"};
    TraceChooser chooser(selection);
    chooser.enter("p.n", false);
    CHECK(chooser.take("p.n", kSmall));
    chooser.enter("p.wait", false, false, TraceShown::InWaves);
    CHECK(chooser.take("p.wait", kSmall, TraceShown::InWaves));
    const FilterFindings found = chooser.finish().findings;
    CHECK(found.unmatched == std::vector<std::string>{"q*"});
    CHECK(found.onlyInWaves == std::vector<std::string>{"*.wait", "p.wait"});
}

TEST_CASE("trace selection: viewers show the field v of a bus as the bus") {
    TraceSelection selection;
    selection.all = true;
    TraceChooser chooser(selection);
    const auto placed = [](const TraceSignal& signal) {
        std::string text;
        const TracePlace place = placeOf(signal);
        for (const TraceScope& scope : place.scopes)
            text += scope.name + (scope.kind == TraceScope::Kind::Array ? "[]/" : "/");
        return text + place.leaf;
    };
    chooser.enter("cpu.addr.v", false, true);
    chooser.take("cpu.addr.v", kSmall);
    chooser.enter("cpu.q.w", false, true);
    chooser.take("cpu.q.w", kSmall);
    chooser.enter("cpu.ram.v", false, true);
    chooser.take("cpu.ram.v[3]", kSmall);
    chooser.enter("cpu.v", false, false);  // a variable
    chooser.take("cpu.v", kSmall);
    chooser.enter("cpu.pair.v", false, true);  // of a struct, which is a scope of its own
    chooser.take("cpu.pair.v.x", kSmall);
    chooser.enter("clk.v", false, true);
    chooser.take("clk.v", kSmall);
    const std::vector<TraceSignal> signals = chooser.finish().signals;
    std::vector<std::string> places;
    for (const TraceSignal& signal : signals)
        places.push_back(placed(signal));
    CHECK(places
          == std::vector<std::string>{"clk", "cpu/addr", "cpu/pair/v/x", "cpu/q/w",
                                      "cpu/ram[]/ram[3]", "cpu/v"});
    CHECK(signals[1].name == "cpu.addr.v");
    CHECK(clockName({"top", signals, {}}) == "clk_");
    selection.filters = {"cpu.addr"};  // by the name that viewers show
    TraceChooser filtered(selection);
    filtered.enter("cpu.addr.v", false, true);
    CHECK(filtered.take("cpu.addr.v", kSmall));
    filtered.enter("cpu.addr2.v", false, true);
    CHECK_FALSE(filtered.take("cpu.addr2.v", kSmall));
}

TEST_CASE("trace files: only formats of viewers have what only waves show") {
    StringSink table, waves;
    TraceFiles files(
        "top", {{"p.n", 3, &kSmall, 0}, {"p.wait", 6, &kSmall, 0, false, TraceShown::InWaves}}, {});
    files.add({".table", makeListing}, table);
    files.add({".waves", makeListing, 2, false, Viewer::EnumNames}, waves);
    files.row(0);
    CHECK(table.text == "0: 0=0\n");
    CHECK(waves.text == "0: 0=0 1=0\n");
}

TEST_CASE("trace files: whole rows are compared") {
    StringSink all;
    TraceFiles files("top", fourSignals(), {});
    files.add(kAll, all);
    std::array<std::byte, 3> bytes{};
    std::array<std::byte, 16> wide{};
    const std::vector<const std::byte*> values{&bytes[0], &bytes[1], &bytes[2], wide.data()};
    files.row(values, 0);
    bytes[1] = std::byte{3};
    wide[15] = std::byte{1};
    files.row(values, 1);
    files.row(values, 2);
    CHECK(all.text == "0: 0=0 1=0 2=0 3=0\n1: 1=3 3=0\n2:\n");
}

TEST_CASE("trace files: a word of the image changes the signals in it that are others") {
    StringSink all;
    // in one word, at the same place, over two words
    const TraceImage image{{3, 4, 4, 8}, 3};
    TraceFiles files("top", fourSignals(), {}, image);
    files.add(kAll, all);
    CHECK(files.words() == 3);
    std::array<std::byte, 24> bytes{};
    const auto set = [&](std::uint32_t word) {
        std::uint64_t value;
        std::memcpy(&value, bytes.data() + word * 8, sizeof value);
        files.setWord(word, value);
    };
    files.row(0);
    bytes[0] = std::byte{9};  // of no signal
    bytes[3] = std::byte{7};
    set(0);
    files.row(1);
    bytes[4] = std::byte{8};
    set(0);
    files.row(2);
    bytes[16] = std::byte{1};
    set(1);
    set(2);
    files.row(3);
    bytes[8] = std::byte{1};
    set(1);
    files.row(4);
    files.row(5);
    CHECK(all.text == "0: 0=0 1=0 2=0 3=0\n1: 0=7\n2: 1=8 2=8\n3: 3=0\n4: 3=1\n5:\n");
}

TEST_CASE("trace files: many signals, of which some change, or all") {
    std::vector<TraceSignal> signals(200, {"p.n", 3, &kSmall, 0});
    StringSink all;
    TraceFiles files("top", signals, {});
    files.add(kAll, all);
    const auto row = [&](std::uint64_t cycle, std::size_t step) {
        std::string expected = std::to_string(cycle) + ':';
        for (std::size_t i = 0; i < signals.size(); i += step) {
            const auto value = static_cast<std::byte>(cycle + 1);
            files.change(i, &value);
            expected += ' ' + std::to_string(i) + '=' + std::to_string(cycle + 1);
        }
        all.text.clear();
        files.row(cycle);
        CHECK(all.text == expected + '\n');
    };
    row(0, 1);
    row(1, 7);
    row(2, 1);
    row(3, 64);
}
