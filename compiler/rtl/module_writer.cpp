#include "rtl/module_writer.h"

#include <algorithm>

#include "rtl/clocked_body.h"

namespace smec::rtl {
namespace {

ast::Argument argument(const std::string& port, ast::ExprId value) {
    return {Tree::identifier(port), value};
}

}  // namespace

void ModuleWriter::nameBuses() {
    for (SignalId id = 0; id < plan_.signals.all.size(); ++id) {
        const Signal& signal = plan_.signals[id];
        if (signal.origin == Origin::Register && plan_.isOnBus[id])
            inner_.buses[id] = plan_.names.take(signal.name + "_q");
    }
    for (const netlist::Cell* cell : plan_.memories) {
        std::string_view name = netlist::valueOf(cell->parameters, "MEMID");
        if (name.empty()) name = cell->name;
        inner_.memories[cell] = plan_.names.take(name);
    }
}

std::string ModuleWriter::busOf(SignalId id) const {
    const auto found = inner_.buses.find(id);
    return found == inner_.buses.end() ? plan_.signals[id].name : found->second;
}

void ModuleWriter::write() {
    nameBuses();
    std::vector<Group> groups;
    const bool isOne = !plan_.hasState() && plan_.instances.empty() && plan_.groups.size() == 1;
    for (std::uint32_t i = 0; i < plan_.groups.size(); ++i)
        groups.push_back(isOne ? namedGroup(i) : writeGroup(i));
    if (!isOne) return writeWhole(groups);
    ast::ProcDecl proc{ast::ProcKind::Combinational,
                       false,
                       Tree::identifier(own_.name),
                       params(),
                       {},
                       groupBody(0)};
    module_.decls.push_back(Tree::declaration(std::move(proc)));
}

ModuleWriter::Group ModuleWriter::namedGroup(std::uint32_t number) {
    Group group;
    std::set<SignalId> reads;
    std::set<const netlist::Cell*> memories;
    for (const SignalId id : plan_.groups[number]) {
        if (plan_.isOnBus[id]) group.drives.push_back(id);
        if (plan_.signals[id].origin == Origin::ReadPort) memories.insert(plan_.signals[id].cell);
        plan_.signals.forEachInput(id, [&](const netlist::Bits& bits) {
            for (const Run& run : plan_.signals.runs(bits)) {
                if (run.signal != kConstant && plan_.process[run.signal] != number)
                    reads.insert(run.signal);
            }
        });
    }
    group.reads.assign(reads.begin(), reads.end());
    for (const netlist::Cell* cell : plan_.memories) {
        if (memories.contains(cell)) group.memories.push_back(cell);
    }
    return group;
}

ast::Block ModuleWriter::groupBody(std::uint32_t number) {
    Body body(tree_, plan_, inner_, number);
    body.compute(plan_.groups[number]);
    ast::Block block;
    block.statements = std::move(body.statements);
    return block;
}

ModuleWriter::Group ModuleWriter::writeGroup(std::uint32_t number) {
    Group group = namedGroup(number);
    // after what it drives where that is one thing
    group.name =
        names_.take(group.drives.size() == 1 ? own_.name + "_" + plan_.signals[group.drives[0]].name
                                             : own_.name + "_logic");
    std::vector<ast::Param> params;
    const auto add = [&](ast::ParamKind kind, SignalId id) {
        const Signal& signal = plan_.signals[id];
        params.push_back(param(kind, signal.name, signal.width, signal.isSigned));
    };
    for (const SignalId id : group.reads)
        add(ast::ParamKind::In, id);
    for (const netlist::Cell* cell : group.memories) {
        ast::Param memory{};
        memory.kind = ast::ParamKind::In;
        memory.name = Tree::identifier(inner_.memories.at(cell));
        params.push_back(std::move(memory));
    }
    for (const SignalId id : group.drives)
        add(ast::ParamKind::Out, id);
    ast::ProcDecl proc{ast::ProcKind::Combinational,
                       false,
                       Tree::identifier(group.name),
                       std::move(params),
                       {},
                       groupBody(number)};
    module_.decls.push_back(Tree::declaration(std::move(proc)));
    return group;
}

ast::Param ModuleWriter::param(ast::ParamKind kind, const std::string& name, std::uint32_t width,
                               bool isSigned) {
    wires_.emplace(width, isSigned);
    ast::Param param{};
    param.kind = kind;
    param.name = Tree::identifier(name);
    param.type = Tree::named(wireName(width, isSigned));
    return param;
}

std::vector<ast::Param> ModuleWriter::params() {
    std::vector<ast::Param> list;
    for (const netlist::Port& port : plan_.module.ports) {
        if (port.name == own_.clock) continue;
        const bool isInput = port.direction == netlist::Direction::Input;
        list.push_back(param(isInput ? ast::ParamKind::In : ast::ParamKind::Out,
                             plan_.signals.ports.at(port.name),
                             static_cast<std::uint32_t>(port.bits.size()), port.isSigned));
    }
    return list;
}

ast::Decl ModuleWriter::bus(const std::string& name, std::uint32_t width, bool isSigned,
                            const ast::Integer& initial) {
    ast::BusDecl decl{};
    decl.name = Tree::identifier(name);
    if (initial == 0) {
        wires_.emplace(width, isSigned);
        decl.type = Tree::named(wireName(width, isSigned));
    } else {
        decl.fields.push_back({{},
                               false,
                               false,
                               Tree::identifier("v"),
                               Tree::word(width, isSigned),
                               tree_.wordValue(initial, width, isSigned)});
    }
    return Tree::declaration(std::move(decl));
}

std::vector<ast::Decl> ModuleWriter::buses() {
    std::vector<ast::Decl> decls;
    for (const auto& [id, name] : inner_.buses) {
        const Signal& signal = plan_.signals[id];
        decls.push_back(bus(name, signal.width, signal.isSigned, signal.initial));
    }
    for (SignalId id = 0; id < plan_.signals.all.size(); ++id) {
        const Signal& signal = plan_.signals[id];
        const bool isOwn = signal.isComputed() || signal.origin == Origin::Child;
        if (isOwn && plan_.isOnBus[id] && !signal.isOutput)
            decls.push_back(bus(signal.name, signal.width, signal.isSigned, 0));
    }
    return decls;
}

ast::ExprId ModuleWriter::initialWords(const netlist::Cell& cell) {
    const std::string_view digits = netlist::valueOf(cell.parameters, "INIT");
    if (digits.find('1') == std::string_view::npos) return {};
    const std::uint64_t width = cell.number("WIDTH");
    std::vector<ast::ExprId> words;
    for (std::uint64_t i = 0; i < cell.number("SIZE"); ++i) {
        ast::Integer word = 0;
        for (std::uint64_t bit = width; bit-- > 0;) {
            const std::uint64_t at = i * width + bit;
            const bool isOne = at < digits.size() && digits[digits.size() - 1 - at] == '1';
            word = word << 1 | (isOne ? 1 : 0);
        }
        words.push_back(width == 1 ? tree_.boolean(word != 0) : tree_.integer(word));
    }
    return tree_.add(ast::ArrayLiteral{std::move(words)});
}

std::vector<ast::Decl> ModuleWriter::memories() {
    std::vector<ast::Decl> decls;
    for (const netlist::Cell* cell : plan_.memories) {
        const auto width = static_cast<std::uint32_t>(cell->number("WIDTH"));
        ast::TypeExpr type = tree_.array(cell->number("SIZE"), Tree::word(width));
        const ast::Identifier name = Tree::identifier(inner_.memories.at(cell));
        if (!plan_.sharedMemories.contains(cell)) {
            decls.push_back(
                Tree::declaration(ast::VarDecl{name, std::move(type), initialWords(*cell)}));
            continue;
        }
        ast::BusDecl decl{};
        decl.hold = true;
        decl.name = name;
        decl.fields.push_back(
            {{}, false, false, Tree::identifier("v"), std::move(type), initialWords(*cell)});
        decls.push_back(Tree::declaration(std::move(decl)));
    }
    return decls;
}

std::vector<ast::Decl> ModuleWriter::registers() {
    std::vector<ast::Decl> decls;
    for (const Signal& signal : plan_.signals.all) {
        if (signal.origin != Origin::Register) continue;
        ast::ExprId initial;
        if (signal.initial != 0)
            initial = signal.width == 1 ? tree_.boolean(true) : tree_.integer(signal.initial);
        decls.push_back(Tree::declaration(
            ast::VarDecl{Tree::identifier(signal.name), Tree::word(signal.width), initial}));
    }
    return decls;
}

std::vector<ast::Decl> ModuleWriter::groupInstances(const std::vector<Group>& groups) {
    std::vector<ast::Decl> decls;
    for (const Group& group : groups) {
        ast::InstanceDecl decl{};
        const std::string wanted = group.drives.size() == 1
                                       ? plan_.signals[group.drives[0]].name + "_logic"
                                       : std::string("logic");
        decl.name = Tree::identifier(plan_.names.take(wanted));
        decl.entity = tree_.name(group.name);
        for (const SignalId id : group.reads)
            decl.arguments.push_back(argument(plan_.signals[id].name, tree_.name(busOf(id))));
        for (const netlist::Cell* cell : group.memories)
            decl.arguments.push_back(
                argument(inner_.memories.at(cell), tree_.name(inner_.memories.at(cell))));
        for (const SignalId id : group.drives)
            decl.arguments.push_back(argument(plan_.signals[id].name, tree_.name(busOf(id))));
        decls.push_back(Tree::declaration(std::move(decl)));
    }
    return decls;
}

std::vector<ast::Decl> ModuleWriter::childInstances() {
    std::vector<ast::Decl> decls;
    for (const Instance& instance : plan_.instances) {
        const Interface& child = children_.find(instance.cell->type)->second;
        ast::InstanceDecl decl{};
        decl.name = Tree::identifier(instance.name);
        decl.entity = tree_.name(child.name);
        for (const Argument& given : instance.arguments) {
            std::string name;
            if (given.signal != kConstant) {
                name = busOf(given.signal);
            } else {
                name = plan_.names.take(instance.name + "_" + given.port);
                unconnected_.push_back(bus(name, given.width, given.isSigned, given.value));
            }
            decl.arguments.push_back(
                argument(child.parameters.find(given.port)->second, tree_.name(name)));
        }
        decls.push_back(Tree::declaration(std::move(decl)));
    }
    return decls;
}

void ModuleWriter::writeWhole(const std::vector<Group>& groups) {
    std::vector<ast::Decl> instances = groupInstances(groups);
    std::ranges::move(childInstances(), std::back_inserter(instances));
    std::vector<ast::Decl> decls = buses();
    std::ranges::move(unconnected_, std::back_inserter(decls));
    std::ranges::move(memories(), std::back_inserter(decls));
    if (!plan_.hasState()) {
        std::ranges::move(instances, std::back_inserter(decls));
        module_.decls.push_back(Tree::declaration(
            ast::NetworkDecl{Tree::identifier(own_.name), params(), std::move(decls)}));
        return;
    }
    std::ranges::move(registers(), std::back_inserter(decls));
    std::ranges::move(instances, std::back_inserter(decls));
    Body body(tree_, plan_, inner_, kClocked);
    ClockedBody(body, plan_, inner_).write();
    ast::Block block;
    block.statements = std::move(body.statements);
    module_.decls.push_back(
        Tree::declaration(ast::ProcDecl{ast::ProcKind::Clocked, false, Tree::identifier(own_.name),
                                        params(), std::move(decls), std::move(block)}));
}

}  // namespace smec::rtl
