#include <algorithm>

#include "sema/checker.h"
#include "sema/list_builder.h"
#include "sema/operand_types.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;

Operand Checker::check(ast::ExprId id) {
    auto mark = static_cast<std::uint32_t>(touched_.size());
    const ast::Expr& expr = module_[id];
    Operand result = checkNode(id, expr);
    result.range = expr.range;
    if (result.isConstant()) {
        result.source = id;
        result.touchedBegin = mark;
        result.touchedEnd = static_cast<std::uint32_t>(touched_.size());
    }
    return result;
}

Operand Checker::checkNode(ast::ExprId id, const ast::Expr& expr) {
    SourceRange range = expr.range;
    return std::visit(Overloaded{
                          [&](const ast::IntLiteral& n) {
                              if (hir::bitsFor(n.value) <= kMaxBits)
                                  return unsizedConstant(n.value, range);
                              core_.report(DiagId::TooManyBits, range);
                              return Operand{};
                          },
                          [&](const ast::FloatLiteral& n) {
                              Operand result =
                                  constantOperand(Value{n.value}, TypeTable::kF64, range);
                              result.floatLiteral = true;
                              return result;
                          },
                          [&](const ast::BoolLiteral& n) {
                              return constantOperand(Value{n.value}, TypeTable::kBool, range);
                          },
                          [&](const ast::CharacterLiteral& n) {
                              return constantOperand(Value{hir::Integer(n.value)},
                                                     core_.types().integer(8, false), range);
                          },
                          [&](const ast::StringLiteral& n) {
                              return constantOperand(Value{n.value}, TypeTable::kString, range);
                          },
                          [&](const ast::Undefined&) {
                              Operand result;
                              result.kind = Operand::Kind::Undefined;
                              return result;
                          },
                          [&](const ast::Name& n) { return name(id, n.text, range); },
                          [&](const ast::Member& n) { return member(id, n, range); },
                          [&](const ast::Index& n) { return index(id, n, range); },
                          [&](const ast::Star&) {
                              core_.report(DiagId::StarUse, range);
                              return Operand{};
                          },
                          [&](const ast::Slice& n) { return slice(n, range); },
                          [&](const ast::IndexedSlice& n) { return slice(n, range); },
                          [&](const ast::Unary& n) { return unary(n.op, check(n.operand), range); },
                          [&](const ast::Binary&) { return binarySpine(id); },
                          [&](const ast::Conditional& n) { return conditional(n, range); },
                          [&](const ast::ArrayLiteral& n) { return arrayLiteral(n, range); },
                          [&](const ast::Paren& n) { return check(n.inner); },
                          [&](const ast::Call& n) { return call(id, n, range); },
                      },
                      expr.node);
}

namespace {

/// Whether it is [n]u8, which a string may initialise.
bool isBytes(const hir::TypeTable& types, TypeId type) {
    const auto* array = types.as<hir::ArrayType>(type);
    const auto* element = array ? types.as<hir::IntType>(array->element) : nullptr;
    return element && element->flavour == hir::IntFlavour::Sized && element->width == 8
           && !element->isSigned;
}

}  // namespace

/// Like check, for expressions whose meaning depends on where they go: array literals, strings,
/// file(...).
Operand Checker::checkFor(ast::ExprId id, const Destination& destination) {
    auto mark = static_cast<std::uint32_t>(touched_.size());
    ast::ExprId inner = id;
    while (const auto* paren = std::get_if<ast::Paren>(&module_[inner].node))
        inner = paren->inner;
    const ast::Expr& expr = module_[inner];
    const auto* literal = std::get_if<ast::ArrayLiteral>(&expr.node);
    const auto* string = std::get_if<ast::StringLiteral>(&expr.node);
    Operand result;
    if (literal && core_.types().is<hir::ArrayType>(destination.type))
        result = arrayFor(*literal, expr.range, destination);
    else if (string && isBytes(core_.types(), destination.type))
        result = bytesFor(string->value, expr.range, destination);
    else if (isDataFile(inner))
        result = dataFile(std::get<ast::Call>(expr.node), expr.range, destination);
    else
        return check(id);
    result.range = expr.range;
    if (result.isConstant()) {
        result.source = id;
        result.touchedBegin = mark;
        result.touchedEnd = static_cast<std::uint32_t>(touched_.size());
    }
    return result;
}

// ---------------------------------------------------------------- lists: array and struct literals

Operand Checker::finishList(ListBuilder& list, TypeId type, SourceRange range) {
    if (list.failed) return {};
    bool isConstant = std::all_of(list.others.begin(), list.others.end(),
                                  [](const auto& one) { return one.second.isConstant(); });
    if (isConstant) {
        Operand result = constantOperand({}, type, range);
        for (auto& [place, operand] : list.others) {
            merge(result, operand);
            list.values[place] = operand.value();
        }
        result.own = Value{std::move(list.values)};
        return result;
    }
    std::vector<hir::ExprId> ids;
    auto other = list.others.begin();
    for (std::size_t i = 0; i < list.values.size(); ++i) {
        TypeId member = list.typeAt(i);
        if (other != list.others.end() && other->first == i)
            ids.push_back(store((other++)->second, {member, "", false, false}));
        else
            ids.push_back(emit(operandType(core_.types(), member), range,
                               hir::Constant{std::move(list.values[i])}));
    }
    bool isArray = core_.types().is<hir::ArrayType>(type);
    hir::ExprId id = isArray ? emit(type, range, hir::MakeArray{std::move(ids)})
                             : emit(type, range, hir::MakeStruct{std::move(ids)});
    return valueOperand(id, type, range);
}

