// Value change dumps as IEEE 1800 has them, for two cycles of 10 ns:
//
//   $scope module top $end
//   $var wire 1 ! clk $end
//   $scope module link $end
//   $var wire 8 " v [7:0] $end
//   ...
//   #0
//   $dumpvars
//   0!
//   b0 "
//   $end
//   #10
//   1!
//   b101 "
//   #15
//   0!
//   #20

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "formats/scalar_text.h"
#include "formats/trace_scopes.h"
#include "formats/trace_writer.h"
#include "kept_values.h"

namespace sme {
namespace {

/// The n-th of the shortest words of printable characters.
std::string codeOf(std::size_t n) {
    constexpr std::size_t kCharacters = '~' - '!' + 1;
    std::string code;
    for (++n; n > 0; n = (n - 1) / kCharacters)
        code.push_back(static_cast<char>('!' + (n - 1) % kCharacters));
    return code;
}

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A name without what ends names. Those that are more than words and indices start with a
/// backslash, as in Verilog.
std::string escaped(const std::string& name) {
    std::string text;
    bool isPlain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
    for (const char c : name) {
        text.push_back(c > ' ' && c <= '~' ? c : '_');
        isPlain = isPlain && (isWordCharacter(c) || c == '[' || c == ']');
    }
    return isPlain ? text : '\\' + text;
}

/// The eight bits of each byte as text.
constexpr std::array<std::array<char, 8>, 256> kBitsOfBytes = [] {
    std::array<std::array<char, 8>, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned bit = 0; bit < 8; ++bit)
            table[byte][7 - bit] = (byte >> bit & 1u) != 0 ? '1' : '0';
    return table;
}();

/// The bits of an integer, without zeros in front.
void appendBits(std::string& out, const Type& type, const std::byte* at) {
    std::uint32_t byte = (type.width - 1) / 8;
    const unsigned unused =
        7 - (type.width - 1) % 8;  // bits of the highest one: copies of the sign
    unsigned bits = static_cast<unsigned>(at[byte]) & (0xFFu >> unused);
    while (bits == 0 && byte > 0)
        bits = static_cast<unsigned>(at[--byte]);
    const auto zeros = std::min<unsigned>(
        static_cast<unsigned>(std::countl_zero(static_cast<std::uint8_t>(bits))), 7);
    out.append(kBitsOfBytes[bits].data() + zeros, 8 - zeros);
    while (byte-- > 0)
        out.append(kBitsOfBytes[static_cast<std::uint8_t>(at[byte])].data(), 8);
}

/// So that it reads back as the same number.
void appendReal(std::string& out, const Type& type, const std::byte* at) {
    double value;
    if (type.kind == Kind::F32) {
        float narrow;
        std::memcpy(&narrow, at, sizeof narrow);
        value = narrow;
    } else {
        std::memcpy(&value, at, sizeof value);
    }
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

class VcdWriter final : public TraceWriter {
public:
    explicit VcdWriter(TextSink& sink) : sink_(sink) {}

    void begin(TraceDescription description) override {
        description_ = std::move(description);
        kept_ = std::make_unique<KeptValues>(description_.signals);
        for (std::size_t i = 0; i < description_.signals.size(); ++i)
            codes_.push_back(codeOf(i + 1));  // the first one is the clock's
        text_ = "$date\n    Thu Jan  1 00:00:00 1970\n$end\n$version\n    smec\n$end\n"
                "$timescale 1 ns $end\n";
        enter({description_.design, TraceScope::Kind::Instance});
        if (description_.time.showsClock)
            text_.append("$var wire 1 " + clock_ + " " + clockName(description_) + " $end\n");
        visitScopes(description_, *this);
        leave();
        text_.append("$enddefinitions $end\n");
        write();
    }

    // Called by visitScopes.
    void enter(const TraceScope& scope) {
        const bool isInstance = scope.kind == TraceScope::Kind::Instance;
        text_.append(isInstance ? "$scope module " : "$scope begin ");
        text_.append(escaped(scope.name)).append(" $end\n");
    }
    void leave() { text_.append("$upscope $end\n"); }
    void show(std::size_t signal, const std::string& leaf) {
        const Type& type = *description_.signals[signal].type;
        std::string range;
        switch (type.kind) {
        case Kind::F32:
        case Kind::F64: text_.append("$var real 64 "); break;
        case Kind::Enum: text_.append("$var string 1 "); break;
        default:
            text_.append("$var wire ").append(std::to_string(type.width)).append(1, ' ');
            // an index at the end of a name would be read as a bit of a vector
            if (type.width > 1 || leaf.ends_with(']'))
                range = " [" + std::to_string(type.width - 1) + ":0]";
        }
        text_.append(codes_[signal] + " " + escaped(leaf) + range + " $end\n");
    }

    void row(TraceRow values, std::uint64_t cycle) override {
        const bool isFirst = next_ == 0;
        if (cycle < next_) return;  // of a run that was set back: time cannot go back in a file
        const std::uint64_t start = cycle * description_.time.period;
        const bool ticks = description_.time.showsClock;
        text_.append("#").append(std::to_string(start)).append("\n");
        if (isFirst) text_.append("$dumpvars\n");
        if (ticks) clock(cycle > 0);
        const std::size_t before = text_.size();
        for (std::size_t i = 0; i < values.size(); ++i)
            if (kept_->change(i, values[i]) || isFirst) value(i, values[i]);
        const bool isSame = text_.size() == before;
        if (isFirst) text_.append("$end\n");
        if (!isFirst && !ticks && isSame) text_.clear();
        if (ticks && cycle > 0) {
            text_.append("#").append(std::to_string(start + description_.time.period / 2));
            text_.push_back('\n');
            clock(false);
        }
        next_ = cycle + 1;
        write();
    }

    void end() override {
        if (next_ == 0) return;
        text_.append("#").append(std::to_string(next_ * description_.time.period)).append("\n");
        write();
    }

private:
    void clock(bool isHigh) { text_.append(isHigh ? "1" : "0").append(clock_).append("\n"); }

    void value(std::size_t signal, const std::byte* at) {
        const Type& type = *description_.signals[signal].type;
        const bool isReal = type.kind == Kind::F32 || type.kind == Kind::F64;
        const bool isBit = type.width == 1 && type.kind != Kind::Enum && !isReal;
        if (isBit) {
            appendBits(text_, type, at);
        } else if (isReal) {
            text_.push_back('r');
            appendReal(text_, type, at);
        } else if (type.kind == Kind::Enum) {
            text_.push_back('s');
            appendScalar(text_, type, at, {});
        } else {
            text_.push_back('b');
            appendBits(text_, type, at);
        }
        text_.append(isBit ? "" : " ").append(codes_[signal]).append("\n");
    }

    void write() {
        sink_.write(text_);
        text_.clear();
    }

    TextSink& sink_;
    TraceDescription description_;
    std::unique_ptr<KeptValues> kept_;
    const std::string clock_ = codeOf(0);
    std::vector<std::string> codes_;
    std::uint64_t next_ = 0;  ///< cycle after the last row; 0: there was none
    std::string text_;        ///< not yet written; a member to keep its memory
};

}  // namespace

std::unique_ptr<TraceWriter> makeVcdWriter(TextSink& sink) {
    return std::make_unique<VcdWriter>(sink);
}

}  // namespace sme
