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
#include <optional>

#include "formats/scalar_text.h"
#include "formats/trace_scopes.h"
#include "formats/trace_writer.h"
#include "kept_values.h"
#include "text_room.h"

namespace sme {
namespace {

constexpr std::size_t kMostReal = 32;  // characters
constexpr std::size_t kMostAround =
    16;  // what stands around a value, and what may be written beyond it

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

/// The bits of an integer, without zeros in front. Returns the end; 8 characters beyond it may be
/// written.
char* putBits(char* to, std::uint32_t width, const std::byte* at) {
    std::uint32_t byte = (width - 1) / 8;
    const unsigned unused = 7 - (width - 1) % 8;  // bits of the highest one: copies of the sign
    unsigned bits = static_cast<unsigned>(at[byte]) & (0xFFu >> unused);
    while (bits == 0 && byte > 0)
        bits = static_cast<unsigned>(at[--byte]);
    const auto zeros = std::min<unsigned>(
        static_cast<unsigned>(std::countl_zero(static_cast<std::uint8_t>(bits))), 7);
    std::uint64_t text;
    std::memcpy(&text, kBitsOfBytes[bits].data(), sizeof text);
    text >>= 8 * zeros;
    std::memcpy(to, &text, sizeof text);
    to += 8 - zeros;
    for (; byte > 0; to += 8)
        std::memcpy(to, kBitsOfBytes[static_cast<std::uint8_t>(at[--byte])].data(), 8);
    return to;
}

/// So that it reads back as the same number.
char* putReal(char* to, std::uint32_t bytes, const std::byte* at) {
    double value;
    if (bytes == sizeof(float)) {
        float narrow;
        std::memcpy(&narrow, at, sizeof narrow);
        value = narrow;
    } else {
        std::memcpy(&value, at, sizeof value);
    }
    return std::to_chars(to, to + kMostReal, value).ptr;
}

/// What a change of a signal looks like.
struct Form {
    enum class Kind : std::uint8_t { Bit, Bits, Real, Text };
    Kind kind;
    std::uint8_t tailLength;
    std::array<char, 8>
        tail;  ///< what follows the value: a space, but after a bit, the code, the end
               ///< of the line
    std::uint32_t width;
    const Type* type;
};

Form formOf(const Type& type, const std::string& code) {
    using enum Form::Kind;
    const bool isReal = type.kind == Kind::F32 || type.kind == Kind::F64;
    const bool isText = type.kind == Kind::Enum;
    Form form{isReal            ? Real
              : isText          ? Text
              : type.width == 1 ? Bit
                                : Bits,
              0,
              {},
              type.width,
              &type};
    const std::string tail = (form.kind == Bit ? "" : " ") + code + '\n';
    tail.copy(form.tail.data(), form.tail.size());
    form.tailLength = static_cast<std::uint8_t>(tail.size());
    return form;
}

class VcdWriter final : public TraceWriter {
public:
    explicit VcdWriter(TextSink& sink) : text_(sink) {}

    void begin(TraceDescription description) override {
        prepare(std::move(description));
        text_.append("$date\n    Thu Jan  1 00:00:00 1970\n$end\n$version\n    smec\n$end\n"
                     "$timescale 1 ns $end\n");
        enter({description_.design, TraceScope::Kind::Instance});
        if (description_.time.showsClock)
            text_.append("$var wire 1 " + clock_ + " " + clockName(description_) + " $end\n");
        visitScopes(description_, *this);
        leave();
        text_.append("$enddefinitions $end\n");
        text_.write();
    }

    TraceState state() const override {
        StateWriter out;
        out.number(next_);
        out.raw(kept_->all().data(), kept_->all().size());
        return {std::nullopt, out.take()};
    }

    void resume(TraceDescription description, const TraceState& state) override {
        prepare(std::move(description));
        StateReader in(state.bytes);
        next_ = in.number<std::uint64_t>();
        kept_->readAll(in);
    }

