// One walk in source order notes for each local its first use and the innermost block that holds
// all uses (its home). A local whose first use is a plain `set` standing directly in its home is
// declared there:
//   { t = a + b;  if (c) { y = t; } }   →   { const u32 t = a + b;  if (c) { y = t; } }

#include "codegen/cpp/decide/body_info.h"

#include <algorithm>

#include "codegen/cpp/decide/expression_facts.h"
#include "codegen/cpp/target.h"
#include "ir/references.h"
#include "ir/visit.h"
#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {
namespace {

/// What a statement does with a local.
enum class UseKind : std::uint8_t { Reads, SetsPart, SetsAll };

class BodyWalk {
public:
    BodyWalk(const ir::Body& body, const std::vector<Needs>& functions, BodyInfo& info)
        : body_(body),
          functions_(functions),
          info_(info),
          uses_(body.locals.size()),
          loopsOver_(body.locals.size(), 0),
          isUsedOutside_(body.locals.size(), false),
          seen_(body.exprs.size(), 0) {}

    void run() {
        blocks_.push_back({0});
        walk(body_.statements, 0);
        for (std::uint32_t i = 0; i < uses_.size(); ++i)
            settle({i});
        findThoseOfOneBlock();
        for (auto& [first, part] : info_.parts)
            std::erase_if(part.locals, [&](const auto& entry) {
                const LocalInfo& local = info_.locals[entry.first];
                return local.declaredBy.valid() || local.isOfOneBlock
                       || body_.locals[entry.first].type.isArray();
            });
    }

private:
    struct BlockNode {
        std::uint32_t parent;
        bool isOpen = true;  ///< the walk is in it
    };
    struct Use {
        std::uint32_t home = UINT32_MAX;
        std::uint32_t firstBlock = 0;
        const ir::Stmt* first = nullptr;
        bool firstSets = false;
        bool afterLeave = false;
        bool strays = false;  ///< read outside the body of the loop over it, or set besides by one
    };

    void findThoseOfOneBlock() {
        if (info_.parts.empty()) return;
        std::vector<std::size_t> parts(body_.locals.size());
        for (const auto& [first, part] : info_.parts)
            for (const auto& [local, isSet] : part.locals)
                ++parts[local];
        for (std::size_t i = 0; i < parts.size(); ++i)
            info_.locals[i].isOfOneBlock = uses_[i].home != 0 && parts[i] + isUsedOutside_[i] == 1
                                           && body_.locals[i].kind == ir::LocalKind::State
                                           && !body_.locals[i].type.isArray();
    }

    std::uint32_t addBlock(std::uint32_t parent) {
        blocks_.push_back({parent});
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }

    void walk(const ir::Block& block, std::uint32_t node) {
        for (std::size_t i = 0; i < block.size();) {
            const auto part = info_.parts.find(block[i].id);
            if (part == info_.parts.end()) {
                walk(block[i++], node);
                continue;
            }
            // a block of its own: what is used in two of them is declared in front
            const std::uint32_t inside = addBlock(node);
            part_ = &part->second;
            for (const std::size_t end = i + part->second.count; i < end; ++i)
                walk(block[i], inside);
            part_ = nullptr;
            blocks_[inside].isOpen = false;
        }
    }

    void walk(const ir::Stmt& stmt, std::uint32_t node) {
        collect(stmt, node);
        const auto* loop = std::get_if<ir::For>(&stmt.node);
        if (loop != nullptr) ++loopsOver_[loop->var.index];
        ir::forEachBlock(stmt, [&](const ir::Block& inner) {
            const std::uint32_t inside = addBlock(node);
            walk(inner, inside);
            blocks_[inside].isOpen = false;
        });
        if (loop != nullptr) --loopsOver_[loop->var.index];
    }

    void collect(const ir::Stmt& stmt, std::uint32_t node) {
        ++stamp_;
        ir::forEachExpr(stmt, [&](ir::ExprId id) { read(id, stmt, node); });
        smec::visit([&](const auto& s) { target(s, stmt, node); }, stmt.node);
    }

    void read(ir::ExprId root, const ir::Stmt& stmt, std::uint32_t node) {
        std::vector<ir::ExprId> stack{root};
        while (!stack.empty()) {
            const ir::ExprId id = stack.back();
            stack.pop_back();
            if (seen_[id.index] == stamp_) continue;
            seen_[id.index] = stamp_;
            const ir::Expr& expr = body_[id];
            ir::forEachOperand(expr, [&](ir::ExprId operand) { stack.push_back(operand); });
            smec::visit(
                Overloaded{
                    [&](const ir::ReadLocal& n) { use(n.local, stmt, node, UseKind::Reads); },
                    [&](const ir::ReadInput& n) { useInput(n); },
                    [&](const ir::ReadColumn& n) { useColumn(n.column); },
                    [&](const ir::ReadTable& n) { info_.tables.insert(n.table.index); },
                    [&](const ir::Cycle&) { info_.needs.context = info_.needs.cycle = true; },
                    [&](const ir::Seed&) { info_.needs.context = true; },
                    [](const ir::AnyOf<ir::ConstInt, ir::ConstBool, ir::ConstFloat, ir::Unary,
                                       ir::Binary, ir::Select, ir::Wrap, ir::Convert> auto&) {},
                },
                expr.node);
        }
    }

