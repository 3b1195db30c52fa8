#pragma once

#include <random>

#include "design_builder.h"

/// The designs that the tests generate.
namespace smec::test {

using enum ir::BinaryOp;

/// N processes `out.v = in.v + 1`, closed to a ring; the first one starts at 12345.
inline ir::Design ring(std::uint32_t n, std::uint32_t width = 32) {
    ir::Design design;
    design.name = "ring";
    ClassBuilder add(design, "add", n);
    std::vector<ir::Constant> initial(n, integer(0));
    initial[0] = integer(12345 % (1 << (width < 16 ? width : 16)));
    const ir::LocalId out = add.output("out.v", unsignedType(width), initial);
    const auto in = add.input("in.v", unsignedType(width));
    add.cls().inputs[in].elements[0].runs = {{0, 1, add.plane(), n - 1, 1},
                                             {1, n - 1, add.plane(), 0, 1}};
    add.add(add.set(out, add.wrap(add.op(Add, add.read(in), add.number(1)), width)));
    add.finish();
    return design;
}

/// R × R torus, `out = (n + s + e + w) >> 2` on u30 fields.
inline ir::Design mesh(std::uint32_t r, bool hasVariable = false, bool hasCheck = false) {
    ir::Design design;
    design.name = "mesh";
    const std::uint32_t n = r * r;
    ClassBuilder cell(design, "cell", n);
    std::vector<ir::Constant> initial(n, integer(0));
    for (std::uint32_t y = 0; y < r; y += 4) {
        for (std::uint32_t x = 0; x < r; x += 4)
            initial[y * r + x] = integer(0x01000000);
    }
    const ir::LocalId out = cell.output("out.v", unsignedType(30), initial);
    const ir::PlaneId plane = cell.plane();
    std::vector<ir::Run> north{{0, r, plane, n - r, 1}, {r, n - r, plane, 0, 1}};
    std::vector<ir::Run> south{{0, n - r, plane, r, 1}, {n - r, r, plane, 0, 1}};
    std::vector<ir::Run> west, east;
    for (std::uint32_t y = 0; y < n; y += r) {
        west.push_back({y, 1, plane, y + r - 1, 1});
        west.push_back({y + 1, r - 1, plane, y, 1});
        east.push_back({y, r - 1, plane, y + 1, 1});
        east.push_back({y + r - 1, 1, plane, y, 1});
    }
    ir::ExprId sum = cell.read(cell.input("n.v", unsignedType(30), north));
    sum = cell.op(Add, sum, cell.read(cell.input("s.v", unsignedType(30), south)));
    sum = cell.op(Add, sum, cell.read(cell.input("e.v", unsignedType(30), east)));
    sum = cell.op(Add, sum, cell.read(cell.input("w.v", unsignedType(30), west)));
    if (hasVariable) {
        const ir::LocalId count = cell.state("count", unsignedType(8));
        cell.add(cell.set(count, cell.wrap(cell.op(Add, cell.read(count), cell.number(1)), 8)));
    }
    if (hasCheck) {
        const auto site = cell.failSite(ir::FailureKind::Assertion, "");
        cell.add({{}, ir::Check{cell.op(ir::BinaryOp::Lt, sum, cell.number(1 << 31)), site, {}}});
    }
    cell.add(cell.set(out, cell.op(Shr, sum, cell.number(2))));
    cell.finish();
    return design;
}

/// What differs from the plain hetero design: `process` adds 1 to its output, or gains a variable.
struct Edit {
    std::uint32_t process = UINT32_MAX;
    bool addsVariable = false;
};

/// N distinct processes of ten random u32 operations on two inputs and a variable; every output is
/// read twice.
inline ir::Design hetero(std::uint32_t n, std::uint32_t seed = 1, Edit edit = {}) {
    ir::Design design;
    design.name = "hetero";
    std::mt19937 random(seed);
    std::vector<std::uint32_t> readers(2 * n);
    for (std::uint32_t i = 0; i < 2 * n; ++i)
        readers[i] = i / 2;
    std::shuffle(readers.begin(), readers.end(), random);
    std::vector<ir::PlaneId> planes;
    for (std::uint32_t i = 0; i < n; ++i) {
        ClassBuilder p(design, "p" + std::to_string(i), 1);
        const ir::LocalId out = p.output("out.v", unsignedType(32), {integer(random() % 1000)});
        const ir::LocalId acc = p.state("acc", unsignedType(32), {integer(random() % 1000)});
        p.input("a.v", unsignedType(32));
        p.input("b.v", unsignedType(32));
        planes.push_back(p.plane());
        std::vector<ir::ExprId> values{p.read(0), p.read(1), p.read(acc)};
        for (int k = 0; k < 10; ++k) {
            const ir::ExprId x = values[random() % values.size()],
                             y = values[random() % values.size()];
            constexpr ir::BinaryOp kOps[] = {Add, Sub, Xor, And, Or};
            const std::uint32_t kind = random() % 8;
            ir::ExprId value = kind < 5   ? p.op(kOps[kind], x, y)
                               : kind < 6 ? p.op(Shl, x, p.number(1 + random() % 7))
                               : kind < 7 ? p.op(Shr, x, p.number(1 + random() % 7))
                                          : p.b().select(p.op(Lt, x, y), x, y);
            const ir::LocalId t = p.temp("t", unsignedType(32));
            p.add(p.set(t, p.wrap(value, 32)));
            values.push_back(p.read(t));
        }
        p.add(p.set(acc, p.wrap(p.op(Add, values[11], p.op(Xor, values[12], values[2])), 32)));
        const bool isEdited = i == edit.process;
        if (isEdited && edit.addsVariable)
            p.add(p.set(p.state("more", unsignedType(32)), values[11]));
        p.add(p.set(out, isEdited ? p.wrap(p.op(Add, values[12], p.number(1)), 32) : values[12]));
        p.finish();
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t k = 0; k < 2; ++k)
            design.classes[i].inputs[k].elements[0].runs = {
                {0, 1, planes[readers[2 * i + k]], 0, 1}};
    }
    return design;
}

