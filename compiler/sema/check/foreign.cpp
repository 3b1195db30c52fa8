#include "sema/check/foreign.h"

#include <algorithm>
#include <filesystem>

#include "sema/check/bodies.h"
#include "sema/operand_types.h"

// What `extern` names: C++ functions, and C++ classes whose objects are processes. An extern
// process becomes a body of one call:
//
//     var object: u64;                            made by the first call
//     var r = call(object, constants, fields);    hir::Foreign says in which order
//     object = r.object;  out.field = r.…;        each field that the process drives

namespace smec::sema {

using hir::TypeId;
using hir::TypeTable;

namespace {

constexpr std::uint32_t kWidestArgument = 64;

/// Integers of C++ have 8, 16, 32 or 64 bits; smaller ones are passed in the next of these.
bool isScalarOfC(const TypeTable& types, TypeId type) {
    if (const auto* integer = types.as<hir::IntType>(type))
        return integer->width <= kWidestArgument;
    if (const auto* enumeration = types.as<hir::EnumType>(type))
        return enumeration->width <= kWidestArgument;
    return type == TypeTable::kBool || types.isFloat(type);
}

bool isArgumentOfC(const TypeTable& types, TypeId type) {
    const auto* array = types.as<hir::ArrayType>(type);
    return array ? isArgumentOfC(types, array->element) : isScalarOfC(types, type);
}

/// Fields of an extern process may be of any type: longer integers are arrays of 64-bit words.
bool hasValueThatFails(const TypeTable& types, TypeId type) {
    if (const auto* array = types.as<hir::ArrayType>(type))
        return hasValueThatFails(types, array->element);
    if (const auto* structure = types.as<hir::StructType>(type))
        return std::any_of(
            structure->members.begin(), structure->members.end(),
            [&](const hir::StructMember& member) { return hasValueThatFails(types, member.type); });
    const auto* integer = types.as<hir::IntType>(type);
    return types.is<hir::EnumType>(type)
           || (integer && integer->flavour == hir::IntFlavour::Ranged);
}

/// What C++ gives where the language has an enum or a range: the call checks the value.
TypeId givenByC(TypeTable& types, TypeId type) {
    if (const auto* enumeration = types.as<hir::EnumType>(type))
        return types.integer(enumeration->width, enumeration->isSigned);
    if (const auto* integer = types.as<hir::IntType>(type))
        return types.integer(integer->width, integer->isSigned);
    return type;
}

/// Can stand between the quotes or brackets of an #include.
bool isIncludable(std::string_view name) {
    return !name.empty() && name.find_first_of("\"<>\\\n\r") == std::string_view::npos;
}

// ---------------------------------------------------------------- headers

std::optional<std::string> findFile(const Core& core, const Scope& scope, const std::string& name) {
    namespace fs = std::filesystem;
    std::vector<fs::path> folders{core.modules.entry(scope.module()).path.parent_path()};
    folders.insert(folders.end(), core.modules.program().includeDirs.begin(),
                   core.modules.program().includeDirs.end());
    std::error_code error;
    for (const fs::path& folder : folders) {
        const fs::path path = fs::absolute(folder / name, error);
        if (fs::is_regular_file(path, error)) return path.string();
    }
    return std::nullopt;
}

bool findHeader(Core& core, const Scope& scope, const std::string& name, SourceRange range,
                hir::Foreign& foreign) {
    const auto path = findFile(core, scope, name);
    foreign.range = range;
    foreign.header = path.value_or(name);
    foreign.isFile = path.has_value();
    if (isIncludable(foreign.header)) return true;
    core.reporter.report(DiagId::ExternHeader, range, foreign.header);
    return false;
}

bool checkBodies(Core& core, const Scope& scope, const ast::ProcDecl& decl, hir::Foreign& foreign) {
    const std::vector<ast::ForeignBody>& bodies = decl.external->bodies;
    bool good = true;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const std::string& language = bodies[i].language.text;
        const bool isKnown = language == "cpp" || language == "verilog" || language == "vhdl";
        const bool isTwice = std::any_of(
            bodies.begin(), bodies.begin() + static_cast<std::ptrdiff_t>(i),
            [&](const ast::ForeignBody& other) { return other.language.text == language; });
        if (!isKnown || isTwice)
            core.reporter.report(isKnown ? DiagId::ExternBodyTwice : DiagId::ExternLanguage,
                                 bodies[i].language.range, language);
        good = good && isKnown && !isTwice;
        if (language == "cpp" && isKnown && !isTwice)
            good = findHeader(core, scope, bodies[i].file, bodies[i].fileRange, foreign) && good;
        if (language == "cpp" || !isKnown || isTwice) continue;
        const auto path = findFile(core, scope, bodies[i].file);
        foreign.hardware.push_back(
            {language, path.value_or(bodies[i].file), path.has_value(), bodies[i].fileRange});
    }
    return good;
}

// ---------------------------------------------------------------- processes

/// One call and what becomes of its result.
class ForeignBody {
public:
    ForeignBody(const CheckContext& in, ExpressionParts& parts)
        : in_(in), parts_(parts), types_(in.core.types()), decl_(*in.process) {
        function_.name = decl_.name.text;
        function_.range = decl_.name.range;
        results_.name = decl_.name.text + " outputs";
        results_.range = decl_.name.range;
    }