Operand Checker::arrayFor(const ast::ArrayLiteral& node, SourceRange range,
                          const Destination& destination) {
    const hir::ArrayType array = *core_.types().as<hir::ArrayType>(destination.type);
    std::size_t given = node.elements.size();
    if (given > array.count && destination.isInitialiser) {
        core_.report(DiagId::SurplusElements, module_[node.elements[array.count]].range,
                     destination.what, array.count, given - array.count);
    } else if (given != array.count) {
        core_.report(DiagId::ArrayLength, range, destination.what, array.count,
                     given == 1 ? "1 is" : std::to_string(given) + " are");
        return {};
    }
    ListBuilder list;
    list.types = {array.element};
    list.values.reserve(array.count);
    Destination element = destination;
    element.type = array.element;
    for (std::size_t i = 0; i < array.count; ++i) {
        Operand operand = checkFor(node.elements[i], element);
        if (!convert(operand, element))
            list.failed = true;
        else
            list.add(std::move(operand));
    }
    Operand result = finishList(list, destination.type, range);
    result.convertedTo = destination.type;
    return result;
}

/// The bytes of a string. What is initialised may be longer; the rest of it is 0.
Operand Checker::bytesFor(const std::string& text, SourceRange range,
                          const Destination& destination) {
    const hir::ArrayType array = *core_.types().as<hir::ArrayType>(destination.type);
    if (text.size() > array.count && destination.isInitialiser) {
        core_.report(DiagId::SurplusElements, range, destination.what, array.count,
                     text.size() - array.count);
    } else if (text.size() != array.count && !destination.isInitialiser) {
        core_.report(DiagId::ArrayLength, range, destination.what, array.count,
                     text.size() == 1 ? "1 is" : std::to_string(text.size()) + " are");
        return {};
    }
    Value::List bytes;
    bytes.reserve(array.count);
    for (std::size_t i = 0; i < array.count; ++i)
        bytes.emplace_back(hir::Integer(i < text.size() ? static_cast<unsigned char>(text[i]) : 0));
    Operand result = constantOperand(Value{std::move(bytes)}, destination.type, range);
    result.convertedTo = destination.type;
    return result;
}

/// Without a destination: the elements' types joined.
Operand Checker::arrayLiteral(const ast::ArrayLiteral& node, SourceRange range) {
    std::vector<Operand> elements;
    TypeId type = TypeTable::kError;
    for (ast::ExprId id : node.elements) {
        Operand operand = check(id);
        if (!operand.isValue()) {
            if (!operand.isError()) convert(operand, {TypeTable::kBool, "an array", false, false});
            return {};
        }
        bool isInteger = core_.types().isInteger(operand.type);
        if (elements.empty())
            type = isInteger ? operand.type : operand.declared;
        else if (isInteger && core_.types().isInteger(type))
            type = joined(core_.types(), type, operand.type);
        elements.push_back(std::move(operand));
    }
    if (elements.empty()) {
        core_.report(DiagId::ArrayLength, range, "an array", 0, "at least 1 is needed and 0 are");
        return {};
    }
    ListBuilder list;
    list.types = {type};
    for (Operand& operand : elements) {
        if (!convert(operand, {type, "an array", false, false}))
            list.failed = true;
        else
            list.add(std::move(operand));
    }
    return finishList(list, core_.types().array(type, elements.size()), range);
}

// ---------------------------------------------------------------- unary operators and ?:

namespace {

const char* spelled(ast::UnaryOp op) {
    static constexpr const char* kTexts[] = {"+", "-", "!", "~"};
    return kTexts[static_cast<std::size_t>(op)];
}

}  // namespace

