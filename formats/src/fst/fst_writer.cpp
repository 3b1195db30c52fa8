// A file is a header, the geometry (widths), the hierarchy, and blocks of changes. Where a block ends
// depends on what is in it, and not on how fast the run is; what a block has so far is shown now and
// then.

#include <algorithm>
#include <chrono>
#include <limits>

#include "formats/trace_writer.h"
#include "fst/changes.h"
#include "fst/growing_file.h"
#include "fst/hierarchy.h"
#include "kept_values.h"
#include "sme/state_format.h"

namespace sme::fst {
namespace {

constexpr std::chrono::milliseconds kReadAlong{700};  // a block is shown at least this often
constexpr double kByteOrder = 2.7182818284590452354;  // by it readers see how reals are stored
constexpr signed char kNanoseconds = -9;

void appendFixed(std::string& out, std::string text, std::size_t size) {
    text.resize(size);
    out += text;
}

/// The values of all variables as a frame shows them.
void appendFrame(std::string& out, const ValueShape& shape, const std::byte* at) {
    if (shape.form == ValueShape::Form::Real) {
        const double real = realOf(shape.bytes, at);
        out.append(reinterpret_cast<const char*>(&real), sizeof real);
        return;
    }
    for (std::uint32_t bit = shape.width; bit-- > 0;)
        out.push_back((static_cast<unsigned>(at[bit / 8]) >> (bit % 8) & 1u) != 0 ? '1' : '0');
}

class FstWriter final : public TraceWriter {
public:
    explicit FstWriter(TextSink& sink) : sink_(sink) {}

    void begin(TraceDescription description) override {
        prepare(description);
        file_->begin(header() + block(BlockTag::Geometry, tree_.geometry)
                     + block(BlockTag::HierarchyLz4, tree_.tree));
    }

    /// The block at hand is part of it, so that blocks do not depend on when states are kept.
    TraceState state() const override {
        StateWriter out;
        for (const std::uint64_t number : {next_, start_, last_, blocks_})
            out.number(number);
        out.number(clock_);
        out.raw(kept_->all().data(), kept_->all().size());
        out.text(frame_);
        changes_->write(out);
        return {file_->size(), out.take()};
    }

    void resume(TraceDescription description, const TraceState& state) override {
        prepare(description);
        StateReader in(state.bytes);
        for (std::uint64_t* number : {&next_, &start_, &last_, &blocks_})
            *number = in.number<std::uint64_t>();
        clock_ = in.number<unsigned>();
        kept_->readAll(in);
        frame_ = in.text();
        changes_->read(in);
        file_->resume(state.length.value_or(0));
        file_->setHeader(header());  // of a run that went on it would count later blocks
    }

    void row(const TraceRow& row, std::uint64_t cycle) override {
        const bool isFirst = next_ == 0;
        // of a run that was set back: time cannot go back in a file
        if (cycle < next_) return kept_->leaveOut();
        const std::uint64_t start = cycle * time_.period;
        if (time_.showsClock) tick(start, cycle > 0 ? 1 : 0);
        values(row, isFirst, start);
        if (isFirst) start_ = start;
        if (isFirst) keepFrame();
        if (time_.showsClock && cycle > 0) tick(start + time_.period / 2, 0);
        next_ = cycle + 1;
        if (changes_->isFull()) return write();
        const auto now = std::chrono::steady_clock::now();
        // no reader opens a file without a block
        if (isFirst || now - written_ >= kReadAlong) show();
    }

    void end() override {
        if (next_ == 0) keepUnknown();
        changes_->at(next_ * time_.period);
        write();
        file_->end();
        file_->setHeader(header());
    }

private:
    void prepare(const TraceDescription& description) {
        time_ = description.time;
        tree_ = hierarchyOf(description);
        for (const TraceSignal& signal : description.signals)
            shapes_.push_back(shapeOf(*signal.type));
        kept_ = std::make_unique<KeptValues>(description.signals);
        std::vector<ValueShape> all = shapes_;
        if (time_.showsClock) all.insert(all.begin(), {ValueShape::Form::Bit, 1, 1});
        changes_ = std::make_unique<Changes>(std::move(all));
        keepFrame();
        file_ = std::make_unique<GrowingFile>(sink_, tree_.gap,
                                              changes_->longestBlock() + frame_.size());
    }

