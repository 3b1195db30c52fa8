// What a reader sees of a file that grows, after each single write.

#include "fst/growing_file.h"

#include <catch2/catch.hpp>

#include <functional>
#include <random>

#include "fst/bytes.h"

using namespace sme;
using namespace sme::fst;

namespace {

class SteppingSink final : public TextSink {
public:
    explicit SteppingSink(std::function<void(const std::string&)> look) : look_(std::move(look)) {}
    void write(std::string_view) override { FAIL("all is written to its place"); }
    void flush() override {}
    void overwrite(std::uint64_t at, std::string_view bytes) override {
        text.resize(std::max<std::size_t>(text.size(), at + bytes.size()));
        text.replace(at, bytes.size(), bytes);
        look_(text);
    }
    void truncate(std::uint64_t size) override {
        text.resize(size);
        look_(text);
    }
    std::string text;

private:
    std::function<void(const std::string&)> look_;
};

std::uint64_t numberAt(const std::string& text, std::size_t at) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i)
        value = value << 8 | static_cast<unsigned char>(text.at(at + i));
    return value;
}

const std::string kGeometry = "geometry";

/// The first letters of the changes that a reader finds. It stops at the end and at a skip.
std::string seen(const std::string& text) {
    std::string found;
    for (std::size_t at = 0; at < text.size();) {
        const auto tag = static_cast<BlockTag>(text[at]);
        if (tag == BlockTag::Skip) break;
        const std::uint64_t length = numberAt(text, at + 1);
        if (tag == BlockTag::Geometry)
            CHECK(text.compare(at + 9, kGeometry.size(), kGeometry) == 0);
        if (tag == BlockTag::Changes) {
            const std::string content = text.substr(at + 9, length - 8);
            CHECK(content == std::string(content.size(), content[0]));
            found.push_back(content[0]);
        }
        at += 1 + length;
    }
    return found;
}

std::string changes(char letter, std::size_t size) {
    return block(BlockTag::Changes, std::string(size, letter));
}

}  // namespace

TEST_CASE("fst: what is shown of a file is what was shown before, or what comes now") {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        std::string before, now;
        SteppingSink sink([&](const std::string& text) {
            const std::string found = seen(text);
            CHECK((found == before || found == now));
        });
        GrowingFile file(sink, kGeometry, 400);
        file.begin(block(BlockTag::Header, "h") + block(BlockTag::Geometry, kGeometry));
        std::string kept, final = sink.text;
        const auto becomes = [&](const std::string& letters) {
            before = now;
            now = letters;
        };
        for (char letter = 'a'; letter <= 'j'; ++letter) {
            const std::size_t shows = random() % 5;
            std::size_t size = 20;
            for (std::size_t i = 0; i < shows; ++i) {
                size += random() % 60;
                becomes(kept + letter);
                file.show(changes(letter, size));
                CHECK(seen(sink.text) == now);
            }
            size += random() % 100;
            kept += letter;
            final += changes(letter, size);
            becomes(kept);
            file.append(changes(letter, size));
            CHECK(seen(sink.text) == now);
        }
        becomes(kept);
        file.end();
        CHECK(sink.text == final);
    }
}
