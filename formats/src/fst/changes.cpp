// A block of changes: first time, last time, bytes of all lists when unpacked; the frame; the lists,
// each with its unpacked length (0: as it is) in front; an index with the length of each list, or whose
// list it shares, or how many variables in a row have none; the times. Unpacked, a list of a counter
// of 8 bits that changes at times number 0, 2 and 3 is
//
//   00 00   04 01   02 02

#include "fst/changes.h"

#include <lz4.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <unordered_map>

namespace sme::fst {
namespace {

constexpr std::uint64_t kMostTimes = std::uint64_t{1}
                                     << 26;               // their numbers are shifted in 32 bits
constexpr std::uint64_t kBytes = std::uint64_t{8} << 20;  // of a block, before it is packed
constexpr std::uint64_t kBytesOfVariable =
    64;  // or so much, where there are many: each has a place in every block
constexpr std::size_t kShortList = 32;  // not worth packing

/// The value's highest bit is that of the first byte.
std::uint8_t* putVector(std::uint8_t* at, std::uint32_t width, std::uint64_t value) {
    value = __builtin_bswap64(value << (64 - width));
    std::memcpy(at, &value, sizeof value);
    return at + (width + 7) / 8;
}

std::uint8_t* putLongVector(std::uint8_t* at, std::uint32_t width, const std::byte* value) {
    const auto byteAt = [&](std::uint32_t bit) {  // eight bits from there on
        const unsigned low = static_cast<unsigned>(value[bit / 8]) >> (bit % 8);
        return bit % 8 == 0 ? low
                            : low | static_cast<unsigned>(value[bit / 8 + 1]) << (8 - bit % 8);
    };
    std::uint32_t left = width;
    for (; left >= 8; left -= 8)
        *at++ = static_cast<std::uint8_t>(byteAt(left - 8));
    if (left > 0) *at++ = static_cast<std::uint8_t>(static_cast<unsigned>(value[0]) << (8 - left));
    return at;
}

std::uint64_t loadValue(std::uint32_t bytes, const std::byte* at) {
    switch (bytes) {
    case 1: return static_cast<std::uint8_t>(*at);
    case 2: {
        std::uint16_t value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    case 4: {
        std::uint32_t value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    default: {
        std::uint64_t value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    }
}

std::uint64_t hashOf(const std::uint8_t* at, std::size_t size) {
    constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15;
    std::uint64_t hash = size * kPrime;
    for (; size >= 8; at += 8, size -= 8) {
        std::uint64_t word;
        std::memcpy(&word, at, sizeof word);
        hash = std::rotl((hash ^ word) * kPrime, 29);
    }
    for (; size > 0; ++at, --size)
        hash = std::rotl((hash ^ *at) * kPrime, 29);
    return hash;
}

/// Packs the lists of a block, each by itself, with one table: to clear it for each would take longer
/// than to pack most of them. A new one for each block, as what it has seen can show in how it packs.
class ListPacker {
public:
    explicit ListPacker(std::string& out) : out_(out) {
        LZ4_initStream(table_.get(), sizeof(LZ4_stream_t));
    }

    /// A list as it stands in the file.
    void append(const std::uint8_t* list, std::uint32_t size) {
        const auto* text = reinterpret_cast<const char*>(list);
        const std::uint32_t length = size > kShortList ? pack(text, size) : size;
        const bool isShorter = length < size;
        appendVarint(out_, isShorter ? size : 0);
        out_.append(isShorter ? packed_.data() : text, std::min(length, size));
    }

private:
    /// The length. It never fails for want of room, after which the table could not be used again.
    std::uint32_t pack(const char* text, std::uint32_t size) {
        const int most = LZ4_compressBound(static_cast<int>(size));
        if (packed_.size() < static_cast<std::size_t>(most))
            packed_.resize(static_cast<std::size_t>(most));
        LZ4_resetStream_fast(table_.get());  // nothing of the lists before
        const int length = LZ4_compress_fast_continue(table_.get(), text, packed_.data(),
                                                      static_cast<int>(size), most, 1);
        return static_cast<std::uint32_t>(length);
    }

    std::string& out_;
    std::vector<char> packed_;
    std::unique_ptr<LZ4_stream_t> table_ = std::make_unique<LZ4_stream_t>();
};

}  // namespace

Changes::Changes(std::vector<ValueShape> shapes)
    : shapes_(std::move(shapes)),
      lists_(shapes_.size()),
      mostBytes_(std::max(kBytes, shapes_.size() * kBytesOfVariable)) {}

bool Changes::isFull() const { return bytes_ >= mostBytes_ || times_ >= kMostTimes; }

void Changes::at(std::uint64_t time) {
    if (times_ == 0) first_ = time;
    appendVarint(timeTable_, times_ == 0 ? time : time - last_);
    last_ = time;
    ++times_;
}

std::uint8_t* Changes::room(List& list, std::size_t most) {
    if (list.size + most > list.bytes.size()) list.bytes.resize(2 * list.bytes.size() + most + 56);
    return list.bytes.data() + list.size;
}

void Changes::change(std::size_t variable, const std::byte* value) {
    const ValueShape& shape = shapes_[variable];
    List& list = lists_[variable];
    const auto now = static_cast<std::uint32_t>(times_ - 1);
    const std::uint64_t later = now - list.time;
    list.time = now;
    std::uint8_t* const start = room(list, kMostVarint + 8 + shape.packedBytes());
    std::uint8_t* end = start;
    switch (shape.form) {
    case ValueShape::Form::Bit:
        end = putVarint(start, later << 2 | (static_cast<unsigned>(*value) & 1u) << 1);
        break;
    case ValueShape::Form::Vector:
        end = putVector(putVarint(start, later << 1), shape.width, loadValue(shape.bytes, value));
        break;
    case ValueShape::Form::LongVector:
        end = putLongVector(putVarint(start, later << 1), shape.width, value);
        break;
    case ValueShape::Form::Real: {
        const double real = realOf(shape.bytes, value);
        end = putVarint(start, later << 1 | 1);
        std::memcpy(end, &real, sizeof real);
        end += sizeof real;
        break;
    }
    }
    const auto added = static_cast<std::uint32_t>(end - start);
    list.size += added;
    bytes_ += added;
}

std::vector<std::uint32_t> Changes::sameAs() const {
    std::unordered_multimap<std::uint64_t, std::uint32_t> seen;
    std::vector<std::uint32_t> same(lists_.size());
    for (std::uint32_t i = 0; i < lists_.size(); ++i) {
        const List& list = lists_[i];
        same[i] = i;
        if (list.size == 0) continue;
        const std::uint64_t hash = hashOf(list.bytes.data(), list.size);
        const auto [begin, end] = seen.equal_range(hash);
        for (auto other = begin; other != end && same[i] == i; ++other) {
            const List& known = lists_[other->second];
            if (known.size == list.size
                && std::memcmp(known.bytes.data(), list.bytes.data(), list.size) == 0)
                same[i] = other->second;
        }
        if (same[i] == i) seen.emplace(hash, i);
    }
    return same;
}

void Changes::appendLists(std::string& out, std::string& index) const {
    const std::vector<std::uint32_t> same = sameAs();
    const std::size_t start = out.size() - 1;  // offsets count from the letter of the packing on
    std::size_t before = start;
    std::uint64_t without = 0;
    std::uint32_t shared = ~std::uint32_t{0};
    ListPacker packer(out);
    for (std::uint32_t i = 0; i < lists_.size(); ++i) {
        const List& list = lists_[i];
        if (list.size == 0) {
            ++without;
            continue;
        }
        if (without > 0) appendVarint(index, without << 1);
        without = 0;
        if (same[i] != i) {
            const std::int64_t number =
                same[i] == shared ? 0 : -static_cast<std::int64_t>(same[i]) - 1;
            appendSignedVarint(index, number * 2 + 1);
            shared = same[i];
            continue;
        }
        appendSignedVarint(index, static_cast<std::int64_t>(out.size() - before) * 2 + 1);
        before = out.size();
        packer.append(list.bytes.data(), list.size);
    }
    if (without > 0) appendVarint(index, without << 1);
}

void Changes::appendTimes(std::string& out) const {
    const std::string times = packed(timeTable_);
    out += times;
    appendNumber(out, timeTable_.size());
    appendNumber(out, times.size());
    appendNumber(out, times_);
}

std::string Changes::block(const std::string& frame) const {
    std::string out;
    appendNumber(out, first_);
    appendNumber(out, last_);
    appendNumber(out, bytes_);
    const std::string values = packed(frame);
    appendVarint(out, frame.size());
    appendVarint(out, values.size());
    appendVarint(out, lists_.size());
    out += values;
    appendVarint(out, lists_.size());
    out.push_back('4');  // lists are packed with lz4
    std::string index;
    appendLists(out, index);
    out += index;
    appendNumber(out, index.size());
    appendTimes(out);
    return fst::block(BlockTag::Changes, out);
}

void Changes::clear() {
    for (List& list : lists_)
        list.size = list.time = 0;
    timeTable_.clear();
    times_ = bytes_ = 0;
}

void Changes::write(StateWriter& out) const {
    for (const std::uint64_t number : {times_, first_, last_, bytes_})
        out.number(number);
    out.text(timeTable_);
    for (const List& list : lists_) {
        out.number(list.size);
        out.number(list.time);
        out.raw(reinterpret_cast<const std::byte*>(list.bytes.data()), list.size);
    }
}

void Changes::read(StateReader& in) {
    for (std::uint64_t* number : {&times_, &first_, &last_, &bytes_})
        *number = in.number<std::uint64_t>();
    timeTable_ = in.text();
    for (List& list : lists_) {
        list.size = in.number<std::uint32_t>();
        list.time = in.number<std::uint32_t>();
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(in.raw(list.size));
        list.bytes.assign(bytes, bytes + list.size);
    }
}

std::uint64_t Changes::longestBlock() const {
    constexpr std::uint64_t kIndexAndRow = 40;  // bytes of a variable
    return 2 * mostBytes_ + lists_.size() * kIndexAndRow + (std::uint64_t{1} << 20);
}

}  // namespace sme::fst
