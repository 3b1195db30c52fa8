#include "lower/storage.h"

#include <algorithm>

#include "hir/visit.h"
#include "ir/arithmetic.h"
#include "sme/fnv1a.h"
#include "source/internal_error.h"

namespace smec::lower {

namespace {

/// Builds one class from a specialisation.
class ClassMaker {
public:
    ClassMaker(Context& context, hir::SpecId id, ir::ClassId cls)
        : context_(context), design_(context.hir), spec_(design_.specs[id.index]) {
        shape_.id = cls;
        shape_.spec = &spec_;
    }

    ClassShape run() {
        cls_.name = spec_.name;
        cls_.range = spec_.range;
        cls_.instances = static_cast<std::uint32_t>(spec_.instances.size());
        cls_.combinational = spec_.kind == hir::ProcKind::Combinational;
        std::uint32_t binding = 0;
        for (const hir::Port& port : spec_.ports) {
            shape_.portStart.push_back(binding);
            binding += port.elements;
        }
        for (std::uint32_t p = 0; p < spec_.ports.size(); ++p)
            makePort(p);
        std::uint32_t slot = 0;
        for (const hir::Variable& variable : spec_.body.vars) {
            if (variable.kind == hir::VarKind::Process) makeVariable(variable, slot++);
        }
        for (std::uint32_t c = 0; c < spec_.constants.size(); ++c)
            makeConstant(c);
        shape_.firstHidden = static_cast<std::uint32_t>(cls_.state.size());
        if (spec_.body.usesRandom) makeRandom();
        if (!context_.options.isHardware) makeCovers(spec_.body.statements);
        shape_.hiddenCount = static_cast<std::uint32_t>(cls_.state.size()) - shape_.firstHidden;
        if (spec_.body.canWait) makeWaits();
        context_.out.classes.push_back(std::move(cls_));
        return std::move(shape_);
    }

private:
    const hir::Instance& instance(std::size_t number) const {
        return design_.instances[spec_.instances[number].index];
    }

    /// Splits `values` values (`valueOf(number)`), of all instances, into planes' initial data, by
    /// leaf.
    template <typename F>
    std::vector<ir::InitialData> initialData(hir::TypeId type, std::size_t values, F&& valueOf) {
        const hir::Value* first = valueOf(0);
        bool uniform = true;
        const hir::Value* last = first;
        for (std::size_t i = 1; i < values && uniform; ++i) {
            const hir::Value* value = valueOf(i);
            uniform = value == last || *value == *first;
            last = value;
        }
        std::vector<ir::InitialData> result(context_.layouts.of(type).size());
        const std::size_t count = uniform ? 1 : values;
        for (std::size_t i = 0; i < count; ++i) {
            auto leaves = constantsOf(context_.types(), type, *valueOf(i));
            for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
                result[leaf].values.append(leaves[leaf]);
            }
        }
        for (ir::InitialData& data : result)
            data.perInstance = !uniform && !makeUniform(data, values);
        return result;
    }

    /// A leaf may be the same everywhere though the values differ.
    static bool makeUniform(ir::InitialData& data, std::size_t values) {
        const std::size_t each = data.values.size() / values;
        for (std::size_t i = each; i < data.values.size(); ++i) {
            if (!(data.values[i] == data.values[i - each])) return false;
        }
        data.values.truncate(each);
        return true;
    }

    ir::PlaneId addPlane(const Leaf& leaf, std::string name, ir::PlaneKind kind,
                         ir::InitialData initial, std::uint32_t perOwner = 1) {
        ir::Plane plane;
        plane.perOwner = perOwner;
        plane.name = std::move(name);
        plane.kind = kind;
        plane.type = storageOf(leaf);
        plane.enumeration = context_.enumerationOf(leaf.type);
        plane.range = rangeOf(context_.types(), leaf.type);
        plane.dimensions = leaf.dimensions;
        plane.initial = std::move(initial);
        return addPlane(std::move(plane));
    }