    /// The function that was made; invalid after an error.
    hir::FunctionId build() {
        hir::Foreign foreign;
        foreign.isProcess = true;
        foreign.name = decl_.name.text;
        const std::uint64_t before = in_.core.reporter.errors();
        checkBodies(in_.core, in_.scope, decl_, foreign);
        const TypeId word = types_.integer(64, false);
        object_ = variable("object", hir::VarKind::Process, word);
        in_.build.body().vars[object_.index].isHandle = true;
        pass("object", word, emit(word, hir::ReadVar{object_}));
        results_.members.push_back({"object", word});
        for (const ast::ExprId constant : decl_.external->constants)
            passConstant(constant);
        foreign.constants = static_cast<std::uint32_t>(decl_.external->constants.size());
        for (std::uint32_t port = 0; port < in_.ports.all().size(); ++port)
            foreign.ports.push_back(passPort(port));
        if (in_.core.reporter.errors() != before) return {};
        function_.external = std::move(foreign);
        return finish();
    }

private:
    struct Output {
        hir::FieldRef field;
        TypeId type;
    };

    hir::VarId variable(const std::string& name, hir::VarKind kind, TypeId type) {
        return in_.build.addVariable({name, decl_.name.range, kind, type});
    }
    hir::ExprId emit(TypeId type, decltype(hir::Expr::node) node) {
        return in_.build.emit(operandType(types_, type), decl_.name.range, std::move(node));
    }

    void pass(const std::string& name, TypeId type, hir::ExprId value) {
        function_.body.vars.push_back({name, decl_.name.range, hir::VarKind::Param, type});
        arguments_.push_back(value);
    }

    void passConstant(ast::ExprId id) {
        const std::string& name = std::get<ast::Name>(in_.module[id].node).text;
        Operand operand = parts_.expressions.check(id);
        if (!operand.isConstant()) return;
        TypeId type = operand.declared;
        if (operand.unsized)
            type = types_.integer(64, type == TypeTable::kInt || operand.value().integer() < 0);
        if (!isArgumentOfC(types_, type)) return refuse("constant '" + name + "'", type);
        const Destination destination{type, "'" + name + "'", false, false};
        if (!parts_.conversions.convert(operand, destination)) return;
        pass(name, type, parts_.conversions.store(std::move(operand), destination));
    }

    void refuse(const std::string& what, TypeId type) {
        in_.core.reporter.report(DiagId::ExternType, decl_.name.range, what, decl_.name.text,
                                 types_.name(type));
    }

    hir::ForeignPort passPort(std::uint32_t number) {
        const std::vector<hir::FieldShape>& own =
            declaredFields(in_.core.busTypes, in_.scope, decl_, in_.ports, number);
        hir::Port& port = in_.ports[number];
        const std::vector<hir::FieldShape>& all = in_.ports.fields(number);
        hir::ForeignPort result{port.name, port.isArray, port.elements, {}};
        std::vector<std::uint32_t> numbers;
        for (const hir::FieldShape& field : own) {
            const auto at = std::find_if(all.begin(), all.end(), [&](const hir::FieldShape& one) {
                return one.name == field.name;
            });
            if (at == all.end()) continue;
            const bool isWritten = in_.ports.isOut(number) != field.flip;
            if (isWritten && !isScalarOfC(types_, field.type)
                && hasValueThatFails(types_, field.type))
                refuse("field '" + port.name + "." + field.name + "'", field.type);
            numbers.push_back(static_cast<std::uint32_t>(at - all.begin()));
            result.fields.push_back({field.name, field.type, isWritten});
            hir::PortField& mark = port.fields[numbers.back()];
            mark.read = true;
            mark.written = isWritten;
            mark.firstWrite = decl_.name.range;
        }
        for (std::uint32_t element = 0; element < port.elements; ++element)
            for (std::size_t i = 0; i < numbers.size(); ++i)
                passField(number, numbers[i], element, result.fields[i]);
        return result;
    }

