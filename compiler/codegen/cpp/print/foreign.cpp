// foreign.cpp: what stands between a design and the C++ it names with `extern`, one function each.
//
//   #include <math.h>
//   static_assert(check<f64(f64, f64)>(&::hypot, 0), "…");            at the line of the .sme
//   f64 hypot(f64 a, f64 b) { return call<f64(f64, f64)>(0, &::hypot, a, b); }
//
//   struct dsp_Object { ::dsp sme__body; a_Port a; p_Port p; };            an extern process
//   void dsp(u64 object, u8 a_x, …, u64& object_out, u8& p_y) { … }
//
//   extern "C" void smec_foreign_3(void* const* slots)                for the interpreter

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "codegen/cpp/print/statement.h"
#include "codegen/cpp/print/unit.h"

namespace smec::codegen::cpp {
namespace {

/// As C++ outside of the design sees it.
std::string plainType(const ir::Scalar& scalar) {
    switch (scalar.kind) {
    case ir::ScalarKind::Bool: return "bool";
    case ir::ScalarKind::F32: return "float";
    case ir::ScalarKind::F64: return "double";
    case ir::ScalarKind::Int: break;
    }
    if (scalar.width > 64) return fmt::format("sme::foreign::Limbs<{}>", scalar.width);
    const int bits = scalar.width <= 8 ? 8 : scalar.width <= 16 ? 16 : scalar.width <= 32 ? 32 : 64;
    return fmt::format("std::{}int{}_t", scalar.isSigned ? "" : "u", bits);
}

/// A stored value for C++.
std::string outward(const ir::Scalar& scalar, const std::string& value) {
    if (scalar.kind == ir::ScalarKind::Int && scalar.width > 64)
        return fmt::format("sme::foreign::limbsOf<{}>({})", scalar.width, value);
    return fmt::format("static_cast<{}>({})", plainType(scalar), value);
}

/// A value of C++ as it is stored in `word`.
std::string inward(const ir::Scalar& scalar, const Word& word, const std::string& value) {
    const std::string name = nameOf(word);
    if (scalar.kind != ir::ScalarKind::Int) return fmt::format("static_cast<{}>({})", name, value);
    if (scalar.width > 64)
        return fmt::format("sme::foreign::fromLimbs<{}, {}, {}>({})", scalar.width, scalar.isSigned,
                           name, value);
    return fmt::format("sme::foreign::wrapped<{}, {}>({})", scalar.width, name, value);
}

std::string lineDirective(const Program& program, const SourceRange& range) {
    return fmt::format("#line {} {}", program.sources.position(range.file, range.begin).line,
                       stringLiteral(program.sources.path(range.file)));
}

/// A parameter or result of the wrapper: a scalar, or the first element of an array.
struct Passed {
    std::string name;
    ir::StorageType type;
    Word word() const {
        return type.isArray() ? storedWord(type.scalar) : variableWord(type.scalar);
    }
};

/// Between the design and its C++.
enum class Direction : std::uint8_t { Outward, Inward };

class ForeignPrinter {
public:
    ForeignPrinter(const CppDesign& cpp, std::uint32_t id, Writer& out)
        : program_(cpp.program),
          design_(program_.design),
          function_(design_.functions[id]),
          foreign_(*function_.external),
          name_(cpp.names.functions[id]),
          out_(out) {
        names_.add("self");
        names_.add("object");
        for (std::uint32_t i = 0; i < function_.paramCount; ++i) {
            const ir::Local& local = function_.body.locals[i];
            parameters_.push_back({names_.add(local.name), local.type});
        }
        for (std::size_t i = 0; i < function_.results.size(); ++i)
            results_.push_back({resultName(function_, i), function_.results[i]});
    }

    void print() {
        foreign_.isProcess ? printProcess() : printFunction();
        printThunk();
    }

private:
    bool givesValue() const { return returnsByValue(function_); }

    /// What follows is about the declaration in the .sme file …
    void enterDeclaration() {
        out_.lineDirective(lineDirective(program_, foreign_.range), LongLines::Keep);
    }
    /// … or about this file again.
    void leaveDeclaration() {
        out_.lineDirective(fmt::format("#line {} \"foreign.cpp\"", lineCount() + 2),
                           LongLines::Break);
    }
    std::size_t lineCount() const {
        return static_cast<std::size_t>(std::count(out_.text().begin(), out_.text().end(), '\n'));
    }

