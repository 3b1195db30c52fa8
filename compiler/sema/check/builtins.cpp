#include "sema/check/builtins.h"

#include <fmt/format.h>

#include "sema/check/constants.h"
#include "sema/check/conversions.h"
#include "sema/check/expressions.h"
#include "sema/check/names.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::Builtin;
using hir::TypeId;
using hir::TypeTable;
using hir::Value;

Operand Builtins::builtinCall(const std::string& name, const ast::Call& node, SourceRange range,
                              bool& known) {
    known = true;
    if (name == "len") return lengthOf(node, range);
    if (name == "clog2") return clog2(node, range);
    if (name == "cat") return concatenation(node, range);
    if (name == "rep") return repetition(node, range);
    if (name == "min") return extreme(Builtin::Min, node, range);
    if (name == "max") return extreme(Builtin::Max, node, range);
    if (name == "abs") return bitCount(Builtin::Abs, node, range);
    if (name == "popcount") return bitCount(Builtin::Popcount, node, range);
    if (name == "any") return bitCount(Builtin::Any, node, range);
    if (name == "all") return bitCount(Builtin::All, node, range);
    if (name == "parity") return bitCount(Builtin::Parity, node, range);
    if (name == "cycle") return clock(Builtin::Cycle, node, range);
    if (name == "random") return clock(Builtin::Random, node, range);
    if (name == "file") {
        reporter_.report(DiagId::DataFileUse, range);
        return {};
    }
    known = false;
    return {};
}

bool takes(Reporter& reporter, std::string_view name, const ast::Call& node, std::size_t count,
           SourceRange range) {
    for (const ast::Argument& argument : node.arguments) {
        if (!argument.name) continue;
        reporter.report(DiagId::CallName, argument.name->range, name, "argument",
                        argument.name->text, "; give it by place");
        return false;
    }
    if (node.arguments.size() == count) return true;
    std::size_t given = node.arguments.size();
    reporter.report(DiagId::CallCount, range, name, counted(count, "argument"),
                    fmt::format("{} {}", given, given == 1 ? "is" : "are"));
    return false;
}

Operand Builtins::integerArgument(std::string_view name, ast::ExprId argument, bool boolToo) {
    Operand operand = expressions_.check(argument);
    if (operand.isError() || !operandsAreValues(reporter_, operand, operand)) return {};
    bool ok = types_.isInteger(operand.type) || (boolToo && operand.type == TypeTable::kBool);
    if (ok) return operand;
    reporter_.report(DiagId::OperatorType, operand.range, name,
                     boolToo ? "integers and bools" : "integers", typeName(types_, operand), "");
    return {};
}

Operand Builtins::foldOrEmit(Builtin builtin, std::vector<Operand> arguments, std::uint32_t count,
                             TypeId type, Interval interval, SourceRange range) {
    bool allConstant = true, allUnsized = true;
    std::vector<std::uint32_t> widths;
    for (const Operand& argument : arguments) {
        allConstant &= argument.isConstant();
        allUnsized &= argument.unsized;
        widths.push_back(widthOf(types_, argument.type));
    }
    bool keepsType = builtin == Builtin::Min || builtin == Builtin::Max || builtin == Builtin::Abs;
    // A number of unsized constants is one, too. 'cat' and 'rep' make bits, whose width is theirs.
    bool isNumber = keepsType || builtin == Builtin::Popcount;
    if (allConstant) {
        std::vector<Value> values;
        for (const Operand& argument : arguments)
            values.push_back(argument.value());
        Value value = foldBuiltin(builtin, values, widths, count).value;
        Operand result = isNumber && allUnsized
                             ? build_.unsizedConstant(value.integer(), range)
                             : build_.constantOperand(std::move(value), type, range);
        for (const Operand& argument : arguments)
            merge(result, argument);
        return result;
    }
    std::vector<hir::ExprId> ids;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        build_.demand(arguments[i], keepsType ? kAllBits : widths[i]);
        ids.push_back(build_.leaf(arguments[i]));
    }
    hir::ExprId id = build_.emit(type, range, hir::BuiltinExpr{builtin, std::move(ids), count});
    return keepsType ? build_.integerValue(id, type, range, std::move(interval), false)
                     : build_.valueOperand(id, type, range);
}

/// Looks at the type alone; nothing is read.
Operand Builtins::lengthOf(const ast::Call& node, SourceRange range) {
    if (!takes(reporter_, "len", node, 1, range)) return {};
    Operand operand = expressions_.checkTypeOnly(node.arguments[0].value);
    if (operand.isError()) return {};
    std::optional<std::uint64_t> length;
    if (operand.kind == Operand::Kind::Bus) {
        const hir::Port& port = ports_[operand.port];
        if (operand.dimension < port.dimensions.size()) length = port.dimensions[operand.dimension];
    } else if (const hir::ArrayType* array =
                   operand.isValue() ? types_.as<hir::ArrayType>(operand.type) : nullptr) {
        length = array->count;
    }
    if (!length) {
        reporter_.report(
            DiagId::OperatorType, operand.range, "len", "an array",
            operand.kind == Operand::Kind::Bus ? "a single bus" : typeName(types_, operand), "");
        return {};
    }
    Operand result = build_.unsizedConstant(*length, range);
    merge(result, operand);
    result.siteSafe &= operand.isConstant();
    return result;
}

