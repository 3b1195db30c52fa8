#include "codegen/cpp/print/foreign_process.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace smec::codegen::cpp {
namespace {

/// Between the design and its C++.
enum class Direction : std::uint8_t { Outward, Inward };

/// The constants that an object is made from.
struct ForeignConstants {
    std::string types;  ///< each after a comma
    std::string given;
};

ForeignConstants constantsOf(const ForeignWrapper& wrapper) {
    ForeignConstants result;
    for (std::uint32_t i = 1; i <= wrapper.foreign().constants; ++i) {
        const Passed& slot = wrapper.parameters()[i];
        const std::string type = plainType(slot.type.scalar);
        const bool isArray = slot.type.isArray();
        result.types += isArray ? fmt::format(", const {}*", type) : ", " + type;
        result.given += (i == 1 ? "" : ", ")
                        + (isArray ? fmt::format("reinterpret_cast<const {}*>({})", type, slot.name)
                                   : outward(slot.type.scalar, slot.name));
    }
    return result;
}

class ProcessPrinter {
public:
    ProcessPrinter(ForeignWrapper& wrapper, Writer& out)
        : wrapper_(wrapper), foreign_(wrapper.foreign()), out_(out) {}

    void print() {
        const std::string object = wrapper_.newName(wrapper_.name() + "_Object");
        const ForeignConstants constants = constantsOf(wrapper_);
        const std::vector<Member> ports = declarePorts();
        judge(constants, ports);
        declareObject(object, ports);
        const std::string making =
            fmt::format("new {}{{::{}({})}}", object, foreign_.name, constants.given);
        activation(object, making);
        management(object);
    }

private:
    struct Member {
        std::string type;
        std::string name;
    };

    /// A struct for each port, as the object has them.
    std::vector<Member> declarePorts() {
        std::vector<Member> ports;
        for (const ir::Foreign::Port& port : foreign_.ports) {
            std::vector<std::string> fields;
            for (const ir::Foreign::Field& field : port.fields)
                fields.push_back(
                    fmt::format("{} {}{{}};", fieldType(field.shape), memberName(field.name)));
            const std::string type = fmt::format("{}_{}", wrapper_.name(), port.name);
            out_.open("struct {}", type);
            for (const std::string& field : fields)
                out_.line("{}", field);
            out_.close(";");
            ports.push_back(
                {port.isArray ? fmt::format("std::array<{}, {}>", type, port.elements) : type,
                 memberName(port.name)});
        }
        return ports;
    }

    /// Says at the declaration what the class lacks.
    void judge(const ForeignConstants& constants, const std::vector<Member>& ports) {
        std::string portTypes;
        for (const Member& port : ports)
            portTypes += ", " + port.type + "&";
        const auto demand = [&](const std::string& condition, const char* what) {
            wrapper_.demand(condition, fmt::format("extern process '{}': '{}' {}", foreign_.name,
                                                   foreign_.header, what));
        };
        demand(fmt::format("std::is_class_v<::{}>", foreign_.name), "declares no such class");
        demand(fmt::format("std::is_constructible_v<::{}{}>", foreign_.name, constants.types),
               foreign_.constants == 0 ? "cannot be made without arguments"
                                       : "cannot be made from the constants");
        demand(fmt::format("std::is_invocable_v<::{}&{}>", foreign_.name, portTypes),
               "has no operator() that takes the ports, each as a reference to a struct of its "
               "fields");
        wrapper_.leaveDeclaration();
    }

    void declareObject(const std::string& object, const std::vector<Member>& ports) {
        out_.open("struct {}", object);
        out_.line("::{} sme__body;", foreign_.name);
        for (const Member& port : ports)
            out_.line("{} {}{{}};", port.type, port.name);
        out_.close(";");
    }

    // ------------------------------------------------------------ an activation

    /// `making`: the object of the first one.
    void activation(const std::string& object, const std::string& making) {
        wrapper_.openFunction();
        wrapper_.openTry();
        const std::string& given = wrapper_.parameters()[0].name;
        const std::string once = fmt::format("<::{}>(thread, slots, {}, {})", foreign_.name,
                                             wrapper_.caller(), outputs());
        out_.line("if (sme::foreign::isGiven{}) {};", once, giveObject(given));
        out_.line("auto* self = sme::foreign::objectAt<{}>({});", object, given);
        out_.open("if (self == nullptr)");
        out_.line("self = {};", making);
        takeFields(true);
        out_.line("sme::foreign::loadSaved({}, {});", given, saved());
        out_.close();
        takeFields(false);
        out_.line("self->sme__body({});", portList());
        giveFields();
        out_.line("sme::foreign::keepGiven{};", once);
        out_.line("{};", giveObject("reinterpret_cast<u64>(self)"));
        wrapper_.closeTry();
        out_.close();
        out_.blank();
    }

