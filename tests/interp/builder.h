#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hir/design.h"

/// Designs made by hand, as elab would make them: one top network "top" without ports, buses of it,
/// processes in it.
namespace smec::handmade {

using namespace smec::hir;

/// One body; every node has the range of the whole source.
class BodyBuilder {
public:
    BodyBuilder(TypeTable& types, SourceRange range) : types_(types), range_(range) {}

    ExprId expr(TypeId type, decltype(Expr::node) node) {
        body.exprs.push_back({type, range_, std::move(node)});
        return {static_cast<std::uint32_t>(body.exprs.size() - 1)};
    }
    ExprId number(const Integer& value) {
        return expr(types_.integer(bitsFor(value), value < 0), Constant{Value{value}});
    }
    ExprId boolean(bool value) { return expr(TypeTable::kBool, Constant{Value{value}}); }
    ExprId real(double value) { return expr(TypeTable::kF64, Constant{Value{value}}); }
    ExprId read(VarId var) { return expr(body.vars[var.index].type, ReadVar{var}); }
    ExprId read(std::uint32_t port, std::uint32_t field, TypeId type, ExprId element = {}) {
        return expr(type, ReadField{port, field, element});
    }
    ExprId binary(BinaryOp op, ExprId a, ExprId b, TypeId type) {
        return expr(type, BinaryExpr{op, a, b});
    }
    ExprId binary(BinaryOp op, ExprId a, ExprId b) {
        const bool compares = op >= BinaryOp::Lt;
        return binary(op, a, b, compares ? TypeTable::kBool : body[a].type);
    }
    ExprId builtin(Builtin which, std::vector<ExprId> arguments, TypeId type,
                   std::uint32_t count = 0) {
        return expr(type, BuiltinExpr{which, std::move(arguments), count});
    }

    VarId var(std::string name, VarKind kind, TypeId type) {
        body.vars.push_back({std::move(name), range_, kind, type});
        return {static_cast<std::uint32_t>(body.vars.size() - 1)};
    }

    Stmt stmt(decltype(Stmt::node) node) { return {range_, std::move(node)}; }
    Stmt assign(VarId var, ExprId value) {
        return stmt(Assign{{var, {}, body.vars[var.index].type, range_}, value});
    }
    Stmt assign(std::uint32_t port, std::uint32_t field, TypeId type, ExprId value,
                std::vector<PlaceStep> steps = {}) {
        return stmt(Assign{{FieldRef{port, field, {}}, std::move(steps), type, range_}, value});
    }
    Stmt trace(const std::string& format, std::vector<ExprId> arguments = {}) {
        std::string error;
        return stmt(Trace{{*parseFormat(format, error), std::move(arguments)}});
    }

    Body body;

private:
    TypeTable& types_;
    SourceRange range_;
};

class DesignBuilder {
public:
    DesignBuilder() {
        range = {sources.add("t.sme", "0123456789\n"), 2, 5};
        design.topName = "top";
        design.strings = {""};
        Instance top;
        top.kind = InstanceKind::Network;
        top.name = 0;
        design.instances.push_back(top);
        design.top = {0};
    }

    BodyBuilder body() { return {design.types, range}; }

    /// A bus of the top network; its fields' defaults in the same order.
    BusId bus(const std::string& name, BusShape shape, std::vector<Value> defaults,
              bool exposed = false) {
        BusGroup group;
        group.name = name;
        group.first = {static_cast<std::uint32_t>(design.buses.size())};
        group.count = 1;
        group.exposed = exposed;
        group.defaults = static_cast<std::uint32_t>(design.defaultSets.size());
        design.defaultSets.push_back(std::move(defaults));
        Bus bus;
        bus.shape = {static_cast<std::uint32_t>(design.shapes.size())};
        bus.owner = design.top;
        bus.group = static_cast<std::uint32_t>(design.busGroups.size());
        bus.element = 0;
        bus.firstField = static_cast<std::uint32_t>(design.fields.size());
        design.fields.resize(design.fields.size() + shape.fields.size());
        design.shapes.push_back(std::move(shape));
        design.busGroups.push_back(group);
        design.buses.push_back(bus);
        return group.first;
    }

    struct Connection {
        BusId bus;
        bool reads = false;
        bool writes = false;
    };
    /// One process and one instance of it. `initials`: of its Process variables.
    InstanceId process(const std::string& name, ProcKind kind, Body body,
                       const std::vector<Connection>& connections,
                       const std::vector<Value>& initials = {}) {
        const InstanceId id{static_cast<std::uint32_t>(design.instances.size())};
        Specialisation spec;
        spec.name = name;
        spec.kind = kind;
        spec.range = range;
        Instance instance;
        instance.parent = design.top;
        instance.spec = {static_cast<std::uint32_t>(design.specs.size())};
        instance.name = static_cast<std::uint32_t>(design.strings.size());
        instance.firstBus = static_cast<std::uint32_t>(design.bindings.size());
        instance.firstInit = static_cast<std::uint32_t>(design.initials.size());
        design.strings.push_back(name);
        for (const Connection& connection : connections)
            connect(spec, id, kind, connection);
        for (const Value& value : initials) {
            design.initials.push_back(static_cast<std::uint32_t>(design.values.size()));
            design.values.push_back(value);
        }
        spec.body = std::move(body);
        spec.instances = {id};
        design.specs.push_back(std::move(spec));
        design.instances.push_back(instance);
        return id;
    }

    SourceManager sources;
    Design design;
    SourceRange range;

private:
    void connect(Specialisation& spec, InstanceId id, ProcKind kind, const Connection& connection) {
        const Bus& bus = design.buses[connection.bus.index];
        Port port;
        port.name = design.busGroups[bus.group].name;
        port.shape = bus.shape;
        port.canRead = connection.reads;
        port.canWrite = connection.writes;
        port.fields.resize(design.shapes[bus.shape.index].fields.size());
        for (std::uint32_t i = 0; i < port.fields.size(); ++i) {
            port.fields[i].read = connection.reads;
            port.fields[i].written = connection.writes;
            if (!connection.writes) continue;
            design.fields[bus.firstField + i] = {id, kind == ProcKind::Combinational
                                                         ? FieldDriver::Combinational
                                                         : FieldDriver::Clocked};
        }
        design.bindings.push_back(connection.bus);
        spec.ports.push_back(std::move(port));
    }
};

}  // namespace smec::handmade
