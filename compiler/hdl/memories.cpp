#include "hdl/memories.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "source/overloaded.h"

// What Yosys infers, by trial with synth_ice40 and synth_xilinx (tests/hdl/memories.py):
//
//   q.d = mem[r.a];            block RAM: the word goes into a register and nowhere else
//   q.d = mem[r.a] + 1;        block RAM where r.a is a register: it moves into the RAM
//   q.d = mem[r.a + 1] + 1;    registers, or RAM in LUTs
//   mem[w.a] = …; mem[v.a] = …;    registers, since both may happen in one cycle
//   mem[w.a][7:0] = …; mem[w.a][15:8] = …;    block RAM, one port with enables
//   q.d = {high[r.a], low[r.a]};    block RAMs side by side

namespace smec::hdl {
namespace {

class Judge {
public:
    Judge(const Module& module, SignalId memory, const std::function<bool(SignalId)>& isRegister)
        : module_(module),
          memory_(memory),
          isRegister_(isRegister),
          addresses_(module.signals.size()),
          copies_(module.signals.size()),
          seen_(module.exprs.size(), 0) {}

    std::optional<WhyRegisters> run() {
        const std::size_t writes = look(module_.body).size();
        if (isWhole_) return WhyRegisters{DiagId::MemoryWhole};
        if (module_[memory_].isBlocking) return WhyRegisters{DiagId::MemoryReadAfter};
        if (writes == 2 && ports_.size() == 2) return WhyRegisters{DiagId::MemoryTwoPlaces};
        if (writes > 1) return WhyRegisters{DiagId::MemoryPlaces, writes};
        if (isReadAtOnce_) return WhyRegisters{DiagId::MemoryReadAtOnce};
        return std::nullopt;
    }

private:
    using Addresses = std::vector<ExprId>;  ///< of words that are set; none is there twice

    void add(Addresses& to, const Addresses& more) const {
        for (const ExprId id : more)
            if (std::none_of(to.begin(), to.end(), [&](ExprId one) { return isSame(one, id); }))
                to.push_back(id);
    }

    bool isSame(ExprId a, ExprId b) const {
        if (a == b) return true;
        if (!a.valid() || !b.valid()) return false;
        Expr left = module_[a], right = module_[b];
        for (std::size_t i = 0; i < left.args.size(); ++i)
            if (!isSame(std::exchange(left.args[i], {}), std::exchange(right.args[i], {})))
                return false;
        return left == right;
    }

    /// The most that are set on a path through the block.
    Addresses look(const Block& block) {
        Addresses set;
        for (const Stmt& stmt : block)
            add(set, smec::visit([&](const auto& node) { return look(node); }, stmt.node));
        return set;
    }

    static Addresses more(Addresses a, Addresses b) { return a.size() < b.size() ? b : a; }

    Addresses look(const Assign& node) {
        const Signal& to = module_[node.to];
        ++round_;
        if (node.index.valid()) use(node.index);
        const std::optional<ExprId> address = wordOf(node.value);
        const bool isStored = to.isRegister && !to.isBlocking && node.to != memory_;
        if (address && (isStored || to.role == Role::Local)) {
            useAround(node.value);
            if (!isStored) addresses_[node.to.index] = *address;
        } else {
            use(node.value);
        }
        if (to.role == Role::Local && !node.index.valid()) copies_[node.to.index] = node.value;
        if (node.to != memory_) return {};
        const Addresses set{origin(node.index)};
        add(ports_, set);
        return set;
    }

    Addresses look(const CopyArray& node) {
        isWhole_ = isWhole_ || node.to == memory_ || node.from == memory_;
        return {};
    }

    Addresses look(const FillArray& node) {
        isWhole_ = isWhole_ || node.to == memory_;
        ++round_;
        use(node.value);
        return {};
    }

    Addresses look(const Assert&) { return {}; }  // not synthesised
    Addresses look(const For& node) { return look(node.body); }

    Addresses look(const If& node) {
        ++round_;
        use(node.condition);
        return more(look(node.yes), look(node.no));
    }

    Addresses look(const Case& node) {
        ++round_;
        use(node.subject);
        Addresses most = look(node.otherwise);
        for (const Choice& choice : node.choices)
            most = more(std::move(most), look(choice.body));
        return most;
    }

