#include "fst/unpack.h"

#include <lz4.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace sme::fst {
namespace {

/// Bytes that one packed byte may stand for, at most.
std::uint64_t growthOf(Packing packing) {
    switch (packing) {
    case Packing::Zlib:
    case Packing::Gzip: return 1'032;
    case Packing::Lz4:
    case Packing::FastLz: return 256;
    }
    return 0;
}

bool inflateAll(std::span<const std::uint8_t> packed, Bytes& to, int windowBits) {
    z_stream stream{};
    stream.next_in = const_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = to.data();
    stream.avail_out = static_cast<uInt>(to.size());
    if (inflateInit2(&stream, windowBits) != Z_OK) return false;
    const int result = inflate(&stream, Z_FINISH);
    const bool isWhole = result == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return isWhole;
}

bool lz4All(std::span<const std::uint8_t> packed, Bytes& to) {
    const int size = LZ4_decompress_safe(
        reinterpret_cast<const char*>(packed.data()), reinterpret_cast<char*>(to.data()),
        static_cast<int>(packed.size()), static_cast<int>(to.size()));
    return size == static_cast<int>(to.size());
}

/// FastLZ, of both levels: runs of literals, and copies of what came before by length and distance.
/// The three highest bits of the first byte are the level.
class FastLz {
public:
    FastLz(std::span<const std::uint8_t> packed, Bytes& to) : in_(packed), to_(to) {}

    bool run() {
        std::uint8_t control = in_.byte();
        const bool isSecond = control >> 5 == 1;
        if (control >> 5 > 1) return false;
        for (control &= 31;; control = in_.byte()) {
            if (control < 32 ? !literals(control + 1U) : !copy(control, isSecond)) return false;
            if (in_.isAtEnd()) return at_ == to_.size();
        }
    }

private:
    bool literals(std::size_t count) {
        if (count > to_.size() - at_) return false;
        const auto bytes = in_.take(count);
        std::copy(bytes.begin(), bytes.end(), to_.begin() + static_cast<std::ptrdiff_t>(at_));
        at_ += count;
        return true;
    }
    bool copy(std::uint8_t control, bool isSecond) {
        constexpr std::size_t kFarthest = 8'191;
        std::size_t length = (control >> 5) + 2U;
        std::size_t distance = static_cast<std::size_t>(control & 31) << 8;
        if (length == 9) {
            std::uint8_t more = in_.byte();
            length += more;
            while (isSecond && more == 255)
                length += more = in_.byte();
        }
        const std::uint8_t low = in_.byte();
        distance += low;
        if (isSecond && low == 255 && (control & 31) == 31) {
            const std::size_t high = in_.byte();
            distance = kFarthest + (high << 8 | in_.byte());
        }
        ++distance;
        if (distance > at_ || length > to_.size() - at_) return false;
        for (; length > 0; --length, ++at_)
            to_[at_] = to_[at_ - distance];
        return true;
    }

    ByteReader in_;
    Bytes& to_;
    std::size_t at_ = 0;
};

bool unpackInto(Packing packing, std::span<const std::uint8_t> packed, Bytes& to) {
    constexpr int kZlibWindow = 15, kGzipWindow = 15 + 16;
    switch (packing) {
    case Packing::Zlib: return inflateAll(packed, to, kZlibWindow);
    case Packing::Gzip: return inflateAll(packed, to, kGzipWindow);
    case Packing::Lz4: return lz4All(packed, to);
    case Packing::FastLz: return FastLz(packed, to).run();
    }
    return false;
}

}  // namespace

void Room::take(std::uint64_t bytes, std::uint64_t offset) {
    if (bytes > left_)
        throw DamagedFile(offset, "what is packed here would take " + std::to_string(bytes)
                                      + " bytes, which is too much for a file of this size");
    left_ -= bytes;
}

Bytes unpacked(Packing packing, std::span<const std::uint8_t> packed, std::uint64_t bytes,
               Room& room, std::uint64_t offset) {
    if (bytes / growthOf(packing) > packed.size()
        || bytes > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
        throw DamagedFile(offset, std::to_string(packed.size()) + " packed bytes cannot be "
                                      + std::to_string(bytes));
    room.take(bytes, offset);
    Bytes to(bytes);
    bool isGood = false;
    try {
        isGood = unpackInto(packing, packed, to);
    } catch (const DamagedFile&) {  // of FastLz, whose place is within the packed bytes
    }
    if (!isGood) throw DamagedFile(offset, "what is packed here is damaged");
    return to;
}

}  // namespace sme::fst
