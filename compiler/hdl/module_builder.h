#pragma once

#include <array>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hdl/hdl.h"
#include "hdl/names.h"

namespace smec::hdl {

inline constexpr Type kBool{1, false, true};
/// Of so many bits without a sign.
constexpr Type unsignedType(std::uint32_t width) { return {width, false, false}; }
/// Type of what an integer of that interval needs.
Type typeOf(const ir::Interval& interval);
Type typeOf(const ir::Scalar& scalar);
/// Hexadecimal digits of a number that is not negative.
std::string hex(const Integer& value);
/// Bits that number `count` places: at least 1.
std::uint32_t indexWidth(std::uint64_t count);

/// What printers declare in the module of a process beside its signals, and its instance in a loop.
inline constexpr std::array kProcessNames{"clk",
                                          "rst",
                                          "rst_n",
                                          "k",
                                          "contents",
                                          "process_body",
                                          "process_logic",
                                          "process_checks",
                                          "process_memories",
                                          "start",
                                          "unused_start",
                                          kElement,
                                          kInnerLoop};

/// Adds signals and expressions to a module.
class ModuleBuilder {
public:
    explicit ModuleBuilder(Module& module) : module_(module) {}

    SignalId signal(const std::string& wanted, Signal signal);
    /// Which has its name.
    SignalId add(Signal signal);
    std::string unique(const std::string& wanted) { return names_.take(wanted); }

    ExprId constant(const Integer& value, Type type);
    ExprId ref(SignalId signal);
    ExprId element(SignalId signal, ExprId index);
    ExprId slice(SignalId signal, ExprId index, std::uint32_t low, Type type);
    ExprId part(ExprId name, ExprId first, Type type);
    ExprId concat(ExprId high, ExprId low);
    ExprId repeat(ExprId expr, std::uint32_t count);
    ExprId resize(ExprId expr, Type type);
    ExprId make(Op op, Type type, ExprId a, ExprId b = {}, ExprId c = {});
    ExprId logicalNot(ExprId expr);
    const Type& type(ExprId id) const { return module_[id].type; }
    const Integer* known(ExprId id) const {
        return module_[id].op == Op::Const ? &module_[id].value : nullptr;
    }
    Module& module() { return module_; }

private:
    ExprId add(Expr expr);
    std::optional<Integer> knownOf(Op op, const Type& type, ExprId a, ExprId b) const;
    Module& module_;
    Names names_;
};

}  // namespace smec::hdl