Operand Checker::unary(ast::UnaryOp op, Operand operand, SourceRange range) {
    if (operand.isError()) return operand;
    TypeTable& types = core_.types();
    if (!operandsAreValues(operand, operand)) return {};
    bool isBool = operand.type == TypeTable::kBool;
    if (types.isInteger(operand.type) && op != ast::UnaryOp::Not)
        return unaryInteger(op, std::move(operand), range);
    bool isFloatSign =
        types.isFloat(operand.type) && (op == ast::UnaryOp::Plus || op == ast::UnaryOp::Minus);
    if (!isFloatSign && !(isBool && op == ast::UnaryOp::Not)) {
        bool isNumber = types.isInteger(operand.type);
        const char* wants = op == ast::UnaryOp::Not          ? "bool"
                            : op == ast::UnaryOp::Complement ? "an integer"
                                                             : "a number";
        const char* hint = op == ast::UnaryOp::Not && isNumber        ? "; write '== 0'"
                           : op == ast::UnaryOp::Complement && isBool ? "; write '!'"
                                                                      : "";
        core_.report(DiagId::OperatorType, range, spelled(op), wants, typeName(operand), hint);
        return {};
    }
    if (op == ast::UnaryOp::Plus) return operand;
    hir::UnaryOp kind = op == ast::UnaryOp::Not ? hir::UnaryOp::Not : hir::UnaryOp::Negate;
    if (operand.isConstant()) {
        Operand result = constantOperand(
            foldUnary(types, kind, operand.value(), operand.type).value, operand.type, range);
        result.floatLiteral = operand.floatLiteral;
        merge(result, operand);
        return result;
    }
    return valueOperand(emit(operand.type, range, hir::UnaryExpr{kind, operand.id}), operand.type,
                        range);
}

Operand Checker::unaryInteger(ast::UnaryOp op, Operand operand, SourceRange range) {
    if (op == ast::UnaryOp::Plus) {
        operand.symbol = nullptr;
        return operand;
    }
    hir::UnaryOp kind = op == ast::UnaryOp::Minus ? hir::UnaryOp::Negate : hir::UnaryOp::Complement;
    bool isSigned = core_.types().as<hir::IntType>(operand.type)->isSigned;
    if (operand.isConstant()) {
        // ~ of an unsized constant is -x-1: as of a signed type.
        TypeId type = operand.unsized && !isSigned
                          ? core_.types().integer(widthOf(operand.type) + 1, true)
                          : operand.type;
        Folded folded = foldUnary(core_.types(), kind, operand.value(), type);
        if (!folded.ok()) return fail(folded.failure, range, operand);
        Operand result = operand.unsized
                             ? unsizedConstant(folded.value.integer(), range)
                             : constantOperand(std::move(folded.value), operand.type, range);
        merge(result, operand);
        return result;
    }
    Interval interval = negate(operand.interval);
    if (kind == hir::UnaryOp::Complement) {
        interval = isSigned ? apply(hir::BinaryOp::Sub, interval, Interval::of(1))
                            : intervalOf(core_.types(), operand.type);
    }
    hir::ExprId id = emit(operand.type, range, hir::UnaryExpr{kind, operand.id});
    return integerValue(id, operand.type, range, std::move(interval), operand.wide);
}

namespace {

/// The branch that a constant condition chooses, or none.
std::optional<bool> decided(const Operand& condition) {
    if (!condition.isConstant() || !std::holds_alternative<bool>(condition.value().data))
        return std::nullopt;
    return condition.value().boolean();
}

}  // namespace

Operand Checker::conditional(const ast::Conditional& node, SourceRange range) {
    Operand test = check(node.condition);
    if (!test.isError() && test.type != TypeTable::kBool) {
        if (operandsAreValues(test, test))
            core_.report(DiagId::ConditionType, test.range, typeName(test),
                         core_.types().isInteger(test.type) ? "; write '!= 0'" : "");
        test = {};
    }
    std::optional<bool> choice = decided(test);
    Operand yes, no;
    if (choice != false) yes = check(node.yes);
    if (choice == true && yes.isConstant()) ++unevaluated_;
    no = check(node.no);
    if (choice == true && yes.isConstant()) --unevaluated_;
    if (choice == false) {
        if (no.isConstant()) ++unevaluated_;
        yes = check(node.yes);
        if (no.isConstant()) --unevaluated_;
    }
    adaptUndefined(yes, no);
    if (test.isError() || yes.isError() || no.isError() || !operandsAreValues(yes, no)) return {};
    adaptFloats(yes, no);
    TypeTable& types = core_.types();
    bool areIntegers = types.isInteger(yes.type) && types.isInteger(no.type);
    if (!areIntegers && yes.declared != no.declared) {
        core_.report(DiagId::BranchTypes, range, typeName(yes), typeName(no));
        return {};
    }
    TypeId type = areIntegers ? joined(types, yes.type, no.type) : yes.declared;
    Operand& chosen = choice == false ? no : yes;
    if (choice && chosen.isConstant() && (choice == true ? no : yes).isConstant()) {
        bool unsized = yes.unsized && no.unsized;
        Operand result = unsized ? unsizedConstant(chosen.integer(), range)
                                 : constantOperand(chosen.value(), type, range);
        result.floatLiteral = yes.floatLiteral && no.floatLiteral;
        for (const Operand* part : {&test, &yes, &no})
            merge(result, *part);
        return result;
    }
    hir::ExprId condition = use(test), first = leaf(yes), second = leaf(no);
    hir::ExprId id = emit(type, range, hir::ConditionalExpr{condition, first, second});
    if (!areIntegers) return valueOperand(id, type, range);
    return integerValue(id, type, range, unite(yes.interval, no.interval), yes.wide || no.wide);
}

}  // namespace smec::sema