    void useInput(const ir::ReadInput& read) {
        const auto element = constantElement(body_, read);
        if (element && part_ != nullptr) part_->elements.insert({read.input, *element});
    }

    void useColumn(std::uint32_t column) {
        info_.columns.insert(column);
        if (part_ != nullptr) part_->columns.insert(column);
    }

    void use(ir::LocalId id, const ir::Stmt& stmt, std::uint32_t node, UseKind touch) {
        Use& use = uses_[id.index];
        LocalInfo& local = info_.locals[id.index];
        local.isUsed = true;
        local.isWritten = local.isWritten || touch != UseKind::Reads;
        if (part_ != nullptr) {
            bool& isSet = part_->locals[id.index];
            isSet = isSet || touch != UseKind::Reads;
        } else {
            isUsedOutside_[id.index] = true;
        }
        if (use.first == nullptr) {
            use = {node, node, &stmt, touch == UseKind::SetsAll, info_.needs.leave, false};
            return;
        }
        use.home = openBlockAround(use.home);
        use.strays = use.strays || touch != UseKind::Reads || loopsOver_[id.index] == 0;
    }

    /// What it has in common with the innermost open block. A local's home only moves outwards, so
    /// that all of this costs it no more than the depth of its first use.
    std::uint32_t openBlockAround(std::uint32_t block) const {
        while (!blocks_[block].isOpen)
            block = blocks_[block].parent;
        return block;
    }

    void target(const ir::Set& s, const ir::Stmt& stmt, std::uint32_t node) {
        use(s.local, stmt, node, s.index.valid() ? UseKind::SetsPart : UseKind::SetsAll);
    }
    void target(const ir::CopyArray& s, const ir::Stmt& stmt, std::uint32_t node) {
        smec::visit(Overloaded{
                        [&](const ir::LocalId& from) { use(from, stmt, node, UseKind::Reads); },
                        [&](const ir::ReadInput& from) { useInput(from); },
                        [&](const ir::TableId& from) { info_.tables.insert(from.index); },
                    },
                    s.from);
        use(s.to, stmt, node, UseKind::SetsAll);
    }
    void target(const ir::FillArray& s, const ir::Stmt& stmt, std::uint32_t node) {
        use(s.to, stmt, node, UseKind::SetsAll);
    }
    void target(const ir::For& s, const ir::Stmt& stmt, std::uint32_t node) {
        use(s.var, stmt, node, UseKind::SetsAll);
    }
    void target(const ir::Call& s, const ir::Stmt& stmt, std::uint32_t node) {
        info_.functions.insert(s.function.index);
        info_.needs.include(functions_[s.function.index]);
        for (const ir::LocalId result : s.results)
            use(result, stmt, node, UseKind::SetsAll);
    }
    void target(const ir::Loop&, const ir::Stmt&, std::uint32_t) {}
    void target(const ir::CountRound&, const ir::Stmt&, std::uint32_t) {
        fail();
        info_.needs.rounds = true;
    }
    void target(const ir::Check&, const ir::Stmt&, std::uint32_t) { fail(); }
    void target(const ir::Return&, const ir::Stmt&, std::uint32_t) {
        info_.needs.leave = info_.needs.returns = true;
    }
    void target(const ir::Trace&, const ir::Stmt&, std::uint32_t) {
        info_.needs.context = info_.needs.instance = info_.needs.traces = true;
    }
    void target(const ir::Stop&, const ir::Stmt&, std::uint32_t) {
        info_.needs.context = info_.needs.instance = info_.needs.stops = true;
    }
    void target(const ir::If&, const ir::Stmt&, std::uint32_t) {}
    void target(const ir::Switch&, const ir::Stmt&, std::uint32_t) {}
    void target(const ir::Break&, const ir::Stmt&, std::uint32_t) {}
    void target(const ir::Continue&, const ir::Stmt&, std::uint32_t) {}

    void fail() {
        info_.needs.context = info_.needs.instance = info_.needs.leave = info_.needs.fails = true;
    }

