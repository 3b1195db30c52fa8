#include "driver/verilog/extern_wires.h"

#include <algorithm>

#include <fmt/format.h>

// async proc of_a_v(in a, out a_v) { a_v.v = u8(a.v); }
// async proc of_p_v(in p_v, out p) { p.v = i8(p_v.v); }
// Where the module's port has a sign its wire has: { a_v.v = a.v; }, i8(cat(...)).

namespace smec::driver {
namespace {

class WiresWriter {
public:
    WiresWriter(const hir::Design& design, const ExternProcess& process,
                const sema::Program& program, Diagnostics& diagnostics)
        : types_(design.types), process_(process), program_(program), diagnostics_(diagnostics) {}

    WiresModule run() {
        std::string text;
        for (const FieldWires& field : byField(process_.wires)) {
            text += fmt::format("\nasync proc {}({}", carrierOf(field),
                                param(process_.spec->ports[field[0]->port]));
            std::string body;
            for (const Wire* wire : field) {
                text += fmt::format(", {} {}", wire->isWritten ? "in" : "out", wire->name);
                body += wire->isWritten ? written(*wire) : read(*wire);
            }
            text += ")\n{\n" + body + "}\n";
        }
        std::string imports;
        for (const auto& [alias, module] : result_.imports)
            imports += fmt::format("import {};\n", alias);
        result_.text = imports + text;
        return std::move(result_);
    }

private:
    static std::string param(const hir::Port& port) {
        std::string text;
        for (const std::uint64_t dimension : port.dimensions)
            text += fmt::format("[{}]", dimension);
        return text + (text.empty() ? "" : " ") + (port.canWrite ? "out " : "in ") + port.name;
    }

    bool isBool(hir::TypeId type) const { return type == hir::TypeTable::kBool; }

    bool hasSign(const WirePart& part) const {
        const auto* integer = types_.as<hir::IntType>(part.type);
        return integer && integer->flavour == hir::IntFlavour::Sized && integer->isSigned;
    }

    /// The bits of a scalar as an unsigned number, or as a bool.
    std::string bitsOf(const WirePart& part) const {
        if (isBool(part.type)) return part.place;
        const auto* integer = types_.as<hir::IntType>(part.type);
        const bool isPlain =
            integer && integer->flavour == hir::IntFlavour::Sized && !integer->isSigned;
        return isPlain ? part.place : fmt::format("u{}({})", part.width, part.place);
    }

    std::string read(const Wire& wire) const {
        if (wire.parts.size() > 1) {
            std::string list;
            for (auto part = wire.parts.rbegin(); part != wire.parts.rend(); ++part)
                list += (list.empty() ? "" : ", ") + bitsOf(*part);
            return wire.isSigned
                       ? fmt::format("    {}.v = i{}(cat({}));\n", wire.name, wire.width, list)
                       : fmt::format("    {}.v = cat({});\n", wire.name, list);
        }
        const WirePart& part = wire.parts[0];
        if (wire.isSigned && hasSign(part))
            return fmt::format("    {}.v = {};\n", wire.name, part.place);
        if (wire.isSigned)
            return fmt::format("    {}.v = i{}({});\n", wire.name, wire.width, bitsOf(part));
        const bool isNumber = wire.width == 1 && !isBool(part.type);
        return fmt::format("    {}.v = {}{};\n", wire.name, bitsOf(part), isNumber ? " != 0" : "");
    }

    std::string written(const Wire& wire) {
        if (wire.isSigned && wire.parts.size() == 1 && hasSign(wire.parts[0]))
            return fmt::format("    {} = {}.v;\n", wire.parts[0].place, wire.name);
        std::string text;
        std::uint32_t offset = 0;
        for (const WirePart& part : wire.parts) {
            std::string bits = wire.name + ".v";
            if (wire.width == part.width && wire.isSigned)
                bits = wire.width == 1 ? bits + " != 0" : fmt::format("u{}({})", wire.width, bits);
            if (wire.width != part.width)
                bits += part.width == 1 ? fmt::format("[{}]", offset)
                                        : fmt::format("[{}:{}]", offset + part.width - 1, offset);
            text += fmt::format("    {} = {};\n", part.place, valueOf(part, bits));
            offset += part.width;
        }
        return text;
    }

    /// One bit is a bool, more are an unsigned number.
    std::string valueOf(const WirePart& part, const std::string& bits) {
        if (isBool(part.type)) return bits;
        const std::string number = part.width == 1 ? fmt::format("u1({})", bits) : bits;
        if (const auto* enumeration = types_.as<hir::EnumType>(part.type))
            return fmt::format("{}({})", enumName(*enumeration),
                               enumeration->isSigned ? fmt::format("i{}({})", part.width, number)
                                                     : number);
        const auto* integer = types_.as<hir::IntType>(part.type);
        return integer && integer->isSigned ? fmt::format("i{}({})", part.width, number) : number;
    }

    /// By the module that declares it.
    std::string enumName(const hir::EnumType& type) {
        for (std::uint32_t i = 0; i < program_.modules.size(); ++i) {
            for (const ast::Decl& decl : program_.modules[i].ast.decls) {
                const auto* found = std::get_if<ast::EnumDecl>(&decl.node);
                if (!found || found->name.range != type.range) continue;
                const std::string alias = fmt::format("declared_{}", i);
                if (std::ranges::find(result_.imports, alias,
                                      &std::pair<std::string, sema::ModuleId>::first)
                    == result_.imports.end())
                    result_.imports.emplace_back(alias, sema::ModuleId{i});
                return alias + "." + type.name;
            }
        }
        diagnostics_.report(DiagId::ExternModule, process_.spec->range, process_.spec->name,
                            fmt::format("it drives the enum '{}', which is not declared in a "
                                        "module",
                                        type.name));
        return "u1";
    }

    const hir::TypeTable& types_;
    const ExternProcess& process_;
    const sema::Program& program_;
    Diagnostics& diagnostics_;
    WiresModule result_;
};

}  // namespace

std::vector<FieldWires> byField(const std::vector<Wire>& wires) {
    std::vector<FieldWires> fields;
    for (const Wire& wire : wires) {
        if (fields.empty() || fields.back()[0]->whole != wire.whole) fields.emplace_back();
        fields.back().push_back(&wire);
    }
    return fields;
}

std::string carrierOf(const FieldWires& field) { return "of_" + field[0]->whole; }

WiresModule wiresModule(const hir::Design& design, const ExternProcess& process,
                        const sema::Program& program, Diagnostics& diagnostics) {
    return WiresWriter(design, process, program, diagnostics).run();
}

}  // namespace smec::driver
