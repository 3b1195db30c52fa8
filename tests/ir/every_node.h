#pragma once

#include <vector>

#include "ir/ir.h"

/// A design that has a node of every kind.
namespace every {

using namespace smec::ir;

inline constexpr StorageType kByte{{ScalarKind::Int, false, 8}, 0};

/// One node of every kind, with operands that a mutation can move.
inline std::vector<Expr> everyExpr() {
    const ExprId a{0}, b{1}, c{2};
    return {{ExprType::Int, ConstInt{3}},
            {ExprType::Bool, ConstBool{true}},
            {ExprType::F64, ConstFloat{1.5}},
            {ExprType::Int, ReadColumn{0}},
            {ExprType::Int, ReadInput{0, a, b}},
            {ExprType::Int, ReadLocal{{0}, a}},
            {ExprType::Int, ReadTable{{0}, a}},
            {ExprType::Int, Cycle{}},
            {ExprType::Int, Seed{}},
            {ExprType::Int, Unary{UnaryOp::Neg, a}},
            {ExprType::Int, Binary{BinaryOp::Add, a, b}},
            {ExprType::Int, Select{a, b, c}},
            {ExprType::Int, Wrap{a, 8, false}},
            {ExprType::Int, Convert{ConvertOp::FloatToInt, a, 8, false}}};
}

inline Block everyStatement() {
    const ExprId a{0}, b{1};
    const LocalId x{0}, y{1};
    const Block inner{{{}, Break{}}};
    Block result;
    const auto add = [&](auto node) { result.push_back({{}, std::move(node)}); };
    add(Set{x, a, b});
    add(CopyArray{x, y});
    add(CopyArray{x, ReadInput{0, a, {}}});
    add(CopyArray{x, TableId{0}});
    add(FillArray{x, a});
    add(Check{a, 0, {b}});
    add(If{a, inner, inner});
    add(For{x, LoopKind::Up, a, b, inner, 4});
    add(Loop{inner, false});
    add(CountRound{0});
    add(Switch{a, {{{1, 2}, inner}, {{3}, inner}}, inner});
    add(Continue{});
    add(Call{{x}, {0}, {a}});
    add(Return{{a}});
    add(Trace{0, {a}});
    add(Stop{a});
    return result;
}

inline Body everyBody() {
    Body body;
    body.exprs = everyExpr();
    body.locals = {{"x", LocalKind::State, kByte, 0, Interval{0, 9}, false},
                   {"y", LocalKind::Temp, kByte, 0, {}, false}};
    body.statements = everyStatement();
    body.traces = {{"x={}", {{ExprType::Int, true, 8, {}}}}};
    body.fails = {{FailureKind::Assertion, {}, {"too big {}", {}}, true, "x"}};
    return body;
}

inline Class everyClass() {
    Class cls;
    cls.name = "p";
    cls.instances = 2;
    cls.inputs = {{"in.v", kByte, {{{{0, 2, {0}, 0, 1}}}}, Interval{0, 9}}};
    cls.outputs = {{"out.v", {0}, false}};
    cls.state = {{1}};
    cls.columns = {{"gain", kByte.scalar, {{Integer(1)}, {Integer(2)}}, {1, 2}}};
    cls.covers = {{"full", {1}}};
    cls.runs = {{0, 2, "s[", "]", 0, 1, 1}};
    cls.body = everyBody();
    return cls;
}

inline Function everyFunction() {
    Foreign foreign;
    foreign.name = "dsp";
    foreign.header = "lib/dsp.hpp";
    foreign.isFile = true;
    foreign.ports = {{"in", false, 1, {{"v", 0, false}}}};
    return {"f", {}, {0}, {kByte}, 1, everyBody(), false, false, false, foreign};
}

inline Design everyDesign() {
    Design design;
    design.name = "top";
    Plane plane{"y.v", PlaneKind::Output, kByte, {}, Interval{0, 9}, ClassId{0}, 2};
    plane.initial.values = {{Integer(0)}, {Integer(7)}};
    plane.dimensions = {2};
    design.planes = {plane, {"acc", PlaneKind::State, kByte, {}, {}, ClassId{0}, 2}};
    design.classes = {everyClass()};
    design.functions = {everyFunction()};
    design.tables = {{kByte, {{Integer(1)}, {2.5}}, "k"}};
    design.enums = {{"state", 1, false, {{"IDLE", 0}, {"RUN", 1}}}};
    Shape shape;
    shape.members = {{"x", 0, 0}};
    design.shapes = {shape};
    design.names = {{"link[", "].v", 0, 2, {0}, 0, 1}};
    design.names[0].leaves = {{{0}, 0, 1, {{0}}}};
    design.processCount = 2;
    return design;
}

}  // namespace every
