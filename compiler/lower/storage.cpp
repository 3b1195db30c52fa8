#include "lower/storage.h"

#include <algorithm>

#include "ir/arithmetic.h"
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
        context_.out.classes.push_back(std::move(cls_));
        return std::move(shape_);
    }

private:
    const hir::Instance& instance(std::size_t number) const {
        return design_.instances[spec_.instances[number].index];
    }

    /// Splits the values of all instances (`valueOf(number)`) into planes' initial data, by leaf.
    template <typename F>
    std::vector<ir::InitialData> initialData(hir::TypeId type, F&& valueOf) {
        const hir::Value* first = valueOf(0);
        bool uniform = true;
        const hir::Value* last = first;
        for (std::size_t i = 1; i < spec_.instances.size() && uniform; ++i) {
            const hir::Value* value = valueOf(i);
            uniform = value == last || *value == *first;
            last = value;
        }
        std::vector<ir::InitialData> result(context_.layouts.of(type).size());
        const std::size_t count = uniform ? 1 : spec_.instances.size();
        for (std::size_t i = 0; i < count; ++i) {
            auto leaves = constantsOf(context_.types(), type, *valueOf(i));
            for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
                auto& values = result[leaf].values;
                if (i == 0) values.reserve(count * leaves[leaf].size());
                std::move(leaves[leaf].begin(), leaves[leaf].end(), std::back_inserter(values));
            }
        }
        for (ir::InitialData& data : result)
            data.perInstance = !uniform && !makeUniform(data);
        return result;
    }

    /// A leaf may be the same everywhere though the values differ.
    bool makeUniform(ir::InitialData& data) const {
        const std::size_t each = data.values.size() / spec_.instances.size();
        for (std::size_t i = each; i < data.values.size(); ++i) {
            if (!(data.values[i] == data.values[i - each])) return false;
        }
        data.values.resize(each);
        data.values.shrink_to_fit();
        return true;
    }

    ir::PlaneId addPlane(const Leaf& leaf, std::string name, ir::PlaneKind kind,
                         ir::InitialData initial) {
        ir::Plane plane;
        plane.name = std::move(name);
        plane.kind = kind;
        plane.type = storageOf(leaf);
        plane.enumeration = context_.enumerationOf(leaf.type);
        plane.range = rangeOf(context_.types(), leaf.type);
        plane.owner = shape_.id;
        plane.instances = cls_.instances;
        plane.dimensions = leaf.dimensions;
        plane.initial = std::move(initial);
        if (kind == ir::PlaneKind::State) plane.depth = 1, plane.lag = 0;
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
        auto initial = initialData(field.type, [&](std::size_t i) {
            return &design_.defaultOf(design_.bindings[instance(i).firstBus + start], f);
        });
        shape_.outputs[number][f] = static_cast<std::uint32_t>(cls_.outputs.size());
        const Layout& layout = context_.layouts.of(field.type);
        for (std::size_t i = 0; i < layout.size(); ++i) {
            const std::string name = port.name + "." + field.name + layout[i].path;
            const ir::PlaneId plane =
                addPlane(layout[i], name, ir::PlaneKind::Output, std::move(initial[i]));
            context_.out.planes[plane.index].hold = field.hold;
            context_.out.planes[plane.index].combinational = cls_.combinational;
            if (cls_.combinational) context_.out.planes[plane.index].lag = 0;
            cls_.outputs.push_back({name, plane, field.hold});
        }
    }

    void makeVariable(const hir::Variable& variable, std::uint32_t slot) {
        auto initial = initialData(
            variable.type, [&](std::size_t i) { return &design_.initial(instance(i), slot); });
        const Layout& layout = context_.layouts.of(variable.type);
        for (std::size_t i = 0; i < layout.size(); ++i) {
            cls_.state.push_back(addPlane(layout[i], variable.name + layout[i].path,
                                          ir::PlaneKind::State, std::move(initial[i])));
        }
    }

    // -------------------------------------------------------------- constants

    void makeConstant(std::uint32_t number) {
        ConstantSource& source = shape_.constants.emplace_back();
        const hir::Value& first = design_.constant(instance(0), number);
        bool uniform = true;
        for (std::size_t i = 1; i < spec_.instances.size() && uniform; ++i) {
            const hir::Value& value = design_.constant(instance(i), number);
            uniform = &value == &first || value == first;
        }
        if (uniform) {
            source.uniform = &first;
            return;
        }
        const hir::SpecConstant& constant = spec_.constants[number];
        const Layout& layout = context_.layouts.of(constant.type);
        for (std::uint32_t leaf = 0; leaf < layout.size(); ++leaf) {
            source.leaves.push_back(layout[leaf].dimensions.empty() ? scalarColumn(number, leaf)
                                                                    : tableColumn(number, leaf));
        }
    }

    ir::Constant constantAt(std::size_t i, std::uint32_t number, std::uint32_t leaf) const {
        const hir::Value& value = design_.constant(instance(i), number);
        const hir::TypeId type = spec_.constants[number].type;
        if (!isAggregate(context_.types(), type)) return constantOf(value);
        return std::move(constantsOf(context_.types(), type, value)[leaf][0]);
    }

    ConstantLeaf scalarColumn(std::uint32_t number, std::uint32_t leaf) {
        const hir::SpecConstant& constant = spec_.constants[number];
        const Leaf& layout = context_.layouts.of(constant.type)[leaf];
        ir::Column column{constant.name + layout.path, layout.scalar, {}, {0, 0}};
        column.values.reserve(spec_.instances.size());
        for (std::size_t i = 0; i < spec_.instances.size(); ++i)
            column.values.push_back(constantAt(i, number, leaf));
        return {addColumn(std::move(column)), {}};
    }

    /// All different arrays one behind the other in a table; the column says where the instance's
    /// begins.
    ConstantLeaf tableColumn(std::uint32_t number, std::uint32_t leaf) {
        const hir::SpecConstant& constant = spec_.constants[number];
        const Leaf& layout = context_.layouts.of(constant.type)[leaf];
        ir::Column column{
            constant.name + layout.path, {ir::ScalarKind::Int, false, 32}, {}, {0, 0}};
        std::vector<ir::Constant> all;
        std::unordered_map<std::string, std::size_t> starts;
        for (std::size_t i = 0; i < spec_.instances.size(); ++i) {
            auto values = std::move(constantsOf(context_.types(), constant.type,
                                                design_.constant(instance(i), number))[leaf]);
            std::string key;
            for (const ir::Constant& value : values)
                appendKey(key, value);
            auto [it, added] = starts.try_emplace(std::move(key), all.size());
            if (added) std::move(values.begin(), values.end(), std::back_inserter(all));
            column.values.push_back({ir::Integer(it->second)});
        }
        return {addColumn(std::move(column)), context_.table(layout.scalar, std::move(all))};
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
