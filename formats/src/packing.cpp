// length of all, then blocks: length in the file, 0 where it is as it is, and the bytes.
//
// 128 MiB onto a disk, synced, in ms with two processors for many: zeros 260 as they are, 90 packed;
// numbers of which half is zeros 290 as they are, 1,300 packed to 65 MiB. So a block is packed where
// samples of it shrink to a quarter.

#include "packing.h"

#include <algorithm>

#ifdef SME_FST
#include <lz4.h>
#endif

#include "sme/state_format.h"

namespace sme {
namespace {

constexpr std::size_t kPackedBlock = std::size_t{4} << 20;
constexpr std::size_t kSample = std::size_t{8} << 10;
constexpr std::size_t kSamples = 8;
constexpr std::size_t kShrinks = 4;  // to a part of its length

/// Into `to`, which is as long as `bytes`. 0: it does not shrink enough.
std::size_t packBlock([[maybe_unused]] std::span<const std::byte> bytes,
                      [[maybe_unused]] std::vector<std::byte>& to) {
#ifdef SME_FST
    const auto most = static_cast<int>(bytes.size() / kShrinks);
    const int size = LZ4_compress_default(reinterpret_cast<const char*>(bytes.data()),
                                          reinterpret_cast<char*>(to.data()),
                                          static_cast<int>(bytes.size()), most);
    return static_cast<std::size_t>(size);
#else
    return 0;
#endif
}

bool isWorthPacking(std::span<const std::byte> block, std::vector<std::byte>& to) {
    if (block.size() < kSamples * kSample) return true;
    std::size_t shrinking = 0;
    for (std::size_t i = 0; i < kSamples; ++i)
        shrinking += packBlock(block.subspan(block.size() / kSamples * i, kSample), to) != 0;
    return 2 * shrinking > kSamples;
}

}  // namespace

bool unpackBlock([[maybe_unused]] std::span<const std::byte> bytes,
                 [[maybe_unused]] std::span<std::byte> to) {
#ifdef SME_FST
    const int size = LZ4_decompress_safe(
        reinterpret_cast<const char*>(bytes.data()), reinterpret_cast<char*>(to.data()),
        static_cast<int>(bytes.size()), static_cast<int>(to.size()));
    return size == static_cast<int>(to.size());
#else
    throw BadState("is packed, and this program was built without lz4");
#endif
}

std::span<const std::byte> packedBlock(std::span<const std::byte> bytes,
                                       std::vector<std::byte>& room) {
    const std::size_t size = isWorthPacking(bytes, room) ? packBlock(bytes, room) : 0;
    return size == 0 ? bytes : std::span<const std::byte>(room).first(size);
}

std::vector<std::byte> packed(std::span<const std::byte> bytes) {
    StateWriter out;
    out.reserve(bytes.size() + bytes.size() / kPackedBlock * sizeof(std::uint32_t) + 64);
    out.number<std::uint64_t>(bytes.size());
    std::vector<std::byte> block(std::min(bytes.size(), kPackedBlock));
    while (!bytes.empty()) {
        const std::span<const std::byte> part = bytes.first(std::min(bytes.size(), kPackedBlock));
        const std::span<const std::byte> put = packedBlock(part, block);
        const bool isPacked = put.data() != part.data();
        out.number(static_cast<std::uint32_t>(isPacked ? put.size() : 0));
        out.raw(put.data(), put.size());
        bytes = bytes.subspan(part.size());
    }
    return out.take();
}

std::vector<std::byte> unpacked(std::span<const std::byte> bytes, std::uint64_t first) {
    StateReader in(bytes, first);
    const auto length = in.number<std::uint64_t>();
    if (length / 256 > bytes.size()) in.failAsDamaged();  // lz4 cannot pack so much
    std::vector<std::byte> whole(length);
    for (std::span<std::byte> rest(whole); !rest.empty();) {
        const std::span<std::byte> to = rest.first(std::min(rest.size(), kPackedBlock));
        const auto size = in.number<std::uint32_t>();
        const std::string place = in.place();
        const std::byte* data = in.raw(size == 0 ? to.size() : size);
        if (size == 0)
            std::copy(data, data + to.size(), to.begin());
        else if (!unpackBlock({data, size}, to))
            throw BadState("is damaged" + place);
        rest = rest.subspan(to.size());
    }
    if (!in.isAtEnd()) throw BadState("goes on after its end" + in.place());
    return whole;
}

}  // namespace sme