    void passField(std::uint32_t port, std::uint32_t field, std::uint32_t element,
                   const hir::ForeignPort::Field& shape) {
        const bool isArray = in_.ports[port].isArray;
        std::string name = in_.ports[port].name;
        if (isArray) name += "[" + std::to_string(element) + "]";
        name += "." + shape.name;
        hir::ExprId index;
        if (isArray) {
            const hir::Integer value(element);
            index = emit(smallestType(types_, value), hir::Constant{hir::Value{value}});
        }
        pass(name, shape.type, emit(shape.type, hir::ReadField{port, field, index}));
        if (!shape.written) return;
        results_.members.push_back({name, givenByC(types_, shape.type)});
        outputs_.push_back({{port, field, index}, shape.type});
    }

    hir::FunctionId finish() {
        hir::Body& body = in_.build.body();
        const TypeId structure = types_.structure(results_);
        function_.paramCount = static_cast<std::uint32_t>(arguments_.size());
        function_.result = structure;
        const hir::FunctionId id{static_cast<std::uint32_t>(in_.core.design.functions.size())};
        in_.core.design.functions.push_back(std::move(function_));
        const hir::VarId given = variable("outputs", hir::VarKind::Block, structure);
        statement(hir::InitVar{given, emit(structure, hir::CallExpr{id, std::move(arguments_)})});
        const auto member = [&](std::uint32_t number) {
            return emit(results_.members[number].type,
                        hir::StructMemberOf{emit(structure, hir::ReadVar{given}), number});
        };
        const TypeId word = results_.members[0].type;
        statement(hir::Assign{{object_, {}, word, decl_.name.range}, member(0)});
        for (std::uint32_t i = 0; i < outputs_.size(); ++i) {
            const auto& [field, type] = outputs_[i];
            hir::ExprId value = member(i + 1);
            if (types_.is<hir::EnumType>(type)) value = emit(type, hir::CastExpr{value});
            body.canFail = body.canFail || hasValueThatFails(types_, type);
            statement(hir::Assign{{field, {}, type, decl_.name.range}, value});
        }
        return id;
    }

    void statement(decltype(hir::Stmt::node) node) {
        in_.build.body().statements.push_back({decl_.name.range, std::move(node)});
    }

    const CheckContext& in_;
    ExpressionParts& parts_;
    TypeTable& types_;
    const ast::ProcDecl& decl_;
    hir::Function function_;
    hir::StructType results_;
    std::vector<hir::ExprId> arguments_;
    std::vector<Output> outputs_;
    hir::VarId object_;
};

}  // namespace

void addForeignBody(const CheckContext& in, ExpressionParts& parts, CheckedProcess& result) {
    result.spec.foreign = ForeignBody(in, parts).build();
    result.initials.push_back(hir::Value{hir::Integer(0)});
    result.initialDepends.push_back(false);
    result.initialTypes.push_back(in.core.types().integer(64, false));
}

CheckedFunction checkForeignFunction(Core& core, const Scope& scope, const ast::ExternFunc& decl) {
    CheckState state(core, scope, CheckMode::Function);
    ExpressionParts parts(state.context);
    CheckedFunction checked;
    hir::Function& result = checked.function;
    result.name = decl.name.text;
    result.range = decl.name.range;
    result.paramCount = static_cast<std::uint32_t>(decl.params.size());
    const auto refuse = [&](const std::string& what, TypeId type, SourceRange range) {
        core.reporter.report(DiagId::ExternType, range, what, decl.name.text,
                             core.types().name(type));
    };
    for (const ast::FuncParam& param : decl.params) {
        const TypeId type = parts.writtenTypes.resolve(param.type);
        state.locals.declare(param.name, type, hir::VarKind::Param);
        if (!core.types().isError(type) && !isArgumentOfC(core.types(), type))
            refuse("parameter '" + param.name.text + "'", type, param.type.range);
    }
    if (!decl.result) {
        core.reporter.report(DiagId::ExternResult, decl.name.range, decl.name.text);
    } else {
        checked.result = parts.writtenTypes.resolve(*decl.result);
        if (!core.types().isError(checked.result) && !isScalarOfC(core.types(), checked.result))
            refuse("the result", checked.result, decl.result->range);
        result.result = givenByC(core.types(), checked.result);
    }
    hir::Foreign& foreign = result.external.emplace();
    foreign.name = decl.name.text;
    foreign.isSerial = decl.serial;
    findHeader(core, scope, decl.header, decl.headerRange, foreign);
    state.uses.dependOnTouched();
    checked.dependencies = state.uses.takeDependencies();
    result.body = std::move(state.build.body());
    result.body.callsForeign = true;
    return checked;
}

}  // namespace smec::sema
