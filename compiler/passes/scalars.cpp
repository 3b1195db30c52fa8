#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/analysis.h"
#include "ir/builder.h"
#include "ir/references.h"
#include "passes/body.h"
#include "source/overloaded.h"

// The elements of a small array become variables of their own. An index that is no constant chooses
// among all of them:
//
//   a[1] = a[i];           a1 = i == 0 ? a0 : i == 1 ? a1 : a2;
//   a[i] = x;              a0 = i == 0 ? x : a0; a1 = i == 1 ? x : a1; a2 = i == 2 ? x : a2;

namespace smec::passes {

using namespace ir;

namespace {

class Splitter {
public:
    Splitter(Body& body, const std::vector<Interval>& intervals)
        : body_(body), intervals_(intervals), old_(body.exprs), size_(body.exprs.size()) {}

    bool run(std::vector<std::uint32_t>& slots) {
        for (const Local& local : body_.locals) {
            if (!local.type.isArray()) continue;
            if (local.form != LocalForm::Spread
                && (local.type.length > target::kMostElements || local.kind == LocalKind::Output))
                return false;
            if (local.kind == LocalKind::State) slots.push_back(local.slot);
        }
        if (hasSparseArray()) return false;
        std::sort(slots.begin(), slots.end());
        addElements(slots);
        body_.exprs.clear();
        for (std::uint32_t i = 0; i < size_; ++i)
            now_.push_back(rebuild(old_[i]));
        body_.statements = block(body_.statements);
        dropArrays();
        return !gaveUp_;
    }

private:
    /// Whether so little is touched of a variable that all its elements, loaded and stored by every
    /// instance, are more than the one line of the cache where they lie together.
    bool hasSparseArray() const {
        std::vector<std::size_t> accesses(body_.locals.size());
        for (const Expr& expr : body_.exprs) {
            const auto* read = std::get_if<ReadLocal>(&expr.node);
            if (read && read->index.valid()) ++accesses[read->local.index];
        }
        forEachStmt(body_.statements, [&](const Stmt& stmt) {
            const bool isElement =
                std::holds_alternative<Set>(stmt.node) && std::get<Set>(stmt.node).index.valid();
            forEachAssigned(stmt, [&](LocalId id) {
                const StorageType& type = body_.locals[id.index].type;
                accesses[id.index] += isElement ? 1 : type.elements();
            });
            const LocalId copied = copiedLocal(stmt);
            if (copied.valid())
                accesses[copied.index] += body_.locals[copied.index].type.elements();
        });
        for (std::size_t i = 0; i < body_.locals.size(); ++i) {
            const Local& local = body_.locals[i];
            const std::uint64_t bits = std::uint64_t{local.type.length} * local.type.scalar.width;
            if (local.kind == LocalKind::State && local.form != LocalForm::Spread
                && bits > 8 * target::kSparseBytes
                && accesses[i] * target::kSparseShare <= local.type.length)
                return true;
        }
        return false;
    }

    /// A variable's slots move by the elements of those split in front of it.
    static std::uint32_t slotAfter(std::uint32_t slot, const std::vector<std::uint32_t>& slots,
                                   const std::vector<std::uint32_t>& lengths) {
        std::uint32_t moved = slot;
        for (std::size_t i = 0; i < slots.size() && slots[i] < slot; ++i)
            moved += lengths[i] - 1;
        return moved;
    }

    void addElements(const std::vector<std::uint32_t>& slots) {
        std::vector<std::uint32_t> lengths(slots.size());
        for (const Local& local : body_.locals) {
            if (local.kind == LocalKind::State && local.type.isArray())
                lengths[std::size_t(std::lower_bound(slots.begin(), slots.end(), local.slot)
                                    - slots.begin())] = local.type.length;
        }
        const std::size_t count = body_.locals.size();
        for (std::size_t i = 0; i < count; ++i) {
            Local local = body_.locals[i];
            if (local.kind == LocalKind::State) {
                local.slot = slotAfter(local.slot, slots, lengths);
                body_.locals[i].slot = local.slot;
            }
            elements_.emplace_back();
            if (!local.type.isArray() || local.form == LocalForm::Spread) continue;
            const std::uint32_t length = std::exchange(local.type.length, 0);
            for (std::uint32_t e = 0; e < length; ++e) {
                elements_[i].push_back({static_cast<std::uint32_t>(body_.locals.size())});
                body_.locals.push_back(local);
                body_.locals.back().name += std::to_string(e);
                if (local.kind == LocalKind::State) body_.locals.back().slot += e;
            }
        }
    }

    bool isSplit(LocalId id) const {
        return id.index < elements_.size() && !elements_[id.index].empty();
    }

    ExprId add(Expr expr) { return addExpr(body_, std::move(expr)); }
    ExprId read(LocalId local) {
        return add({exprTypeOf(body_.locals[local.index].type.scalar), ReadLocal{local, {}}});
    }
    ExprId isIndex(ExprId index, std::uint32_t element) {
        const ExprId number = add({ExprType::Int, ConstInt{element}});
        return add({ExprType::Bool, Binary{BinaryOp::Eq, index, number}});
    }

    /// What an index can be, of what is in the array.
    struct Elements {
        std::uint32_t first, last;
    };
    Elements elementsAt(std::uint32_t oldIndex, std::size_t length) const {
        const Interval& range = intervals_[oldIndex];
        const Integer end = length - 1;
        const Integer low = std::clamp(range.low, Integer(0), end);
        const Integer high = std::clamp(range.high, low, end);
        return {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high)};
    }

