#include "sema/reporter.h"

#include <fmt/format.h>

namespace smec::sema {

Reporter::Reporter(const ModuleScopes& modules, const SourceManager& sources,
                   Diagnostics& diagnostics, const Limits& limits)
    : modules_(modules), sources_(sources), diagnostics_(diagnostics), limits_(limits) {
    for (const Program::Entry& entry : modules.program().modules)
        if (entry.fromStandardLibrary) libraryFiles_.insert(entry.ast.file.index);
}

/// What the library's files are warned of is not the user's business, except that the parameters
/// of an instance of his make no sense.
bool Reporter::isSilenced(DiagId id, SourceRange range) const {
    return info(id).severity == Severity::Warning && id != DiagId::AssertionFails
           && libraryFiles_.contains(range.file.index);
}

void Reporter::reportVerdicts() {
    for (const auto& [place, verdict] : verdicts_)
        if (verdict.isAlways && verdict.report) verdict.report();
    verdicts_.clear();
}

std::string Reporter::text(SourceRange range) const {
    constexpr std::size_t kLongest = 60;
    if (!range.valid()) return "?";
    std::string result;
    for (char c : sources_.text(range)) {
        if (result.size() >= kLongest) return result + "...";
        bool isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!isSpace)
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    }
    return result;
}

void Reporter::reportFailure(Failure failure, SourceRange range, SourceRange where) {
    auto handle = [&]() -> Diagnostics::Handle {
        switch (failure) {
        case Failure::DivisionByZero: return report(DiagId::DivisionByZero, range);
        case Failure::NegativeShift: return report(DiagId::ConstantShift, range);
        case Failure::IndexOutOfRange: return report(DiagId::ConstantIndex, range);
        case Failure::TooManyBits: return report(DiagId::TooManyBits, range);
        case Failure::OutOfRange: return report(DiagId::ConstantRange, range);
        case Failure::NoMember: return report(DiagId::ConstantRange, range);
        case Failure::TooManySteps: return report(DiagId::ConstantSteps, range, limits_.steps);
        case Failure::Assertion: return report(DiagId::ConstantAssertion, range);
        case Failure::Prints: return report(DiagId::ConstantOutput, range);
        case Failure::FallsOff:
        case Failure::None: break;
        }
        return {};
    }();
    if (where.valid() && where != range) handle.note(DiagId::FailsHere, where);
}

bool Reporter::isNews(SourceRange use, std::string_view name) {
    return isQuiet() || told_.emplace(modules_.declarationAt(use), name).second;
}

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace smec::sema
