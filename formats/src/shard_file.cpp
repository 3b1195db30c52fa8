#include "formats/shard_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <system_error>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "packing.h"
#include "sme/state_format.h"

namespace sme {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShardMark = "smeshard";
constexpr std::uint32_t kShardVersion = 1;
constexpr std::size_t kShardHead =
    kShardMark.size() + sizeof kShardVersion + sizeof(std::uint64_t) + sizeof(std::uint32_t);
constexpr std::size_t kShardBlock = std::size_t{1} << 20;
constexpr std::uint64_t kMostPacked = 256;  // bytes of values that one of LZ4 may stand for
constexpr std::size_t kShardDigits = 16;
constexpr std::string_view kShardEnding = ".shard";

std::uint64_t hashOfBytes(std::span<const std::byte> bytes) {
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::string digitsOf(std::uint64_t checkpoint) {
    std::array<char, kShardDigits + 1> digits{};
    std::snprintf(digits.data(), digits.size(), "%016" PRIx64, checkpoint);
    return digits.data();
}

/// Whether `name` is `start`, so many digits, '-', a number and the ending.
bool isShard(std::string_view name, std::string_view start) {
    if (!name.starts_with(start) || !name.ends_with(kShardEnding)) return false;
    name = name.substr(start.size(), name.size() - start.size() - kShardEnding.size());
    if (name.size() < kShardDigits + 2 || name[kShardDigits] != '-') return false;
    const auto is = [](std::string_view text, std::string_view letters) {
        return text.find_first_not_of(letters) == std::string_view::npos;
    };
    return is(name.substr(0, kShardDigits), "0123456789abcdef")
           && is(name.substr(kShardDigits + 1), "0123456789");
}

}  // namespace

void append(std::vector<ShardStretch>& stretches, ShardStretch next) {
    if (next.bytes == 0) return;
    if (!stretches.empty() && stretches.back().end() == next.first)
        stretches.back().bytes += next.bytes;
    else
        stretches.push_back(next);
}

std::string shardName(const std::string& file, std::uint64_t checkpoint, unsigned rank) {
    return file + "." + digitsOf(checkpoint) + "-" + std::to_string(rank)
           + std::string(kShardEnding);
}

void removeShards(const std::string& file, std::uint64_t kept) {
    const fs::path path(file);
    const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
    const std::string start = path.filename().string() + ".";
    const std::string stays = start + digitsOf(kept) + "-";
    std::error_code error;
    for (fs::directory_iterator each(folder, error), end; !error && each != end;
         each.increment(error)) {
        const std::string name = each->path().filename().string();
        const bool isKept = kept != 0 && name.starts_with(stays);
        if (isShard(name, start) && !isKept) unlink(each->path().c_str());
    }
}

// ---------------------------------------------------------------- writing

ShardWriter::ShardWriter(const std::string& path, std::uint64_t checkpoint, unsigned rank)
    : sink_(open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666), FileSink::Owned{}) {
    StateWriter head;
    head.raw(reinterpret_cast<const std::byte*>(kShardMark.data()), kShardMark.size());
    head.number(kShardVersion);
    head.number(checkpoint);
    head.number<std::uint32_t>(rank);
    write(head.take());
    block_.reserve(kShardBlock);
    room_.resize(kShardBlock);
}

void ShardWriter::write(std::span<const std::byte> bytes) {
    sink_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    written_ += bytes.size();
}

void ShardWriter::add(std::uint64_t first, std::span<const std::byte> bytes) {
    append(stretches_, {first, bytes.size()});
    while (!bytes.empty() && problem() == 0) {
        const auto part = bytes.first(std::min(bytes.size(), kShardBlock - block_.size()));
        block_.insert(block_.end(), part.begin(), part.end());
        if (block_.size() == kShardBlock) endBlock();
        bytes = bytes.subspan(part.size());
    }
}

void ShardWriter::endBlock() {
    const std::span<const std::byte> packed = packedBlock(block_, room_);
    blocks_.push_back({written_, static_cast<std::uint32_t>(packed.size()),
                       packed.data() != block_.data(), hashOfBytes(packed)});
    write(packed);
    block_.clear();
}

ShardMark ShardWriter::finish(std::uint32_t objects, std::span<const std::byte> bytesOfObjects) {
    if (!block_.empty()) endBlock();
    StateWriter footer;
    footer.number<std::uint64_t>(stretches_.size());
    for (const ShardStretch& stretch : stretches_) {
        footer.number(stretch.first);
        footer.number(stretch.bytes);
    }
    footer.number<std::uint64_t>(blocks_.size());
    for (const ShardBlock& block : blocks_) {
        footer.number(block.at);
        footer.number(block.bytes);
        footer.number(block.isPacked);
        footer.number(block.hash);
    }
    footer.number(objects);
    footer.raw(bytesOfObjects.data(), bytesOfObjects.size());
    const std::vector<std::byte> bytes = footer.take();
    write(bytes);
    sink_.sync();
    return {"", written_, bytes.size(), hashOfBytes(bytes)};
}

// ---------------------------------------------------------------- reading

ShardReader::ShardReader(const std::string& folder, const ShardMark& mark, std::uint64_t checkpoint,
                         unsigned rank)
    : mark_(mark) {
    const std::string path = (fs::path(folder) / mark.name).string();
    // a pipe in its place would be waited for
    file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file_ < 0 && errno == ENOENT)
        throw BadState("lacks its shard '" + mark.name + "', which belongs beside it");
    if (file_ < 0) throw std::system_error(errno, std::generic_category());
    try {
        readHead(checkpoint, rank);
        readFooter();
    } catch (...) {
        ::close(file_);
        throw;
    }
}