    // Called by visitScopes.
    void enter(const TraceScope& scope) {
        const bool isInstance = scope.kind == TraceScope::Kind::Instance;
        text_.append(isInstance ? "$scope module " : "$scope begin ");
        text_.append(escaped(scope.name) + " $end\n");
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
            text_.append("$var wire " + std::to_string(type.width) + ' ');
            // an index at the end of a name would be read as a bit of a vector
            if (type.width > 1 || leaf.ends_with(']'))
                range = " [" + std::to_string(type.width - 1) + ":0]";
        }
        text_.append(codeOf(signal + 1) + " " + escaped(leaf) + range + " $end\n");
    }

    void row(const TraceRow& row, std::uint64_t cycle) override {
        const bool isFirst = next_ == 0;
        // of a run that was set back: time cannot go back in a file
        if (cycle < next_) return kept_->leaveOut();
        const std::uint64_t start = cycle * description_.time.period;
        const bool ticks = description_.time.showsClock;
        if (isFirst || ticks) time(start);
        if (isFirst) text_.append("$dumpvars\n");
        if (ticks) clock(cycle > 0);
        const bool isTold = isFirst || ticks;
        values(row, isFirst, isTold ? std::nullopt : std::optional(start));
        if (isFirst) text_.append("$end\n");
        if (ticks && cycle > 0) {
            time(start + description_.time.period / 2);
            clock(false);
        }
        next_ = cycle + 1;
        text_.write();
    }

    void end() override {
        if (next_ == 0) return;
        time(next_ * description_.time.period);
        text_.write();
    }

private:
    void prepare(TraceDescription description) {
        description_ = std::move(description);
        kept_ = std::make_unique<KeptValues>(description_.signals);
        for (std::size_t i = 0; i < description_.signals.size();
             ++i)  // the first one is the clock's
            forms_.push_back(formOf(*description_.signals[i].type, codeOf(i + 1)));
    }

    void time(std::uint64_t at) {
        char* to = text_.room(32);
        *to++ = '#';
        to = std::to_chars(to, to + 24, at).ptr;
        *to++ = '\n';
        text_.endAt(to);
    }
    void clock(bool isHigh) {
        text_.append(isHigh ? "1" : "0");
        text_.append(clock_ + "\n");
    }

    /// `untold`: a time that stands in front of what changes, if something does.
    void values(const TraceRow& row, bool isFirst, std::optional<std::uint64_t> untold) {
        kept_->forEachChange(row, isFirst, [&](std::size_t signal) {
            if (untold) time(*untold);
            untold.reset();
            value(forms_[signal], row.values[signal]);
        });
    }

    void value(const Form& form, const std::byte* at) {
        std::size_t most = form.width + kMostAround;
        if (form.kind == Form::Kind::Real) most = kMostReal + kMostAround;
        if (form.kind == Form::Kind::Text) {
            name_ = 's';
            appendScalar(name_, *form.type, at, {});
            most = name_.size() + kMostAround;
        }
        char* to = text_.room(most);
        switch (form.kind) {
        case Form::Kind::Bit: to = putBits(to, 1, at); break;
        case Form::Kind::Bits:
            *to++ = 'b';
            to = putBits(to, form.width, at);
            break;
        case Form::Kind::Real:
            *to++ = 'r';
            to = putReal(to, form.type->bytes, at);
            break;
        case Form::Kind::Text: to += name_.copy(to, name_.size()); break;
        }
        std::memcpy(to, form.tail.data(), form.tail.size());
        text_.endAt(to + form.tailLength);
    }

    TextRoom text_;
    TraceDescription description_;
    std::unique_ptr<KeptValues> kept_;
    const std::string clock_ = codeOf(0);
    std::vector<Form> forms_;  ///< of the signals
    std::string name_;         ///< of an enum's member; a member to keep its memory
    std::uint64_t next_ = 0;   ///< cycle after the last row; 0: there was none
};

}  // namespace

std::unique_ptr<TraceWriter> makeVcdWriter(TextSink& sink) {
    return std::make_unique<VcdWriter>(sink);
}

}  // namespace sme
