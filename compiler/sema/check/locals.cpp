#include "sema/check/locals.h"

namespace smec::sema {

Local* Locals::find(std::string_view name) {
    for (auto local = locals_.rbegin(); local != locals_.rend(); ++local)
        if (local->name == name) return &*local;
    return nullptr;
}

hir::VarId Locals::declare(const ast::Identifier& name, hir::TypeId type, hir::VarKind kind) {
    for (std::size_t i = levels_.empty() ? 0 : levels_.back(); i < locals_.size(); ++i) {
        if (locals_[i].name != name.text) continue;
        reporter_.report(DiagId::DuplicateName, name.range, name.text)
            .note(DiagId::FirstDeclared, locals_[i].range, name.text);
    }
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
    locals_.resize(begin);
    if (!levels_.empty()) return;
    for (const Local& local : unused_)
        if (!missed_.contains(local.name))
            reporter_.report(DiagId::Unused, local.range, "variable", local.name);
    unused_.clear();
}

}  // namespace smec::sema