    /// The elements of a port have one default, or all have their own.
    static void spreadElements(ir::Plane& plane) {
        ir::InitialData& data = plane.initial;
        if (data.perInstance || data.values.isUniform()) return;
        const ir::Constants each = data.values;
        for (std::uint32_t i = 1; i < plane.instances; ++i)
            data.values.append(each);
        data.perInstance = true;
    }

    ir::PlaneId addPlane(ir::Plane plane) {
        plane.owner = shape_.id;
        plane.instances = cls_.instances * plane.perOwner;
        if (plane.perOwner > 1) spreadElements(plane);
        context_.out.planes.push_back(std::move(plane));
        return {static_cast<std::uint32_t>(context_.out.planes.size() - 1)};
    }

    void makePort(std::uint32_t number) {
        const hir::Port& port = spec_.ports[number];
        const auto& fields = design_.shapes[port.shape.index].fields;
        shape_.inputs.emplace_back(fields.size(), kNone);
        shape_.outputs.emplace_back(fields.size(), kNone);
        for (std::uint32_t f = 0; f < fields.size() && f < port.fields.size(); ++f) {
            if (port.fields[f].read) makeInputs(number, f);
            if (port.fields[f].written) makeOutputs(number, f);
        }
    }

    void makeInputs(std::uint32_t number, std::uint32_t f) {
        const hir::Port& port = spec_.ports[number];
        const hir::FieldShape& field = design_.shapes[port.shape.index].fields[f];
        shape_.inputs[number][f] = static_cast<std::uint32_t>(cls_.inputs.size());
        for (const Leaf& leaf : context_.layouts.of(field.type)) {
            cls_.inputs.push_back({port.name + "." + field.name + leaf.path,
                                   storageOf(leaf),
                                   {},
                                   context_.trustedRange(leaf.type)});
        }
    }

    void makeOutputs(std::uint32_t number, std::uint32_t f) {
        const hir::Port& port = spec_.ports[number];
        const hir::FieldShape& field = design_.shapes[port.shape.index].fields[f];
        const std::uint32_t start = shape_.portStart[number];
        const hir::ElementSet& driven = port.fields[f].writtenElements;
        const std::uint32_t elements = driven.count(port.elements);
        auto initial =
            initialData(field.type, spec_.instances.size() * elements, [&](std::size_t i) {
                const auto element = static_cast<std::uint32_t>(i % elements);
                const std::uint32_t binding =
                    instance(i / elements).firstBus + start + driven[element];
                return &design_.defaultOf(design_.bindings[binding], port.shape, f);
            });
        shape_.outputs[number][f] = static_cast<std::uint32_t>(cls_.outputs.size());
        const Layout& layout = context_.layouts.of(field.type);
        for (std::size_t i = 0; i < layout.size(); ++i) {
            const std::string name = port.name + "." + field.name + layout[i].path;
            const ir::PlaneId plane =
                addPlane(layout[i], name, ir::PlaneKind::Output, std::move(initial[i]), elements);
            // --unwritten=hold says nothing about combinational fields; `hold` itself is an error
            const bool isImmediate =
                cls_.combinational && !design_.shapes[port.shape.index].isDelayed;
            const bool hold = field.hold && !isImmediate;
            context_.out.planes[plane.index].hold = hold;
            context_.out.planes[plane.index].combinational = isImmediate;
            cls_.outputs.push_back({name, plane, hold});
        }
    }

    void makeVariable(const hir::Variable& variable, std::uint32_t slot) {
        auto initial = initialData(variable.type, spec_.instances.size(), [&](std::size_t i) {
            return &design_.initial(instance(i), slot);
        });
        const Layout& layout = context_.layouts.of(variable.type);
        for (std::size_t i = 0; i < layout.size(); ++i) {
            cls_.state.push_back(addPlane(layout[i], variable.name + layout[i].path,
                                          ir::PlaneKind::State, std::move(initial[i])));
            if (!variable.isHandle) continue;
            ir::Plane& plane = context_.out.planes.back();
            plane.hidden = true;
            plane.objects = spec_.foreign.index;
        }
        if (cls_.combinational) {
            shape_.starts.push_back(
                sourceOf(variable.name + "_start", variable.type,
                         [&](std::size_t i) { return &design_.initial(instance(i), slot); }));
        }
    }

