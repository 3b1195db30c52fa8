#include "sema/flow.h"

#include <algorithm>

#include "hir/visit.h"
#include "source/overloaded.h"

namespace smec::sema {

namespace {

const hir::Value* constantValue(const hir::Body& body, hir::ExprId id) {
    const hir::Constant* constant =
        id.valid() ? std::get_if<hir::Constant>(&body[id].node) : nullptr;
    return constant ? &constant->value : nullptr;
}

const bool* constantFlag(const hir::Body& body, hir::ExprId condition) {
    const hir::Value* value = constantValue(body, condition);
    return value ? std::get_if<bool>(&value->data) : nullptr;
}

bool isFalse(const hir::Body& body, hir::ExprId condition) {
    const bool* flag = constantFlag(body, condition);
    return flag && !*flag;
}

/// Constant bounds with at least one round.
bool runsAtLeastOnce(const hir::Body& body, const hir::For& node) {
    const hir::Value *from = constantValue(body, node.from), *to = constantValue(body, node.to);
    if (!from || !to) return node.kind == hir::LoopKind::To;
    if (node.kind == hir::LoopKind::To) return true;
    return node.kind == hir::LoopKind::Until ? from->integer() < to->integer()
                                             : from->integer() >= to->integer();
}

class Walker {
public:
    explicit Walker(const hir::Body& body) : body_(body) {}

    Ways block(const hir::Block& block) const {
        Ways ways;
        for (const hir::Stmt& one : block) {
            Ways step = statement(one);
            ways.breaks |= step.breaks;
            ways.continues |= step.continues;
            if (!step.falls) return ways;
        }
        ways.falls = true;
        return ways;
    }

private:
    Ways statement(const hir::Stmt& statement) const {
        Ways on;
        on.falls = true;
        return smec::visit(
            Overloaded{
                [&](const hir::If& n) { return either(block(n.yes), block(n.no)); },
                [&](const hir::For& n) {
                    Ways body = block(n.body);
                    return loop(body, runsAtLeastOnce(body_, n), true);
                },
                [&](const hir::While& n) {
                    bool forever = isTrue(body_, n.condition);
                    return loop(block(n.body), forever, !forever);
                },
                [&](const hir::Switch& n) { return choice(n); },
                [](const hir::Break&) {
                    return Ways{false, true, false};
                },
                [](const hir::Continue&) {
                    return Ways{false, false, true};
                },
                [](const AnyOf<hir::Return, hir::Wait, hir::WaitUntil> auto&) { return Ways{}; },
                [&](const hir::Assert& n) { return isFalse(body_, n.condition) ? Ways{} : on; },
                [&](const AnyOf<hir::Assign, hir::InitVar, hir::Trace, hir::Cover,
                                hir::Stop> auto&) { return on; }},
            statement.node);
    }

    static Ways either(Ways a, Ways b) {
        return {a.falls || b.falls, a.breaks || b.breaks, a.continues || b.continues};
    }

    /// After a loop without a wait: no round at all, a break, or rounds that end normally.
    static Ways loop(Ways body, bool atLeastOnce, bool endsByItself) {
        Ways result;
        result.falls =
            body.breaks || !atLeastOnce || (endsByItself && (body.falls || body.continues));
        return result;
    }

    Ways choice(const hir::Switch& node) const {
        Ways result;
        for (const hir::SwitchCase& one : node.cases)
            result = either(result, block(one.body));
        if (node.otherwise) return either(result, block(*node.otherwise));
        result.falls |= !isExhaustive(node);
        return result;
    }

    const hir::Body& body_;
};

/// What follows is not reached in every run, nor perhaps in any.
bool mayLeave(const hir::Stmt& statement) {
    return smec::visit(Overloaded{
                           [](const AnyOf<hir::Return, hir::Break, hir::Continue, hir::While,
                                          hir::Wait, hir::WaitUntil> auto&) { return true; },
                           [&](const AnyOf<hir::If, hir::For, hir::Switch> auto&) {
                               bool any = false;
                               hir::forEachBlock(statement, [&](const hir::Block& inner) {
                                   any |= std::ranges::any_of(inner, mayLeave);
                               });
                               return any;
                           },
                           [](const AnyOf<hir::Assign, hir::InitVar, hir::Trace, hir::Assert,
                                          hir::Cover, hir::Stop> auto&) { return false; },
                       },
                       statement.node);
}

/// Where control goes with waits counted as ordinary statements.
class EndFinder {
public:
    explicit EndFinder(const hir::Body& body) : body_(body) {}