    std::string signature() const {
        std::string list;
        const auto add = [&](const std::string& text) {
            list += (list.empty() ? "" : ", ") + text;
        };
        for (const Passed& slot : parameters_)
            add((slot.type.isArray() ? "const " + nameOf(slot.word()) + "* "
                                     : nameOf(slot.word()) + " ")
                + slot.name);
        if (!givesValue()) {
            for (const Passed& slot : results_)
                add(nameOf(slot.word()) + (slot.type.isArray() ? "* " : "& ") + slot.name);
        }
        return fmt::format("{} {}({})", givesValue() ? nameOf(results_[0].word()) : "void", name_,
                           list);
    }

    /// Calls that throw end the program.
    void openTry() { out_.open("try"); }
    void closeTry() {
        const SourceRange& range = function_.range;
        const LineColumn at = program_.sources.position(range.file, range.begin);
        const std::string what = stringLiteral(fmt::format("{}:{}:{}: error: extern '{}'",
                                                           program_.sources.path(range.file),
                                                           at.line, at.column, foreign_.name));
        out_.close();
        out_.open("catch (const std::exception& error)");
        out_.line("sme::foreign::threw({}, error.what());", what);
        out_.close();
        out_.open("catch (...)");
        out_.line("sme::foreign::threw({}, \"\");", what);
        out_.close();
    }

    // ------------------------------------------------------------ functions

    void printFunction() {
        std::string types, arguments;
        for (const Passed& slot : parameters_) {
            const std::string type = plainType(slot.type.scalar);
            const bool isArray = slot.type.isArray();
            types += (types.empty() ? "" : ", ") + (isArray ? "const " + type + "*" : type);
            arguments +=
                ", "
                + (isArray ? fmt::format("reinterpret_cast<const {}*>({})", type, slot.name)
                           : outward(slot.type.scalar, slot.name));
        }
        const ir::Scalar& result = results_[0].type.scalar;
        const std::string declared = fmt::format("{}({})", plainType(result), types);
        const std::string message =
            stringLiteral(fmt::format("extern func '{}' does not match its declaration in '{}'",
                                      foreign_.name, foreign_.header));
        enterDeclaration();
        out_.margin(fmt::format("static_assert(sme::foreign::check<{}>(&::{}, 0), {});", declared,
                                foreign_.name, message));
        leaveDeclaration();
        out_.open("{}", signature());
        openTry();
        if (foreign_.isSerial) out_.line("const std::lock_guard lock(sme::foreign::serial());");
        const std::string call =
            fmt::format("sme::foreign::call<{}>(0, &::{}{})", declared, foreign_.name, arguments);
        out_.line("return {};", inward(result, results_[0].word(), call));
        closeTry();
        out_.close();
        out_.blank();
    }

    // ------------------------------------------------------------ processes

    /// The type of a field, as C++ sees it; structs are declared in front.
    std::string fieldType(std::uint32_t shape) {
        const ir::Shape& type = design_.shapes[shape];
        if (type.kind == ir::Shape::Kind::Array)
            return fmt::format("std::array<{}, {}>", fieldType(type.element), type.count);
        if (type.kind != ir::Shape::Kind::Struct) return plainType(type.scalar);
        const std::string name = fmt::format("{}_type{}", name_, shape);
        if (std::find(declared_.begin(), declared_.end(), shape) != declared_.end()) return name;
        declared_.push_back(shape);
        std::vector<std::string> members;
        for (const auto& member : type.members)
            members.push_back(
                fmt::format("{} {};", fieldType(member.shape), memberName(member.name)));
        out_.open("struct {}", name);
        for (const std::string& member : members)
            out_.line("{}", member);
        out_.close(";");
        return name;
    }

    std::size_t leafCount(std::uint32_t shape) const {
        const ir::Shape& type = design_.shapes[shape];
        if (type.kind == ir::Shape::Kind::Array) return leafCount(type.element);
        if (type.kind != ir::Shape::Kind::Struct) return 1;
        std::size_t count = 0;
        for (const auto& member : type.members)
            count += leafCount(member.shape);
        return count;
    }

