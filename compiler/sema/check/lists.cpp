#include "sema/check/lists.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "sema/check/builtins.h"
#include "sema/check/conversions.h"
#include "sema/check/data_file.h"
#include "sema/check/expressions.h"
#include "sema/operand_types.h"
#include "source/read_text.h"

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;
using hir::Value;

Operand Lists::finish(ListBuilder& list, TypeId type, SourceRange range) {
    if (list.failed) return {};
    bool isConstant = std::all_of(list.others.begin(), list.others.end(),
                                  [](const auto& one) { return one.second.isConstant(); });
    if (isConstant) {
        Operand result = build_.constantOperand({}, type, range);
        for (auto& [place, operand] : list.others) {
            merge(result, operand);
            list.values.edit(place) = operand.value();
        }
        result.own = Value{std::move(list.values)};
        return result;
    }
    std::vector<hir::ExprId> ids;
    auto other = list.others.begin();
    for (std::size_t i = 0; i < list.values.size(); ++i) {
        TypeId member = list.typeAt(i);
        if (other != list.others.end() && other->first == i)
            ids.push_back(conversions_.store((other++)->second, {member, "", false, false}));
        else
            ids.push_back(
                build_.emit(operandType(types_, member), range, hir::Constant{list.values[i]}));
    }
    bool isArray = types_.is<hir::ArrayType>(type);
    hir::ExprId id = isArray ? build_.emit(type, range, hir::MakeArray{std::move(ids)})
                             : build_.emit(type, range, hir::MakeStruct{std::move(ids)});
    return build_.valueOperand(id, type, range);
}

Operand Lists::arrayFor(const ast::ArrayLiteral& node, SourceRange range,
                        const Destination& destination) {
    const hir::ArrayType array = *types_.as<hir::ArrayType>(destination.type);
    std::size_t given = node.elements.size();
    if (given > array.count && destination.isInitialiser) {
        reportSurplus(module_[node.elements[array.count]].range, destination, given);
    } else if (given != array.count) {
        reportLength(range, destination, given);
        return {};
    }
    ListBuilder list;
    list.types = {array.element};
    Destination element = destination;
    element.type = array.element;
    for (std::size_t i = 0; i < array.count; ++i) {
        Operand operand = expressions_.checkFor(node.elements[i], element);
        if (!conversions_.convert(operand, element))
            list.failed = true;
        else
            list.add(std::move(operand));
    }
    Operand result = finish(list, destination.type, range);
    result.convertedTo = destination.type;
    return result;
}

/// The bytes of a string. What is initialised may be longer; the rest of it is 0.
void Lists::reportSurplus(SourceRange range, const Destination& destination, std::size_t given) {
    const std::uint64_t count = types_.as<hir::ArrayType>(destination.type)->count;
    const std::uint64_t rest = given - count;
    reporter_.report(DiagId::SurplusElements, range, destination.what, counted(count, "element"),
                     given, rest == 1 ? "last is" : fmt::format("last {} are", rest));
}

void Lists::reportLength(SourceRange range, const Destination& destination, std::size_t given) {
    const std::uint64_t count = types_.as<hir::ArrayType>(destination.type)->count;
    reporter_.report(DiagId::ArrayLength, range, destination.what, counted(count, "element"),
                     given == 1 ? "1 is" : fmt::format("{} are", given));
}

Operand Lists::bytesFor(const std::string& text, SourceRange range,
                        const Destination& destination) {
    const hir::ArrayType array = *types_.as<hir::ArrayType>(destination.type);
    if (text.size() > array.count && destination.isInitialiser) {
        reportSurplus(range, destination, text.size());
    } else if (text.size() != array.count && !destination.isInitialiser) {
        reportLength(range, destination, text.size());
        return {};
    }
    Value::List bytes;
    for (std::size_t i = 0; i < array.count; ++i)
        bytes.push_back({hir::Integer(i < text.size() ? static_cast<unsigned char>(text[i]) : 0)});
    Operand result = build_.constantOperand(Value{std::move(bytes)}, destination.type, range);
    result.convertedTo = destination.type;
    return result;
}

/// Without a destination: the elements' types joined.
Operand Lists::arrayLiteral(const ast::ArrayLiteral& node, SourceRange range) {
    std::vector<Operand> elements;
    TypeId type = TypeTable::kError;
    for (ast::ExprId id : node.elements) {
        Operand operand = expressions_.check(id);
        if (!operand.isValue()) {
            if (!operand.isError())
                conversions_.convert(operand, {TypeTable::kBool, "an array", false, false});
            return {};
        }
        bool isInteger = types_.isInteger(operand.type);
        if (elements.empty())
            type = isInteger ? operand.type : operand.declared;
        else if (isInteger && types_.isInteger(type))
            type = joined(types_, type, operand.type);
        elements.push_back(std::move(operand));
    }
    if (elements.empty()) {
        reporter_.report(DiagId::ArrayLength, range, "an array", 0,
                         "at least 1 is needed and 0 are");
        return {};
    }
    ListBuilder list;
    list.types = {type};
    for (Operand& operand : elements) {
        if (!conversions_.convert(operand, {type, "an array", false, false}))
            list.failed = true;
        else
            list.add(std::move(operand));
    }
    return finish(list, types_.array(type, elements.size()), range);
}

bool Lists::isDataFile(ast::ExprId id) {
    const ast::Call* call = std::get_if<ast::Call>(&module_[id].node);
    const ast::Name* name = call ? std::get_if<ast::Name>(&module_[call->callee].node) : nullptr;
    if (!name || name->text != "file") return false;
    Symbol* symbol = scope_.find("file");
    return !symbol
           || !(std::holds_alternative<FuncSymbol>(symbol->node)
                || std::holds_alternative<TypeSymbol>(symbol->node));
}

Operand Lists::dataFile(const ast::Call& node, SourceRange range, const Destination& destination) {
    if (!takes(reporter_, "file", node, 1, range)) return {};
    const ast::StringLiteral* name =
        std::get_if<ast::StringLiteral>(&module_[node.arguments[0].value].node);
    const hir::ArrayType* array = types_.as<hir::ArrayType>(destination.type);
    if (types_.isError(destination.type)) return {};
    if (!name || !array || !types_.isInteger(array->element) || !destination.isInitialiser) {
        reporter_.report(DiagId::DataFileUse, range);
        return {};
    }
    std::filesystem::path path =
        modules_.program().modules[scope_.module().index].path.parent_path() / name->value;
    const std::string_view why = whyNoFile(path);
    ReadText read = why.empty() ? readText(path) : ReadText{{}, why};
    if (!read.problem.empty()) {
        reporter_.report(DiagId::DataFileRead, module_[node.arguments[0].value].range, name->value,
                         read.problem);
        return {};
    }
    DataWords words = readWords(std::move(read.text), types_, *array);
    if (!words.error.empty()) {
        reporter_.report(DiagId::DataFileFormat, module_[node.arguments[0].value].range,
                         name->value, words.line, words.error);
        return {};
    }
    return build_.constantOperand(hir::Value{std::move(words.values)}, destination.type, range);
}

}  // namespace smec::sema
