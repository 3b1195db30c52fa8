#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "diag/diagnostics.h"
#include "sema/fold.h"
#include "sema/module_scopes.h"

namespace smec::sema {

/// What a check says: nothing while it is quiet, no warnings about the standard library, each
/// unknown name once, and what is so in every instance only if it is so in all.
class Reporter {
public:
    Reporter(const ModuleScopes& modules, const SourceManager& sources, Diagnostics& diagnostics,
             const Limits& limits);

    template <typename... Args>
    Diagnostics::Handle report(DiagId id, SourceRange range, const Args&... args) {
        if (info(id).severity == Severity::Error) ++errors_;
        if (quiet_ > 0 || isSilenced(id, range)) return {};
        return diagnostics_.report(id, range, args...);
    }
    void reportFailure(Failure failure, SourceRange range, SourceRange where);

    class Quiet {
    public:
        explicit Quiet(Reporter& reporter) : reporter_(reporter) { ++reporter_.quiet_; }
        ~Quiet() { --reporter_.quiet_; }
        Quiet(const Quiet&) = delete;
        Quiet& operator=(const Quiet&) = delete;

    private:
        Reporter& reporter_;
    };
    bool isQuiet() const { return quiet_ > 0; }

    /// Errors found so far, also those that were not reported.
    std::uint64_t errors() const { return errors_; }
    std::size_t reportedErrors() const { return diagnostics_.errorCount(); }
    /// Whether a name near to an unknown one is worth the search: beyond a hundred errors it is
    /// not.
    bool mayAdvise() const { return diagnostics_.errorCount() < 100; }

    // ---- warnings about what is so in every instance (check/judgements.cpp)
    /// Notes whether something that a warning is about is so in the body at hand. The warning comes
    /// if it was so each time that the place was checked.
    template <typename... Args>
    void judge(bool isSo, DiagId id, SourceRange range, const Args&... args) {
        if (quiet_ > 0) return;
        Verdict& verdict = verdicts_[{range.file.index, range.begin, range.end, id}];
        verdict.isAlways &= isSo;
        if (isSo && !verdict.report)
            verdict.report = [this, id, range, args...] { report(id, range, args...); };
    }
    void reportVerdicts();

    // ---- unknown names
    /// Whether nothing was said of an unknown name yet: one in a declaration of a module is told
    /// once there, however often it stands in it.
    bool isNews(SourceRange use, std::string_view name);
    /// Reports an unknown name that is news; counts the others.
    template <typename... Args>
    void reportUnknown(DiagId id, SourceRange range, std::string_view name, const Args&... args) {
        if (isNews(range, name))
            report(id, range, name, args...);
        else
            ++errors_;
    }
    /// The same with a hint, which is made only where it is needed.
    template <typename Hint>
    void reportUnknownWith(Hint hint, DiagId id, SourceRange range, std::string_view name) {
        if (isNews(range, name))
            report(id, range, name, hint());
        else
            ++errors_;
    }

    const SourceManager& sources() const { return sources_; }
    /// The source text of an expression, shortened for messages.
    std::string text(SourceRange range) const;

private:
    bool isSilenced(DiagId id, SourceRange range) const;

    struct Verdict {
        bool isAlways = true;
        std::function<void()> report;
    };

    const ModuleScopes& modules_;
    const SourceManager& sources_;
    Diagnostics& diagnostics_;
    const Limits& limits_;
    std::unordered_set<std::uint32_t> libraryFiles_;
    int quiet_ = 0;
    std::uint64_t errors_ = 0;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, DiagId>, Verdict> verdicts_;
    std::set<std::pair<const ast::Decl*, std::string>> told_;  ///< unknown names
};

/// "1 argument", "2 arguments".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace smec::sema