    // -------------------------------------------------------------- hidden state

    void addHidden(ir::Plane plane) {
        plane.kind = ir::PlaneKind::State;
        plane.hidden = true;
        cls_.state.push_back(addPlane(std::move(plane)));
    }

    void makeWaits() {
        WaitPlan& waits = shape_.waits = planWaits(spec_.body);
        addCounter(kWaitState, 32);
        shape_.waitState = cls_.state.back();
        if (waits.counts) addCounter("wait_count");
        for (const hir::For* loop : waits.loops) {
            const hir::Variable& variable = spec_.body.vars[loop->var.index];
            addKept(variable, variable.name + "_last");
        }
        shape_.hiddenCount = static_cast<std::uint32_t>(cls_.state.size()) - shape_.firstHidden;
        for (const hir::VarId var : waits.kept) {
            shape_.keptSlots[var.index] = static_cast<std::uint32_t>(cls_.state.size());
            addKept(spec_.body.vars[var.index], spec_.body.vars[var.index].name);
        }
    }

    void addKept(const hir::Variable& variable, const std::string& name) {
        const Layout& layout = context_.layouts.of(variable.type);
        auto values = constantsOf(context_.types(), variable.type,
                                  hir::defaultValue(context_.types(), variable.type));
        for (std::size_t i = 0; i < layout.size(); ++i) {
            ir::Plane plane;
            plane.name = name + layout[i].path;
            plane.type = storageOf(layout[i]);
            plane.dimensions = layout[i].dimensions;
            plane.enumeration = context_.enumerationOf(layout[i].type);
            plane.range = rangeOf(context_.types(), layout[i].type);
            plane.initial.values = std::move(values[i]);
            addHidden(std::move(plane));
        }
    }

    void addCounter(std::string name, std::uint32_t width = 64) {
        ir::Plane plane;
        plane.name = std::move(name);
        plane.type = {{ir::ScalarKind::Int, false, width}, 0};
        plane.initial.values = {{ir::Integer(0)}};
        addHidden(std::move(plane));
    }

    /// SplitMix64 (Steele, Lea & Flood 2014) starts at the seed xor the hash of the path.
    void makeRandom() {
        shape_.usesRandom = true;
        addCounter("random");
        ir::Column column{"path_hash", {ir::ScalarKind::Int, false, 64}, {}, {0, 0}};
        for (const hir::InstanceId id : spec_.instances)
            column.values.push_back({ir::Integer(sme::fnv1a(hir::pathOf(design_, id)))});
        shape_.randomColumn = addColumn(std::move(column));
    }

    /// In the order of Cover::index, which is source order.
    void makeCovers(const hir::Block& block) {
        for (const hir::Stmt& stmt : block) {
            if (const auto* cover = std::get_if<hir::Cover>(&stmt.node)) {
                require(cover->index == cls_.covers.size(), "covers out of order", stmt.range);
                addCounter("cover_" + std::to_string(cover->index));
                cls_.covers.push_back({cover->name, cls_.state.back()});
            }
            hir::forEachBlock(stmt, [&](const hir::Block& inner) { makeCovers(inner); });
        }
    }

    // -------------------------------------------------------------- constants

    void makeConstant(std::uint32_t number) {
        const hir::SpecConstant& constant = spec_.constants[number];
        shape_.constants.push_back(sourceOf(constant.name, constant.type, [&](std::size_t i) {
            return &design_.constant(instance(i), number);
        }));
    }

