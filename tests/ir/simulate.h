#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "ir/analysis.h"
#include "ir/arithmetic.h"
#include "ir/operators.h"
#include "ir/simulated_value.h"
#include "ir/visit.h"
#include "source/overloaded.h"

/// Runs a design by its IR, slowly and exactly: what the generated code has to do. Throws
/// std::runtime_error where the IR breaks its own rules (an index out of range without a check in
/// front, a value that does not fit, a division by zero).
namespace simulation {

using smec::Overloaded;

inline std::string kindText(FailureKind kind) {
    constexpr const char* texts[] = {"assertion failed",   "assumption failed", "division by zero",
                                     "index out of range", "negative shift",    "range violation",
                                     "enum value",         "loop limit",        "wait count"};
    return texts[static_cast<int>(kind)];
}

class Simulator {
public:
    explicit Simulator(const Design& design) : design_(design) {
        for (const Plane& plane : design.planes) {
            std::vector<Value> values;
            for (std::uint32_t i = 0; i < plane.instances; ++i) {
                for (std::uint64_t e = 0; e < plane.type.elements(); ++e)
                    values.push_back(initial(plane, i, e));
            }
            read_.push_back(values);
            write_.push_back(std::move(values));
        }
    }

    /// The lines of one run: traces, and "failure: …". Ends at `cycles`, a stop or a failure.
    std::vector<std::string> run(std::uint64_t cycles) {
        for (cycle_ = 0; cycle_ < cycles && !over_; ++cycle_)
            step();
        return lines_;
    }
    int status() const { return status_; }
    const Value& at(PlaneId plane, std::uint64_t index) const { return read_[plane.index][index]; }

private:
    enum class Flow { Next, Break, Continue, Leave };
    using Locals = std::vector<std::vector<Value>>;
    struct Frame {
        const Body& body;
        Locals locals;
        Value result = Integer(0);
    };
    struct Message {
        std::uint64_t order;
        std::string text;
    };

    static Value initial(const Plane& plane, std::uint32_t instance, std::uint64_t element) {
        const std::uint64_t base = plane.initial.perInstance ? instance * plane.type.elements() : 0;
        return toValue(plane.initial.values[base + element]);
    }
    static Value toValue(const Constant& c) {
        if (const auto* x = std::get_if<Integer>(&c.value)) return *x;
        return std::get<double>(c.value);
    }
    [[noreturn]] static void broken(const std::string& what) { throw std::runtime_error(what); }

    void step() {
        std::vector<Message> said;
        std::uint64_t stopOrder = UINT64_MAX;
        for (const Class& cls : design_.classes) {
            for (const InstanceRun& run : cls.runs) {
                for (std::uint32_t i = 0; i < run.count; ++i) {
                    order_ = run.order + i * run.orderStride;
                    messages_ = &said;
                    stopOrder_ = &stopOrder;
                    activate(cls, run.first + i);
                }
            }
        }
        std::stable_sort(said.begin(), said.end(),
                         [](const Message& a, const Message& b) { return a.order < b.order; });
        for (Message& message : said)
            lines_.push_back(std::move(message.text));
        for (std::size_t p = 0; p < read_.size(); ++p) {
            if (design_.planes[p].kind == PlaneKind::Output) read_[p] = write_[p];
        }
        if (failed_) status_ = 1;
        over_ = failed_ || stopOrder != UINT64_MAX;
    }

    void activate(const Class& cls, std::uint32_t instance) {
        cls_ = &cls;
        instance_ = instance;
        rounds_ = 0;
        leaving_ = false;
        Frame frame{cls.body, {}, Integer(0)};
        for (const Local& local : cls.body.locals)
            frame.locals.push_back(start(local));
        execute(frame, cls.body.statements);
        for (std::size_t i = 0; i < frame.locals.size(); ++i) {
            const Local& local = cls.body.locals[i];
            const bool isState = local.kind == LocalKind::State;
            if (!isState && local.kind != LocalKind::Output) continue;
            const PlaneId plane = isState ? cls.state[local.slot] : cls.outputs[local.slot].plane;
            auto& values = isState ? read_[plane.index] : write_[plane.index];
            std::copy(frame.locals[i].begin(), frame.locals[i].end(),
                      values.begin()
                          + static_cast<std::ptrdiff_t>(instance_ * frame.locals[i].size()));
        }
    }

