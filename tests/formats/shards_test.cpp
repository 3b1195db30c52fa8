// States in shards: what is written is what is read, and what is wrong is found.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

#include "formats/shard_manifest.h"
#include "sme/state_format.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace sme;

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNumber = 0x123456789ABCDEFULL;

/// A folder with a state of two shards: values 0 and 2 of four of `size` bytes, and 1 and 3.
class Kept {
public:
    explicit Kept(std::size_t size) : size_(size) {
        std::string pattern = (fs::temp_directory_path() / "shards-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        for (std::size_t i = 0; i < 4 * size; ++i)
            values_.push_back(static_cast<std::byte>(i * i >> 3));
        manifest_.checkpoint = kNumber;
        manifest_.traces = {{"-", 0, 0, 3, 0, {}}};
        manifest_.head = {std::byte{1}, std::byte{2}};
        manifest_.skeleton.named = {{{std::byte{3}}, size}, {{std::byte{4}}, 2 * size}};
        manifest_.skeleton.hidden = {{{std::byte{5}}, size}, {{std::byte{6}}, 0}};
        for (const unsigned rank : {0u, 1u})
            writeShard(rank);
    }
    ~Kept() { fs::remove_all(folder_); }
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;

    std::string path(unsigned rank) const { return shardName(folder_ + "/kept", kNumber, rank); }
    std::vector<std::byte> whole() const {
        StateWriter out;
        const auto value = [&](std::size_t first, std::size_t count) {
            out.raw(values_.data() + first * size_, count * size_);
        };
        out.raw(manifest_.head.data(), 2);
        out.number<std::uint8_t>(3);
        value(0, 1);
        out.number<std::uint8_t>(4);
        value(1, 2);
        out.number<std::uint32_t>(3);  // objects
        out.number<std::uint8_t>(7);
        out.number<std::uint8_t>(8);
        out.number<std::uint8_t>(5);
        value(3, 1);
        out.number<std::uint8_t>(6);
        return out.take();
    }
    const std::string& folder() const { return folder_; }
    ShardManifest& manifest() { return manifest_; }

private:
    void writeShard(unsigned rank) {
        ShardWriter shard(path(rank), kNumber, rank);
        for (const std::size_t value : {std::size_t{rank}, std::size_t{rank} + 2})
            shard.add(value * size_, std::span(values_).subspan(value * size_, size_));
        const std::vector<std::byte> object{static_cast<std::byte>(7 + rank)};
        ShardMark mark = shard.finish(1 + rank, object);
        CHECK(shard.problem() == 0);
        mark.name = shardName("kept", kNumber, rank);
        manifest_.shards.push_back(mark);
    }

    const std::size_t size_;
    std::string folder_;
    std::vector<std::byte> values_;
    ShardManifest manifest_;
};

std::string problemOf(const Kept& kept, const ShardManifest& manifest) {
    try {
        assembled(manifest, kept.folder());
    } catch (const BadState& problem) {
        return problem.what();
    }
    return "";
}

}  // namespace

TEST_CASE("shards: what is written is what is read", "[shards]") {
    for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, std::size_t{1500} << 10}) {
        Kept kept(size);
        const std::string text = toText(kept.manifest());
        const auto bytes = std::as_bytes(std::span(text));
        CHECK(isManifest(bytes));
        CHECK(manifestOf(bytes) == kept.manifest());
        const CheckpointFile file = assembled(kept.manifest(), kept.folder());
        CHECK(file.traces == kept.manifest().traces);
        CHECK(file.state == kept.whole());
        for (const std::size_t length : {std::size_t{20}, text.size() - 1})
            CHECK_THROWS_AS(manifestOf(bytes.first(length)), BadState);
    }
}

TEST_CASE("shards: any place of a shard can be read, in blocks", "[shards]") {
    const std::size_t size = std::size_t{1500} << 10;
    Kept kept(size);
    ShardReader shard(kept.folder(), kept.manifest().shards[1], kNumber, 1);
    CHECK(shard.stretches() == std::vector<ShardStretch>{{size, size}, {3 * size, size}});
    const std::vector<std::byte> whole = kept.whole();
    std::vector<std::byte> read(100);
    for (const std::size_t at : {std::size_t{1} << 20, std::size_t{0}, size - 50, 2 * size - 100}) {
        shard.read(at, read);
        for (std::size_t i = 0; i < read.size(); ++i) {
            const std::size_t value = at + i < size ? 3 + size + 1 : 3 + 2 * size + 1 + 4 + 2 + 1;
            REQUIRE(read[i] == whole[value + at + i]);
        }
    }
    CHECK_THROWS_AS(shard.read(2 * size - 99, read), BadState);
}

