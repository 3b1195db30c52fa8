#include <algorithm>

#include "ir/ir.h"
#include "passes/body.h"

// The arrays of a variable's instances lie one after the other, so that lanes that hold the same
// element of as many instances would have to be put together. Each element gets a plane of its own,
// where it lies beside that of the next instance; names keep the whole.
//
//   want  a0 a1 a2 b0 b1 b2 c0 c1 c2        want[0]  a0 b0 c0
//                                           want[1]  a1 b1 c1
//                                           want[2]  a2 b2 c2

namespace smec::passes {

using namespace ir;

namespace {

std::string subscripts(std::uint64_t element, const std::vector<std::uint64_t>& dimensions) {
    std::string text;
    for (std::size_t i = dimensions.size(); i-- > 0;) {
        text = "[" + std::to_string(element % dimensions[i]) + "]" + text;
        element /= dimensions[i];
    }
    return text;
}

Plane elementOf(const Plane& array, std::uint32_t element) {
    Plane plane = array;
    const std::size_t length = array.type.length;
    plane.name += subscripts(element, array.dimensions);
    plane.type.length = 0;
    plane.dimensions.clear();
    plane.initial.values.clear();
    for (std::size_t i = element; i < array.initial.values.size(); i += length)
        plane.initial.values.push_back(array.initial.values[i]);
    return plane;
}

/// The shape of an array of scalars.
std::uint32_t shapeOf(const Plane& array, std::vector<Shape>& shapes) {
    Shape scalar;
    scalar.scalar = array.type.scalar;
    scalar.enumeration = array.enumeration;
    scalar.range = array.range;
    shapes.push_back(std::move(scalar));
    for (std::size_t i = array.dimensions.size(); i-- > 0;) {
        Shape shape;
        shape.kind = Shape::Kind::Array;
        shape.element = static_cast<std::uint32_t>(shapes.size() - 1);
        shape.count = array.dimensions[i];
        shapes.push_back(std::move(shape));
    }
    return static_cast<std::uint32_t>(shapes.size() - 1);
}

void rename(Design& design, const Plane& array, const std::vector<PlaneId>& elements) {
    std::optional<std::uint32_t> shape;
    const auto follow = [&](NameRun& run) {
        if (run.leaves.empty() && run.plane == elements.front()) {
            if (!shape) shape = shapeOf(array, design.shapes);
            run.shape = shape;
            run.leaves = {{run.plane, run.start, run.stride, {}}};
        }
        for (NameRun::Place& leaf : run.leaves) {
            if (leaf.plane == elements.front()) leaf.elements = elements;
        }
    };
    std::ranges::for_each(design.names, follow);
    std::ranges::for_each(design.hiddenNames, follow);
}

}  // namespace

void splitVariables(Design& design, ClassId id, const std::vector<std::uint32_t>& slots) {
    Class& cls = design.classes[id.index];
    std::vector<PlaneId> state;
    for (std::uint32_t slot = 0; slot < cls.state.size(); ++slot) {
        const PlaneId first = cls.state[slot];
        state.push_back(first);
        if (!std::binary_search(slots.begin(), slots.end(), slot)) continue;
        const Plane array = design.planes[first.index];
        std::vector<PlaneId> elements{first};
        design.planes[first.index] = elementOf(array, 0);
        for (std::uint32_t e = 1; e < array.type.length; ++e) {
            elements.push_back({static_cast<std::uint32_t>(design.planes.size())});
            design.planes.push_back(elementOf(array, e));
            design.planes.back().firstElement = first;
        }
        state.insert(state.end(), elements.begin() + 1, elements.end());
        rename(design, array, elements);
    }
    cls.state = std::move(state);
}

}  // namespace smec::passes
