// A trace that goes on where the state of its run was kept has the bytes of one that never stopped.

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "formats/checkpoint_file.h"
#include "formats/trace_files.h"
#include "rows.h"
#include "sme/state_format.h"

using namespace sme;

namespace {

namespace fs = std::filesystem;

const Type kNarrow{Kind::Unsigned, 8, 1, "u8", 0, 0, nullptr, nullptr, 0, 0};
const Type kLong{Kind::Unsigned, 3000, 376, "u3000", 0, 0, nullptr, nullptr, 0, 0};
const Type kDouble{Kind::F64, 64, 8, "f64", 0, 0, nullptr, nullptr, 0, 0};

TraceDescription shownWith(bool showsClock) {
    return {"top",
            {{"b.x", 3, &kNarrow, 0}, {"b.y", 3, &kDouble, 0}, {"w.z", 3, &kLong, 0}},
            {10, showsClock}};
}

void writeRowOf(TraceWriter& writer, std::uint64_t cycle) {
    const auto slow = static_cast<std::uint8_t>(cycle / 3);
    const double real = static_cast<double>(cycle / 2) / 4;
    std::array<std::uint64_t, 47> wide{};
    for (std::size_t i = 0; i < wide.size(); ++i)
        wide[i] = (cycle + i) * 0x9E3779B97F4A7C15;
    wide.back() &= (std::uint64_t{1} << (3000 % 64)) - 1;
    rowOf(writer,
          {reinterpret_cast<const std::byte*>(&slow), reinterpret_cast<const std::byte*>(&real),
           reinterpret_cast<const std::byte*>(&wide)},
          cycle);
}

std::string wholeTrace(const TraceFormat& format, bool showsClock, std::uint64_t from,
                       std::uint64_t cycles) {
    StringSink sink;
    const auto writer = format.make(sink);
    writer->begin(shownWith(showsClock));
    for (std::uint64_t cycle = from; cycle < cycles; ++cycle)
        writeRowOf(*writer, cycle);
    writer->end();
    return sink.text;
}

/// The same with a state before cycle `at`, and a writer that is given up `lost` cycles later.
std::string resumedTrace(const TraceFormat& format, bool showsClock, std::uint64_t from,
                         std::uint64_t cycles, std::uint64_t at, std::uint64_t lost) {
    StringSink sink;
    TraceState state;
    std::uint64_t length = 0;
    {
        const auto writer = format.make(sink);
        writer->begin(shownWith(showsClock));
        for (std::uint64_t cycle = from; cycle < at + lost; ++cycle) {
            if (cycle == at) {
                state = writer->state();
                length = state.length.value_or(sink.text.size());
            }
            writeRowOf(*writer, cycle);
        }
        if (lost == 0) {
            state = writer->state();
            length = state.length.value_or(sink.text.size());
            writer->end();
        }
    }
    sink.text.resize(length);
    const auto writer = format.make(sink);
    writer->resume(shownWith(showsClock), state);
    for (std::uint64_t cycle = std::max(from, at); cycle < cycles; ++cycle)
        writeRowOf(*writer, cycle);
    writer->end();
    return sink.text;
}

/// A file that is gone with it.
struct ScratchTrace {
    explicit ScratchTrace(const std::string& name)
        : path((fs::temp_directory_path() / (name + std::to_string(getpid()))).string()) {}
    ~ScratchTrace() { fs::remove(path); }
    ScratchTrace(const ScratchTrace&) = delete;
    ScratchTrace& operator=(const ScratchTrace&) = delete;
    void write(const std::string& text) const { std::ofstream(path, std::ios::trunc) << text; }
    const std::string path;
};

}  // namespace

TEST_CASE("resume: the bytes of every format are those of one run") {
    constexpr std::uint64_t kBlock = 22'000;  // cycles: the values of one block of FST
    for (const TraceFormat& format : traceFormats())
        for (const bool showsClock : {true, false}) {
            INFO(format.suffix << (showsClock ? " with clk" : ""));
            for (const auto& [from, at, lost] :
                 {std::array{0, 5, 9}, {0, 1, 0}, {4, 9, 1}, {4, 4, 7}, {0, 0, 3}})
                CHECK((resumedTrace(format, showsClock, from, 30, at, lost)
                       == wholeTrace(format, showsClock, from, 30)));
            if (!showsClock) continue;
            // with blocks before the state, and one after it that is lost
            const std::string text = wholeTrace(format, true, 0, 2 * kBlock + 5000);
            CHECK(
                (resumedTrace(format, true, 0, 2 * kBlock + 5000, kBlock + 3000, kBlock) == text));
        }
}

namespace {

KeptTrace keptIn(const std::string& path, TraceState writer = {}) {
    FileSink sink(open(path.c_str(), O_WRONLY | O_APPEND), FileSink::Owned{true, false});
    lseek(sink.descriptor(), 0, SEEK_END);
    return keptTrace(path, sink, 7, std::move(writer));
}

}  // namespace