Operand Builtins::clog2(const ast::Call& node, SourceRange range) {
    if (!takes(reporter_, "clog2", node, 1, range)) return {};
    Operand operand = constants_.constant(node.arguments[0].value, "the argument of 'clog2'");
    if (operand.isError()) return {};
    if (!types_.isInteger(operand.type)) {
        reporter_.report(DiagId::OperatorType, operand.range, "clog2", "an integer",
                         typeName(types_, operand), "");
        return {};
    }
    if (operand.integer() < 1) {
        if (!nesting_.unevaluated) {
            reporter_.report(DiagId::SizeRange, operand.range, "the argument of 'clog2'",
                             operand.integer().str(), "at least 1");
            return {};
        }
        return build_.unsizedConstant(0, range);
    }
    hir::Integer last = operand.integer() - 1;
    Operand result = build_.unsizedConstant(last == 0 ? 0 : hir::bitsFor(last), range);
    merge(result, operand);
    return result;
}

Operand Builtins::concatenation(const ast::Call& node, SourceRange range) {
    if (!takes(reporter_, "cat", node, std::max<std::size_t>(node.arguments.size(), 1), range))
        return {};
    std::vector<Operand> arguments;
    std::uint64_t width = 0;
    bool ok = true;
    for (const ast::Argument& argument : node.arguments) {
        arguments.push_back(integerArgument("cat", argument.value, true));
        ok &= !arguments.back().isError();
        width += ok ? widthOf(types_, arguments.back().type) : 0;
    }
    if (!ok) return {};
    if (width > kMaxBits) {
        reporter_.report(DiagId::SizeRange, range, "the width of 'cat'", width,
                         fmt::format("at most {}", kMaxBits));
        return {};
    }
    TypeId type = types_.integer(static_cast<std::uint32_t>(width), false);
    return foldOrEmit(Builtin::Cat, std::move(arguments), 0, type, {}, range);
}

Operand Builtins::repetition(const ast::Call& node, SourceRange range) {
    if (!takes(reporter_, "rep", node, 2, range)) return {};
    std::vector<Operand> arguments;
    arguments.push_back(integerArgument("rep", node.arguments[0].value, true));
    auto count = constants_.size(node.arguments[1].value, "the count of 'rep'");
    if (arguments[0].isError() || !count) return {};
    std::uint64_t width = widthOf(types_, arguments[0].type);
    if (*count < 1 || *count > kMaxBits || width * *count > kMaxBits) {
        reporter_.report(DiagId::SizeRange, range,
                         *count < 1 ? "the count of 'rep'" : "the width of 'rep'",
                         *count < 1 ? *count : width * std::min<std::uint64_t>(*count, UINT32_MAX),
                         fmt::format("1 to {}", kMaxBits));
        return {};
    }
    TypeId type = types_.integer(static_cast<std::uint32_t>(width * *count), false);
    return foldOrEmit(Builtin::Rep, std::move(arguments), static_cast<std::uint32_t>(*count), type,
                      {}, range);
}

Operand Builtins::extreme(Builtin builtin, const ast::Call& node, SourceRange range) {
    const char* name = builtin == Builtin::Min ? "min" : "max";
    if (!takes(reporter_, name, node, 2, range)) return {};
    std::vector<Operand> arguments;
    for (const ast::Argument& argument : node.arguments)
        arguments.push_back(integerArgument(name, argument.value));
    if (arguments[0].isError() || arguments[1].isError()) return {};
    TypeId type = joined(types_, arguments[0].type, arguments[1].type);
    const Interval &left = arguments[0].interval, &right = arguments[1].interval;
    Interval interval = builtin == Builtin::Min ? minimum(left, right) : maximum(left, right);
    return foldOrEmit(builtin, std::move(arguments), 0, type, std::move(interval), range);
}

/// abs, popcount, any, all, parity. All but abs look at the bits of the operand type.
Operand Builtins::bitCount(Builtin builtin, const ast::Call& node, SourceRange range) {
    static constexpr const char* kNames[] = {"cat",      "rep", "min", "max",   "abs",
                                             "popcount", "any", "all", "parity"};
    const char* name = kNames[static_cast<std::size_t>(builtin)];
    if (!takes(reporter_, name, node, 1, range)) return {};
    Operand operand = integerArgument(name, node.arguments[0].value);
    if (operand.isError()) return {};
    std::uint32_t width = widthOf(types_, operand.type);
    TypeId type = builtin == Builtin::Abs        ? operand.type
                  : builtin == Builtin::Popcount ? types_.integer(hir::bitsFor(width), false)
                                                 : TypeTable::kBool;
    Interval interval = absolute(operand.interval);
    bool isInside = intervalOf(types_, operand.type).contains(operand.interval);
    if (builtin != Builtin::Abs && !isInside && !operand.isConstant())
        operand = conversions_.castTo(std::move(operand), operand.type, range);
    std::vector<Operand> arguments;
    arguments.push_back(std::move(operand));
    return foldOrEmit(builtin, std::move(arguments), 0, type, std::move(interval), range);
}

Operand Builtins::clock(Builtin builtin, const ast::Call& node, SourceRange range) {
    const char* name = builtin == Builtin::Cycle ? "cycle" : "random";
    if (!takes(reporter_, name, node, 0, range)) return {};
    if (mode_ == CheckMode::Function) {
        reporter_.report(DiagId::NotInFunction, range, name);
        return {};
    }
    const bool isTypeOnly{nesting_.typeOnly};
    if (!isTypeOnly && (nesting_.constantOnly || mode_ == CheckMode::Constant))
        return names_.notConstant("different in every cycle", std::string(name) + "()", range);
    if (builtin == Builtin::Random && mode_ == CheckMode::Process
        && kind_ != hir::ProcKind::Simulation) {
        reporter_.report(DiagId::SimOnly, range, "random()");
        return {};
    }
    if (!isTypeOnly)
        (builtin == Builtin::Cycle ? build_.body().usesCycle : build_.body().usesRandom) = true;
    TypeId type = types_.integer(64, false);
    return build_.valueOperand(build_.emit(type, range, hir::BuiltinExpr{builtin, {}, 0}), type,
                               range);
}

}  // namespace smec::sema
