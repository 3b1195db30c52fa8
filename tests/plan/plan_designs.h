#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "codegen/designs.h"
#include "plan/plan.h"

/// Designs of chains and nets of processes, for tests of plans.
namespace smec::test {

inline std::size_t countOf(const plan::Plan& plan, plan::KernelKind kind) {
    return static_cast<std::size_t>(
        std::count_if(plan.kernels.begin(), plan.kernels.end(),
                      [&](const plan::Kernel& k) { return k.kind == kind; }));
}

/// n combinational classes of one instance each, class i reading class i - 1, and one clocked
/// reader.
inline ir::Design chain(std::uint32_t n, std::uint32_t instances) {
    ir::Design design;
    design.name = "chain";
    for (std::uint32_t i = 0; i <= n; ++i) {
        ClassBuilder p(design, "c" + std::to_string(i), instances);
        const ir::LocalId out = p.output("v", unsignedType(8), {integer(0)}, false, i < n);
        if (i > 0)
            p.add(p.set(out,
                        p.read(p.input("x.v", unsignedType(8), {{0, instances, {i - 1}, 0, 1}}))));
        else
            p.add(p.set(out, p.number(1)));
        p.finish();
    }
    return design;
}

/// A chain of three whose clocked class reads its neighbour's value.
inline ir::Design chainToNeighbour(std::uint32_t instances) {
    ir::Design design = chain(3, instances);
    const ir::PlaneId plane = design.classes[2].outputs[0].plane;
    design.classes[3].inputs[0].elements[0].runs = {{0, instances - 1, plane, 1, 1},
                                                    {instances - 1, 1, plane, 0, 0}};
    return design;
}

/// A ring of processes that keep what they read in an array of three, at a place that all have in common: its elements
/// lie apart (passes/spread).
inline ir::Design spreadRing(std::uint32_t instances) {
    ir::Design design;
    design.name = "spread";
    ClassBuilder p(design, "p", instances);
    const ir::LocalId out = p.output("v", unsignedType(16), {integer(0)});
    const ir::LocalId at = p.state("at", unsignedType(1));
    p.body().locals[at.index].form = ir::LocalForm::Common;
    const ir::LocalId list = p.local("m", ir::LocalKind::State, unsignedType(16, 3), 1);
    p.body().locals[list.index].form = ir::LocalForm::Spread;
    for (const char* name : {"m[0]", "m[1]", "m[2]"})
        p.state(name, unsignedType(16));
    p.body().locals.resize(list.index + 1);
    for (std::uint32_t i = 1; i <= 2; ++i)
        design.planes[p.cls().state[1 + i].index].firstElement = p.cls().state[1];
    const auto x =
        p.input("x.v", unsignedType(16),
                {{0, instances - 1, p.plane(), 1, 1}, {instances - 1, 1, p.plane(), 0, 0}});
    p.add(p.set(list, p.read(x), p.read(at)));
    p.add(p.set(out, p.read(list, p.read(at))));
    p.add(p.set(at, p.wrap(p.op(ir::BinaryOp::Add, p.read(at), p.number(1)), 1)));
    p.finish();
    return design;
}

/// n clocked classes of one instance each; class i reads those that `reads(i)` names.
template <typename Reads>
inline ir::Design wired(std::uint32_t n, Reads&& reads) {
    ir::Design design;
    design.name = "wired";
    std::vector<ir::PlaneId> planes;
    std::vector<std::vector<std::uint32_t>> sources;
    for (std::uint32_t i = 0; i < n; ++i) {
        ClassBuilder p(design, "c" + std::to_string(i), 1);
        const ir::LocalId out = p.output("v", unsignedType(32), {integer(0)});
        planes.push_back(p.plane());
        sources.push_back(reads(i));
        ir::ExprId sum = p.number(i);
        for (std::size_t k = 0; k < sources.back().size(); ++k) {
            p.input("x" + std::to_string(k) + ".v", unsignedType(32));
            sum = p.op(Xor, sum, p.read(static_cast<std::uint32_t>(k)));
        }
        p.add(p.set(out, sum));
        p.finish();
    }
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < sources[i].size(); ++k)
            design.classes[i].inputs[k].elements[0].runs = {{0, 1, planes[sources[i][k]], 0, 0}};
    }
    return design;
}

/// So many networks, each a chain that reads the last one and the one before; in source order one
/// process of each in turn.
inline ir::Design interleaved(std::uint32_t n, std::uint32_t networks) {
    return wired(n, [&](std::uint32_t i) {
        return std::vector{(i + n - networks) % n, (i + n - 2 * networks) % n};
    });
}

}  // namespace smec::test