    ExprId rebuild(const Expr& expr) {
        const auto* element = std::get_if<ReadLocal>(&expr.node);
        if (element && isSplit(element->local)) {
            if (!element->index.valid()) return add({ExprType::Int, ConstInt{0}});  // of a call
            const std::vector<LocalId>& all = elements_[element->local.index];
            const Elements range = elementsAt(element->index.index, all.size());
            const ExprId index = now_[element->index.index];
            ExprId value = read(all[range.last]);
            for (std::uint32_t e = range.last; e-- > range.first;) {
                const ExprId other = read(all[e]);
                value = add({expr.type, Select{isIndex(index, e), other, value}});
            }
            return value;
        }
        Expr copy = expr;
        forEachOperand(copy, [&](ExprId& id) { id = now_[id.index]; });
        return add(std::move(copy));
    }

    Block block(const Block& from) {
        Block to;
        for (const Stmt& stmt : from)
            append(stmt, to);
        return to;
    }

    void append(const Stmt& stmt, Block& to) {
        smec::visit(Overloaded{
                        [&](const Set& n) {
                            isSplit(n.local) ? assign(n, stmt.range, to) : keepAll(stmt, to);
                        },
                        [&](const FillArray& n) { fillAll(n, stmt.range, to); },
                        [&](const CopyArray& n) { copyAll(n, stmt.range, to); },
                        [&](const AnyOf<Check, If, For, Loop, CountRound, Switch, Break, Continue,
                                        Call, Return, Trace, Stop> auto&) { keepAll(stmt, to); },
                    },
                    stmt.node);
    }

    /// A statement that names no array itself.
    void keepAll(const Stmt& stmt, Block& to) {
        Stmt copy = stmt;
        forEachExpr(copy, [&](ExprId& id) { id = now_[id.index]; });
        forEachBlock(copy, [&](Block& inner) { inner = block(inner); });
        to.push_back(std::move(copy));
    }

    /// A value as it is before elements change.
    ExprId keep(ExprId value, const Scalar& type, std::optional<Interval> range,
                const SourceRange& at, Block& to) {
        const LocalId local{static_cast<std::uint32_t>(body_.locals.size())};
        body_.locals.push_back({"kept", LocalKind::Temp, {type, 0}, 0, std::move(range)});
        to.push_back({at, Set{local, {}, value}});
        return read(local);
    }

    void assign(const Set& set, const SourceRange& at, Block& to) {
        const std::vector<LocalId>& all = elements_[set.local.index];
        const Elements range = elementsAt(set.index.index, all.size());
        if (range.first == range.last) {
            to.push_back({at, Set{all[range.first], {}, now_[set.value.index]}});
            return;
        }
        const ExprId inRange =
            add({ExprType::Int, Wrap{now_[set.index.index], 8, false}});  // at most kMostElements
        const ExprId index = keep(inRange, {ScalarKind::Int, false, 8}, {}, at, to);
        const Local& local = body_.locals[set.local.index];
        const Scalar scalar = local.type.scalar;
        const ExprId value = keep(now_[set.value.index], scalar, local.range, at, to);
        for (std::uint32_t e = range.first; e <= range.last; ++e) {
            const ExprId old = read(all[e]);
            const ExprId next = add({exprTypeOf(scalar), Select{isIndex(index, e), value, old}});
            to.push_back({at, Set{all[e], {}, next}});
        }
    }

    void fillAll(const FillArray& fill, const SourceRange& at, Block& to) {
        const Local& local = body_.locals[fill.to.index];
        const Scalar scalar = local.type.scalar;
        const ExprId value = keep(now_[fill.value.index], scalar, local.range, at, to);
        for (const LocalId element : elements_[fill.to.index])
            to.push_back({at, Set{element, {}, value}});
    }

    void copyAll(const CopyArray& copy, const SourceRange& at, Block& to) {
        const std::vector<LocalId>& all = elements_[copy.to.index];
        const auto setAll = [&](const auto& element) {
            for (std::uint32_t e = 0; e < all.size(); ++e)
                to.push_back({at, Set{all[e], {}, element(e)}});
        };
        smec::visit(Overloaded{
                        [&](const LocalId& from) {
                            setAll([&](std::uint32_t e) { return read(elements_[from.index][e]); });
                        },
                        [&](const TableId& from) {
                            setAll([&](std::uint32_t e) { return ofTable(from, all[e], e); });
                        },
                        [&](const ReadInput&) { gaveUp_ = true; },
                    },
                    copy.from);
    }

    ExprId ofTable(TableId table, LocalId element, std::uint32_t e) {
        const ExprId index = add({ExprType::Int, ConstInt{e}});
        const Scalar& scalar = body_.locals[element.index].type.scalar;
        return add({exprTypeOf(scalar), ReadTable{table, index}});
    }

    /// Nobody names them any more.
    void dropArrays() {
        std::vector<LocalId> numbers;
        std::vector<Local> kept;
        for (std::uint32_t i = 0; i < body_.locals.size(); ++i) {
            numbers.push_back({static_cast<std::uint32_t>(kept.size())});
            if (!isSplit({i})) kept.push_back(std::move(body_.locals[i]));
        }
        body_.locals = std::move(kept);
        forEachReference<LocalId>(body_, [&](LocalId& id) { id = numbers[id.index]; });
    }

    Body& body_;
    const std::vector<Interval>& intervals_;
    const std::vector<Expr> old_;
    const std::size_t size_;
    std::vector<ExprId> now_;                     ///< by old ExprId
    std::vector<std::vector<LocalId>> elements_;  ///< by LocalId, of arrays
    bool gaveUp_ = false;
};

}  // namespace

bool splitArrays(Body& body, const std::vector<Interval>& intervals,
                 std::vector<std::uint32_t>& slots) {
    return Splitter(body, intervals).run(slots);
}

}  // namespace smec::passes
