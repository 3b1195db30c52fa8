// A header and a row per cycle. The text of a row is made from that of the row before: what stands
// between two values that change is copied in one piece.
//
//   text      ",7,1234,RED\n"
//   starts    0 2    7   11
//
// with room in front for the cycle.

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "digits.h"
#include "formats/scalar_text.h"
#include "formats/trace_writer.h"

namespace sme {
namespace {

constexpr std::size_t kMostNumber = 24;  // characters of an integer with its comma and sign
constexpr std::size_t kFront = kMostNumber;

/// How a column's values become text.
enum class CsvForm : std::uint8_t { U8, U16, U32, U64, I8, I16, I32, I64, Other };

CsvForm csvFormOf(const Type& type) {
    using enum CsvForm;
    const bool isSigned = type.kind == Kind::Signed;
    if (!isSigned && type.kind != Kind::Unsigned) return Other;
    switch (type.bytes) {
    case 1: return isSigned ? I8 : U8;
    case 2: return isSigned ? I16 : U16;
    case 4: return isSigned ? I32 : U32;
    case 8: return isSigned ? I64 : U64;
    default: return Other;
    }
}

template <typename Stored>
char* putNumber(char* to, const std::byte* at) {
    Stored value;
    std::memcpy(&value, at, sizeof value);
    using Magnitude = std::conditional_t<sizeof(Stored) == 8, std::uint64_t, std::uint32_t>;
    auto magnitude = static_cast<Magnitude>(value);
    if (value < Stored{0}) {
        *to++ = '-';
        magnitude = 0 - magnitude;
    }
    return putDigits(to, magnitude);
}

/// The cells of a row, each with its comma in front, and the end of the line.
class CsvCells {
public:
    explicit CsvCells(std::size_t count) : starts_(count + 1), text_(kFront + 1) {
        text_[kFront] = '\n';
    }

    std::size_t count() const { return starts_.size() - 1; }
    std::size_t size() const { return starts_.back(); }
    /// A place for so many characters from `used` on; those before stay.
    char* room(std::size_t used, std::size_t most) {
        if (text_.size() < kFront + used + most) text_.resize(2 * text_.size() + most);
        return text_.data() + kFront + used;
    }
    /// Cells [from, to) as they are in another row, from `used` on. Returns the new end.
    std::size_t copy(const CsvCells& other, std::size_t from, std::size_t to, std::size_t used) {
        const std::uint32_t first = other.starts_[from];
        const std::size_t size = other.starts_[to] - first;
        std::memcpy(room(used, size), other.text_.data() + kFront + first, size);
        const auto moved = static_cast<std::uint32_t>(used) - first;  // modulo 2^32
        for (std::size_t i = from; i < to; ++i)
            starts_[i] = other.starts_[i] + moved;
        return used + size;
    }
    /// Where characters and starts of cells are, until the next room(); for loops of their own.
    char* text() { return text_.data() + kFront; }
    std::uint32_t* starts() { return starts_.data(); }
    void start(std::size_t cell, std::size_t at) { starts_[cell] = static_cast<std::uint32_t>(at); }
    void end(std::size_t used) {
        *room(used, 1) = '\n';
        starts_.back() = static_cast<std::uint32_t>(used);
    }
    /// The line of a cycle.
    std::string_view line(std::uint64_t cycle) {
        char digits[kMostNumber + kBeyondDigits];
        const auto length = static_cast<std::size_t>(putDigits(digits, cycle) - digits);
        char* const start = text_.data() + kFront - length;
        std::memcpy(start, digits, length);
        return {start, length + size() + 1};
    }

private:
    std::vector<std::uint32_t> starts_;  ///< of cells, and of the end of the line
    std::vector<char> text_;
};

class CsvWriter final : public TraceWriter {
public:
    explicit CsvWriter(TextSink& sink) : sink_(sink) {}

    void begin(TraceDescription description) override {
        prepare(description);
        std::string header = "cycle";
        for (const TraceSignal& signal : description.signals)
            header.append(1, ',').append(signal.name);
        sink_.write(header.append(1, '\n'));
    }

    TraceState state() const override { return {}; }

    void resume(TraceDescription description, const TraceState&) override { prepare(description); }