    /// `valueOf(i)`: the value in instance i, kept by the design.
    template <typename F>
    ConstantSource sourceOf(const std::string& name, hir::TypeId type, F&& valueOf) {
        ConstantSource source;
        const hir::Value* first = valueOf(0);
        bool uniform = true;
        for (std::size_t i = 1; i < spec_.instances.size() && uniform; ++i) {
            const hir::Value* value = valueOf(i);
            uniform = value == first || *value == *first;
        }
        if (uniform) {
            source.uniform = first;
            return source;
        }
        const Layout& layout = context_.layouts.of(type);
        for (std::uint32_t leaf = 0; leaf < layout.size(); ++leaf) {
            const std::string path = name + layout[leaf].path;
            source.leaves.push_back(layout[leaf].dimensions.empty()
                                        ? scalarColumn(path, type, leaf, valueOf)
                                        : tableColumn(path, type, leaf, valueOf));
        }
        return source;
    }

    template <typename F>
    ConstantLeaf scalarColumn(const std::string& name, hir::TypeId type, std::uint32_t leaf,
                              F&& valueOf) {
        const Leaf& layout = context_.layouts.of(type)[leaf];
        ir::Column column{name, layout.scalar, {}, {0, 0}};
        column.values.reserve(spec_.instances.size());
        for (std::size_t i = 0; i < spec_.instances.size(); ++i) {
            const hir::Value& value = *valueOf(i);
            column.values.push_back(isAggregate(context_.types(), type)
                                        ? constantsOf(context_.types(), type, value)[leaf][0]
                                        : constantOf(value));
        }
        return {addColumn(std::move(column)), {}};
    }

    /// All different arrays one after the other in a table; the column says where the instance's
    /// begins.
    template <typename F>
    ConstantLeaf tableColumn(const std::string& name, hir::TypeId type, std::uint32_t leaf,
                             F&& valueOf) {
        const Leaf& layout = context_.layouts.of(type)[leaf];
        ir::Column column{name, {ir::ScalarKind::Int, false, 32}, {}, {0, 0}};
        ir::Constants all;
        std::unordered_map<ir::Constants, std::size_t, ConstantsHash> starts;
        for (std::size_t i = 0; i < spec_.instances.size(); ++i) {
            const ir::Constants values =
                std::move(constantsOf(context_.types(), type, *valueOf(i))[leaf]);
            auto [it, added] = starts.try_emplace(values, all.size());
            if (added) all.append(values);
            column.values.push_back({ir::Integer(it->second)});
        }
        return {addColumn(std::move(column)), context_.table(layout.scalar, std::move(all), name)};
    }

    std::uint32_t addColumn(ir::Column column) {
        if (column.type.kind == ir::ScalarKind::Int) {
            const auto& first = std::get<ir::Integer>(column.values[0].value);
            column.range = {first, first};
            for (const ir::Constant& constant : column.values) {
                const auto& value = std::get<ir::Integer>(constant.value);
                if (value < column.range.low) column.range.low = value;
                if (value > column.range.high) column.range.high = value;
            }
            const bool isSigned = column.range.low < 0;  // an unsized constant counts by its values
            column.type = {ir::ScalarKind::Int, isSigned, ir::bitsOf(column.range, isSigned)};
        }
        cls_.columns.push_back(std::move(column));
        return static_cast<std::uint32_t>(cls_.columns.size() - 1);
    }

    Context& context_;
    const hir::Design& design_;
    const hir::Specialisation& spec_;
    ir::Class cls_;
    ClassShape shape_;
};

}  // namespace

std::vector<ClassShape> makeClasses(Context& context) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < context.hir.specs.size(); ++i) {
        if (!context.hir.specs[i].instances.empty()) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return context.hir.specs[a].instances.front().index
               < context.hir.specs[b].instances.front().index;
    });
    std::vector<ClassShape> shapes;
    for (std::uint32_t i : order) {
        shapes.push_back(
            ClassMaker(context, {i}, {static_cast<std::uint32_t>(shapes.size())}).run());
        context.out.processCount += context.hir.specs[i].instances.size();
    }
    return shapes;
}

}  // namespace smec::lower