    void settle(ir::LocalId id) {
        const Use& use = uses_[id.index];
        if (use.first == nullptr || !use.firstSets || use.firstBlock != use.home) return;
        const ir::Local& local = body_.locals[id.index];
        LocalInfo& info = info_.locals[id.index];
        info.isOverwritten = use.home == 0 && !use.afterLeave;
        const bool isFor = std::holds_alternative<ir::For>(use.first->node);
        if (local.kind != ir::LocalKind::Temp || local.type.isArray()) return;
        if (isFor && use.strays) return;
        info.declaredBy = use.first->id;
    }

    const ir::Body& body_;
    const std::vector<Needs>& functions_;
    BodyInfo& info_;
    std::vector<Use> uses_;
    std::vector<BlockNode> blocks_;
    std::vector<std::uint32_t> loopsOver_;  ///< of each local: loops that stand open
    std::vector<bool> isUsedOutside_;       ///< of each local: not in a part
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;
    BodyPart* part_ = nullptr;  ///< the one that is walked
};

/// Calls and messages want variables of their own types.
bool isPlain(const BodyInfo& info) {
    if (!info.functions.empty() || info.needs.instance || info.needs.leave) return false;
    bool hasLoops = false;
    ir::forEachStmt(info.body->statements, [&](const ir::Stmt& stmt) {
        hasLoops = hasLoops || std::holds_alternative<ir::For>(stmt.node)
                   || std::holds_alternative<ir::Loop>(stmt.node);
    });
    return !hasLoops;
}

bool setsElements(const ir::Body& body) {
    bool sets = false;
    ir::forEachStmt(body.statements, [&](const ir::Stmt& stmt) {
        const auto* set = std::get_if<ir::Set>(&stmt.node);
        sets = sets
               || (set != nullptr && set->index.valid()
                   && !std::holds_alternative<ir::ConstInt>(body[set->index].node)
                   && body.locals[set->local.index].kind != ir::LocalKind::Temp);
    });
    return sets;
}

void decideLocals(BodyInfo& info) {
    const std::vector<ir::Local>& locals = info.body->locals;
    for (std::uint32_t i = 0; i < locals.size(); ++i) {
        const ir::Local& local = locals[i];
        const Word word = storedWord(local.type.scalar);
        LocalInfo& decided = info.locals[i];
        const bool isTemporary = local.kind == ir::LocalKind::Temp;
        decided.isCanonical =
            !isTemporary && (word.kind == WordKind::F32 || word.kind == WordKind::F64);
        info.changedVariables +=
            local.kind == ir::LocalKind::State && !local.type.isArray() && decided.isWritten;
        if (isTemporary && decided.isUsed && !decided.declaredBy.valid())
            info.inFront.push_back({i});
        if (!isTemporary || !decided.isUsed || !local.type.isArray()) continue;
        const std::uint64_t bytes = std::uint64_t{word.bits / 8} * local.type.length;
        decided.isStatic = bytes > target::kStackBytes - info.needs.stackBytes;
        if (!decided.isStatic) info.needs.stackBytes += bytes;
    }
    info.isCopiedToParts = !info.parts.empty();
    info.arguments = info.parts.empty() ? ArgumentForm::Array : ArgumentForm::Registers;
}

/// By expression: how often it reads elements of arrays or tables, which a C++ compiler must not do in vain.
std::vector<std::uint32_t> readsOfMemory(const ir::Body& body) {
    std::vector<std::uint32_t> reads(body.exprs.size());
    for (std::size_t i = 0; i < reads.size(); ++i) {
        const ir::Expr& expr = body.exprs[i];
        const bool isRead = smec::visit(
            Overloaded{
                [](const ir::ReadLocal& read) { return read.index.valid(); },
                [&](const ir::ReadInput& read) {
                    return read.index.valid() || !constantElement(body, read);
                },
                [](const ir::ReadTable&) { return true; },
                [](const ir::AnyOf<ir::ConstInt, ir::ConstBool, ir::ConstFloat, ir::ReadColumn,
                                   ir::Cycle, ir::Seed, ir::Unary, ir::Binary, ir::Select, ir::Wrap,
                                   ir::Convert> auto&) { return false; },
            },
            expr.node);
        reads[i] = isRead ? 1 : 0;
        ir::forEachOperand(expr, [&](ir::ExprId operand) {
            reads[i] = std::min(reads[i] + reads[operand.index], target::kShortCircuitReads);
        });
    }
    return reads;
}

/// Null where it is no `&&` or `||`.
const ir::Binary* logicalAt(const ir::Body& body, ir::ExprId id) {
    const auto* node = std::get_if<ir::Binary>(&body[id].node);
    const bool isLogical =
        node != nullptr && (node->op == ir::BinaryOp::BoolAnd || node->op == ir::BinaryOp::BoolOr);
    return isLogical ? node : nullptr;
}

/// Of `a && b && c`, and of each part of it: what b and c read.
std::vector<std::uint32_t> readsOfChains(const ir::Body& body,
                                         const std::vector<std::uint32_t>& reads) {
    std::vector<std::uint32_t> chains(reads.size());
    const auto forEachLink = [&](std::uint32_t i, auto&& f) {
        const ir::Binary* node = logicalAt(body, {i});
        if (node == nullptr) return;
        const ir::Binary* left = logicalAt(body, node->left);
        f(*node, left != nullptr && left->op == node->op);
    };
    for (std::uint32_t i = 0; i < chains.size(); ++i)
        forEachLink(i, [&](const ir::Binary& node, bool goesOn) {
            chains[i] = reads[node.right.index] + (goesOn ? chains[node.left.index] : 0);
        });
    for (auto i = static_cast<std::uint32_t>(chains.size()); i-- > 0;)
        forEachLink(i, [&](const ir::Binary& node, bool goesOn) {
            if (goesOn) chains[node.left.index] = std::max(chains[node.left.index], chains[i]);
        });
    return chains;
}

void decideShortCircuits(BodyInfo& info, const rules::Asker& ledger, rules::Subject subject) {
    const std::vector<std::uint32_t> reads = readsOfMemory(*info.body);
    const std::vector<std::uint32_t> chains = readsOfChains(*info.body, reads);
    std::vector<std::uint32_t> few, many;
    for (std::uint32_t i = 0; i < chains.size(); ++i) {
        const ir::Binary* node = logicalAt(*info.body, {i});
        if (node == nullptr || reads[node->right.index] == 0) continue;
        (chains[i] < target::kShortCircuitReads ? few : many).push_back(i);
    }
    const auto ask = [&](const std::vector<std::uint32_t>& found) {
        std::uint32_t most = 0;
        for (const std::uint32_t id : found)
            most = std::max(most, chains[id]);
        return ledger.ask(rules::Rule::ShortCircuits, subject,
                          {{rules::Condition::ElementReads, most, target::kShortCircuitReads}},
                          static_cast<std::uint32_t>(found.size()));
    };
    ask(few);
    if (many.empty() || !ask(many)) return;
    for (const std::uint32_t id : many)
        info.facts[id].isShortCircuit = true;
}

void visitFunction(std::uint32_t id, const std::vector<BodyInfo>& functions,
                   std::set<std::uint32_t>& done) {
    if (!done.insert(id).second) return;
    for (const std::uint32_t callee : functions[id].functions)
        visitFunction(callee, functions, done);
}

}  // namespace