    /// Copies between a field and its slots, from `slots[leaf]` on. `index`: of the arrays around.
    void copyField(std::uint32_t shape, const std::string& field, const std::vector<Passed>& slots,
                   std::size_t leaf, const std::string& index, Direction direction) {
        const ir::Shape& type = design_.shapes[shape];
        if (type.kind == ir::Shape::Kind::Array) {
            const std::string i = names_.add("index");
            out_.open("for (std::size_t {0} = 0; {0} < {1}; ++{0})", i, type.count);
            const std::string inner =
                index.empty() ? i : fmt::format("({}) * {} + {}", index, type.count, i);
            copyField(type.element, fmt::format("{}[{}]", field, i), slots, leaf, inner, direction);
            out_.close();
            return;
        }
        if (type.kind == ir::Shape::Kind::Struct) {
            for (const auto& member : type.members) {
                copyField(member.shape, field + "." + memberName(member.name), slots, leaf, index,
                          direction);
                leaf += leafCount(member.shape);
            }
            return;
        }
        const Passed& slot = slots[leaf];
        const std::string value =
            slot.type.isArray() ? fmt::format("{}[{}]", slot.name, index) : slot.name;
        if (direction == Direction::Outward)
            out_.line("{} = {};", field, outward(slot.type.scalar, value));
        else
            out_.line("{} = {};", value, inward(slot.type.scalar, slot.word(), field));
    }

    template <typename F>
    void forEachField(F&& visit) const {
        for (const ir::Foreign::Port& port : foreign_.ports) {
            for (std::uint32_t element = 0; element < port.elements; ++element) {
                const std::string name = port.isArray
                                             ? fmt::format("{}[{}]", memberName(port.name), element)
                                             : memberName(port.name);
                for (const ir::Foreign::Field& field : port.fields)
                    visit(field, "self->" + name + "." + memberName(field.name));
            }
        }
    }

    void printObject(const std::string& object) {
        std::vector<std::pair<std::string, std::string>> ports;
        for (const ir::Foreign::Port& port : foreign_.ports) {
            std::vector<std::string> fields;
            for (const ir::Foreign::Field& field : port.fields)
                fields.push_back(
                    fmt::format("{} {}{{}};", fieldType(field.shape), memberName(field.name)));
            const std::string type = fmt::format("{}_{}", name_, port.name);
            out_.open("struct {}", type);
            for (const std::string& field : fields)
                out_.line("{}", field);
            out_.close(";");
            ports.emplace_back(port.isArray ? fmt::format("std::array<{}, {}>", type, port.elements)
                                            : type,
                               memberName(port.name));
        }
        std::string constants, given, portTypes;
        for (std::uint32_t i = 1; i <= foreign_.constants; ++i) {
            const Passed& slot = parameters_[i];
            if (slot.type.isArray()) {
                constants += fmt::format(", const {}*", plainType(slot.type.scalar));
                given += fmt::format("{}reinterpret_cast<const {}*>({})", i == 1 ? "" : ", ",
                                     plainType(slot.type.scalar), slot.name);
            } else {
                constants += ", " + plainType(slot.type.scalar);
                given += (i == 1 ? "" : ", ") + outward(slot.type.scalar, slot.name);
            }
        }
        for (const auto& [type, name] : ports)
            portTypes += ", " + type + "&";
        enterDeclaration();
        const auto demand = [&](const std::string& condition, const std::string& what) {
            out_.margin(
                fmt::format("static_assert({}, {});", condition,
                            stringLiteral(fmt::format("extern process '{}': '{}' {}", foreign_.name,
                                                      foreign_.header, what))));
        };
        demand(fmt::format("std::is_class_v<::{}>", foreign_.name), "declares no such class");
        enterDeclaration();
        demand(fmt::format("std::is_constructible_v<::{}{}>", foreign_.name, constants),
               foreign_.constants == 0 ? "cannot be made without arguments"
                                       : "cannot be made from the constants");
        enterDeclaration();
        demand(fmt::format("std::is_invocable_v<::{}&{}>", foreign_.name, portTypes),
               "has no operator() that takes the ports, each as a reference to a struct of its "
               "fields");
        leaveDeclaration();
        out_.open("struct {}", object);
        out_.line("::{} sme__body;", foreign_.name);
        for (const auto& [type, name] : ports)
            out_.line("{} {}{{}};", type, name);
        out_.close(";");
        making_ = fmt::format("new {}{{::{}({})}}", object, foreign_.name, given);
    }