/// Counts up and asserts that the count stays below the instance's limit (one instance fails in
/// cycle 5); traces before that. What was written before the failure counts, what follows does not.
inline ir::Design failing(std::uint32_t n) {
    ir::Design design;
    design.name = "failing";
    ClassBuilder p(design, "watch", n);
    const ir::LocalId out = p.output("out.v", unsignedType(8), {integer(7)});
    const ir::LocalId late = p.output("late.v", unsignedType(8), {integer(9)});
    const ir::LocalId count = p.state("count", unsignedType(16));
    std::vector<ir::Constant> limits(n, integer(1000));
    limits[n / 2] = integer(5);
    const ir::ExprId limit = p.column("limit", {ir::ScalarKind::Int, false, 16}, limits, {5, 1000});
    const auto trace = p.traceSite(
        "count {} of {}", {{ir::ExprType::Int, false, 16, {}}, {ir::ExprType::Int, false, 16, {}}});
    const auto fail = p.failSite(ir::FailureKind::Assertion, "too \"high\": \\ ?\?/ \n");
    p.add(p.set(count, p.wrap(p.op(Add, p.read(count), p.number(1)), 16)));
    p.add(p.set(out, p.wrap(p.read(count), 8)));
    ir::Block talk;
    talk.push_back({{}, ir::Trace{trace, {p.read(count), limit}}});
    p.add({{}, ir::If{p.op(Eq, limit, p.number(5)), talk, {}}});
    p.add({{}, ir::Check{p.op(Le, p.read(count), limit), fail, {}}});
    p.add(p.set(late, p.number(1)));
    p.finish();
    return design;
}

}  // namespace smec::test
