#include "sema/check/locals.h"

#include <algorithm>

namespace smec::sema {

Local* Locals::find(std::string_view name) {
    const auto at = byName_.find(std::string(name));
    return at == byName_.end() || at->second.empty() ? nullptr : &locals_[at->second.back()];
}

hir::VarId Locals::declare(const ast::Identifier& name, hir::TypeId type, hir::VarKind kind) {
    std::vector<std::size_t>& same = byName_[name.text];
    const std::size_t level = levels_.empty() ? 0 : levels_.back();
    const auto here = std::ranges::lower_bound(same, level);
    for (auto other = here; other != same.end(); ++other)
        reporter_.report(DiagId::DuplicateName, name.range, name.text)
            .note(DiagId::FirstDeclared, locals_[*other].range, name.text);
    same.push_back(locals_.size());
    const hir::VarId var = build_.addVariable({name.text, name.range, kind, type});
    locals_.push_back({name.text, var, name.range, false, kind == hir::VarKind::Loop});
    return var;
}

void Locals::close() {
    const std::size_t begin = levels_.back();
    levels_.pop_back();
    for (std::size_t i = begin; i < locals_.size(); ++i) {
        const Local& local = locals_[i];
        bool isWanted = !local.used && !local.isLoop
                        && build_.body().vars[local.var.index].kind == hir::VarKind::Block;
        if (isWanted) unused_.push_back(local);
    }
    for (std::size_t i = locals_.size(); i-- > begin;)
        byName_[locals_[i].name].pop_back();
    locals_.resize(begin);
    if (!levels_.empty()) return;
    for (const Local& local : unused_)
        if (!missed_.contains(local.name))
            reporter_.report(DiagId::Unused, local.range, "variable", local.name);
    unused_.clear();
}

}  // namespace smec::sema
