// The design's content, whatever the plan: names, storage, wiring, bodies. Two designs that
// simulate alike under the same names may still differ in it; two that differ in behaviour do not
// agree.

#include <bit>
#include <type_traits>

#include "codegen/cpp/program.h"
#include "ir/arithmetic.h"
#include "ir/visit.h"
#include "plan/partition.h"

namespace smec::codegen::cpp {
namespace {

class Hasher {
public:
    std::uint64_t value() const { return state_ ^ (state_ >> 29); }

    void add(std::uint64_t word) {
        state_ = (state_ ^ word) * 0x9fb21c651e98df25u;
        state_ ^= state_ >> 32;
    }
    void add(const std::string& text) {
        add(text.size());
        add(plan::hashOf(text));
    }
    void add(const ir::Integer& number) {
        if (number >= INT64_MIN && number <= INT64_MAX)
            add(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
        else
            add(number.str());
    }
    void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
    void add(const ir::Constant& constant) {
        std::visit([&](const auto& x) { add(x); }, constant.value);
    }
    template <typename T>
    void add(const std::optional<T>& x) {
        add(std::uint64_t(x.has_value()));
        if (x) add(*x);
    }
    template <typename... T>
    void all(const T&... x) {
        (one(x), ...);
    }

private:
    template <typename T>
    void one(const T& x) {
        if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
            add(static_cast<std::uint64_t>(x));
        else
            add(x);
    }

    std::uint64_t state_ = 0x51ed270b35ae1f83u;
};

void addType(Hasher& hash, const ir::StorageType& type) {
    hash.all(type.scalar.kind, type.scalar.isSigned, type.scalar.width, type.length);
}

void addExpr(Hasher& hash, const ir::Expr& expr) {
    hash.all(expr.type, expr.node.index());
    ir::forEachOperand(expr, [&](ir::ExprId id) { hash.all(id.index); });
    std::visit(
        ir::Overloaded{
            [&](const ir::ConstInt& n) { hash.add(n.value); },
            [&](const ir::ConstBool& n) { hash.all(n.value); },
            [&](const ir::ConstFloat& n) { hash.add(n.value); },
            [&](const ir::ReadColumn& n) { hash.all(n.column); },
            [&](const ir::ReadInput& n) { hash.all(n.input, n.element.index, n.index.index); },
            [&](const ir::ReadLocal& n) { hash.all(n.local.index); },
            [&](const ir::ReadTable& n) { hash.all(n.table.index); },
            [&](const ir::Cycle&) {},
            [&](const ir::Seed&) {},
            [&](const ir::Unary& n) { hash.all(n.op); },
            [&](const ir::Binary& n) { hash.all(n.op); },
            [&](const ir::Select&) {},
            [&](const ir::Wrap& n) { hash.all(n.width, n.isSigned); },
            [&](const ir::Convert& n) { hash.all(n.op, n.width, n.isSigned); },
        },
        expr.node);
}

void addBlock(Hasher& hash, const ir::Block& block);

void addStatement(Hasher& hash, const ir::Stmt& stmt) {
    hash.all(stmt.node.index());
    ir::forEachExpr(stmt, [&](ir::ExprId id) { hash.all(id.index); });
    std::visit(ir::Overloaded{
                   [&](const ir::Set& s) { hash.all(s.local.index, s.index.valid()); },
                   [&](const ir::CopyArray& s) { hash.all(s.to.index, s.from.index()); },
                   [&](const ir::FillArray& s) { hash.all(s.to.index); },
                   [&](const ir::Check& s) { hash.all(s.site); },
                   [&](const ir::For& s) { hash.all(s.var.index, s.kind, s.rounds); },
                   [&](const ir::Call& s) {
                       for (const ir::LocalId result : s.results)
                           hash.all(result.index);
                       hash.all(s.function.index);
                   },
                   [&](const ir::Trace& s) { hash.all(s.site); },
                   [&](const ir::Switch& s) {
                       for (const ir::SwitchCase& c : s.cases) {
                           for (const ir::Integer& label : c.labels)
                               hash.add(label);
                       }
                   },
                   [](const auto&) {},
               },
               stmt.node);
    ir::forEachBlock(stmt, [&](const ir::Block& inner) { addBlock(hash, inner); });
}

void addBlock(Hasher& hash, const ir::Block& block) {
    hash.all(block.size());
    for (const ir::Stmt& stmt : block)
        addStatement(hash, stmt);
}

void addBody(Hasher& hash, const ir::Body& body) {
    hash.all(body.exprs.size(), body.locals.size());
    for (const ir::Expr& expr : body.exprs)
        addExpr(hash, expr);
    for (const ir::Local& local : body.locals) {
        hash.all(local.kind, local.slot);
        addType(hash, local.type);
    }
    addBlock(hash, body.statements);
}

void addClass(Hasher& hash, const ir::Class& cls) {
    hash.all(cls.name, cls.instances, cls.combinational);
    for (const ir::Input& input : cls.inputs) {
        for (const ir::Connection& connection : input.elements) {
            for (const ir::Run& run : connection.runs)
                hash.all(run.first, run.count, run.plane.index, run.start, run.stride);
        }
    }
    for (const ir::Output& output : cls.outputs)
        hash.all(output.plane.index, output.hold);
    for (const ir::PlaneId plane : cls.state)
        hash.all(plane.index);
    for (const ir::Column& column : cls.columns) {
        for (const ir::Constant& value : column.values)
            hash.add(value);
    }
    for (const ir::InstanceRun& run : cls.runs)
        hash.all(run.first, run.count, run.prefix, run.suffix, run.index, run.order,
                 run.orderStride);
    addBody(hash, cls.body);
}

}  // namespace

std::uint64_t designHash(const Program& program) {
    const ir::Design& design = program.design;
    Hasher hash;
    hash.all(design.name, design.processCount, design.unchecked);
    for (const ir::Plane& plane : design.planes) {
        hash.all(plane.name, plane.kind, plane.instances, plane.perOwner, plane.hold,
                 plane.combinational, plane.depth, plane.lag);
        addType(hash, plane.type);
        for (const ir::Constant& value : plane.initial.values)
            hash.add(value);
    }
    for (const ir::Class& cls : design.classes)
        addClass(hash, cls);
    for (const ir::Function& function : design.functions)
        addBody(hash, function.body);
    for (const ir::Table& table : design.tables) {
        for (const ir::Constant& value : table.values)
            hash.add(value);
    }
    for (const ir::NameRun& run : design.names)
        hash.all(run.prefix, run.suffix, run.index, run.count, run.plane.index, run.start,
                 run.stride, run.leaves.size());
    return hash.value();
}

}  // namespace smec::codegen::cpp
