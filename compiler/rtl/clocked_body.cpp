#include "rtl/clocked_body.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "rtl/placing.h"
#include "rtl/registers.h"

namespace smec::rtl {
namespace {

ast::Stmt ifThen(ast::ExprId condition, ast::Block body) {
    ast::If node;
    node.branches.push_back({condition, std::move(body)});
    return Tree::statement(std::move(node));
}

ast::Integer valueOf(std::string_view digits) {
    ast::Integer value = 0;
    for (const char digit : digits)
        value = value << 1 | (digit == '1' ? 1 : 0);
    return value;
}

}  // namespace

SignalId ClockedBody::registerOf(const netlist::Cell& cell) const {
    return *plan_.signals.whole(cell["Q"]);
}

void ClockedBody::write() {
    for (const auto* cells : {&plan_.registers, &plan_.memories, &plan_.checks}) {
        for (const netlist::Cell* cell : *cells)
            forEachClockedInput(*cell, [&](const netlist::Bits& bits) { body_.willRead(bits); });
    }
    body_.compute(plan_.clocked);
    for (const netlist::Cell* cell : plan_.checks)
        check(*cell);
    for (const netlist::Cell* cell : plan_.memories)
        writeMemory(*cell);
    updateAll();
    publish();
}

void ClockedBody::check(const netlist::Cell& cell) {
    Tree& tree = body_.tree();
    const ast::ExprId holds = body_.terms().truth(body_.read(cell["A"])).id;
    const Term enable = body_.read(cell["EN"]);
    const bool isNamed = !cell.name.starts_with('$');
    const std::string name =
        isNamed ? cell.name : std::string(netlist::valueOf(cell.attributes, "src"));
    const ast::ExprId text = tree.add(ast::StringLiteral{name});
    const bool isAlways = enable.isLiteral && enable.value != 0;
    ast::Stmt statement =
        cell.type == "$cover"
            ? Tree::statement(ast::Cover{holds, text})
            : Tree::statement(ast::Assert{cell.type == "$assume", holds, text, {}, false});
    if (isAlways) {
        body_.statements.push_back(std::move(statement));
        return;
    }
    ast::Block block;
    block.statements.push_back(std::move(statement));
    body_.statements.push_back(ifThen(enable.id, std::move(block)));
}

void ClockedBody::writeMemory(const netlist::Cell& cell) {
    for (std::uint32_t port = 0; port < cell.number("WR_PORTS"); ++port) {
        if (netlist::isNet(cell["WR_CLK"][port])) writePort(cell, port);
    }
}

/// Bits that are enabled together are written together.
void ClockedBody::writePort(const netlist::Cell& cell, std::uint32_t port) {
    Tree& tree = body_.tree();
    const auto width = static_cast<std::uint32_t>(cell.number("WIDTH"));
    const auto part = [](const netlist::Bits& all, std::size_t from, std::size_t count) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(from);
        return netlist::Bits(first, first + static_cast<std::ptrdiff_t>(count));
    };
    const std::uint64_t addressBits = cell.number("ABITS");
    const netlist::Bits enables = part(cell["WR_EN"], std::size_t{port} * width, width);
    const netlist::Bits data = part(cell["WR_DATA"], std::size_t{port} * width, width);
    const Term address = body_.read(part(cell["WR_ADDR"], port * addressBits, addressBits));
    const Body::Place place = body_.placeOf(cell, address);
    if (!place.index.valid()) return;
    for (std::uint32_t low = 0; low < width;) {
        std::uint32_t high = low;
        while (high + 1 < width && enables[high + 1] == enables[low])
            ++high;
        const std::uint32_t count = high - low + 1;
        const Term enable = body_.read({enables[low]});
        ast::ExprId target = tree.index(body_.memory(cell), place.index);
        if (count < width)
            target =
                count == 1 ? tree.index(target, tree.integer(low)) : tree.slice(target, high, low);
        ast::Block block;
        block.statements.push_back(Tree::assign(
            target, body_.terms().stored(body_.readToStore(part(data, low, count)), count)));
        low = high + 1;
        if (enable.isLiteral && enable.value == 0) continue;
        ast::ExprId condition = place.condition;
        if (!enable.isLiteral)
            condition = condition.valid() ? tree.binary(ast::BinaryOp::LogicalAnd,
                                                        body_.terms().operand(enable), condition)
                                          : enable.id;
        if (condition.valid()) {
            body_.statements.push_back(ifThen(condition, std::move(block)));
        } else {
            body_.statements.push_back(std::move(block.statements[0]));
        }
    }
}