    std::vector<Value> start(const Local& local) const {
        const std::size_t size = local.type.elements();
        if (local.kind == LocalKind::Temp || local.kind == LocalKind::Param)
            return std::vector<Value>(size, Integer(0));
        const bool isState = local.kind == LocalKind::State;
        const PlaneId id = isState ? cls_->state[local.slot] : cls_->outputs[local.slot].plane;
        std::vector<Value> values;
        for (std::size_t e = 0; e < size; ++e) {
            const bool keep = isState || cls_->outputs[local.slot].hold;
            values.push_back(keep ? read_[id.index][instance_ * size + e]
                                  : initial(design_.planes[id.index], instance_, e));
        }
        return values;
    }

    // -------------------------------------------------------------- expressions

    Integer integer(Frame& f, ExprId id) { return std::get<Integer>(value(f, id)); }
    bool boolean(Frame& f, ExprId id) { return integer(f, id) != 0; }
    double real(Frame& f, ExprId id) { return std::get<double>(value(f, id)); }

    std::size_t index(Frame& f, ExprId id, std::size_t size) {
        if (!id.valid()) return 0;
        const Integer i = integer(f, id);
        if (i < 0 || i >= size) broken("index " + i.str() + " of " + std::to_string(size));
        return static_cast<std::size_t>(i);
    }

    const Value& input(std::uint32_t number, std::size_t element) const {
        for (const Run& run : cls_->inputs[number].elements[0].runs) {
            if (instance_ < run.first || instance_ >= run.first + run.count) continue;
            const std::int64_t place =
                run.start + static_cast<std::int64_t>(instance_ - run.first) * run.stride;
            const std::size_t size = cls_->inputs[number].type.elements();
            return read_[run.plane.index][static_cast<std::size_t>(place) * size + element];
        }
        broken("no run");
    }

    Value value(Frame& f, ExprId id) {
        const Expr& expr = f.body[id];
        return std::visit(
            Overloaded{
                [](const ConstInt& n) -> Value { return n.value; },
                [](const ConstBool& n) -> Value { return Integer(n.value ? 1 : 0); },
                [](const ConstFloat& n) -> Value { return n.value; },
                [&](const ReadColumn& n) -> Value {
                    return toValue(cls_->columns[n.column].values[instance_]);
                },
                [&](const ReadInput& n) -> Value {
                    return input(n.input, index(f, n.index, cls_->inputs[n.input].type.elements()));
                },
                [&](const ReadLocal& n) -> Value {
                    return f
                        .locals[n.local.index][index(f, n.index, f.locals[n.local.index].size())];
                },
                [&](const ReadTable& n) -> Value {
                    const Table& table = design_.tables[n.table.index];
                    return toValue(table.values[index(f, n.index, table.values.size())]);
                },
                [&](const Cycle&) -> Value { return Integer(cycle_); },
                [&](const Seed&) -> Value { return Integer(0); },
                [&](const Unary& n) -> Value { return unary(f, n, expr.type); },
                [&](const Binary& n) -> Value { return binary(f, n, expr.type); },
                [&](const Select& n) -> Value {  // both sides may be evaluated
                    const Value yes = value(f, n.yes), no = value(f, n.no);
                    return boolean(f, n.condition) ? yes : no;
                },
                [&](const Wrap& n) -> Value {
                    return wrapInteger(integer(f, n.operand), n.width, n.isSigned);
                },
                [&](const Convert& n) -> Value { return convert(f, n, expr.type); },
            },
            expr.node);
    }

    Value unary(Frame& f, const Unary& n, ExprType type) {
        if (n.op == UnaryOp::FNeg) return rounded(type, -real(f, n.operand));
        const Integer x = integer(f, n.operand);
        if (n.op == UnaryOp::Not) return Integer(1 - x);
        if (n.op == UnaryOp::Parity) return Integer(*apply(UnaryOp::Popcount, x) % 2);
        return *apply(n.op, x);
    }

