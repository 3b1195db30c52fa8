#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/ir.h"
#include "ir/visit.h"

/// Designs by hand, for tests of plan and codegen.
namespace smec::test {

inline ir::StorageType unsignedType(std::uint32_t width, std::uint32_t length = 0) {
    return {{ir::ScalarKind::Int, false, width}, length};
}
inline ir::StorageType signedType(std::uint32_t width, std::uint32_t length = 0) {
    return {{ir::ScalarKind::Int, true, width}, length};
}
inline ir::StorageType boolType() { return {{ir::ScalarKind::Bool, false, 1}, 0}; }
inline ir::StorageType doubleType() { return {{ir::ScalarKind::F64, false, 64}, 0}; }

inline ir::Constant integer(const ir::Integer& value) { return {value}; }
inline std::vector<ir::Constant> integers(std::initializer_list<int> values) {
    std::vector<ir::Constant> result;
    for (const int value : values)
        result.push_back(integer(value));
    return result;
}

/// One class under construction.
class ClassBuilder {
public:
    ClassBuilder(ir::Design& design, std::string name, std::uint32_t instances)
        : design_(design), builder_(body_) {
        id_ = {static_cast<std::uint32_t>(design.classes.size())};
        ir::Class cls;
        cls.name = std::move(name);
        cls.instances = instances;
        design.classes.push_back(cls);
    }

    ir::ClassId id() const { return id_; }
    ir::Builder& b() { return builder_; }
    ir::Class& cls() { return design_.classes[id_.index]; }
    ir::Body& body() { return body_; }

    ir::LocalId output(const std::string& name, ir::StorageType type,
                       std::vector<ir::Constant> initial = {integer(0)}, bool hold = false,
                       bool combinational = false) {
        const ir::PlaneId plane =
            addPlane(name, ir::PlaneKind::Output, type, std::move(initial), hold);
        design_.planes[plane.index].combinational = combinational;
        cls().combinational = cls().combinational || combinational;
        cls().outputs.push_back({name, plane, hold});
        return local(name, ir::LocalKind::Output, type,
                     static_cast<std::uint32_t>(cls().outputs.size() - 1));
    }
    ir::LocalId state(const std::string& name, ir::StorageType type,
                      std::vector<ir::Constant> initial = {integer(0)}) {
        cls().state.push_back(
            addPlane(name, ir::PlaneKind::State, type, std::move(initial), false));
        return local(name, ir::LocalKind::State, type,
                     static_cast<std::uint32_t>(cls().state.size() - 1));
    }
    ir::LocalId temp(const std::string& name, ir::StorageType type) {
        return local(name, ir::LocalKind::Temp, type, 0);
    }
    ir::LocalId local(const std::string& name, ir::LocalKind kind, ir::StorageType type,
                      std::uint32_t slot) {
        body_.locals.push_back({name, kind, type, slot});
        return {static_cast<std::uint32_t>(body_.locals.size() - 1)};
    }
    ir::PlaneId plane(std::uint32_t output = 0) { return cls().outputs[output].plane; }

    /// An input port field; its runs may be filled in later.
    std::uint32_t input(const std::string& name, ir::StorageType type,
                        std::vector<ir::Run> runs = {}) {
        cls().inputs.push_back({name, type, {{std::move(runs)}}});
        return static_cast<std::uint32_t>(cls().inputs.size() - 1);
    }
    ir::ExprId read(std::uint32_t input, ir::ExprId element = {}, ir::ExprId index = {}) {
        return builder_.add(
            {typeOf(cls().inputs[input].type.scalar), ir::ReadInput{input, element, index}});
    }
    ir::ExprId column(const std::string& name, ir::Scalar type, std::vector<ir::Constant> values,
                      ir::Interval range) {
        cls().columns.push_back({name, type, std::move(values), std::move(range)});
        return builder_.add(
            {typeOf(type), ir::ReadColumn{static_cast<std::uint32_t>(cls().columns.size() - 1)}});
    }
    ir::ExprId read(ir::LocalId local, ir::ExprId index = {}) {
        return builder_.add(
            {typeOf(body_.locals[local.index].type.scalar), ir::ReadLocal{local, index}});
    }
    ir::ExprId number(const ir::Integer& value) { return builder_.constant(value); }
    ir::ExprId wrap(ir::ExprId value, std::uint32_t width, bool isSigned = false) {
        return builder_.wrap(value, width, isSigned);
    }
    ir::ExprId op(ir::BinaryOp op, ir::ExprId a, ir::ExprId b) { return builder_.binary(op, a, b); }

    ir::Stmt set(ir::LocalId local, ir::ExprId value, ir::ExprId index = {}) {
        return {{}, ir::Set{local, index, value}};
    }
    void add(ir::Stmt stmt) { body_.statements.push_back(std::move(stmt)); }
    std::uint32_t traceSite(const std::string& format, std::vector<ir::ArgFormat> args) {
        body_.traces.push_back({format, std::move(args)});
        return static_cast<std::uint32_t>(body_.traces.size() - 1);
    }
    std::uint32_t failSite(ir::FailureKind kind, const std::string& text) {
        ir::FailSite site;
        site.kind = kind;
        site.hasText = !text.empty();
        site.text.format = text;
        body_.fails.push_back(site);
        return static_cast<std::uint32_t>(body_.fails.size() - 1);
    }

    /// Paths name[0], name[1], … and names of all fields and variables; moves the body into the
    /// design.
    void finish() {
        ir::Class& c = cls();
        c.runs.push_back({0, c.instances, c.name + "[", "]", 0, design_.processCount, 1});
        design_.processCount += c.instances;
        for (const ir::Output& output : c.outputs)
            addName(output.plane, output.name, false);
        for (const ir::PlaneId plane : c.state)
            addName(plane, design_.planes[plane.index].name, true);
        c.body = std::move(body_);
        ir::numberStatements(c.body.statements);
    }

    static ir::ExprType typeOf(const ir::Scalar& scalar) {
        switch (scalar.kind) {
        case ir::ScalarKind::Bool: return ir::ExprType::Bool;
        case ir::ScalarKind::F32: return ir::ExprType::F32;
        case ir::ScalarKind::F64: return ir::ExprType::F64;
        case ir::ScalarKind::Int: break;
        }
        return ir::ExprType::Int;
    }

private:
    ir::PlaneId addPlane(const std::string& name, ir::PlaneKind kind, ir::StorageType type,
                         std::vector<ir::Constant> initial, bool hold) {
        ir::Plane plane;
        plane.name = name;
        plane.kind = kind;
        plane.type = type;
        plane.owner = id_;
        plane.instances = cls().instances;
        plane.hold = hold;
        if (initial.size() == 1 && type.isArray()) initial.resize(type.length, initial.front());
        plane.initial.perInstance = initial.size() > type.elements();
        plane.initial.values = std::move(initial);
        design_.planes.push_back(std::move(plane));
        return {static_cast<std::uint32_t>(design_.planes.size() - 1)};
    }

    void addName(ir::PlaneId plane, const std::string& name, bool isVariable) {
        design_.names.push_back({cls().name + "[", "]." + name, 0, cls().instances, plane, 0, 1,
                                 !isVariable, isVariable});
    }

    ir::Design& design_;
    ir::ClassId id_;
    ir::Body body_;
    ir::Builder builder_;
};

}  // namespace smec::test
