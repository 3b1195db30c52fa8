#pragma once

#include <string>
#include <string_view>

namespace sme {

/// Where text goes. Used by thread 0 only.
class TextSink {
public:
    virtual ~TextSink() = default;
    virtual void write(std::string_view text) = 0;
    virtual void flush() = 0;
    virtual void endCycle() {}  ///< behind all the text of a cycle
    /// errno of the first write that failed; later text is dropped. 0: all good.
    virtual int problem() const { return 0; }
};

/// Keeps the text (tests, the library).
class StringSink final : public TextSink {
public:
    void write(std::string_view part) override { text.append(part); }
    void flush() override {}
    std::string text;
};

}  // namespace sme
