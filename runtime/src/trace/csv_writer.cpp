#include <charconv>

#include "trace/trace_writer.h"
#include "values/format.h"
#include "values/value.h"

namespace sme {
namespace {

/// A scalar as CSV shows it. Small integers, most of all columns, take a short way.
void appendCell(std::string& out, const Model& model, std::uint32_t type, const std::byte* at) {
    const Type& shape = model.types[type];
    if ((shape.kind == Kind::Unsigned || shape.kind == Kind::Signed) && shape.bytes <= 8) {
        char digits[24];
        const std::uint64_t raw = loadRaw(at, shape.bytes);
        char* end = shape.kind == Kind::Unsigned
                        ? std::to_chars(digits, digits + sizeof digits, raw).ptr
                        : std::to_chars(digits, digits + sizeof digits,
                                        static_cast<std::int64_t>(signExtend(raw, shape.bytes * 8)))
                              .ptr;
        out.append(digits, end);
        return;
    }
    appendValue(out, model, type, at, {});
}

/// A header and a row per cycle.
class CsvWriter final : public TraceWriter {
public:
    explicit CsvWriter(TextSink& sink) : sink_(sink) {}

    void begin(std::span<const std::string> names) override {
        text_ = "cycle";
        for (const std::string& name : names)
            text_.append(1, ',').append(name);
        text_.push_back('\n');
        sink_.write(text_);
    }

    void row(const Sampler& values, std::uint64_t cycle) override {
        text_.clear();
        appendUnsigned(text_, cycle);
        const Model& model = values.model();
        for (std::size_t i = 0; i < values.size(); ++i) {
            text_.push_back(',');
            appendCell(text_, model, values.typeIndex(i), values.at(i, cycle));
        }
        text_.push_back('\n');
        sink_.write(text_);
    }

private:
    TextSink& sink_;
    std::string text_;  ///< of one row; a member to keep its memory
};

}  // namespace

std::unique_ptr<TraceWriter> makeCsvWriter(TextSink& sink) {
    return std::make_unique<CsvWriter>(sink);
}

}  // namespace sme
