#include "diag/diagnostics.h"

#include <array>
#include <utility>

#include "source/one_line.h"

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

/// A name of ten million letters does not stand in a message in full: `aaaa ... aaaa`.
void shorten(std::string& message) {
    constexpr std::size_t kKept = 1000;  // bytes at either end
    if (message.size() <= 3 * kKept) return;
    const auto isInside = [&](std::size_t at) {
        return (static_cast<unsigned char>(message[at]) & 0xC0) == 0x80;
    };
    std::size_t begin = kKept;
    std::size_t end = message.size() - kKept;
    while (begin > 0 && isInside(begin))
        --begin;
    while (end < message.size() && isInside(end))
        ++end;
    message.replace(begin, end - begin, " ... ");
}

}  // namespace

const DiagInfo& info(DiagId id) { return kInfos.at(static_cast<std::size_t>(id)); }

/// Nothing for a warning that is off.
std::optional<Severity> Diagnostics::severityOf(DiagId id) const {
    if (info(id).severity != Severity::Warning) return info(id).severity;
    const std::string name(info(id).name);
    if (options_.disabled.contains(name)) return std::nullopt;
    const bool isError = options_.allErrors || options_.errors.contains(name);
    return isError ? Severity::Error : Severity::Warning;
}

/// Whether there is room for one; counts it where there is not.
bool Diagnostics::isKept(DiagId id, SourceRange range) {
    const std::optional<Severity> severity = severityOf(id);
    if (!severity) return false;
    Count& count = counts_[static_cast<std::size_t>(id)];
    const auto place = places_.find({id, range.file.index, range.begin, range.end});
    const bool isFull = place != places_.end() && place->second >= kMostAtPlace;
    if (!isFull && count.kept < kMostOfKind) return true;
    ++count.rest;
    if (severity == Severity::Error) ++errorCount_;
    return false;
}

void Diagnostics::countUnkept(const Diagnostics& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const std::optional<Severity> severity = severityOf(static_cast<DiagId>(i));
        if (!severity) continue;
        counts_[i].rest += other.counts_[i].rest;
        if (severity == Severity::Error) errorCount_ += other.counts_[i].rest;
    }
}

Diagnostics::Handle Diagnostics::add(DiagId id, SourceRange range, std::string message) {
    const std::optional<Severity> severity = severityOf(id);
    if (!severity) return {};
    shorten(message);
    message = onOneLine(message);
    if (!seen_.insert(keyOf(id, range, message)).second) return {};

    ++counts_[static_cast<std::size_t>(id)].kept;
    ++places_[{id, range.file.index, range.begin, range.end}];
    if (severity == Severity::Error) ++errorCount_;
    diagnostics_.push_back({id, *severity, range, std::move(message), {}});
    Handle handle;
    handle.list_ = &diagnostics_;
    handle.index_ = diagnostics_.size() - 1;
    return handle;
}

void Diagnostics::Handle::addNote(DiagId id, SourceRange range, std::string message) {
    shorten(message);
    message = onOneLine(message);
    (*list_)[index_].notes.push_back({id, range, std::move(message)});
}

}  // namespace smec