    Value binary(Frame& f, const Binary& n, ExprType type) {
        const Value l = value(f, n.left), r = value(f, n.right);
        if (const auto* x = std::get_if<double>(&l))
            return floatOperation(n.op, type, *x, std::get<double>(r));
        const Integer &x = std::get<Integer>(l), &y = std::get<Integer>(r);
        if (isIntegerComparison(n.op)) return truth(compare(n.op, x, y));
        switch (n.op) {
        case BinaryOp::BoolAnd: return truth(x != 0 && y != 0);
        case BinaryOp::BoolOr: return truth(x != 0 || y != 0);
        case BinaryOp::BoolXor: return truth(x != y);
        case BinaryOp::BoolEq: return truth(x == y);
        default: break;
        }
        if (n.op == BinaryOp::Shl && y > 70'000) return Integer(0);  // only low bits are looked at
        const auto result = apply(n.op, x, y);
        if (!result) broken("operator without a result");
        return *result;
    }

    Value convert(Frame& f, const Convert& n, ExprType type) {
        switch (n.op) {
        case ConvertOp::IntToBool: return Integer(integer(f, n.operand) != 0 ? 1 : 0);
        case ConvertOp::BoolToInt: return integer(f, n.operand);
        case ConvertOp::IntToFloat:
            return rounded(type, static_cast<double>(integer(f, n.operand)));
        case ConvertOp::FloatToFloat: return rounded(type, real(f, n.operand));
        case ConvertOp::FloatToInt: break;
        }
        return saturated(real(f, n.operand), n.width, n.isSigned);
    }

    // -------------------------------------------------------------- statements

    Flow execute(Frame& f, const Block& block) {
        for (const Stmt& stmt : block) {
            const Flow flow = execute(f, stmt);
            if (flow != Flow::Next) return flow;
        }
        return Flow::Next;
    }

    void store(Frame& f, LocalId id, std::size_t at, const Value& v) {
        const Scalar& type = f.body.locals[id.index].type.scalar;
        if (const auto* x = std::get_if<Integer>(&v); x && !intervalOf(type).contains(*x))
            broken("value " + x->str() + " does not fit");
        f.locals[id.index][at] = v;
    }

    Flow execute(Frame& f, const Stmt& stmt) {
        return std::visit(
            Overloaded{
                [&](const Set& n) {
                    const Value v = value(f, n.value);
                    store(f, n.local, index(f, n.index, f.locals[n.local.index].size()), v);
                    return Flow::Next;
                },
                [&](const CopyArray& n) { return copy(f, n); },
                [&](const FillArray& n) {
                    const Value v = value(f, n.value);
                    for (std::size_t i = 0; i < f.locals[n.to.index].size(); ++i)
                        store(f, n.to, i, v);
                    return Flow::Next;
                },
                [&](const Check& n) {
                    return boolean(f, n.ok) ? Flow::Next : fail(f, n.site, n.args);
                },
                [&](const If& n) { return execute(f, boolean(f, n.condition) ? n.yes : n.no); },
                [&](const For& n) { return loop(f, n); },
                [&](const Loop& n) {
                    for (;;) {
                        const Flow flow = execute(f, n.body);
                        if (flow == Flow::Break) return Flow::Next;
                        if (flow == Flow::Leave) return flow;
                    }
                },
                [&](const CountRound& n) {
                    return ++rounds_ > 1'000'000 ? fail(f, n.site, {}) : Flow::Next;
                },
                [&](const Switch& n) {
                    const Integer subject = integer(f, n.subject);
                    for (const SwitchCase& c : n.cases) {
                        if (std::find(c.labels.begin(), c.labels.end(), subject) != c.labels.end())
                            return execute(f, c.body);
                    }
                    return execute(f, n.otherwise);
                },
                [&](const Break&) { return Flow::Break; },
                [&](const Continue&) { return Flow::Continue; },
                [&](const Call& n) { return call(f, n); },
                [&](const Return& n) {
                    if (!n.values.empty()) f.result = value(f, n.values[0]);
                    return Flow::Leave;
                },
                [&](const Trace& n) {
                    messages_->push_back({order_, text(f, cls_->body.traces[n.site], n.args)});
                    return Flow::Next;
                },
                [&](const Stop& n) {
                    if (order_ < *stopOrder_) status_ = static_cast<int>(integer(f, n.status));
                    *stopOrder_ = std::min(*stopOrder_, order_);
                    return Flow::Next;
                },
            },
            stmt.node);
    }

    Flow copy(Frame& f, const CopyArray& n) {
        std::vector<Value>& to = f.locals[n.to.index];
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (const auto* local = std::get_if<LocalId>(&n.from))
                to[i] = f.locals[local->index][i];
            if (const auto* read = std::get_if<ReadInput>(&n.from)) to[i] = input(read->input, i);
            if (const auto* table = std::get_if<TableId>(&n.from))
                to[i] = toValue(design_.tables[table->index].values[i]);
        }
        return Flow::Next;
    }

