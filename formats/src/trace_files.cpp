#include "formats/trace_files.h"

#include <algorithm>
#include <numeric>

#include "formats/save_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sme {
namespace {

constexpr std::uint32_t kWord = 8;

/// So that values of up to 8 bytes can be loaded as they are.
std::size_t aligned(std::size_t offset, std::uint32_t bytes) {
    const std::size_t to = std::min<std::size_t>(std::bit_ceil(bytes), 8);
    return (offset + to - 1) / to * to;
}

}  // namespace

TraceImage imageOf(const std::vector<TraceSignal>& signals) {
    TraceImage image{};
    std::size_t end = 0;
    for (const TraceSignal& signal : signals) {
        const std::size_t offset = aligned(end, signal.type->bytes);
        image.offsets.push_back(static_cast<std::uint32_t>(offset));
        end = offset + signal.type->bytes;
    }
    image.words = (end + kWord - 1) / kWord;
    return image;
}

TraceFiles::TraceFiles(std::string design, std::vector<TraceSignal> signals,
                       const TraceSelection& selection)
    : TraceFiles(std::move(design), signals, selection, imageOf(signals)) {}

TraceFiles::TraceFiles(std::string design, std::vector<TraceSignal> signals,
                       const TraceSelection& selection, const TraceImage& image)
    : description_{std::move(design), std::move(signals), selection.time},
      selection_(selection),
      current_(image.words * kWord),
      firstOfWord_(image.words + 1) {
    const std::size_t count = description_.signals.size();
    for (std::size_t i = 0; i < count; ++i)
        places_.push_back({image.offsets[i], description_.signals[i].type->bytes});
    listParts();
    marks_.resize((count + 63) / 64);
    for (std::size_t i = 0; i < count; ++i)  // all belong to the first row
        marks_[i / 64] |= std::uint64_t{1} << (i % 64);
}

void TraceFiles::listParts() {
    const auto forEachPart = [&](const auto& use) {
        for (std::uint32_t i = 0; i < places_.size(); ++i) {
            const auto [offset, bytes] = places_[i];
            for (std::uint32_t at = offset, left = bytes, here; left > 0;
                 at += here, left -= here) {
                here = std::min<std::uint32_t>(left, kWord - at % kWord);
                use(at / kWord, Part{i, static_cast<std::uint8_t>(at % kWord * 8),
                                     static_cast<std::uint8_t>((kWord - here) * 8)});
            }
        }
    };
    forEachPart([&](std::size_t word, const Part&) { ++firstOfWord_[word + 1]; });
    std::partial_sum(firstOfWord_.begin(), firstOfWord_.end(), firstOfWord_.begin());
    std::vector<std::uint32_t> next(firstOfWord_.begin(), firstOfWord_.end() - 1);
    parts_.resize(firstOfWord_.back());
    forEachPart([&](std::size_t word, const Part& part) { parts_[next[word]++] = part; });
}

bool TraceFiles::isShown(const TraceSignal& signal, const TraceFormat& format) const {
    if (signal.shown == TraceShown::InWaves && format.viewer == Viewer::None) return false;
    return !selection_.filters.empty()
           || signal.index < selection_.elements.value_or(format.elements);
}

TraceDescription TraceFiles::shownIn(const TraceFormat& format) const {
    TraceDescription shown{description_.design, {}, description_.time, description_.sources};
    for (const TraceSignal& signal : description_.signals) {
        if (isShown(signal, format)) shown.signals.push_back(signal);
    }
    return shown;
}

std::string TraceFiles::saveFile(const TraceFormat& format, std::string_view trace) const {
    return saveFileText(shownIn(format), format, trace);
}

/// What a file shows.
TraceDescription TraceFiles::describe(File& file, const TraceFormat& format) const {
    for (std::size_t i = 0; i < description_.signals.size(); ++i) {
        const bool isIn = isShown(description_.signals[i], format);
        file.columns.push_back(isIn ? static_cast<std::uint32_t>(file.values.size()) : kNotShown);
        if (isIn) file.values.push_back(current_.data() + places_[i].offset);
    }
    if (file.values.size() == description_.signals.size()) file.columns.clear();
    return shownIn(format);
}

void TraceFiles::add(const TraceFormat& format, TextSink& sink) {
    File& file = files_.emplace_back();
    file.writer = format.make(sink);
    file.writer->begin(describe(file, format));
}

void TraceFiles::resume(const TraceFormat& format, TextSink& sink, const TraceState& state) {
    File& file = files_.emplace_back();
    file.writer = format.make(sink);
    file.writer->resume(describe(file, format), state);
}

std::uint64_t TraceFiles::hashOf(const TraceFormat& format) const {
    std::string text(format.suffix);
    text.append(1, ' ').append(description_.design).append(1, ' ');
    text.append(std::to_string(description_.time.period));
    text.append(description_.time.showsClock ? " clk\n" : "\n");
    for (const TraceSignal& signal : description_.signals) {
        if (!isShown(signal, format)) continue;
        const Type& type = *signal.type;
        text.append(signal.name).append(1, ' ').append(type.name).append(1, ' ');
        text.append(std::to_string(type.width));
        for (std::uint32_t i = 0; type.kind == Kind::Enum && i < type.count; ++i)
            text.append(1, ' ')
                .append(type.members[i].name)
                .append(1, '=')
                .append(std::to_string(type.members[i].value));
        text.push_back('\n');
    }
    return XXH3_64bits(text.data(), text.size());
}

bool TraceFiles::wants(std::uint64_t cycle) const {
    return cycle >= selection_.start && cycle < selection_.stop;
}

std::uint64_t TraceFiles::nextWanted(std::uint64_t cycle) const {
    const std::uint64_t next = std::max(cycle, selection_.start);
    return next < selection_.stop ? next : ~std::uint64_t{0};
}

void TraceFiles::listChanged() {
    changed_.resize(marks_.size() * 64);
    std::uint32_t* at = changed_.data();
    for (std::size_t word = 0; word < marks_.size(); ++word) {
        const auto first = static_cast<std::uint32_t>(word * 64);
        if (marks_[word] == ~std::uint64_t{0}) {  // where all change, all at once
            std::iota(at, at + 64, first);
            at += 64;
        } else {
            for (std::uint64_t bits = marks_[word]; bits != 0; bits &= bits - 1)
                *at++ = first + static_cast<std::uint32_t>(std::countr_zero(bits));
        }
        marks_[word] = 0;
    }
    changed_.resize(static_cast<std::size_t>(at - changed_.data()));
}

void TraceFiles::give(File& file, std::uint64_t cycle) const {
    if (file.columns.empty()) return file.writer->row({file.values, changed_}, cycle);
    file.changed.clear();
    for (const std::uint32_t signal : changed_) {
        if (file.columns[signal] != kNotShown) file.changed.push_back(file.columns[signal]);
    }
    file.writer->row({file.values, file.changed}, cycle);
}

void TraceFiles::row(std::uint64_t cycle) {
    listChanged();
    for (File& file : files_)
        give(file, cycle);
}

void TraceFiles::row(std::span<const std::byte* const> values, std::uint64_t cycle) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::memcmp(current_.data() + places_[i].offset, values[i], places_[i].bytes) != 0)
            change(i, values[i]);
    }
    row(cycle);
}

void TraceFiles::end() {
    for (const File& file : files_)
        file.writer->end();
}

}  // namespace sme