ShardReader::~ShardReader() { ::close(file_); }

void ShardReader::refuse(const std::string& why) const {
    throw BadState("has a shard '" + mark_.name + "' that " + why);
}

void ShardReader::refuse(const std::string& why, std::uint64_t byte) const {
    refuse(why + " at byte " + std::to_string(byte));
}

std::uint64_t ShardReader::byteOfValues(std::uint64_t at) const {
    const std::uint64_t block = at / kShardBlock;
    return block < blocks_.size() ? blocks_[block].at : mark_.bytes - mark_.footer;
}

std::uint64_t ShardReader::byteOfStretch(std::size_t number) const {
    return mark_.bytes - mark_.footer + (1 + 2 * number) * sizeof(std::uint64_t);
}

std::vector<std::byte> ShardReader::bytesAt(std::uint64_t at, std::size_t bytes) const {
    if (at > mark_.bytes || bytes > mark_.bytes - at) refuse("is damaged", at);
    std::vector<std::byte> read(bytes);
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t got =
            pread(file_, read.data() + done, bytes - done, static_cast<off_t>(at + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw std::system_error(errno, std::generic_category());
        if (got == 0) refuse("is cut off", at + done);
        done += static_cast<std::size_t>(got);
    }
    return read;
}

/// One of another checkpoint is told as that, whatever its length.
void ShardReader::readHead(std::uint64_t checkpoint, unsigned rank) const {
    struct stat file {};
    if (fstat(file_, &file) != 0) throw std::system_error(errno, std::generic_category());
    if (!S_ISREG(file.st_mode)) refuse("is no file");
    const auto length = static_cast<std::uint64_t>(file.st_size);
    if (length < kShardHead) refuse("is cut off", length);
    const std::vector<std::byte> head = bytesAt(0, kShardHead);
    StateReader in(head);
    if (std::memcmp(in.raw(kShardMark.size()), kShardMark.data(), kShardMark.size()) != 0)
        refuse("is none");
    if (in.number<std::uint32_t>() != kShardVersion) refuse("has another version");
    const auto its = in.number<std::uint64_t>();
    if (its != checkpoint || in.number<std::uint32_t>() != rank) refuse("is one of another state");
    if (length != mark_.bytes) {
        if (length < mark_.bytes) refuse("is cut off", length);
        refuse("is too long", mark_.bytes);
    }
}

void ShardReader::readFooter() {
    if (mark_.footer > mark_.bytes) refuse("is damaged", mark_.bytes);
    const std::uint64_t first = mark_.bytes - mark_.footer;
    const std::vector<std::byte> footer = bytesAt(first, mark_.footer);
    if (hashOfBytes(footer) != mark_.hash) refuse("is damaged", first);
    StateReader in(footer, first);
    std::uint64_t end = 0;
    for (auto count = in.number<std::uint64_t>(); count > 0; --count) {
        ShardStretch stretch{};
        stretch.first = in.number<std::uint64_t>();
        stretch.bytes = in.number<std::uint64_t>();
        if (stretch.first < end || stretch.end() < stretch.first) refuse("is damaged", in.offset());
        end = stretch.end();
        values_ += stretch.bytes;
        stretches_.push_back(stretch);
    }
    for (auto count = in.number<std::uint64_t>(); count > 0; --count) {
        ShardBlock block{};
        block.at = in.number<std::uint64_t>();
        block.bytes = in.number<std::uint32_t>();
        block.isPacked = in.number<std::uint8_t>();
        block.hash = in.number<std::uint64_t>();
        if (block.at > mark_.bytes || block.bytes > mark_.bytes - block.at)
            refuse("is damaged", in.offset());
        blocks_.push_back(block);
    }
    const std::uint64_t wanted = values_ / kShardBlock + (values_ % kShardBlock != 0);
    if (wanted != blocks_.size() || values_ / kMostPacked > mark_.bytes)
        refuse("is damaged", in.offset());
    objects_ = in.number<std::uint32_t>();
    bytesOfObjects_.assign(in.rest().begin(), in.rest().end());
}

void ShardReader::load(std::uint64_t number) {
    if (number == loaded_) return;
    const ShardBlock& block = blocks_[number];
    std::vector<std::byte> bytes = bytesAt(block.at, block.bytes);
    if (hashOfBytes(bytes) != block.hash) refuse("is damaged", block.at);
    const std::size_t size = std::min<std::uint64_t>(kShardBlock, values_ - number * kShardBlock);
    if (block.isPacked != 0) {
        block_.resize(size);
        if (!unpackBlock(bytes, block_)) refuse("is damaged", block.at);
    } else {
        if (bytes.size() != size) refuse("is damaged", block.at);
        block_ = std::move(bytes);
    }
    loaded_ = number;
}

void ShardReader::read(std::uint64_t at, std::span<std::byte> to) {
    if (at > values_ || to.size() > values_ - at) refuse("is damaged", mark_.bytes - mark_.footer);
    while (!to.empty()) {
        load(at / kShardBlock);
        const std::size_t from = at % kShardBlock;
        const std::size_t size = std::min(to.size(), block_.size() - from);
        std::memcpy(to.data(), block_.data() + from, size);
        to = to.subspan(size);
        at += size;
    }
}

}  // namespace sme