    bool reachesEnd(const hir::Block& block) const {
        return std::all_of(block.begin(), block.end(),
                           [&](const hir::Stmt& one) { return passes(one); });
    }

    bool passes(const hir::Stmt& statement) const {
        return smec::visit(
            Overloaded{
                [](const AnyOf<hir::Return, hir::Break, hir::Continue> auto&) { return false; },
                [&](const hir::Assert&) { return !isFailure(body_, statement); },
                [&](const hir::If& n) { return reachesEnd(n.yes) || reachesEnd(n.no); },
                [&](const hir::While& n) { return !isTrue(body_, n.condition) || breaks(n.body); },
                [&](const hir::Switch& n) { return passes(n); },
                [](const AnyOf<hir::Assign, hir::InitVar, hir::For, hir::Trace, hir::Cover,
                               hir::Stop, hir::Wait, hir::WaitUntil> auto&) { return true; },
            },
            statement.node);
    }

private:
    bool passes(const hir::Switch& node) const {
        const bool any =
            std::any_of(node.cases.begin(), node.cases.end(),
                        [&](const hir::SwitchCase& one) { return reachesEnd(one.body); });
        if (node.otherwise) return any || reachesEnd(*node.otherwise);
        return any || !isExhaustive(node);
    }

    bool breaks(const hir::Block& block) const {
        return std::any_of(block.begin(), block.end(),
                           [&](const hir::Stmt& one) { return breaks(one); });
    }

    /// Whether a `break` in it leaves the loop around it.
    bool breaks(const hir::Stmt& statement) const {
        return smec::visit(Overloaded{
                               [](const hir::Break&) { return true; },
                               [&](const AnyOf<hir::If, hir::Switch> auto&) {
                                   bool any = false;
                                   hir::forEachBlock(statement, [&](const hir::Block& inner) {
                                       any = any || breaks(inner);
                                   });
                                   return any;
                               },
                               [](const AnyOf<hir::For, hir::While> auto&) { return false; },
                               [](const AnyOf<hir::Assign, hir::InitVar, hir::Continue, hir::Return,
                                              hir::Trace, hir::Assert, hir::Cover, hir::Stop,
                                              hir::Wait, hir::WaitUntil> auto&) { return false; },
                           },
                           statement.node);
    }

    const hir::Body& body_;
};

}  // namespace

bool isTrue(const hir::Body& body, hir::ExprId condition) {
    const bool* flag = constantFlag(body, condition);
    return flag && *flag;
}

bool isFailure(const hir::Body& body, const hir::Stmt& statement) {
    const auto* assertion = std::get_if<hir::Assert>(&statement.node);
    return assertion && isFalse(body, assertion->condition);
}

const hir::Stmt* certainFailure(const hir::Body& body, const hir::Block& block) {
    for (const hir::Stmt& one : block) {
        if (isFailure(body, one)) return &one;
        if (const auto* loop = std::get_if<hir::For>(&one.node);
            loop && runsAtLeastOnce(body, *loop))
            if (const hir::Stmt* inside = certainFailure(body, loop->body)) return inside;
        if (mayLeave(one)) return nullptr;
    }
    return nullptr;
}

Ways waysWithoutWait(const hir::Body& body, const hir::Block& block) {
    return Walker(body).block(block);
}

bool goesOn(const hir::Body& body, const hir::Stmt& statement) {
    return EndFinder(body).passes(statement);
}

bool canFallOff(const hir::Body& body, const hir::Block& block) {
    return EndFinder(body).reachesEnd(block);
}

}  // namespace smec::sema