    void row(const TraceRow& row, std::uint64_t cycle) override {
        if (!row.changed.empty()) change(row);
        sink_.write(now_.line(cycle));
    }

private:
    void prepare(const TraceDescription& description) {
        for (const TraceSignal& signal : description.signals) {
            types_.push_back(signal.type);
            forms_.push_back(csvFormOf(*signal.type));
        }
        formEnds_.resize(forms_.size());
        for (std::size_t cell = forms_.size(); cell-- > 0;) {
            const bool goesOn = cell + 1 < forms_.size() && forms_[cell + 1] == forms_[cell];
            formEnds_[cell] = goesOn ? formEnds_[cell + 1] : static_cast<std::uint32_t>(cell + 1);
        }
        now_ = before_ = CsvCells(types_.size());
    }

    void change(const TraceRow& row) {
        std::swap(now_, before_);
        std::size_t used = 0, next = 0;
        for (std::size_t i = 0; i < row.changed.size();) {
            const std::uint32_t cell = row.changed[i];
            if (next < cell) used = now_.copy(before_, next, cell, used);
            if (const std::size_t count = integersFrom(row, i); count > 0) {
                used = putIntegers(row, cell, count, used);
                next = cell + count;
                i += count;
                continue;
            }
            now_.start(cell, used);
            used = putOther(*types_[cell], row.values[cell], used);
            next = cell + 1;
            ++i;
        }
        now_.end(now_.copy(before_, next, now_.count(), used));
    }

    /// How many that change stand side by side and are integers of one form.
    std::size_t integersFrom(const TraceRow& row, std::size_t first) const {
        const std::uint32_t cell = row.changed[first];
        if (forms_[cell] == CsvForm::Other) return 0;
        const std::size_t most =
            std::min<std::size_t>(formEnds_[cell] - cell, row.changed.size() - first);
        if (row.changed[first + most - 1] == cell + most - 1) return most;  // they ascend
        std::size_t count = 1;
        while (row.changed[first + count] == cell + count)
            ++count;
        return count;
    }

    /// Returns the end of the cells.
    std::size_t putIntegers(const TraceRow& row, std::size_t first, std::size_t count,
                            std::size_t used) {
        now_.room(used, count * kMostNumber + kBeyondDigits);
        const auto values = row.values.subspan(first, count);
        switch (forms_[first]) {
        case CsvForm::U8: return putNumbers<std::uint8_t>(values, first, used);
        case CsvForm::U16: return putNumbers<std::uint16_t>(values, first, used);
        case CsvForm::U32: return putNumbers<std::uint32_t>(values, first, used);
        case CsvForm::U64: return putNumbers<std::uint64_t>(values, first, used);
        case CsvForm::I8: return putNumbers<std::int8_t>(values, first, used);
        case CsvForm::I16: return putNumbers<std::int16_t>(values, first, used);
        case CsvForm::I32: return putNumbers<std::int32_t>(values, first, used);
        case CsvForm::I64: return putNumbers<std::int64_t>(values, first, used);
        case CsvForm::Other: break;
        }
        return used;
    }

    /// What it writes are characters, which could be anything for all that a compiler knows: all
    /// else is at hand before.
    template <typename Stored>
    std::size_t putNumbers(std::span<const std::byte* const> values, std::size_t first,
                           std::size_t used) {
        char* const text = now_.text();
        std::uint32_t* const starts = now_.starts() + first;
        char* at = text + used;
        for (std::size_t i = 0; i < values.size(); ++i) {
            starts[i] = static_cast<std::uint32_t>(at - text);
            *at = ',';
            at = putNumber<Stored>(at + 1, values[i]);
        }
        return static_cast<std::size_t>(at - text);
    }

    std::size_t putOther(const Type& type, const std::byte* at, std::size_t used) {
        made_ = ',';
        appendScalar(made_, type, at, {});
        made_.copy(now_.room(used, made_.size()), made_.size());
        return used + made_.size();
    }

    TextSink& sink_;
    std::vector<const Type*> types_;
    std::vector<CsvForm> forms_;
    std::vector<std::uint32_t> formEnds_;  ///< up to where cells have the same
    CsvCells now_{0}, before_{0};          ///< this row and the one before it
    std::string made_;                     ///< of a value; a member to keep its memory
};

}  // namespace

std::unique_ptr<TraceWriter> makeCsvWriter(TextSink& sink) {
    return std::make_unique<CsvWriter>(sink);
}

}  // namespace sme