TEST_CASE("shards: what is wrong with one is told", "[shards]") {
    Kept kept(1000);
    const ShardManifest good = kept.manifest();
    CHECK(problemOf(kept, good).empty());
    ShardManifest bad = good;
    bad.checkpoint += 2;
    CHECK(problemOf(kept, bad).find("is one of another state") != std::string::npos);
    bad = good;
    std::swap(bad.shards[0], bad.shards[1]);
    CHECK(problemOf(kept, bad).find("is one of another state") != std::string::npos);
    bad = good;
    ++bad.shards[0].hash;
    CHECK(problemOf(kept, bad).find("is damaged at byte ") != std::string::npos);
    bad = good;
    bad.shards[0].footer = ~std::uint64_t{0};
    CHECK(problemOf(kept, bad).find("is damaged") != std::string::npos);
    bad = good;
    bad.shards.pop_back();  // not all values are there
    CHECK(
        problemOf(kept, bad).starts_with("the state is damaged: no shard has its value at byte "));
    bad = good;
    bad.skeleton.named[0].values += 1;
    CHECK(
        problemOf(kept, bad).starts_with("the state is damaged: no shard has its value at byte "));
    bad = good;
    bad.shards[0].name = "../" + bad.shards[0].name;
    const std::string text = toText(bad);
    CHECK_THROWS_AS(manifestOf(std::as_bytes(std::span(text))), BadState);
    fs::resize_file(kept.path(0), 100);
    CHECK(problemOf(kept, good).find("is cut off at byte ") != std::string::npos);
    fs::remove(kept.path(0));
    CHECK(problemOf(kept, good).find("lacks its shard") != std::string::npos);
}

namespace {

/// A shard's file with a footer of its own, which the mark says to be good.
std::string problemOfFooter(Kept& kept, const StateWriter& footer) {
    StateWriter copy = footer;
    const std::vector<std::byte> bytes = copy.take();
    ShardMark& mark = kept.manifest().shards[0];
    std::ofstream(kept.path(0), std::ios::binary | std::ios::in | std::ios::ate)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    mark.bytes += bytes.size();
    mark.footer = bytes.size();
    mark.hash = XXH3_64bits(bytes.data(), bytes.size());
    return problemOf(kept, kept.manifest());
}

constexpr std::uint64_t kHuge = ~std::uint64_t{0};

}  // namespace

TEST_CASE("shards: lengths that cannot be are refused before there is memory for them",
          "[shards]") {
    const auto footerOf = [](std::uint64_t values, std::uint64_t blocks, std::uint64_t at) {
        StateWriter footer;
        footer.number<std::uint64_t>(1);
        footer.number<std::uint64_t>(0);
        footer.number(values);
        footer.number(blocks);
        footer.number(at);
        footer.number<std::uint32_t>(10);
        footer.number<std::uint8_t>(0);
        footer.number<std::uint64_t>(0);
        footer.number<std::uint32_t>(0);
        return footer;
    };
    const std::vector<StateWriter> footers{
        footerOf(kHuge, 0, 0),  // as many blocks as that takes, rounded beyond the end of numbers
        footerOf(10, 1, kHuge - 5), footerOf(std::uint64_t{1} << 20, 1, 24)};
    for (const StateWriter& footer : footers) {
        Kept kept(1000);
        CHECK(problemOfFooter(kept, footer).starts_with("the state has a shard"));
    }
    Kept kept(1000);
    CHECK(!problemOfFooter(kept, footerOf(10, kHuge, 0)).empty());
    ShardManifest bad = kept.manifest();
    bad.skeleton.named[0].values = kHuge;
    bad.skeleton.named[1].values = 2;
    const std::string text = toText(bad);
    CHECK_THROWS_AS(manifestOf(std::as_bytes(std::span(text))), BadState);
}

TEST_CASE("shards: what is no regular file is not opened to see whether it is a manifest",
          "[shards]") {
    const Kept kept(10);
    const std::string path = kept.folder() + "/pipe";
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    CHECK(!standsForShards(path));
}

TEST_CASE("shards: those of other states go, and nothing else", "[shards]") {
    Kept kept(10);
    const std::string file = kept.folder() + "/kept";
    const std::vector<std::string> others{
        file + ".0123456789abcdef-0", file + ".0123456789abcdef-x.shard",
        file + ".0123456789abcde-0.shard", file + "x.0123456789abcdef-0.shard", file + ".shard"};
    for (const std::string& other : others)
        std::ofstream(other) << "x";
    const std::string old = shardName(file, kNumber + 2, 11);
    std::ofstream(old) << "x";
    removeShards(file, kNumber);
    CHECK(!fs::exists(old));
    CHECK(fs::exists(kept.path(0)));
    removeShards(file, 0);
    CHECK(!fs::exists(kept.path(0)));
    CHECK(!fs::exists(kept.path(1)));
    for (const std::string& other : others)
        CHECK(fs::exists(other));
}

TEST_CASE("shards: one that is there already is not written over", "[shards]") {
    Kept kept(10);
    CHECK(ShardWriter(kept.path(0), kNumber, 0).problem() == EEXIST);
    CHECK(problemOf(kept, kept.manifest()).empty());
}
