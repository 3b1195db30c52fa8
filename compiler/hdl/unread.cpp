#include "hdl/unread.h"

#include <algorithm>

#include "hdl/walk.h"
#include "source/overloaded.h"

// Bits count as read where a printer shows them: `x` alone shows all of x, a slice, an element at a
// known place of a vector, and a number that is cut to fewer bits a part of it.

namespace smec::hdl {

namespace {

using Bits = std::vector<bool>;

void mark(Bits& bits, std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t i = first; i < std::min<std::uint64_t>(first + count, bits.size()); ++i)
        bits[i] = true;
}

bool hasGap(const Bits& bits) { return std::find(bits.begin(), bits.end(), false) != bits.end(); }

// ---------------------------------------------------------------- networks

bool isInput(const Module& module, const std::string& port) {
    return std::any_of(module.signals.begin(), module.signals.end(), [&](const Signal& signal) {
        return signal.name == port && signal.role == Role::Input;
    });
}

/// Elements that an instance reads; all, where the places change from round to round.
void read(const Instance& instance, const Actual::Part& part, Bits& elements) {
    const bool isAll = part.count == 0 || !instance.loops.empty();
    mark(elements, isAll ? 0 : static_cast<std::uint64_t>(part.first),
         isAll ? elements.size() : part.count);
}

std::vector<bool> unreadOfNetwork(const Design& design, const Module& network) {
    std::vector<Bits> elements;
    for (const Signal& signal : network.signals)
        elements.emplace_back(signal.elements(),
                              signal.role != Role::Wire && signal.role != Role::Input);
    for (const Instance& instance : network.instances)
        for (const Actual& actual : instance.actuals)
            if (isInput(design.modules[instance.module.index], actual.port))
                for (const Actual::Part& part : actual.parts)
                    if (part.signal.valid()) read(instance, part, elements[part.signal.index]);
    std::vector<bool> result;
    for (const Bits& one : elements)
        result.push_back(hasGap(one));
    return result;
}

// ---------------------------------------------------------------- processes

class Reader {
public:
    explicit Reader(const Module& module) : module_(module), seen_(module.exprs.size(), false) {
        for (const Signal& signal : module.signals) {
            const std::uint64_t count = signal.isPacked ? signal.elements() : 1;
            bits_.emplace_back(signal.type.width * count, false);
        }
    }

    std::vector<bool> run() {
        read(module_.body);
        read(module_.checks);
        std::vector<bool> result;
        for (const Bits& one : bits_)
            result.push_back(hasGap(one));
        return result;
    }

private:
    void read(const Block& block) {
        for (const Stmt& stmt : block) {
            smec::visit([&](const auto& node) { read(node); }, stmt.node);
            forEachBlock(stmt, [&](const Block& inner) { read(inner); });
        }
    }
    void read(const Assign& node) {
        read(node.value);
        if (node.index.valid()) read(node.index);
    }
    void read(const CopyArray& node) { all(node.from); }
    void read(const FillArray& node) { read(node.value); }
    void read(const If& node) { read(node.condition); }
    void read(const Case& node) { read(node.subject); }
    void read(const For&) {}
    void read(const Assert&) {}  // not in hardware

    void all(SignalId id) { mark(bits_[id.index], 0, bits_[id.index].size()); }

    void read(ExprId id) {
        if (seen_[id.index]) return;
        seen_[id.index] = true;
        const Expr& expr = module_[id];
        if (expr.op == Op::Ref) return all(expr.signal);
        if (expr.op == Op::Element || expr.op == Op::Slice) part(expr);
        if (expr.op == Op::Resize && module_[expr.args[0]].op == Op::Ref)
            return mark(bits_[module_[expr.args[0]].signal.index], 0, expr.type.width);
        for (const ExprId arg : expr.args)
            if (arg.valid()) read(arg);
    }

    void part(const Expr& expr) {
        const Signal& signal = module_[expr.signal];
        const bool isKnown = expr.args[0].valid() && module_[expr.args[0]].op == Op::Const;
        if (signal.length != 0 && (!signal.isPacked || !isKnown)) return all(expr.signal);
        const auto element =
            isKnown ? static_cast<std::uint64_t>(module_[expr.args[0]].value) : std::uint64_t{0};
        mark(bits_[expr.signal.index], element * signal.type.width + expr.low, expr.type.width);
    }

    const Module& module_;
    std::vector<bool> seen_;  ///< by expression
    std::vector<Bits> bits_;  ///< by signal
};

}  // namespace

std::vector<bool> unreadSignals(const Design& design, const Module& module) {
    if (module.kind == Kind::Network) return unreadOfNetwork(design, module);
    if (module.kind == Kind::Delay) return std::vector<bool>(module.signals.size(), false);
    return unreadOfProcess(module);
}

std::vector<bool> unreadOfProcess(const Module& process) { return Reader(process).run(); }

}  // namespace smec::hdl