void Needs::include(const Needs& callee) {
    context |= callee.context;
    cycle |= callee.cycle;
    instance |= callee.instance;
    rounds |= callee.rounds;
    leave |= callee.fails;
    fails |= callee.fails;
    stops |= callee.stops;
    traces |= callee.traces;
    stackBytes = std::max(stackBytes, callee.stackBytes);
}

BodyInfo analyse(BodyOf kind, const ir::Body& body, const plan::BodyFacts& facts,
                 const std::vector<Needs>& functions, const rules::Asker& ledger,
                 rules::Subject subject) {
    BodyInfo info;
    info.body = &body;
    info.uses = &facts.uses;
    info.facts = factsOf(body, facts.intervals);
    ir::StmtId next{0};
    ir::forEachStmt(body.statements, [&](const ir::Stmt& stmt) {
        if (stmt.id != next)
            throw InternalError("codegen: a body whose statements are not numbered");
        ++next.index;
        if (const auto* loop = std::get_if<ir::For>(&stmt.node))
            info.counters[stmt.id] = counterOf(*loop, facts.intervals);
    });
    info.locals.resize(body.locals.size());
    const rules::Finding length{rules::Condition::LongStatements, next.index, target::kLongBody};
    if (ledger.ask(rules::Rule::BodyParts, subject, {length}, length.holds() ? 1 : 0))
        info.parts = bodyParts(body.statements, kind);
    BodyWalk(body, functions, info).run();
    decideLocals(info);
    decideShortCircuits(info, ledger, subject);
    info.isPlain = isPlain(info);
    info.setsElements = setsElements(body);
    info.setOn = setPathsOf(body);
    return info;
}

std::vector<std::uint32_t> reachableFunctions(const std::set<std::uint32_t>& direct,
                                              const std::vector<BodyInfo>& functions) {
    std::set<std::uint32_t> done;
    for (const std::uint32_t id : direct)
        visitFunction(id, functions, done);
    return {done.begin(), done.end()};  // ids are in order of definition: callees first
}

}  // namespace smec::codegen::cpp
