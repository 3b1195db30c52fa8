#include "sema/check/call_arguments.h"

#include <algorithm>
#include <fmt/format.h>

#include "sema/hints.h"

namespace smec::sema {

std::string areGiven(std::size_t count) {
    return fmt::format("{} {}", count, count == 1 ? "is" : "are");
}

namespace {

bool placeByName(Reporter& reporter, const ast::Argument& argument,
                 const std::vector<std::string>& names, std::string_view what,
                 const std::string& callee, SourceRange range, std::vector<ast::ExprId>& ordered) {
    const ast::Identifier& name = *argument.name;
    const auto at = static_cast<std::size_t>(std::ranges::find(names, name.text) - names.begin());
    if (at == names.size()) {
        reporter.report(DiagId::CallName, name.range, callee, what, name.text,
                        hintAmong(name.text, names));
        return false;
    }
    const bool isTwice = ordered[at].valid();
    if (isTwice) reporter.report(DiagId::CallTwice, range, names[at]);
    ordered[at] = argument.value;
    return !isTwice;
}

}  // namespace

std::optional<std::vector<ast::ExprId>>
orderArguments(Reporter& reporter, const ast::Module& module, const ast::Call& node,
               const std::vector<std::string>& names, std::string_view what, SourceRange range) {
    const std::string callee = reporter.text(module[node.callee].range);
    const auto reportCount = [&] {
        reporter.report(DiagId::CallCount, range, callee, counted(names.size(), what),
                        areGiven(node.arguments.size()));
    };
    if (node.arguments.size() > names.size()) {
        reportCount();
        return std::nullopt;
    }
    std::vector<ast::ExprId> ordered(names.size());
    bool ok = true, sawName = false;
    std::size_t next = 0;
    for (const ast::Argument& argument : node.arguments) {
        sawName |= argument.name.has_value();
        if (argument.name) {
            ok &= placeByName(reporter, argument, names, what, callee, module[argument.value].range,
                              ordered);
        } else if (sawName) {
            reporter.report(DiagId::CallPositional, module[argument.value].range);
            ok = false;
        } else {
            ordered[next++] = argument.value;
        }
    }
    if (!ok) return std::nullopt;
    const auto missing = std::ranges::find_if_not(ordered, &ast::ExprId::valid);
    if (missing == ordered.end()) return ordered;
    if (sawName)
        reporter.report(DiagId::CallMissing, range, callee,
                        names[static_cast<std::size_t>(missing - ordered.begin())]);
    else
        reportCount();
    return std::nullopt;
}

}  // namespace smec::sema
