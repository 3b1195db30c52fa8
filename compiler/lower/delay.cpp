// A field of a bus with `delay d` is read through a delay line: a clocked class of the compiler's
// own with one instance for each driver. The driver's write slot shows one cycle later, the line's
// own one more, and a ring of d - 2 values in between makes the rest:
//   d = 2:  out = in;
//   d > 2:  k = cycle() % (d - 2); out = ring[k]; ring[k] = in;
// The cost of a cycle does not depend on d.

#include "ir/builder.h"
#include "lower/storage.h"

namespace smec::lower {

namespace {

class DelayLine {
public:
    DelayLine(Context& context, std::uint32_t delay, SourceRange range)
        : context_(context), ring_(delay - 2) {
        id_ = {static_cast<std::uint32_t>(context.out.classes.size())};
        cls_.name = "delay";
        cls_.range = range;
        cls_.isDelayLine = true;
    }

    std::vector<ir::PlaneId> run(const std::vector<ir::PlaneId>& sources) {
        std::vector<ir::PlaneId> results;
        for (const ir::PlaneId source : sources)
            results.push_back(addLeaf(source));
        context_.out.classes.push_back(std::move(cls_));
        return results;
    }

private:
    ir::PlaneId addPlane(ir::Plane plane) {
        plane.owner = id_;
        context_.out.planes.push_back(std::move(plane));
        return {static_cast<std::uint32_t>(context_.out.planes.size() - 1)};
    }

    ir::LocalId addLocal(ir::LocalKind kind, const ir::Plane& plane, std::size_t slot) {
        cls_.body.locals.push_back(
            {plane.name, kind, plane.type, static_cast<std::uint32_t>(slot), plane.range});
        return {static_cast<std::uint32_t>(cls_.body.locals.size() - 1)};
    }

    /// The field as it is read: like the driver's plane, but registered and written every cycle.
    ir::PlaneId addLeaf(ir::PlaneId id) {
        const ir::Plane source = context_.out.planes[id.index];
        cls_.instances = source.instances;
        const auto input = static_cast<std::uint32_t>(cls_.inputs.size());
        cls_.inputs.push_back({source.name,
                               source.type,
                               {{{{0, source.instances, id, 0, source.instances > 1 ? 1 : 0}}}},
                               source.range});
        ir::Plane out = source;
        out.hold = false;
        out.perOwner = 1;
        const ir::LocalId to = addLocal(ir::LocalKind::Output, out, cls_.outputs.size());
        const ir::PlaneId result = addPlane(std::move(out));
        cls_.outputs.push_back({source.name, result, false});
        if (ring_ == 0)
            copy(input, to, source.type);
        else
            pass(input, to, addRing(source), source.type);
        return result;
    }

    ir::LocalId addRing(const ir::Plane& source) {
        ir::Plane ring = source;
        ring.kind = ir::PlaneKind::State;
        ring.hold = ring.combinational = false;
        ring.hidden = true;
        ring.perOwner = 1;
        const auto length = static_cast<std::uint32_t>(source.type.elements());
        ring.type.length = ring_ * length;
        ring.dimensions = {ring.type.length};
        ring.initial.values = repeated(source.initial.values, length);
        const ir::LocalId local = addLocal(ir::LocalKind::State, ring, cls_.state.size());
        cls_.state.push_back(addPlane(std::move(ring)));
        return local;
    }

    /// Each list of `length` values once for every place of the ring. (One value stands for a whole
    /// list of equal ones.)
    ir::Constants repeated(const ir::Constants& values, std::uint32_t length) const {
        const std::size_t each = values.size() % length == 0 ? length : 1;
        ir::Constants result;
        for (std::size_t at = 0; at < values.size(); at += each) {
            for (std::uint32_t round = 0; round < ring_; ++round) {
                for (std::size_t i = 0; i < each; ++i)
                    result.push_back(values[at + i]);
            }
        }
        return result;
    }

    void add(decltype(ir::Stmt::node) node) {
        cls_.body.statements.push_back({cls_.range, std::move(node)});
    }

    ir::ExprId read(ir::Builder& builder, std::uint32_t input, const ir::Scalar& scalar,
                    ir::ExprId index) const {
        return builder.add({exprTypeOf(scalar), ir::ReadInput{input, {}, index}});
    }

    void copy(std::uint32_t input, ir::LocalId to, const ir::StorageType& type) {
        if (type.isArray()) return add(ir::CopyArray{to, ir::ReadInput{input, {}, {}}});
        ir::Builder builder(cls_.body, {nullptr, &cls_.inputs, nullptr, nullptr});
        add(ir::Set{to, {}, read(builder, input, type.scalar, {})});
    }

    void pass(std::uint32_t input, ir::LocalId to, ir::LocalId ring, const ir::StorageType& type) {
        ir::Builder builder(cls_.body, {nullptr, &cls_.inputs, nullptr, nullptr});
        const ir::ExprId place =
            builder.binary(ir::BinaryOp::Mod, builder.add({ir::ExprType::Int, ir::Cycle{}}),
                           builder.constant(ir::Integer(ring_)));
        if (!type.isArray()) {
            add(ir::Set{to, {}, builder.read(ring, place)});
            add(ir::Set{ring, place, read(builder, input, type.scalar, {})});
            return;
        }
        cls_.body.locals.push_back({"i",
                                    ir::LocalKind::Temp,
                                    {{ir::ScalarKind::Int, false, 32}, 0},
                                    0,
                                    ir::Interval{0, ir::Integer(type.length) - 1}});
        const ir::LocalId i{static_cast<std::uint32_t>(cls_.body.locals.size() - 1)};
        const ir::ExprId index = builder.read(i);
        const ir::ExprId inRing = builder.binary(
            ir::BinaryOp::Add,
            builder.binary(ir::BinaryOp::Mul, place, builder.constant(ir::Integer(type.length))),
            index);
        ir::For loop{i,
                     ir::LoopKind::Up,
                     builder.constant(ir::Integer(0)),
                     builder.constant(ir::Integer(type.length) - 1),
                     {},
                     type.length};
        loop.body.push_back({cls_.range, ir::Set{to, index, builder.read(ring, inRing)}});
        loop.body.push_back(
            {cls_.range, ir::Set{ring, inRing, read(builder, input, type.scalar, index)}});
        add(std::move(loop));
    }

    Context& context_;
    const std::uint32_t ring_;
    ir::ClassId id_;
    ir::Class cls_;
};

}  // namespace

std::vector<ir::PlaneId> addDelayLine(Context& context, const std::vector<ir::PlaneId>& sources,
                                      std::uint32_t delay, SourceRange range) {
    for (const ir::PlaneId source : sources) {
        const std::uint64_t elements = context.out.planes[source.index].type.elements();
        if (elements * delay <= INT32_MAX) continue;
        context.notSupported(range, std::to_string(elements * delay) + " elements under way");
        return sources;
    }
    return DelayLine(context, delay, range).run(sources);
}

}  // namespace smec::lower
