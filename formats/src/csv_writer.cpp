#include <charconv>

#include "formats/scalar_text.h"
#include "formats/trace_writer.h"

namespace sme {
namespace {

/// A scalar as CSV shows it. Small integers, most of all columns, take a short way.
void appendCell(std::string& out, const Type& type, const std::byte* at) {
    if ((type.kind == Kind::Unsigned || type.kind == Kind::Signed) && type.bytes <= 8) {
        char digits[24];
        const std::uint64_t raw = loadRaw(at, type.bytes);
        char* end = type.kind == Kind::Unsigned
                        ? std::to_chars(digits, digits + sizeof digits, raw).ptr
                        : std::to_chars(digits, digits + sizeof digits,
                                        static_cast<std::int64_t>(signExtend(raw, type.bytes * 8)))
                              .ptr;
        out.append(digits, end);
        return;
    }
    appendScalar(out, type, at, {});
}

/// A header and a row per cycle.
class CsvWriter final : public TraceWriter {
public:
    explicit CsvWriter(TextSink& sink) : sink_(sink) {}

    void begin(TraceDescription description) override {
        text_ = "cycle";
        for (const TraceSignal& signal : description.signals) {
            text_.append(1, ',').append(signal.name);
            types_.push_back(signal.type);
        }
        text_.push_back('\n');
        sink_.write(text_);
    }

    void row(TraceRow values, std::uint64_t cycle) override {
        text_.clear();
        appendUnsigned(text_, cycle);
        for (std::size_t i = 0; i < types_.size(); ++i) {
            text_.push_back(',');
            appendCell(text_, *types_[i], values[i]);
        }
        text_.push_back('\n');
        sink_.write(text_);
    }

private:
    TextSink& sink_;
    std::vector<const Type*> types_;
    std::string text_;  ///< of one row; a member to keep its memory
};

}  // namespace

std::unique_ptr<TraceWriter> makeCsvWriter(TextSink& sink) {
    return std::make_unique<CsvWriter>(sink);
}

}  // namespace sme
