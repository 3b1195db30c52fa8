#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace sme {

/// Where text goes. Used by thread 0 only.
class TextSink {
public:
    virtual ~TextSink() = default;
    virtual void write(std::string_view text) = 0;
    virtual void flush() = 0;
    // Of files only; others do not do it.
    /// Bytes at a place, in front of the end or after it.
    virtual void overwrite(std::uint64_t /*at*/, std::string_view /*bytes*/) {}
    virtual void truncate(std::uint64_t /*size*/) {}
    virtual void endCycle() {}  ///< after all the text of a cycle
    /// errno of the first write that failed; later text is dropped. 0: all good.
    virtual int problem() const { return 0; }
};

/// Keeps the text (tests, the library).
class StringSink final : public TextSink {
public:
    void write(std::string_view part) override { text.append(part); }
    void flush() override {}
    void overwrite(std::uint64_t at, std::string_view bytes) override {
        text.resize(std::max(text.size(), at + bytes.size()));
        text.replace(at, bytes.size(), bytes);
    }
    void truncate(std::uint64_t size) override { text.resize(size); }
    std::string text;
};

}  // namespace sme
