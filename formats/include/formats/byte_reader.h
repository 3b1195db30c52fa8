#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sme {

/// A file that is not what it should be.
class DamagedFile : public std::runtime_error {
public:
    DamagedFile(std::uint64_t offset, const std::string& why)
        : std::runtime_error(why), offset_(offset) {}
    std::uint64_t offset() const { return offset_; }  ///< of what is wrong, in bytes

private:
    std::uint64_t offset_;
};

/// Bytes of a file, or what was packed in it, read from front to back and never beyond the end: each
/// length is held against what is left before it is used. Throws DamagedFile. Each call that returns
/// has gone on by a byte at least, but for take(0).
class ByteReader {
public:
    /// `offset`: of the first byte in the file. What was packed has the place of the packed bytes.
    explicit ByteReader(std::span<const std::uint8_t> bytes, std::uint64_t offset = 0)
        : bytes_(bytes), offset_(offset) {}
    static ByteReader ofPacked(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
        ByteReader reader(bytes, offset);
        reader.isPacked_ = true;
        return reader;
    }

    std::size_t remaining() const { return bytes_.size() - at_; }
    bool isAtEnd() const { return remaining() == 0; }
    std::size_t at() const { return at_; }
    std::uint64_t offset() const { return isPacked_ ? offset_ : offset_ + at_; }
    [[noreturn]] void fail(const std::string& why) const { throw DamagedFile(offset(), why); }

    std::uint8_t byte() { return take(1)[0]; }
    std::span<const std::uint8_t> take(std::uint64_t size) {
        if (size > remaining())
            fail(std::to_string(size) + " bytes belong here, and " + std::to_string(remaining())
                 + " are left");
        const auto taken = bytes_.subspan(at_, size);
        at_ += size;
        return taken;
    }
    /// Eight bytes, highest first.
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (const std::uint8_t each : take(8))
            value = value << 8 | each;
        return value;
    }
    /// Seven bits a byte, lowest first; all bytes but the last have bit 7 set.
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t each = byte();
            if (shift > 63 || (shift == 63 && (each & 0x7E) != 0))
                fail("a number of too many bits");
            value |= static_cast<std::uint64_t>(each & 0x7F) << shift;
            if (each < 0x80) return value;
        }
    }
    /// The same in two's complement: bit 6 of the last byte is the sign.
    std::int64_t signedVarint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint8_t each = byte();
            if (shift > 63) fail("a number of too many bits");
            value |= static_cast<std::uint64_t>(each & 0x7F) << shift;
            if (each >= 0x80) continue;
            if ((each & 0x40) != 0 && shift < 57) value |= ~std::uint64_t{0} << (shift + 7);
            return static_cast<std::int64_t>(value);
        }
    }
    /// Up to a byte that is 0, which is taken too.
    std::string_view text() {
        const std::span<const std::uint8_t> rest = bytes_.subspan(at_);
        const std::string_view all(reinterpret_cast<const char*>(rest.data()), rest.size());
        const std::size_t end = all.find('\0');
        if (end == std::string_view::npos) fail("a text does not end");
        at_ += end + 1;
        return all.substr(0, end);
    }

private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    std::uint64_t offset_;
    bool isPacked_ = false;
};

}  // namespace sme
