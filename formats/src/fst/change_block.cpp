// changes.cpp says how a block is made up. A list stands once for all signals that share it, and is
// kept packed out: at each time those are read on that have a change then, which are chained.

#include "fst/change_block.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace sme::fst {
namespace {

constexpr std::size_t kEightBytes = 8;
constexpr std::size_t kTail = 3 * kEightBytes;
constexpr std::string_view kOtherBits = "xzhuwl-?";

std::uint64_t lengthInFrame(const FstReader::Signal& signal) {
    switch (signal.form) {
    case FstReader::Form::Bits: return signal.width;
    case FstReader::Form::Real: return sizeof(double);
    case FstReader::Form::Text: return 0;
    }
    return 0;
}

std::string_view asText(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

ChangeBlock::ChangeBlock(BlockContext context, IndexForm form, Bytes content, std::uint64_t offset)
    : context_(context), content_(std::move(content)), offset_(offset), room_(context.room) {
    ByteReader in(content_, offset_);
    begin_ = in.number();
    in.take(2 * kEightBytes);  // the last time, memory that its writer wants to be used
    readFrame(in);
    signalsOfIndex_ = in.varint();
    if (signalsOfIndex_ > context_.signals.size())
        in.fail("a block of " + std::to_string(signalsOfIndex_) + " signals, where the file has "
                + std::to_string(context_.signals.size()));
    const std::size_t lists = in.at();  // whence places are counted
    if (in.remaining() < 1 + kEightBytes + kTail) in.fail("a block is cut off");
    readTimes(std::span(content_).subspan(lists));
    // the index is before the times, its length between them
    const std::span<const std::uint8_t> all(content_);
    ByteReader tail(all.last(kTail), offset_ + all.size() - kTail);
    tail.number();
    const std::uint64_t packedTimes = tail.number();
    const std::size_t end = content_.size() - kTail - packedTimes;
    if (end < lists + 1 + kEightBytes) tail.fail("the times of a block take more than the block");
    ByteReader length(all.subspan(end - kEightBytes, kEightBytes), offset_ + end - kEightBytes);
    const std::uint64_t index = length.number();
    const std::size_t most = end - kEightBytes - lists - 1;
    if (index > most)
        length.fail("an index of " + std::to_string(index) + " bytes, where " + std::to_string(most)
                    + " are left");
    const std::size_t at = end - kEightBytes - index;
    listOf_.reserve(signalsOfIndex_);
    readIndex(ByteReader(all.subspan(at, index), offset_ + at), form, at - lists);
    first_.assign(times_.size(), kNone);
    for (std::uint32_t i = 0; i < lists_.size(); ++i) {
        lists_[i].offset = offset_ + lists + lists_[i].at;
        unpack(lists_[i], all.subspan(lists, at - lists));
        schedule(i);
    }
}

void ChangeBlock::readFrame(ByteReader& in) {
    const std::uint64_t place = in.offset();
    const std::uint64_t size = in.varint();
    const std::uint64_t packed = in.varint();
    frameSignals_ = in.varint();
    const auto bytes = in.take(packed);
    frame_ = packed == size ? Bytes(bytes.begin(), bytes.end())
                            : unpacked(Packing::Zlib, bytes, size, room_, place);
    if (frameSignals_ > context_.signals.size())
        throw DamagedFile(place, "first values of more signals than there are");
    std::uint64_t needed = 0;  // no sum can run over: a width has 32 bits, as the count has
    for (const FstReader::Signal& signal : context_.signals.first(frameSignals_))
        needed += lengthInFrame(signal);
    if (needed > frame_.size())
        throw DamagedFile(place, "first values take " + std::to_string(needed)
                                     + " bytes, and there are " + std::to_string(frame_.size()));
}

void ChangeBlock::readTimes(std::span<const std::uint8_t> rest) {
    const std::uint64_t end = offset_ + content_.size();
    ByteReader tail(rest.last(kTail), end - kTail);
    const std::uint64_t place = tail.offset();
    const std::uint64_t size = tail.number();
    const std::uint64_t packed = tail.number();
    const std::uint64_t count = tail.number();
    const auto before = rest.first(rest.size() - kTail);
    if (packed > before.size()) tail.fail("the times of a block take more than the block");
    const auto bytes = before.last(packed);
    const Bytes all = packed == size ? Bytes(bytes.begin(), bytes.end())
                                     : unpacked(Packing::Zlib, bytes, size, room_, place);
    if (count > all.size() || count >= kNone)
        tail.fail(std::to_string(count) + " times in " + std::to_string(all.size()) + " bytes");
    room_.take(count * (sizeof(std::uint64_t) + sizeof(std::uint32_t)), place);
    ByteReader in = ByteReader::ofPacked(all, place);
    times_.reserve(count);
    std::uint64_t time = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (__builtin_add_overflow(time, in.varint(), &time)) in.fail("a time of too many bits");
        times_.push_back(time);
    }
}

/// In a block of many: what it takes to know of one.
void ChangeBlock::takeList(const ByteReader& in) {
    constexpr std::uint64_t kBytesOfList = 256;
    room_.take(kBytesOfList, in.offset());
}

void ChangeBlock::addList(std::uint64_t step) {
    const auto number = static_cast<std::uint32_t>(lists_.size());
    List list{.source = number};
    list.at = step;
    if (last_ != kNone) {
        lists_[last_].size = step;
        list.at += lists_[last_].at;
    }
    list.signals.push_back(static_cast<std::uint32_t>(listOf_.size()));
    listOf_.push_back(last_ = number);
    lists_.push_back(std::move(list));
}

void ChangeBlock::addShared(std::uint64_t signal, const ByteReader& in) {
    if (signal >= listOf_.size()) in.fail("a signal shares the changes of one that comes later");
    std::uint32_t list = listOf_[signal];
    if (list != kNone) {
        list = listLike(lists_[list].source, context_.signals[listOf_.size()], in);
        lists_[list].signals.push_back(static_cast<std::uint32_t>(listOf_.size()));
    }
    listOf_.push_back(list);
}

std::uint32_t ChangeBlock::listLike(std::uint32_t source, FstReader::Signal shape,
                                    const ByteReader& in) {
    const FstReader::Signal& its = context_.signals[lists_[source].signals.front()];
    if (its.form == shape.form && its.width == shape.width) return source;
    const auto next = static_cast<std::uint32_t>(lists_.size());
    const auto [known, isNew] = others_.try_emplace({source, shape.form, shape.width}, next);
    if (isNew) takeList(in);
    if (isNew) lists_.push_back({.source = source});
    return known->second;
}

void ChangeBlock::addWithout(std::uint64_t count, const ByteReader& in) {
    if (count > signalsOfIndex_ - listOf_.size())
        in.fail("an index of more signals than there are");
    listOf_.resize(listOf_.size() + count, kNone);
}

/// `end`: of the last list, from the letter of the packing on.
void ChangeBlock::readIndex(ByteReader in, IndexForm form, std::uint64_t end) {
    std::uint64_t shared = 0;
    while (!in.isAtEnd()) {
        const ByteReader here = in;
        ByteReader asUnsigned = in;
        const std::uint64_t number = asUnsigned.varint();
        const bool isSigned = form == IndexForm::Aliases && (number & 1) != 0;
        const std::int64_t value = isSigned ? in.signedVarint() >> 1 : 0;
        if (!isSigned) in = asUnsigned;
        const bool isOne = (number & 1) != 0 || (number == 0 && form == IndexForm::Plain);
        if (isOne && listOf_.size() >= signalsOfIndex_)
            here.fail("an index of more signals than there are");
        if (isSigned && value <= 0) {
            if (value < 0) shared = static_cast<std::uint64_t>(-(value + 1));
            addShared(shared, here);
        } else if ((number & 1) != 0) {
            const std::uint64_t step = isSigned ? static_cast<std::uint64_t>(value) : number >> 1;
            const std::uint64_t before = last_ == kNone ? 0 : lists_[last_].at;
            if (step == 0 || step > end - before) here.fail("a list of changes beyond its block");
            takeList(here);
            addList(step);
        } else if (number == 0 && form == IndexForm::Plain) {
            addShared(in.varint() - 1, here);
        } else {
            addWithout(number >> 1, here);
        }
    }
    if (last_ != kNone) lists_[last_].size = end - lists_[last_].at;
}

void ChangeBlock::unpack(List& list, std::span<const std::uint8_t> lists) {
    const List& source = lists_[list.source];
    if (&source != &list) {  // which came before
        list.bytes = source.bytes;
        list.offset = source.offset;
        return;
    }
    ByteReader in(lists.subspan(list.at, list.size), list.offset);
    const std::uint64_t size = in.varint();
    const auto rest = in.take(in.remaining());
    list.bytes = rest;
    if (size == 0) return;
    const std::uint8_t letter = lists[0];
    const Packing packing = letter == '4'   ? Packing::Lz4
                            : letter == 'F' ? Packing::FastLz
                                            : Packing::Zlib;
    list.unpacked = unpacked(packing, rest, size, room_, list.offset);
    list.bytes = list.unpacked;
}

/// Chains a list to the time of its next change.
void ChangeBlock::schedule(std::uint32_t number) {
    List& list = lists_[number];
    if (list.read == list.bytes.size()) return;
    const FstReader::Signal& signal = context_.signals[list.signals.front()];
    const bool isBit = signal.form == FstReader::Form::Bits && signal.width == 1;
    ByteReader in = ByteReader::ofPacked(list.bytes.subspan(list.read), list.offset);
    const std::uint64_t head = in.varint();
    const std::uint64_t later = !isBit ? head >> 1 : (head & 1) == 0 ? head >> 2 : head >> 4;
    if (later >= times_.size() - list.now) in.fail("a change after the last time of its block");
    list.now += static_cast<std::uint32_t>(later);
    list.after = first_[list.now];
    first_[list.now] = number;
}

void ChangeBlock::frame(const FstReader::Change& change) const {
    std::size_t at = 0;
    for (std::size_t i = 0; i < frameSignals_; ++i) {
        const FstReader::Signal& signal = context_.signals[i];
        const std::size_t size = lengthInFrame(signal);
        std::string value(asText(std::span(frame_).subspan(at, size)));
        if (signal.form == FstReader::Form::Real && context_.swapsReals)
            std::ranges::reverse(value);
        if (signal.form != FstReader::Form::Text) change(i, value);
        at += size;
    }
}

bool ChangeBlock::next() { return now_ < times_.size() && ++now_ > 0; }

void ChangeBlock::changes(const FstReader::Change& change) {
    // a list that is read may be chained to this time again
    while (first_[now_ - 1] != kNone) {
        const std::uint32_t number = first_[now_ - 1];
        List& list = lists_[number];
        first_[now_ - 1] = list.after;
        readChange(list, change);
        schedule(number);
    }
}

void ChangeBlock::readChange(List& list, const FstReader::Change& change) {
    const FstReader::Signal& signal = context_.signals[list.signals.front()];
    ByteReader in = ByteReader::ofPacked(list.bytes.subspan(list.read), list.offset);
    const std::string_view value = valueOf(in, signal);
    list.read += in.at();
    changes_ += list.signals.size();
    if (changes_ > context_.most) in.fail("more changes than a file of this size can have");
    for (const std::uint32_t each : list.signals)
        change(each, value);
}

std::string_view ChangeBlock::valueOf(ByteReader& in, FstReader::Signal signal) {
    const std::uint64_t head = in.varint();
    if (signal.form == FstReader::Form::Text) return asText(in.take(in.varint()));
    if (signal.form == FstReader::Form::Bits && signal.width == 1) return bitOf(head);
    const bool isPacked = (head & 1) == 0;
    if (signal.form == FstReader::Form::Bits) return vectorOf(in, signal.width, isPacked);
    value_ = vectorOf(in, sizeof(double), isPacked);
    if (context_.swapsReals) std::ranges::reverse(value_);
    return value_;
}

std::string_view ChangeBlock::bitOf(std::uint64_t head) {
    const bool isKnown = (head & 1) == 0;
    const unsigned number = static_cast<unsigned>(head >> 1 & (isKnown ? 1 : 7));
    return isKnown ? std::string_view("01").substr(number, 1) : kOtherBits.substr(number, 1);
}

std::string_view ChangeBlock::vectorOf(ByteReader& in, std::uint32_t width, bool isPacked) {
    if (!isPacked) return asText(in.take(width));
    const auto bytes = in.take((std::uint64_t{width} + 7) / 8);
    std::string bits;
    bits.reserve(width);
    for (std::uint32_t i = 0; i < width; ++i)
        bits.push_back((bytes[i / 8] >> (7 - i % 8) & 1) != 0 ? '1' : '0');
    value_ = std::move(bits);
    return value_;
}

}  // namespace sme::fst
