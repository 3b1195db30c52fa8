#include "elab/count.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "elab/top.h"
#include "source/overloaded.h"

namespace smec::elab {

namespace {

using Count = std::uint64_t;

Count plus(Count a, Count b) {
    Count sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<Count>::max() : sum;
}
Count times(Count a, Count b) {
    Count product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<Count>::max() : product;
}

class Counter {
public:
    explicit Counter(const Tree& tree) : tree_(tree) {}

    Count of(const ast::ProcDecl* process, const ast::NetworkDecl* network, sema::ModuleId module) {
        const void* key = process;
        if (network) key = network;
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        if (depth_ == kDeepest) return 0;
        known_[key] = 0;  // a cycle of networks is reported elsewhere
        ++depth_;
        const Count count = in(network ? network->decls : process->decls, module);
        --depth_;
        return known_[key] = count;
    }

private:
    static constexpr int kDeepest = 500;

    Count in(const std::vector<ast::Decl>& decls, sema::ModuleId module) {
        Count count = 0;
        for (const ast::Decl& decl : decls)
            count = plus(count, in(decl, module));
        return count;
    }

    Count in(const ast::Decl& decl, sema::ModuleId module) {
        return smec::visit(
            Overloaded{[&](const ast::InstanceDecl& instance) {
                           const auto* entity = entityNamed(tree_, module, instance.entity);
                           if (!entity) return Count{0};
                           return plus(1, of(entity->process, entity->network, entity->module));
                       },
                       [&](const ast::GenerateFor& loop) {
                           return times(rounds(loop, module), in(loop.body, module));
                       },
                       [&](const ast::GenerateIf& choice) {
                           return std::min(in(choice.yes, module), in(choice.no, module));
                       },
                       [](const AnyOf<ast::Import, ast::ConstDecl, ast::EnumDecl, ast::TypeDecl,
                                      ast::FuncDecl, ast::ExternFunc, ast::BusDecl, ast::VarDecl,
                                      ast::ProcDecl, ast::NetworkDecl> auto&) { return Count{0}; }},
            decl.node);
    }

    /// Between literals. A generate that is too large alone is refused at its place.
    Count rounds(const ast::GenerateFor& loop, sema::ModuleId module) const {
        const auto value = [&](ast::ExprId id) {
            return std::get_if<ast::IntLiteral>(&tree_.module(module)[id].node);
        };
        const auto* from = value(loop.from);
        const auto* to = value(loop.to);
        if (!from || !to || to->value < from->value) return 0;
        const hir::Integer count = to->value - from->value + (loop.isUntil ? 0 : 1);
        return count > tree_.options.maxInstances ? 0 : count.convert_to<Count>();
    }

    const Tree& tree_;
    std::unordered_map<const void*, Count> known_;
    int depth_ = 0;
};

}  // namespace

std::uint64_t leastInstances(const Tree& tree, const Entity& top) {
    return Counter(tree).of(top.process, top.network, top.module);
}

}  // namespace smec::elab
