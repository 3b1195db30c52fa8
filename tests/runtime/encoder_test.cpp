// Rows that a thread of its own writes are those that were added, in their order.

#include "trace/encoder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <new>

using namespace sme;

namespace {

constexpr Type kWord{Kind::Unsigned, 32, 4, "u32", 0, 0, nullptr, nullptr, 0, 0};
constexpr Type kByte{Kind::Unsigned, 8, 1, "u8", 0, 0, nullptr, nullptr, 0, 0};

/// Throws in cycle 5000.
class ThrowingWriter final : public TraceWriter {
public:
    void begin(TraceDescription) override {}
    TraceState state() const override { return {}; }
    void resume(TraceDescription, const TraceState&) override {}
    void row(const TraceRow&, std::uint64_t cycle) override {
        if (cycle == 5000) throw std::bad_alloc();
    }
};
constexpr TraceFormat kCsv{".csv", makeCsvWriter};
constexpr TraceFormat kThrowing{".x", [](TextSink&) -> std::unique_ptr<TraceWriter> {
                                    return std::make_unique<ThrowingWriter>();
                                }};

/// Signals a and b in CSV: the second half of a word and the first byte of the next one.
struct Written {
    explicit Written(const TraceFormat& format = kCsv) { files.add(format, sink); }
    StringSink sink;
    TraceFiles files{
        "top", {{"x.a", 3, &kWord, 0}, {"x.b", 3, &kByte, 0}}, {}, TraceImage{{12, 16}, 3}};
};

/// As one of the last two words of the image, with other bytes around it.
template <typename Value>
void add(Encoder& encoder, std::uint16_t word, std::size_t at, Value value) {
    const auto [values, numbers] = encoder.add(1, 1);
    std::memset(values, 0xa5, sizeof *values);
    std::memcpy(reinterpret_cast<std::byte*>(values) + at, &value, sizeof value);
    *numbers = word;
}
void addA(Encoder& encoder, std::uint32_t value) { add(encoder, 0, 4, value); }
void addB(Encoder& encoder, std::uint8_t value) { add(encoder, 1, 0, value); }

/// `a` is the cycle, `b` changes now and then. False when row() was.
bool addRow(Encoder& encoder, std::uint64_t cycle) {
    addA(encoder, static_cast<std::uint32_t>(cycle));
    if (cycle % 7 == 0) addB(encoder, static_cast<std::uint8_t>(cycle / 7));
    return encoder.row(cycle);
}

bool good() { return true; }

}  // namespace

TEST_CASE("encoder: many rows and few") {
    for (const std::uint64_t cycles : {0, 1, 100, 100'000}) {
        Written written;
        Encoder encoder(written.files, good, {});
        std::string expected = "cycle,x.a,x.b\n";
        for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
            CHECK(addRow(encoder, cycle));
            const std::string number = std::to_string(cycle);
            expected += number + ',' + number + ',' + std::to_string(cycle / 7 % 256) + '\n';
        }
        addB(encoder, 1);  // of a row that never comes
        encoder.finish();
        CHECK(written.sink.text == expected);
    }
}