    void values(const TraceRow& row, bool isFirst, std::uint64_t start) {
        const std::size_t firstSignal = time_.showsClock ? 1 : 0;
        kept_->forEachChange(row, isFirst, [&](std::size_t signal) {
            if (changes_->isEmpty() || changes_->lastTime() != start) changes_->at(start);
            changes_->change(signal + firstSignal, row.values[signal]);
        });
    }

    void tick(std::uint64_t time, unsigned level) {
        const auto value = static_cast<std::byte>(level);
        changes_->at(time);
        changes_->change(0, &value);
        clock_ = level;
    }

    void keepFrame() {
        frame_.assign(time_.showsClock ? 1 : 0, clock_ ? '1' : '0');
        for (std::size_t i = 0; i < shapes_.size(); ++i)
            appendFrame(frame_, shapes_[i], kept_->at(i));
    }

    /// No row has come: a file without a block is none for its readers.
    void keepUnknown() {
        frame_.assign(time_.showsClock ? 1 : 0, 'x');
        const double none = std::numeric_limits<double>::quiet_NaN();
        for (const ValueShape& shape : shapes_) {
            if (shape.form == ValueShape::Form::Real)
                frame_.append(reinterpret_cast<const char*>(&none), sizeof none);
            else
                frame_.append(shape.width, 'x');
        }
    }

    void write() {
        if (tree_.variables == 0) return;
        file_->append(changes_->block(frame_));
        ++blocks_;
        noteWritten(blocks_);
        changes_->clear();
        keepFrame();
    }

    /// What the block at hand has so far, and until when it goes.
    void show() {
        if (changes_->isEmpty() || tree_.variables == 0) return;
        file_->show(changes_->block(frame_));
        noteWritten(blocks_ + 1);
    }

    void noteWritten(std::uint64_t blocks) {
        written_ = std::chrono::steady_clock::now();
        last_ = changes_->lastTime();
        file_->setHeader(header(blocks));
    }

    std::string header() const { return header(blocks_); }
    std::string header(std::uint64_t blocks) const {
        std::string out;
        appendNumber(out, start_);
        // 0 and 0 would mean that nobody has written them yet
        appendNumber(out, std::max<std::uint64_t>(last_, 1));
        out.append(reinterpret_cast<const char*>(&kByteOrder), sizeof kByteOrder);
        appendNumber(out, 0);  // memory of the writer
        appendNumber(out, tree_.scopes);
        appendNumber(out, tree_.variables);
        appendNumber(out, tree_.variables);  // none repeats another one
        appendNumber(out, blocks);
        out.push_back(static_cast<char>(kNanoseconds));
        appendFixed(out, "smec", 128);
        appendFixed(out, "Thu Jan  1 00:00:00 1970", 119);
        out.push_back(0);      // of Verilog's kind
        appendNumber(out, 0);  // where time begins
        return block(BlockTag::Header, out);
    }

    TextSink& sink_;
    TraceTime time_;
    Hierarchy tree_;
    std::vector<ValueShape> shapes_;  ///< of the signals
    std::unique_ptr<KeptValues> kept_;
    std::unique_ptr<Changes> changes_;
    std::unique_ptr<GrowingFile> file_;
    std::string frame_;  ///< the values before the block at hand
    unsigned clock_ = 0;
    std::uint64_t next_ = 0;  ///< cycle after the last row; 0: there was none
    std::uint64_t start_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t blocks_ = 0;
    std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace
}  // namespace sme::fst

std::unique_ptr<sme::TraceWriter> sme::makeFstWriter(TextSink& sink) {
    return std::make_unique<fst::FstWriter>(sink);
}
