#include "hdl/assertions.h"

#include <tuple>
#include <utility>

#include "hdl/texts.h"

namespace smec::hdl {

void Assertions::convert(const ir::Check& node) {
    const ir::FailSite& site = cls_.body.fails[node.site];
    if (site.kind != ir::FailureKind::Assertion && site.kind != ir::FailureKind::Assumption) return;
    Assert result = assertion(node, site);
    if (cls_.combinational)
        judgeLater(std::move(result));
    else
        block_.emit(std::move(result));
}

Assert Assertions::assertion(const ir::Check& node, const ir::FailSite& site) {
    Assert result{expressions_.boolean(node.ok), {}, {}};
    if (site.hasText)
        std::tie(result.pieces, result.values) = textOf(site.text, design_.enums);
    else
        result.pieces = {site.kind == ir::FailureKind::Assertion ? "assertion failed"
                                                                 : "assumption failed"};
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        const ir::ExprId arg = node.args[i];
        Shown& shown = result.values[i];
        shown.value = cls_.body[arg].type == ir::ExprType::Bool ? expressions_.boolean(arg)
                                                                : expressions_.exact(arg);
        if (shown.bits) shown.value = patternOf(shown.value, *shown.bits);
    }
    return result;
}

ExprId Assertions::patternOf(ExprId value, std::uint32_t bits) {
    const Op op = builder_.module()[value].op;
    const bool isUsedOnce = builder_.type(value).width <= bits || op == Op::Ref;
    return pattern(builder_, isUsedOnce || op == Op::Const ? value : leaves_.hold(value), bits);
}

void Assertions::judgeLater(Assert assertion) {
    const ExprId fails = builder_.make(Op::LogicalNot, kBool, assertion.condition);
    assertion.condition = builder_.make(Op::LogicalNot, kBool, settled(fails, "check_fails"));
    for (Shown& shown : assertion.values)
        shown.value = settled(shown.value, "check_value");
    builder_.module().checks.push_back({block_.range(), std::move(assertion)});
    builder_.module().hasClock = true;
}

/// A value as it is where a combinational process ends.
ExprId Assertions::settled(ExprId value, const char* name) {
    const Module& module = builder_.module();
    const Expr& expr = module[value];
    if (expr.op == Op::Ref && module[expr.signal].role == Role::Input) return value;
    Signal signal;
    signal.role = Role::Check;
    signal.type = builder_.type(value);
    const SignalId id = builder_.signal(name, std::move(signal));
    registers_.startsAtZero(id);
    block_.emit(Assign{id, {}, value});
    return builder_.ref(id);
}

}  // namespace smec::hdl
