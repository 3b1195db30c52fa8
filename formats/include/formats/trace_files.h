#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/trace_selection.h"
#include "formats/trace_writer.h"

namespace sme {

/// Where the values of signals are in one piece of memory, which is words of eight bytes.
struct TraceImage {
    std::vector<std::uint32_t> offsets;  ///< by signal; two may have the same
    std::size_t words;
};
/// One after the other.
TraceImage imageOf(const std::vector<TraceSignal>& signals);

/// The traces of a run: any number, of any formats, which all show the same values, but for the
/// elements of large arrays. It knows the values of the row before, so that rows are what changes:
///
///     files.change(3, value); files.change(8, value); files.row(cycle);
///
/// or, by their place in the image: files.setWord(1, bytes); files.row(cycle);
class TraceFiles {
public:
    /// `design`: the top network.
    TraceFiles(std::string design, std::vector<TraceSignal> signals,
               const TraceSelection& selection);
    TraceFiles(std::string design, std::vector<TraceSignal> signals,
               const TraceSelection& selection, const TraceImage& image);

    /// Before the files of formats that tell sources.
    void setSources(std::vector<TraceSource> sources) { description_.sources = std::move(sources); }
    /// Writes what comes before the rows. The sink outlives this.
    void add(const TraceFormat& format, TextSink& sink);
    /// Goes on after what was written when the state was taken. Throws BadState
    /// (sme/state_format.h).
    void resume(const TraceFormat& format, TextSink& sink, const TraceState& state);
    /// Of a file by the order in which they came, between two rows.
    TraceState state(std::size_t file) const { return files_[file].writer->state(); }
    /// Differs where a format shows something else, or would show it in another way.
    std::uint64_t hashOf(const TraceFormat& format) const;
    /// The text of a save file for a viewer (formats/save_file.h).
    std::string saveFile(const TraceFormat& format, std::string_view trace) const;
    /// Whether a cycle is one of those that are traced.
    bool wants(std::uint64_t cycle) const;
    /// The first such cycle from `cycle` on; ~0: none.
    std::uint64_t nextWanted(std::uint64_t cycle) const;
    /// A signal's value from the next row on. Those that nobody names are zero in the first row.
    void change(std::size_t signal, const std::byte* value) {
        const auto [offset, bytes] = places_[signal];
        std::byte* at = current_.data() + offset;
        switch (bytes) {
        case 1: *at = *value; break;
        case 2: std::memcpy(at, value, 2); break;
        case 4: std::memcpy(at, value, 4); break;
        case 8: std::memcpy(at, value, 8); break;
        default: std::memcpy(at, value, bytes);
        }
        marks_[signal / 64] |= std::uint64_t{1} << (signal % 64);
    }
    /// A word of the image from the next row on, as it is in memory.
    void setWord(std::uint32_t word, std::uint64_t value) {
        std::byte* const at = current_.data() + word * sizeof value;
        std::uint64_t difference;
        std::memcpy(&difference, at, sizeof difference);
        difference ^= value;
        std::memcpy(at, &value, sizeof value);
        for (std::uint32_t i = firstOfWord_[word]; i < firstOfWord_[word + 1]; ++i)
            marks_[parts_[i].signal / 64] |= std::uint64_t{parts_[i].isIn(difference)}
                                             << (parts_[i].signal % 64);
    }
    std::size_t words() const { return firstOfWord_.size() - 1; }
    std::size_t size() const { return places_.size(); }
    /// What is read in such a cycle.
    void row(std::uint64_t cycle);
    /// The same, with a value for each signal.
    void row(std::span<const std::byte* const> values, std::uint64_t cycle);
    /// Writes what comes after the rows.
    void end();

private:
    static constexpr std::uint32_t kNotShown = ~std::uint32_t{0};
    struct File {
        std::unique_ptr<TraceWriter> writer;
        std::vector<const std::byte*> values;  ///< of the signals that it shows
        std::vector<std::uint32_t> columns;    ///< their numbers in it; empty: it shows all
        std::vector<std::uint32_t> changed;    ///< of a row; a member to keep its memory
    };
    TraceDescription shownIn(const TraceFormat& format) const;
    bool isShown(const TraceSignal& signal, const TraceFormat& format) const;
    void listParts();
    void listChanged();
    void give(File& file, std::uint64_t cycle) const;
    TraceDescription describe(File& file, const TraceFormat& format) const;

    TraceDescription description_;
    TraceSelection selection_;
    std::vector<File> files_;
    // Of the signals.
    struct Place {
        std::uint32_t offset, bytes;  ///< in `current_`
    };
    std::vector<Place> places_;
    std::vector<std::byte> current_;  ///< values, as the image says
    /// A value in a word; longer ones are in several.
    struct Part {
        std::uint32_t signal;
        std::uint8_t shift;  ///< bits of the word before it in memory
        std::uint8_t spare;  ///< bits of a word that it has not
        bool isIn(std::uint64_t bits) const {
            if constexpr (std::endian::native == std::endian::little)
                return bits >> shift << spare != 0;
            else
                return bits << shift >> spare != 0;
        }
    };
    std::vector<Part> parts_;                 ///< by word
    std::vector<std::uint32_t> firstOfWord_;  ///< of parts; at the end, the number of all
    std::vector<std::uint64_t> marks_;        ///< a bit for each: it may have changed
    std::vector<std::uint32_t> changed_;      ///< the same as numbers; a member to keep its memory
};

}  // namespace sme