    /// The address of the word that this is, or of which it has bits, or a later word instead.
    std::optional<ExprId> wordOf(ExprId id) const {
        const Expr& expr = module_[id];
        switch (expr.op) {
        case Op::Element:
        case Op::Slice:
        case Op::Part:
            if (expr.signal == memory_) return expr.args[0];
            if (module_[expr.signal].length == 0) return addresses_[expr.signal.index];
            return std::nullopt;
        case Op::Ref: return addresses_[expr.signal.index];
        case Op::Resize:
        case Op::Repeat: return wordOf(expr.args[0]);
        case Op::Concat: {
            const auto high = wordOf(expr.args[0]);
            return high ? high : wordOf(expr.args[1]);
        }
        case Op::Choose: return wordOf(expr.args[2]);
        case Op::Const:
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::Complement:
        case Op::Negate:
        case Op::Div:
        case Op::Rem:
        case Op::Shl:
        case Op::Shr:
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::LogicalAnd:
        case Op::LogicalOr:
        case Op::LogicalNot:
        case Op::Popcount:
        case Op::Parity: break;
        }
        return std::nullopt;
    }

    /// What a local that is an address was set to.
    ExprId origin(ExprId id) const {
        const Expr& expr = module_[id];
        const bool isCopy = expr.op == Op::Ref && copies_[expr.signal.index].valid();
        return isCopy ? copies_[expr.signal.index] : id;
    }

    /// What stands beside a word that goes into a register: its address, and later words with the
    /// conditions of their writes.
    void useAround(ExprId id) {
        const Expr& expr = module_[id];
        if (expr.op == Op::Choose) {
            use(expr.args[0]);
            use(expr.args[1]);
            useAround(expr.args[2]);
        } else if (expr.op == Op::Concat) {
            for (const ExprId part : {expr.args[0], expr.args[1]})
                wordOf(part) ? useAround(part) : use(part);
        } else if (expr.op == Op::Resize || expr.op == Op::Repeat) {
            useAround(expr.args[0]);
        } else if (expr.args[0].valid()) {
            if (expr.signal == memory_) add(ports_, {origin(expr.args[0])});
            use(expr.args[0]);
            if (expr.args[1].valid()) use(expr.args[1]);
        }
    }

    /// Words in it are used at once.
    void use(ExprId id) {
        if (seen_[id.index] == round_) return;
        seen_[id.index] = round_;
        const Expr& expr = module_[id];
        if (expr.signal == memory_) add(ports_, {origin(expr.args[0])});
        if (const auto address = wordOf(id))
            isReadAtOnce_ = isReadAtOnce_ || !isFromRegister(*address);
        for (const ExprId arg : expr.args)
            if (arg.valid()) use(arg);
    }

    /// Bits of one register.
    bool isFromRegister(ExprId id) const {
        const Expr& expr = module_[id];
        if (expr.op == Op::Resize) return isFromRegister(expr.args[0]);
        if (expr.op == Op::Const) return true;
        if (expr.op != Op::Ref && expr.op != Op::Slice && expr.op != Op::Element) return false;
        if (expr.args[0].valid() && module_[expr.args[0]].op != Op::Const) return false;
        const Signal& signal = module_[expr.signal];
        return signal.role == Role::Input ? isRegister_(expr.signal)
                                          : signal.isRegister && !signal.isBlocking;
    }

    const Module& module_;
    const SignalId memory_;
    const std::function<bool(SignalId)>& isRegister_;
    std::vector<std::optional<ExprId>> addresses_;  ///< by local that holds a word
    std::vector<ExprId> copies_;                    ///< by local: what it was last set to
    std::vector<std::uint32_t> seen_;               ///< by expression: the statement that used it
    std::uint32_t round_ = 0;
    Addresses ports_;  ///< of words that are read or set
    bool isWhole_ = false;
    bool isReadAtOnce_ = false;
};

}  // namespace

std::optional<WhyRegisters> whyRegisters(const Module& module, SignalId memory,
                                         const std::function<bool(SignalId)>& isRegister) {
    return Judge(module, memory, isRegister).run();
}

}  // namespace smec::hdl
