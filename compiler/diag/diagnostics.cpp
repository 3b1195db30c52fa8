#include "diag/diagnostics.h"

#include <array>
#include <utility>

namespace smec {

namespace {

constexpr std::array<DiagInfo, static_cast<std::size_t>(DiagId::Count)> kInfos = {{
#define ERROR(id, name, text) {Severity::Error, name, text},
#define WARNING(id, name, text) {Severity::Warning, name, text},
#define NOTE(id, text) {Severity::Note, "", text},
#include "diag/diagnostics.def"
#undef ERROR
#undef WARNING
#undef NOTE
}};

// Identity of a diagnostic: equal keys are one finding. The message stands last, so no separator in
// it can mislead.
std::string keyOf(DiagId id, SourceRange range, const std::string& message) {
    return fmt::format("{}:{}:{}:{}:{}", static_cast<unsigned>(id), range.file.index, range.begin,
                       range.end, message);
}

}  // namespace

const DiagInfo& info(DiagId id) { return kInfos.at(static_cast<std::size_t>(id)); }

Diagnostics::Handle Diagnostics::add(DiagId id, SourceRange range, std::string message) {
    Severity severity = info(id).severity;
    if (severity == Severity::Warning) {
        std::string name(info(id).name);
        if (options_.disabled.contains(name)) return {};
        if (options_.allErrors || options_.errors.contains(name)) severity = Severity::Error;
    }
    if (!seen_.insert(keyOf(id, range, message)).second) return {};

    if (severity == Severity::Error) ++errorCount_;
    diagnostics_.push_back({id, severity, range, std::move(message), {}});
    Handle handle;
    handle.list_ = &diagnostics_;
    handle.index_ = diagnostics_.size() - 1;
    return handle;
}

void Diagnostics::Handle::addNote(DiagId id, SourceRange range, std::string message) {
    (*list_)[index_].notes.push_back({id, range, std::move(message)});
}

}  // namespace smec