    Flow loop(Frame& f, const For& n) {
        const Integer from = integer(f, n.from), to = integer(f, n.to);
        const bool down = n.kind == LoopKind::Down || (n.kind == LoopKind::Either && from > to);
        std::uint64_t rounds = 0;
        for (Integer i = from; down ? i >= to : i <= to; i += down ? -1 : 1) {
            if (n.rounds && ++rounds > *n.rounds) broken("more rounds than announced");
            store(f, n.var, 0, i);
            const Flow flow = execute(f, n.body);
            if (flow == Flow::Break) break;
            if (flow == Flow::Leave) return flow;
        }
        return Flow::Next;
    }

    Flow call(Frame& f, const Call& n) {
        const Function& function = design_.functions[n.function.index];
        Frame inner{function.body, {}, Integer(0)};
        for (const Local& local : function.body.locals)
            inner.locals.emplace_back(local.type.elements(), Integer(0));
        for (std::size_t i = 0; i < n.args.size(); ++i)
            store(inner, LocalId{static_cast<std::uint32_t>(i)}, 0, value(f, n.args[i]));
        const bool before = leaving_;
        execute(inner, function.body.statements);
        if (leaving_ && !before) return Flow::Leave;
        store(f, n.results[0], 0, inner.result);
        return Flow::Next;
    }

    Flow fail(Frame& f, std::uint32_t site, const std::vector<ExprId>& args) {
        const FailSite& fs = cls_->body.fails[site];
        std::string line = "failure: " + kindText(fs.kind);
        if (fs.hasText) line += ": " + text(f, fs.text, args);
        messages_->push_back({order_, line});
        failed_ = leaving_ = true;
        return Flow::Leave;
    }

    // -------------------------------------------------------------- texts

    std::string text(Frame& f, const TraceSite& site, const std::vector<ExprId>& args) {
        std::string out;
        std::size_t next = 0;
        for (std::size_t i = 0; i < site.format.size(); ++i) {
            const char c = site.format[i];
            if (c != '{' && c != '}') {
                out += c;
            } else if (site.format[i + 1] == c) {
                out += c;
                ++i;
            } else {
                const std::size_t end = site.format.find('}', i);
                out += shown(value(f, args[next]), site.args[next], design_,
                             site.format.substr(i + 1, end - i - 1));
                ++next;
                i = end;
            }
        }
        return out;
    }

    const Design& design_;
    std::vector<std::vector<Value>> read_, write_;
    std::vector<std::string> lines_;
    std::vector<Message>* messages_ = nullptr;
    std::uint64_t* stopOrder_ = nullptr;
    const Class* cls_ = nullptr;
    std::uint32_t instance_ = 0;
    std::uint64_t order_ = 0, cycle_ = 0, rounds_ = 0;
    bool over_ = false, failed_ = false, leaving_ = false;
    int status_ = 0;
};

}  // namespace simulation
