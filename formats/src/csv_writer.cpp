// A header and a row per cycle. The text of a value stands in a place of fixed size, with its comma, as long
// as the value stays.

#include <array>
#include <charconv>

#include "formats/scalar_text.h"
#include "formats/trace_writer.h"
#include "text_room.h"

namespace sme {
namespace {

constexpr std::size_t kCell = 32;

/// ",255" and its length; nothing where it is too long for that.
struct Cell {
    std::array<char, kCell - 1> text;
    std::uint8_t length = 0;
};
static_assert(sizeof(Cell) == kCell);

class CsvWriter final : public TraceWriter {
public:
    explicit CsvWriter(TextSink& sink) : text_(sink) {}

    void begin(TraceDescription description) override {
        prepare(description);
        text_.append("cycle");
        for (const TraceSignal& signal : description.signals) {
            text_.append(",");
            text_.append(signal.name);
        }
        text_.append("\n");
        text_.write();
    }

    TraceState state() const override { return {}; }

    void resume(TraceDescription description, const TraceState&) override { prepare(description); }

    void row(const TraceRow& row, std::uint64_t cycle) override {
        for (const std::uint32_t signal : row.changed)
            render(cells_[signal], *types_[signal], row.values[signal]);
        char* start = text_.room(kCell);
        text_.endAt(std::to_chars(start, start + kCell, cycle).ptr);
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            char* at = text_.room(kCell);
            std::memcpy(at, &cells_[i], kCell);
            text_.endAt(at + cells_[i].length);
            if (cells_[i].length == 0) appendLong(*types_[i], row.values[i]);
        }
        text_.append("\n");
        text_.write();
    }

private:
    void prepare(const TraceDescription& description) {
        for (const TraceSignal& signal : description.signals)
            types_.push_back(signal.type);
        cells_.resize(types_.size());
    }

    void render(Cell& cell, const Type& type, const std::byte* at) {
        char* const start = cell.text.data();
        char* const end = start + cell.text.size();
        *start = ',';
        if ((type.kind == Kind::Unsigned || type.kind == Kind::Signed) && type.bytes <= 8) {
            const std::uint64_t raw = loadRaw(at, type.bytes);
            const auto whole = static_cast<std::int64_t>(signExtend(raw, type.bytes * 8));
            const auto made = type.kind == Kind::Unsigned ? std::to_chars(start + 1, end, raw)
                                                          : std::to_chars(start + 1, end, whole);
            cell.length = static_cast<std::uint8_t>(made.ptr - start);
            return;
        }
        made_ = ",";
        appendScalar(made_, type, at, {});
        const bool fits = made_.size() <= cell.text.size();
        if (fits) made_.copy(start, made_.size());
        cell.length = fits ? static_cast<std::uint8_t>(made_.size()) : 0;
    }

    void appendLong(const Type& type, const std::byte* at) {
        made_ = ",";
        appendScalar(made_, type, at, {});
        text_.append(made_);
    }

    TextRoom text_;
    std::vector<const Type*> types_;
    std::vector<Cell> cells_;
    std::string made_;  ///< of a value; a member to keep its memory
};

}  // namespace

std::unique_ptr<TraceWriter> makeCsvWriter(TextSink& sink) {
    return std::make_unique<CsvWriter>(sink);
}

}  // namespace sme