    void printProcess() {
        const std::string object = names_.add(name_ + "_Object");
        printObject(object);
        out_.open("{}", signature());
        openTry();
        out_.line("auto* self = reinterpret_cast<{}*>({});", object, parameters_[0].name);
        std::size_t leaf = 1 + foreign_.constants;
        out_.open("if (self == nullptr)");
        out_.line("self = {};", making_);
        forEachField([&](const ir::Foreign::Field& field, const std::string& name) {
            if (field.written)
                copyField(field.shape, name, parameters_, leaf, "", Direction::Outward);
            leaf += leafCount(field.shape);
        });
        out_.close();
        leaf = 1 + foreign_.constants;
        forEachField([&](const ir::Foreign::Field& field, const std::string& name) {
            if (!field.written)
                copyField(field.shape, name, parameters_, leaf, "", Direction::Outward);
            leaf += leafCount(field.shape);
        });
        std::string ports;
        for (const ir::Foreign::Port& port : foreign_.ports)
            ports += (ports.empty() ? "self->" : ", self->") + memberName(port.name);
        out_.line("self->sme__body({});", ports);
        leaf = 1;
        forEachField([&](const ir::Foreign::Field& field, const std::string& name) {
            if (!field.written) return;
            copyField(field.shape, name, results_, leaf, "", Direction::Inward);
            leaf += leafCount(field.shape);
        });
        out_.line("{}{};", givesValue() ? "return " : results_[0].name + " = ",
                  "reinterpret_cast<u64>(self)");
        closeTry();
        out_.close();
        out_.blank();
        out_.line("extern \"C\" void smec_release_{}(std::uint64_t object) {{ delete "
                  "reinterpret_cast<{}*>(object); }}",
                  foreign_.id, object);
        out_.open("extern \"C\" std::uint64_t smec_copy_{}(std::uint64_t object)", foreign_.id);
        openTry();
        out_.line("return sme::foreign::copied<{}>(object);", object);
        closeTry();
        out_.close();
    }

    // ------------------------------------------------------------ the interpreter's way in

    void printThunk() {
        std::string list;
        std::size_t next = 0;
        const auto add = [&](const Passed& slot, const char* qualifier) {
            const std::string pointer = fmt::format("static_cast<{}{}*>(slots[{}])", qualifier,
                                                    nameOf(slot.word()), next++);
            list += (list.empty() ? "" : ", ") + (slot.type.isArray() ? pointer : "*" + pointer);
        };
        for (const Passed& slot : parameters_)
            add(slot, "const ");
        if (!givesValue()) {
            for (const Passed& slot : results_)
                add(slot, "");
        }
        const std::string call = fmt::format("{}({})", name_, list);
        out_.line(
            "extern \"C\" void smec_foreign_{}([[maybe_unused]] void* const* slots) {{ {}{}; }}",
            foreign_.id,
            givesValue()
                ? fmt::format("*static_cast<{}*>(slots[{}]) = ", nameOf(results_[0].word()), next)
                : "",
            call);
        out_.blank();
    }

    const Program& program_;
    const ir::Design& design_;
    const ir::Function& function_;
    const ir::Foreign& foreign_;
    const std::string& name_;
    Writer& out_;
    Names names_;
    std::vector<Passed> parameters_, results_;
    std::vector<std::uint32_t> declared_;
    std::string making_;
};

}  // namespace

std::string printForeign(const CppDesign& cpp) {
    const Program& program = cpp.program;
    std::string includes;
    std::set<std::string> headers;
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < program.design.functions.size(); ++id) {
        const auto& external = program.design.functions[id].external;
        if (!external) continue;
        ids.push_back(id);
        if (!headers.insert(external->header).second) continue;  // it may have no guard
        includes += lineDirective(program, external->range)
                    + (external->isFile ? "\n#include \"" + external->header + "\"\n"
                                        : "\n#include <" + external->header + ">\n");
    }
    if (ids.empty()) return {};
    Writer out;
    out.append(
        fmt::format("// Generated by smec from network {}. Do not edit.\n#include <sme/foreign.h>\n"
                    "{}namespace {} {{ namespace functions {{\nusing namespace sme::words;\n",
                    comment(program.design.name), includes, cpp.names.space));
    for (const std::uint32_t id : ids)
        ForeignPrinter(cpp, id, out).print();
    out.margin("}}");
    return out.take();
}

}  // namespace smec::codegen::cpp
