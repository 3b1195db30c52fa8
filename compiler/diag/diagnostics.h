#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "source/source_manager.h"

namespace smec {

enum class Severity : std::uint8_t { Error, Warning, Note };

/// One enumerator per entry of diagnostics.def.
enum class DiagId : std::uint16_t {
#define ERROR(id, name, text) id,
#define WARNING(id, name, text) id,
#define NOTE(id, text) id,
#include "diag/diagnostics.def"
#undef ERROR
#undef WARNING
#undef NOTE
    Count
};

struct DiagInfo {
    Severity severity;
    std::string_view
        name;  ///< what stands in [brackets]; for a warning also the word of -W; empty for notes
    std::string_view text;  ///< fmt format string
};
const DiagInfo& info(DiagId id);

struct Note {
    DiagId id;
    SourceRange range;  ///< may be invalid: a note without a place
    std::string message;
};

struct Diagnostic {
    DiagId id;
    Severity severity;  ///< after -Werror
    SourceRange range;
    std::string message;
    std::vector<Note> notes;
};

/// Which warnings are on, and which are errors.
struct WarningOptions {
    std::unordered_set<std::string> disabled;  ///< -Wno-NAME
    bool allErrors = false;                    ///< -Werror
    std::unordered_set<std::string> errors;    ///< -Werror=NAME
};

/// Append-only list of what was found. The same message at the same place is kept once, and of one
/// kind so many as somebody may read: the rest is counted, and costs neither time nor memory. Not
/// thread-safe.
///
///     diags.report(DiagId::AssignWidth, range, type, name, target).note(DiagId::DeclaredHere,
///     declRange);
class Diagnostics {
public:
    /// Adds notes to the diagnostic just reported; does nothing when that one was dropped as a
    /// duplicate.
    class Handle {
    public:
        template <typename... Args>
        Handle& note(DiagId id, SourceRange range, const Args&... args) {
            if (list_) addNote(id, range, fmt::format(fmt::runtime(info(id).text), args...));
            return *this;
        }

    private:
        friend class Diagnostics;
        void addNote(DiagId id, SourceRange range, std::string message);
        std::vector<Diagnostic>* list_ = nullptr;
        std::size_t index_ = 0;
    };

    explicit Diagnostics(WarningOptions options = {}) : options_(std::move(options)) {}

    static constexpr std::size_t kMostAtPlace = 1'000;  ///< kept, of one kind at one place
    static constexpr std::size_t kMostOfKind = 50'000;  ///< at all places

    template <typename... Args>
    Handle report(DiagId id, SourceRange range, const Args&... args) {
        if (!isKept(id, range)) return {};
        return add(id, range, fmt::format(fmt::runtime(info(id).text), args...));
    }

    /// Adds a note to every error reported after the first `count` diagnostics, and to every
    /// warning of an assertion that fails, since both may hang on the constants of an instance.
    template <typename... Args>
    void noteErrorsSince(std::size_t count, DiagId id, SourceRange range, const Args&... args) {
        for (std::size_t i = count; i < diagnostics_.size(); ++i) {
            const bool isMeant = diagnostics_[i].severity == Severity::Error
                                 || diagnostics_[i].id == DiagId::AssertionFails;
            if (!isMeant) continue;
            diagnostics_[i].notes.push_back(
                Note{id, range, fmt::format(fmt::runtime(info(id).text), args...)});
        }
    }

    /// Adds what another list found, under the options of this one.
    void repeat(const Diagnostic& found) {
        if (!isKept(found.id, found.range)) return;
        Handle handle = add(found.id, found.range, found.message);
        for (const Note& note : found.notes) {
            if (handle.list_) handle.addNote(note.id, note.range, note.message);
        }
    }

    /// Counts what another list counted alone: for who has repeated all that it kept.
    void countUnkept(const Diagnostics& other);

    bool hasErrors() const { return errorCount_ != 0; }
    std::size_t errorCount() const { return errorCount_; }
    const std::vector<Diagnostic>& all() const { return diagnostics_; }
    /// Reports of a kind that were counted alone; the same message may be among them twice.
    std::size_t unkept(DiagId id) const { return counts_[static_cast<std::size_t>(id)].rest; }

private:
    struct Count {
        std::size_t kept = 0;
        std::size_t rest = 0;
    };

    std::optional<Severity> severityOf(DiagId id) const;
    bool isKept(DiagId id, SourceRange range);
    Handle add(DiagId id, SourceRange range, std::string message);
    WarningOptions options_;
    std::vector<Diagnostic> diagnostics_;
    std::unordered_set<std::string> seen_;
    std::array<Count, static_cast<std::size_t>(DiagId::Count)> counts_{};
    std::map<std::tuple<DiagId, std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t>
        places_;  ///< how many of a kind are kept of one range
    std::size_t errorCount_ = 0;
};

struct RenderOptions {
    bool json = false;
    bool colour = false;
    std::size_t errorLimit = 20;
};

/// All diagnostics in the form of docs/diagnostics.md (text), or one JSON object a line with the
/// keys severity, id, message, file, line, column, endLine, endColumn, notes.
std::string render(const Diagnostics& diagnostics, const SourceManager& sources,
                   const RenderOptions& options);

/// The candidate nearest to `name` by edit distance, if it is near enough to be a slip; else empty.
std::string nearestName(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace smec