    /// Ends an activation.
    std::string giveObject(const std::string& object) const {
        if (wrapper_.givesValue()) return "return " + object;
        return fmt::format("return void({} = {})", wrapper_.results()[0].name, object);
    }
    /// All that an activation gives beside the object, as sme::foreign::Values.
    std::string outputs() const {
        std::string list;
        for (std::size_t i = 1; i < wrapper_.results().size(); ++i) {
            const Passed& slot = wrapper_.results()[i];
            list += list.empty() ? "" : ", ";
            list += slot.type.isArray()
                        ? fmt::format("{{{0}, {1} * sizeof *{0}}}", slot.name, slot.type.length)
                        : fmt::format("{{&{0}, sizeof {0}}}", slot.name);
        }
        if (list.empty()) return "sme::foreign::Values()";
        return fmt::format("std::initializer_list<sme::OutsideWorld::Value>{{{}}}", list);
    }

    /// The ports of an object, as arguments.
    std::string portList() const {
        std::string list;
        for (const ir::Foreign::Port& port : foreign_.ports)
            list += (list.empty() ? "self->" : ", self->") + memberName(port.name);
        return list;
    }
    /// What of an object is saved.
    std::string saved() const {
        return foreign_.ports.empty() ? "self->sme__body" : "self->sme__body, " + portList();
    }

    /// Those that the object writes, or all others.
    void takeFields(bool written) {
        std::size_t leaf = 1 + foreign_.constants;
        forEachField([&](const ir::Foreign::Field& field, const std::string& name) {
            if (field.written == written)
                copyField(field.shape, name, wrapper_.parameters(), leaf, "", Direction::Outward);
            leaf += leafCount(field.shape);
        });
    }

    void giveFields() {
        std::size_t leaf = 1;
        forEachField([&](const ir::Foreign::Field& field, const std::string& name) {
            if (!field.written) return;
            copyField(field.shape, name, wrapper_.results(), leaf, "", Direction::Inward);
            leaf += leafCount(field.shape);
        });
    }

    /// Copies between a field and its slots, from `slots[leaf]` on. `index`: of the arrays around.
    void copyField(std::uint32_t shape, const std::string& field, const std::vector<Passed>& slots,
                   std::size_t leaf, const std::string& index, Direction direction) {
        const ir::Shape& type = wrapper_.design().shapes[shape];
        if (type.kind == ir::Shape::Kind::Array) {
            const std::string i = wrapper_.newName("index");
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

    // ------------------------------------------------------------ types of fields

    /// The type of a field, as C++ sees it; structs are declared in front.
    std::string fieldType(std::uint32_t shape) {
        const ir::Shape& type = wrapper_.design().shapes[shape];
        if (type.kind == ir::Shape::Kind::Array)
            return fmt::format("std::array<{}, {}>", fieldType(type.element), type.count);
        if (type.kind != ir::Shape::Kind::Struct) return plainType(type.scalar);
        const std::string name = fmt::format("{}_type{}", wrapper_.name(), shape);
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
        const ir::Shape& type = wrapper_.design().shapes[shape];
        if (type.kind == ir::Shape::Kind::Array) return leafCount(type.element);
        if (type.kind != ir::Shape::Kind::Struct) return 1;
        std::size_t count = 0;
        for (const auto& member : type.members)
            count += leafCount(member.shape);
        return count;
    }

    /// How others end, copy and save an object.
    void management(const std::string& object) {
        out_.line("extern \"C\" void smec_release_{}(std::uint64_t object) {{ "
                  "sme::foreign::released<{}>(object); }}",
                  foreign_.id, object);
        out_.open("extern \"C\" std::uint64_t smec_copy_{}(std::uint64_t object)", foreign_.id);
        wrapper_.openTry();
        out_.line("if (object == 0) return std::is_copy_constructible_v<{}>;", object);
        out_.line("return sme::foreign::copied<{}>(object);", object);
        wrapper_.closeTry();
        out_.close();
        out_.open("extern \"C\" std::uint64_t smec_save_{}(std::uint64_t object)", foreign_.id);
        wrapper_.openTry();
        out_.line("if (object == 0) return sme::foreign::Saves<::{}>;", foreign_.name);
        out_.line("if (sme::isSaved(object)) return sme::savedObject(sme::bytesOfSaved(object));");
        out_.line("const auto* self = reinterpret_cast<const {}*>(object);", object);
        out_.line("return sme::foreign::saved({});", saved());
        wrapper_.closeTry();
        out_.close();
    }

    ForeignWrapper& wrapper_;
    const ir::Foreign& foreign_;
    Writer& out_;
    std::vector<std::uint32_t> declared_;  ///< shapes of structs
};

}  // namespace

void printForeignProcess(ForeignWrapper& wrapper, Writer& out) {
    ProcessPrinter(wrapper, out).print();
}

}  // namespace smec::codegen::cpp
