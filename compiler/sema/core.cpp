#include "sema/core.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "sema/evaluate.h"
#include "source/overloaded.h"
#include "syntax/foreign_types.h"

namespace smec::sema {

Core::Core(const Program& programOf, const SourceManager& sourcesOf, Diagnostics& diagnosticsOf,
           hir::Design& designOf, const Rules& rulesOf, const Limits& limitsOf)
    : program(programOf),
      sources(sourcesOf),
      diagnostics(diagnosticsOf),
      design(designOf),
      rules(rulesOf),
      limits(limitsOf),
      library_(programOf.standardLibrary) {
    for (const Program::Entry& entry : program.modules)
        if (entry.fromStandardLibrary) libraryFiles_.insert(entry.ast.file.index);
    buildScopes();
}

/// What the library's files are warned of is not the user's business, except that the parameters
/// of an instance of his make no sense.
bool Core::isSilenced(DiagId id, SourceRange range) const {
    return info(id).severity == Severity::Warning && id != DiagId::AssertionFails
           && libraryFiles_.contains(range.file.index);
}

void Core::reportVerdicts() {
    for (const auto& [place, verdict] : verdicts_)
        if (verdict.isAlways && verdict.report) verdict.report();
    verdicts_.clear();
}

std::string Core::text(SourceRange range) const {
    constexpr std::size_t kLongest = 60;
    if (!range.valid()) return "?";
    std::string result;
    for (char c : sources.text(range)) {
        if (result.size() >= kLongest) return result + "...";
        bool isSpace = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!isSpace)
            result += c;
        else if (!result.empty() && result.back() != ' ')
            result += ' ';
    }
    return result;
}

void Core::reportFailure(Failure failure, SourceRange range, SourceRange where) {
    auto handle = [&]() -> Diagnostics::Handle {
        switch (failure) {
        case Failure::DivisionByZero: return report(DiagId::DivisionByZero, range);
        case Failure::NegativeShift: return report(DiagId::ConstantShift, range);
        case Failure::IndexOutOfRange: return report(DiagId::ConstantIndex, range);
        case Failure::TooManyBits: return report(DiagId::TooManyBits, range);
        case Failure::OutOfRange: return report(DiagId::ConstantRange, range);
        case Failure::NoMember: return report(DiagId::ConstantRange, range);
        case Failure::TooManySteps: return report(DiagId::ConstantSteps, range, limits.steps);
        case Failure::Assertion: return report(DiagId::ConstantAssertion, range);
        case Failure::Prints: return report(DiagId::ConstantOutput, range);
        case Failure::FallsOff:
        case Failure::None: break;
        }
        return {};
    }();
    if (where.valid() && where != range) handle.note(DiagId::FailsHere, where);
}

