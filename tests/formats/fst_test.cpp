// FST: in which order a file grows. What readers find in it is compared in tests/tools/waves.py.

#include <catch2/catch.hpp>

#include "rows.h"

using namespace sme;

namespace {

/// Looks at the file after each step.
class WatchedSink final : public TextSink {
public:
    void write(std::string_view part) override {
        text.append(part);
        look();
    }
    void flush() override {}
    void overwrite(std::uint64_t at, std::string_view bytes) override {
        text.resize(std::max<std::size_t>(text.size(), at + bytes.size()));
        text.replace(at, bytes.size(), bytes);
        look();
    }
    void truncate(std::uint64_t size) override {
        text.resize(size);
        look();
    }
    std::string text;
    std::vector<std::string> blocks;  ///< after each step: the tags of all blocks, as letters

private:
    std::uint64_t number(std::size_t at) const {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 8; ++i)
            value = value << 8 | static_cast<unsigned char>(text.at(at + i));
        return value;
    }
    void look() {
        std::string tags;
        for (std::size_t at = 0; at < text.size(); at += 1 + number(at + 1)) {
            const auto tag = static_cast<unsigned char>(text[at]);
            tags.push_back(tag == 255 ? 's' : static_cast<char>('0' + tag));
        }
        if (blocks.empty() || blocks.back() != tags) blocks.push_back(tags);
        CHECK(number(1 + 16) >= 1);  // an end of time that is not 0
    }
};

constexpr Type kByte{Kind::Unsigned, 8, 1, "u8", 0, 0, nullptr, nullptr, 0, 0};

const TraceFormat* fstFormat() { return formatOf("x.fst", true); }

std::string fileOf(const std::vector<std::vector<std::uint8_t>>& rows) {
    StringSink sink;
    const auto writer = fstFormat()->make(sink);
    TraceDescription description{"top", {}, {10, true}};
    for (std::size_t i = 0; i < rows[0].size(); ++i)
        description.signals.push_back({"b.x" + std::to_string(i), 4, &kByte, 0});
    writer->begin(description);
    for (std::size_t cycle = 0; cycle < rows.size(); ++cycle) {
        std::vector<const std::byte*> values;
        for (const std::uint8_t& value : rows[cycle])
            values.push_back(reinterpret_cast<const std::byte*>(&value));
        rowOf(*writer, values, cycle);
    }
    writer->end();
    return sink.text;
}

}  // namespace

TEST_CASE("fst: a block is hidden until it is complete") {
    REQUIRE(fstFormat());
    WatchedSink sink;
    const auto writer = fstFormat()->make(sink);
    writer->begin({"top", {{"b.x", 3, &kByte, 0}}, {10, true}});
    for (std::uint8_t cycle = 0; cycle < 3; ++cycle) {
        const auto* at = reinterpret_cast<const std::byte*>(&cycle);
        rowOf(*writer, {at}, cycle);
        // readers open no file without a block: there is one from the first row on
        CHECK(sink.blocks.back() == "03638s");
    }
    writer->end();
    CHECK(sink.blocks == std::vector<std::string>{"036", "036s", "03638s", "03683", "0368"});
}

TEST_CASE("fst: a run without rows, a trace without signals") {
    WatchedSink sink;
    const auto writer = fstFormat()->make(sink);
    writer->begin({"top", {}, {10, false}});
    rowOf(*writer, {}, 0);
    writer->end();
    CHECK(sink.blocks == std::vector<std::string>{"036"});
}

TEST_CASE("fst: signals that change alike are written once") {
    std::vector<std::vector<std::uint8_t>> alike, apart;
    for (unsigned cycle = 0; cycle < 300; ++cycle) {
        const auto a = static_cast<std::uint8_t>(cycle * cycle * 7 / 3),
                   b = static_cast<std::uint8_t>(a + 1);
        alike.push_back({a, a, a});
        apart.push_back({a, b, a});
    }
    CHECK(fileOf(alike).size() + 200 < fileOf(apart).size());
}
