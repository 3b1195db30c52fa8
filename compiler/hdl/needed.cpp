#include "hdl/needed.h"

#include <algorithm>
#include <vector>

#include "ir/references.h"

// A graph of what hangs on what, by numbers: locals first, then expressions, then blocks, each of
// which hangs on the one around it and on what decides whether it runs. A local hangs on what sets
// it, and on the blocks in which that stands. What can be reached from fields and assertions stays:
//
//   c = c + a.v;  if (a.v > 3) { n = n + 1; }  out.v = n;      out.v → n → if → a.v;  c: gone

namespace smec {

namespace {

using namespace ir;

class Needs {
public:
    explicit Needs(const Body& body)
        : body_(body), firstBlock_(body.locals.size() + body.exprs.size()), needs_(firstBlock_) {}

    /// By local.
    std::vector<bool> run() {
        visit(body_.statements, block());
        for (std::size_t i = 0; i < body_.locals.size(); ++i)
            if (body_.locals[i].kind == LocalKind::Output) todo_.push_back(i);
        isNeeded_.assign(needs_.size(), false);
        while (!todo_.empty()) {
            const std::size_t node = todo_.back();
            todo_.pop_back();
            if (isNeeded_[node]) continue;
            isNeeded_[node] = true;
            follow(node);
        }
        isNeeded_.resize(body_.locals.size());
        return std::move(isNeeded_);
    }

private:
    using Node = std::size_t;

    static Node nodeOf(LocalId id) { return id.index; }
    Node nodeOf(ExprId id) const { return body_.locals.size() + id.index; }
    Node block() {
        needs_.emplace_back();
        return needs_.size() - 1;
    }

    void visit(const Block& statements, Node around) {
        for (const Stmt& stmt : statements) {
            std::vector<Node> own{around};
            forEachExpr(stmt, [&](ExprId id) { own.push_back(nodeOf(id)); });
            if (const LocalId from = copiedLocal(stmt); from.valid()) own.push_back(nodeOf(from));
            bool setsAny = false;
            forEachAssigned(stmt, [&](LocalId id) {
                setsAny = true;
                needs_[nodeOf(id)].insert(needs_[nodeOf(id)].end(), own.begin(), own.end());
            });
            bool hasBlocks = false;
            forEachBlock(stmt, [&](const Block& inner) {
                hasBlocks = true;
                const Node node = block();
                needs_[node] = own;
                visit(inner, node);
            });
            // what sets nothing itself is there for what it does
            if (!setsAny && !hasBlocks) todo_.insert(todo_.end(), own.begin(), own.end());
        }
    }

    void follow(Node node) {
        todo_.insert(todo_.end(), needs_[node].begin(), needs_[node].end());
        if (node < body_.locals.size() || node >= firstBlock_) return;
        const Expr& expr = body_.exprs[node - body_.locals.size()];
        forEachOperand(expr, [&](ExprId id) { todo_.push_back(nodeOf(id)); });
        forEachReference<LocalId>(expr, [&](LocalId id) { todo_.push_back(nodeOf(id)); });
    }

    const Body& body_;
    const std::size_t firstBlock_;
    std::vector<std::vector<Node>> needs_;
    std::vector<Node> todo_;
    std::vector<bool> isNeeded_;
};

/// Loops keep their variables: they go with what is in them.
void sweep(Block& block, const std::vector<bool>& isNeeded) {
    std::erase_if(block, [&](const Stmt& stmt) {
        if (isLoop(stmt)) return false;
        bool sets = false, isUsed = false;
        forEachAssigned(stmt, [&](LocalId id) {
            sets = true;
            isUsed = isUsed || isNeeded[id.index];
        });
        return sets && !isUsed;
    });
    for (Stmt& stmt : block)
        forEachBlock(stmt, [&](Block& inner) { sweep(inner, isNeeded); });
}

/// Those that are neither fields nor mentioned.
void dropLocals(Body& body) {
    std::vector<bool> isMentioned;
    for (const Local& local : body.locals)
        isMentioned.push_back(local.kind == LocalKind::Output);
    forEachReference<LocalId>(body, [&](LocalId id) { isMentioned[id.index] = true; });
    std::vector<LocalId> numbers(body.locals.size());
    std::vector<Local> kept;
    for (std::size_t i = 0; i < body.locals.size(); ++i) {
        if (!isMentioned[i]) continue;
        numbers[i] = {static_cast<std::uint32_t>(kept.size())};
        kept.push_back(std::move(body.locals[i]));
    }
    body.locals = std::move(kept);
    forEachReference<LocalId>(body, [&](LocalId& id) { id = numbers[id.index]; });
}

}  // namespace

void hdl::removeUnneeded(Body& body) {
    sweep(body.statements, Needs(body).run());
    dropLocals(body);
}

}  // namespace smec