TEST_CASE("resume: a file that is not as it was is refused") {
    const ScratchTrace file("smec-resume.csv");
    const std::string start(GENERATE(0, 1, 600), 'a');
    file.write(start + "bcd");
    const std::vector<KeptTrace> kept{keptIn(file.path)};
    CHECK(kept[0].length == start.size() + 3);
    const auto why = [&](std::uint64_t shown = 7) {
        return whyNotContinued(kept, file.path, shown).why;
    };
    CHECK(why().empty());
    file.write(start + "bcd and more");
    CHECK(why().empty());
    CHECK(whyNotContinued(kept, file.path, 8).isUsage);
    file.write(start + "bce and more");
    CHECK(why().find("not the one") != std::string::npos);
    file.write("sh");
    CHECK(why().find("2 of " + std::to_string(start.size() + 3)) != std::string::npos);
    fs::rename(file.path, file.path + ".moved");
    CHECK(why().find("is gone") != std::string::npos);
    file.write(start + "bcd");
    CHECK(why().find("is another file") != std::string::npos);
    fs::remove(file.path + ".moved");
    CHECK(keptTrace("/dev/null", FileSink(open("/dev/null", O_WRONLY), FileSink::Owned{}), 7, {})
              .path.empty());
}

TEST_CASE("resume: the header of waves may change, what follows may not") {
    const ScratchTrace file("smec-resume.fst");
    file.write(std::string(330, 'h') + "rest");
    const std::vector<KeptTrace> kept{keptIn(file.path, {334, {}})};
    file.write(std::string(330, 'H') + "rest");
    CHECK(whyNotContinued(kept, file.path, 7).why.empty());
    file.write(std::string(330, 'H') + "Rest");
    CHECK(whyNotContinued(kept, file.path, 7).why.find("not the one") != std::string::npos);
}

TEST_CASE("resume: a trace goes on in this very file under a name that ends alike") {
    const ScratchTrace file("smec-resume-a.csv"), link("smec-resume-b.csv");
    file.write(std::string(600, 'a'));
    fs::create_hard_link(file.path, link.path);
    const std::vector<KeptTrace> kept{keptIn(file.path), {"-", 0, 0, 7, 0, {}}};
    CHECK(keptTraceAt(kept, file.path) == &kept[0]);
    CHECK(keptTraceAt(kept, "/tmp/.." + file.path) == &kept[0]);
    CHECK(keptTraceAt(kept, link.path) == nullptr);
    CHECK(keptTraceAt(kept, "-") == &kept[1]);
    CHECK(keptTraceAt(kept, "/dev/null") == nullptr);
    const auto why = [&](const std::string& path) { return whyNotContinued(kept, path, 7).why; };
    CHECK(why(link.path).find("under another name") != std::string::npos);
    fs::remove(link.path);
    CHECK(why(link.path).empty());
    link.write("");
    CHECK(why(link.path).empty());
    link.write("another run's");
    CHECK(why(link.path).find("holds 13 bytes") != std::string::npos);
    CHECK(whyNotContinued({}, link.path, 7).why.find("holds 13 bytes") != std::string::npos);
    CHECK(why("/dev/null").empty());
}

TEST_CASE("resume: what a trace shows has a hash") {
    const auto hashOf = [](const TraceDescription& shown, TraceSelection selection,
                           const char* path) {
        selection.time = shown.time;
        return TraceFiles(shown.design, shown.signals, selection).hashOf(*formatOf(path, true));
    };
    TraceDescription shown = shownWith(true);
    const std::uint64_t first = hashOf(shown, {}, "a.vcd");
    CHECK(hashOf(shown, {}, "b.vcd") == first);
    CHECK(hashOf(shown, {}, "a.csv") != first);
    CHECK(hashOf(shownWith(false), {}, "a.vcd") != first);
    shown.signals[0].type = &kLong;
    CHECK(hashOf(shown, {}, "a.vcd") != first);
    shown = shownWith(true);
    shown.signals[1].index = 64;
    CHECK(hashOf(shown, {}, "a.vcd") != first);
    shown.time.period = 12;
    CHECK(hashOf(shown, {}, "a.vcd") != hashOf(shownWith(true), {}, "a.vcd"));
}

TEST_CASE("checkpoint: what is written is what is read") {
    CheckpointFile file;
    file.traces = {{"a.fst", 5, 6, 7, 8, {9, {std::byte{1}, std::byte{2}}}},
                   {"-", 0, 0, 7, 0, {std::nullopt, {}}}};
    file.state = {std::byte{3}, std::byte{4}};
    const std::string text = toText(file);
    CHECK(checkpointOf(std::as_bytes(std::span(text))) == file);
}

TEST_CASE("checkpoint: what is alike takes little room, what is not little more than its own") {
    CheckpointFile file;
    const auto sizeOf = [&] {
        const std::string text = toText(file);
        CHECK((checkpointOf(std::as_bytes(std::span(text))) == file));
        return text.size();
    };
    constexpr std::size_t kSize = (std::size_t{9} << 20) + 5;
    file.state.resize(kSize);
    const std::size_t zeros = sizeOf();
    std::uint64_t random = 1;
    for (std::byte& byte : file.state)
        byte = static_cast<std::byte>((random = random * 6364136223846793005 + 1442695040888963407)
                                      >> 56);
    CHECK(sizeOf() < kSize + 100);
    CHECK(sizeOf() >= kSize);
    const bool hasLz4 = formatOf("a.fst", true) != nullptr;
    CHECK((zeros < kSize / 100) == hasLz4);
    const std::string text = toText(file);
    for (const std::size_t size : {20UL, 30UL, text.size() - 1}) {
        const std::string cut = text.substr(0, size);
        CHECK_THROWS_AS(checkpointOf(std::as_bytes(std::span(cut))), BadState);
    }
}