Term ClockedBody::before(const Term& term, std::uint32_t width, std::string_view name) {
    std::vector<SignalId> late;
    std::ranges::set_intersection(body_.touched, changed_, std::back_inserter(late));
    body_.touched.clear();
    if (late.empty()) return term;
    const std::string taken = plan_.names.take(name);
    taken_.push_back(Tree::variable(taken, Tree::word(width), body_.terms().stored(term, width)));
    return body_.terms().variable(body_.tree().name(taken), width);
}

ast::ExprId ClockedBody::condition(const netlist::Cell& cell, std::string_view port) {
    const bool isHigh = cell.flag(fmt::format("{}_POLARITY", port));
    const Term term = before(body_.read(cell[port]), 1, port == "EN" ? "enable" : "reset");
    return isHigh ? term.id : body_.terms().negated(term).id;
}

/// New values from D, or from the reset.
ast::Block ClockedBody::update(const std::vector<const netlist::Cell*>& cells,
                               std::string_view port) {
    Tree& tree = body_.tree();
    ast::Block block;
    for (const netlist::Cell* cell : cells) {
        const Signal& target = plan_.signals[registerOf(*cell)];
        const Term value =
            port == "D"
                ? before(body_.readToStore((*cell)["D"]), target.width, target.name + "_next")
                : body_.terms().constant(valueOf(netlist::valueOf(cell->parameters, "SRST_VALUE")),
                                         target.width);
        block.statements.push_back(
            Tree::assign(tree.name(target.name), body_.terms().stored(value, target.width)));
        if (port == "D") changed_.insert(registerOf(*cell));
    }
    return block;
}

/// Registers with the same enable and reset together.
void ClockedBody::updateAll() {
    using Key = std::tuple<std::string, netlist::Bits, netlist::Bits, bool, bool>;
    std::map<Key, std::size_t> known;
    std::vector<std::vector<const netlist::Cell*>> groups;
    for (const netlist::Cell* cell : plan_.registers) {
        const Key key{cell->type, (*cell)["EN"], (*cell)["SRST"], cell->flag("EN_POLARITY"),
                      cell->flag("SRST_POLARITY")};
        const auto [found, isNew] = known.try_emplace(key, groups.size());
        if (isNew) groups.emplace_back();
        groups[found->second].push_back(cell);
    }
    std::vector<ast::Stmt> updates;
    body_.touched.clear();
    for (const std::vector<const netlist::Cell*>& cells : groups) {
        const netlist::Cell& first = *cells[0];
        const bool hasEnable = !first["EN"].empty();
        const bool hasReset = !first["SRST"].empty();
        const bool isEnableFirst = first.type == "$sdffce";
        const ast::ExprId enable = hasEnable ? condition(first, "EN") : ast::ExprId();
        const ast::ExprId reset = hasReset ? condition(first, "SRST") : ast::ExprId();
        ast::Block resets;
        if (hasReset) resets = update(cells, "SRST");
        ast::Block values = update(cells, "D");
        if (!hasEnable && !hasReset) {
            std::ranges::move(values.statements, std::back_inserter(updates));
            continue;
        }
        ast::If node;
        if (hasReset) node.branches.push_back({reset, std::move(resets)});
        if (hasEnable && !isEnableFirst)
            node.branches.push_back({enable, std::move(values)});
        else
            node.otherwise = std::move(values);
        ast::Stmt statement = Tree::statement(std::move(node));
        if (isEnableFirst) {
            ast::Block inner;
            inner.statements.push_back(std::move(statement));
            statement = ifThen(enable, std::move(inner));
        }
        updates.push_back(std::move(statement));
    }
    std::ranges::move(taken_, std::back_inserter(body_.statements));
    std::ranges::move(updates, std::back_inserter(body_.statements));
}

/// Registers as others will read them in the next cycle.
void ClockedBody::publish() {
    Tree& tree = body_.tree();
    for (const auto& [id, bus] : names_.buses)
        body_.statements.push_back(
            Tree::assign(tree.member(tree.name(bus), "v"), tree.name(plan_.signals[id].name)));
    for (const Output& output : plan_.outputs) {
        if (!output.isRegistered) continue;
        const auto width = static_cast<std::uint32_t>(output.port->bits.size());
        body_.statements.push_back(
            Tree::assign(tree.member(tree.name(plan_.signals.ports.at(output.port->name)), "v"),
                         body_.terms().stored(body_.read(output.port->bits), width)));
    }
}

}  // namespace smec::rtl