TEST_CASE("encoder: in between, all rows are written, and values of the next one stay") {
    for (const std::uint64_t cycles : {1, 100'000}) {
        Written whole, drained;
        for (Written* written : {&whole, &drained}) {
            Encoder encoder(written->files, good, {});
            for (std::uint64_t cycle = 0; cycle < cycles; ++cycle)
                addRow(encoder, cycle);
            addB(encoder, 77);
            if (written == &drained) {
                CHECK(encoder.drain());
                CHECK(written->sink.text.ends_with(
                    '\n' + std::to_string(cycles - 1) + ',' + std::to_string(cycles - 1) + ','
                    + std::to_string((cycles - 1) / 7 % 256) + '\n'));
            }
            CHECK(encoder.row(cycles));
            encoder.finish();
        }
        CHECK((drained.sink.text == whole.sink.text));
    }
    Written broken;
    Encoder encoder(broken.files, [] { return false; }, {});
    addRow(encoder, 0);
    CHECK_FALSE(encoder.drain());
}

TEST_CASE("encoder: rows that were held back are written, or taken back") {
    for (const std::uint64_t cycles : {1, 100, 100'000}) {
        Written whole, held;
        for (Written* written : {&whole, &held}) {
            Encoder encoder(written->files, good, {});
            for (std::uint64_t cycle = 0; cycle < 3 * cycles; ++cycle) {
                const bool isFirst = cycle % cycles == 0;
                addB(encoder, 200);  // of this row, before what is held
                if (written == &held && isFirst) {
                    encoder.hold();
                    for (std::uint64_t wrong = 0; wrong < cycles; ++wrong)
                        addRow(encoder, cycle + 1000 * wrong);
                    addB(encoder, 99);
                    encoder.takeBack();
                    encoder.hold();
                }
                addA(encoder, static_cast<std::uint32_t>(cycle));
                CHECK(encoder.row(cycle));
                if (written == &held && (cycle + 1) % cycles == 0) {
                    addB(encoder, 77);  // of the next row, which stays
                    encoder.let();
                }
            }
            CHECK_FALSE(encoder.isTooMuch());
            encoder.finish();
        }
        CHECK((held.sink.text == whole.sink.text));
    }
}

TEST_CASE("encoder: what is held back has a limit") {
    Written whole, held;
    for (Written* written : {&whole, &held}) {
        Encoder encoder(written->files, good, {});
        addRow(encoder, 0);
        if (written == &held) {
            encoder.hold();
            std::uint64_t cycle = 1;
            while (!encoder.isTooMuch() && cycle < 1'000'000)
                addRow(encoder, cycle++);
            CHECK(encoder.isTooMuch());
            encoder.takeBack();
            CHECK_FALSE(encoder.isTooMuch());
        }
        addRow(encoder, 1);
        encoder.finish();
    }
    CHECK((held.sink.text == whole.sink.text));
}

TEST_CASE("encoder: at once, where somebody else writes in between") {
    Written written;
    Encoder encoder(written.files, good, {});
    encoder.beImmediate();
    for (std::uint64_t cycle = 0; cycle < 3; ++cycle) {
        CHECK(addRow(encoder, cycle));
        written.sink.write("said\n");
    }
    encoder.finish();
    CHECK(written.sink.text == "cycle,x.a,x.b\n0,0,0\nsaid\n1,1,0\nsaid\n2,2,0\nsaid\n");
}

TEST_CASE("encoder: what cannot be written ends the run") {
    Written written;
    Encoder encoder(written.files, [] { return false; }, {});
    std::uint64_t cycle = 0;
    while (addRow(encoder, cycle))
        ++cycle;
    CHECK(cycle > 0);
    encoder.finish();
    const std::size_t length = written.sink.text.size();
    CHECK_FALSE(addRow(encoder, cycle));
    CHECK(written.sink.text.size() == length);
}

TEST_CASE("encoder: what writing throws, who adds rows gets to know") {
    Written written(kThrowing);
    Encoder encoder(written.files, good, {});
    const auto run = [&] {
        for (std::uint64_t cycle = 0; cycle < 10'000; ++cycle)
            addRow(encoder, cycle);
        encoder.finish();
    };
    CHECK_THROWS_AS(run(), std::bad_alloc);
}

TEST_CASE("encoder: rows are written where nobody comes to finish it") {
    for (const std::uint64_t cycles : {5, 100'000}) {
        Written written;
        {
            Encoder encoder(written.files, good, {});
            for (std::uint64_t cycle = 0; cycle < cycles; ++cycle)
                addRow(encoder, cycle);
        }
        CHECK(static_cast<std::uint64_t>(
                  std::count(written.sink.text.begin(), written.sink.text.end(), '\n'))
              == cycles + 1);
    }
}
