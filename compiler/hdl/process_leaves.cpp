#include "hdl/process_leaves.h"

namespace smec::hdl {

ExprId ProcessLeaves::local(ir::LocalId id, ExprId index) {
    if (!written_.hasAny(id)) return read(registers_.local(id), index);
    const Op op = builder_.module()[index].op;
    if (op != Op::Ref && op != Op::Const) index = hold(index);
    return written_.read(id, index, read(registers_.local(id), index), builder_);
}

ExprId ProcessLeaves::input(std::uint32_t number, ExprId place) {
    return read(registers_.inputs()[number], place);
}

ExprId ProcessLeaves::column(std::uint32_t number) {
    const auto [it, added] = columnSignals_.try_emplace(number);
    if (added) it->second = declareColumn(number);
    return builder_.ref(it->second);
}

SignalId ProcessLeaves::declareColumn(std::uint32_t number) {
    const ir::Column& column = cls_.columns[number];
    Signal signal;
    signal.role = Role::Parameter;
    signal.type = column.type.kind == ir::ScalarKind::Bool ? kBool : typeOf(column.range);
    signal.source = column.name;
    const SignalId id = builder_.signal(column.name, std::move(signal));
    columns_.emplace_back(id, number);
    return id;
}

ExprId ProcessLeaves::table(ir::TableId id, ExprId index) {
    const auto [it, added] = tables_.try_emplace(id.index);
    if (added) it->second = declareTable(id);
    const std::uint64_t elements = design_.tables[id.index].type.elements();
    return builder_.element(it->second, builder_.resize(index, unsignedType(indexWidth(elements))));
}

SignalId ProcessLeaves::declareTable(ir::TableId id) {
    const ir::Table& table = design_.tables[id.index];
    Signal signal;
    signal.role = Role::Table;
    signal.type = typeOf(table.type.scalar);
    signal.length = static_cast<std::uint32_t>(table.type.elements());
    for (const ir::Constant& value : table.values)
        signal.initial.push_back(std::get<Integer>(value.value));
    return builder_.signal(table.name.empty() ? "constants" : table.name, std::move(signal));
}

ExprId ProcessLeaves::cycle() {
    if (!cycle_.valid()) {
        Signal signal;
        signal.role = Role::Register;
        signal.isRegister = true;
        signal.type = unsignedType(64);
        signal.initial = {0};
        cycle_ = builder_.signal("cycle", std::move(signal));
        builder_.module().usesCycle = true;
        builder_.module().hasClock = true;
    }
    return builder_.ref(cycle_);
}

ExprId ProcessLeaves::hold(ExprId value) {
    Signal signal;
    signal.role = Role::Local;
    signal.type = builder_.type(value);
    const SignalId id = builder_.signal("t", std::move(signal));
    if (cls_.combinational || block_.isNested()) registers_.startsAtZero(id);
    block_.emit(Assign{id, {}, value});
    return builder_.ref(id);
}

ExprId ProcessLeaves::read(SignalId id, ExprId index) {
    const std::uint32_t length = builder_.module()[id].length;
    if (length == 0) return builder_.ref(id);
    if (!index.valid()) index = builder_.constant(0, unsignedType(indexWidth(length)));
    return builder_.element(id, index);
}

}  // namespace smec::hdl