std::string Core::suggestion(const Scope& scope, std::string_view name,
                             std::vector<std::string> more) {
    if (isQuiet() || !mayAdvise()) return "";
    if (std::string hint = syntax::nameHint(name); !hint.empty()) return hint;
    std::vector<std::string> candidates = scope.visibleNames();
    candidates.insert(candidates.end(), std::make_move_iterator(more.begin()),
                      std::make_move_iterator(more.end()));
    std::string nearest = nearestName(name, candidates);
    return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

void Core::reportUnknownType(const Scope& scope, std::string_view name, SourceRange range) {
    const auto hint = [&] {
        if (const std::string native = syntax::nativeType(name); !native.empty())
            return "; write '" + native + "'";
        return importHint(scope.module(), name, NameKind::Type, suggestion(scope, name));
    };
    reportUnknownWith(hint, DiagId::UnknownType, range, name);
}

std::string Core::hintAmong(std::string_view name, const std::vector<std::string>& names) {
    constexpr std::size_t kFew = 6;
    const std::string nearest = nearestName(name, names);
    if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
    if (names.empty() || names.size() > kFew) return "";
    std::string text = "; it has '" + names.front() + "'";
    for (std::size_t i = 1; i < names.size(); ++i)
        text += (i + 1 < names.size() ? ", '" : " and '") + names[i] + "'";
    return text;
}

namespace {

bool isOf(const Symbol& symbol, NameKind kind) {
    switch (kind) {
    case NameKind::Entity: return std::holds_alternative<EntitySymbol>(symbol.node);
    case NameKind::Function: return std::holds_alternative<FuncSymbol>(symbol.node);
    case NameKind::Type: return std::holds_alternative<TypeSymbol>(symbol.node);
    case NameKind::Value: return std::holds_alternative<ConstSymbol>(symbol.node);
    }
    return false;
}

}  // namespace

std::string Core::importHint(ModuleId from, std::string_view name, NameKind kind,
                             std::string near) {
    if (isQuiet() || !mayAdvise()) return near;
    const Scope& scope = moduleScope(from);
    for (const ast::Decl& decl : module(from).decls) {
        const auto* import = std::get_if<ast::Import>(&decl.node);
        if (!import || !import->names.empty()) continue;
        const std::string& alias = (import->alias ? *import->alias : import->path.back()).text;
        const Symbol* symbol = scope.findHere(alias);
        const auto* imported = symbol ? std::get_if<ModuleSymbol>(&symbol->node) : nullptr;
        if (!imported || !imported->module.valid()) continue;
        const Symbol* found = exported(imported->module, name);
        if (found && isOf(*found, kind)) return fmt::format("; write '{}.{}'", alias, name);
    }
    if (!near.empty()) return near;
    const std::string module = library_.moduleOf(name, kind);
    return module.empty() ? "" : fmt::format("; write 'from {} import {};' first", module, name);
}

const ast::Decl* Core::declarationAt(SourceRange place) const {
    for (const Program::Entry& entry : program.modules) {
        if (entry.ast.file != place.file) continue;
        const auto& decls = entry.ast.decls;
        const auto next = std::upper_bound(
            decls.begin(), decls.end(), place.begin,
            [](std::uint32_t at, const ast::Decl& decl) { return at < decl.range.begin; });
        return next == decls.begin() ? nullptr : &*std::prev(next);
    }
    return nullptr;
}

bool Core::isNews(SourceRange use, std::string_view name) {
    return isQuiet() || told_.emplace(declarationAt(use), name).second;
}

namespace {

std::size_t mix(std::size_t seed, std::size_t value) {
    return (seed ^ value) * 0x9E37'79B9'7F4A'7C15u + (seed >> 29);
}

std::size_t hashOf(const hir::Value& value) {
    return std::visit(
        Overloaded{
            [](std::monostate) -> std::size_t { return 0; },
            [](const hir::Integer& n) {
                std::size_t seed = n < 0 ? 3 : 1;
                const auto& limbs = n.backend();
                for (unsigned i = 0; i < limbs.size(); ++i)
                    seed = mix(seed, static_cast<std::size_t>(limbs.limbs()[i]));
                return seed;
            },
            [](bool b) -> std::size_t { return b ? 5 : 7; },
            [](float f) -> std::size_t { return mix(11, std::bit_cast<std::uint32_t>(f)); },
            [](double d) -> std::size_t { return mix(13, std::bit_cast<std::uint64_t>(d)); },
            [](const std::string& s) -> std::size_t { return std::hash<std::string>()(s); },
            [](const hir::Value::List& list) { return mix(17, list.hash(hashOf)); },
        },
        value.data);
}

}  // namespace

std::uint32_t Core::internValue(const hir::Value& value) {
    std::size_t hash = hashOf(value);
    auto [begin, end] = values_.equal_range(hash);
    for (auto at = begin; at != end; ++at)
        if (design.values[at->second] == value) return at->second;
    auto index = static_cast<std::uint32_t>(design.values.size());
    design.values.push_back(value);
    values_.emplace(hash, index);
    return index;
}

std::uint32_t Core::internString(std::string_view text) {
    auto [at, isNew] =
        strings_.try_emplace(std::string(text), static_cast<std::uint32_t>(design.strings.size()));
    if (isNew) design.strings.emplace_back(text);
    return at->second;
}

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace smec::sema
