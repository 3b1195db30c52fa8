#include "rtl/import.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "rtl/aliases.h"
#include "rtl/choices.h"
#include "rtl/clock_ports.h"
#include "rtl/clocked_reads.h"
#include "rtl/equal_modules.h"
#include "rtl/expand.h"
#include "rtl/gated_clocks.h"
#include "rtl/gather_words.h"
#include "rtl/initial.h"
#include "rtl/instance_loops.h"
#include "rtl/join_choices.h"
#include "rtl/module_writer.h"
#include "rtl/narrow_addresses.h"
#include "rtl/places.h"
#include "rtl/printed.h"
#include "rtl/register_arrays.h"
#include "rtl/register_names.h"
#include "rtl/registers.h"
#include "rtl/stopped_clocks.h"
#include "rtl/straight_outputs.h"
#include "rtl/switches.h"
#include "rtl/unused_inputs.h"
#include "rtl/wide_words.h"
#include "source/graph.h"

namespace smec::rtl {
namespace {

using ModulesByName = std::map<std::string, netlist::Module*, std::less<>>;

/// Imports the modules that `top` consists of, each after those that it instantiates.
class Importer {
public:
    Importer(netlist::Design& design, const Options& options, Places& places,
             Diagnostics& diagnostics)
        : options_(options), places_(places), diagnostics_(diagnostics) {
        for (netlist::Module& module : design.modules)
            modules_[module.name] = &module;
        result_.file = {};
    }

    /// Returns whether it is there.
    bool run(std::string_view top) {
        const auto found = modules_.find(top);
        if (found == modules_.end()) return false;
        top_ = found->second;
        const std::vector<netlist::Module*> modules = below(*top_);
        for (netlist::Module* module : modules) {
            joinRegisterArrays(*module, options_.isResetSync);
            widenRegisters(*module);
            takeClocksFromReads(*module);
            narrowAddresses(*module);
            for (const Problem& problem : settleTriggers(*module))
                diagnostics_.report(DiagId::ImportPrint, rangeOf(problem, *module), "$display",
                                    problem.what);
        }
        joinStraightOutputs(modules);
        stopConstantClocks(modules);
        refused_ = openClockGates(modules);
        for (netlist::Module* module : modules) {
            expandCells(*module, options_.isResetSync);
            resolveAliases(*module);
        }
        joinClockPorts(modules);
        for (netlist::Module* module : modules) {
            setInitialValues(*module, options_);
            splitScatteredRegisters(*module);
            splitAsyncResets(*module, options_.isResetSync);
            splitSwitches(*module);
            splitChoices(*module);
            joinChoices(*module);
            gatherWords(*module);
            narrowWideWords(*module);
        }
        openInstancesInLoops(modules);
        for (netlist::Module* module : below(*top_))  // some have no instances any more
            import(*module);
        if (!diagnostics_.hasErrors()) finish(*found->second);
        return true;
    }

    Imported take() { return {std::move(result_), std::move(partOf_)}; }

private:
    /// `top` and all that it instantiates, children first. Instances of themselves end somewhere.
    std::vector<netlist::Module*> below(netlist::Module& top) {
        std::vector<netlist::Module*> found{&top};
        std::unordered_map<const netlist::Module*, std::uint32_t> numbers{{&top, 0}};
        Graph children;
        for (std::uint32_t i = 0; i < found.size(); ++i) {
            std::vector<std::uint32_t> mine;
            for (const netlist::Cell& cell : found[i]->cells) {
                const auto child = modules_.find(cell.type);
                if (child == modules_.end() || !isBody(*child->second)) continue;
                const auto [number, isNew] =
                    numbers.try_emplace(child->second, static_cast<std::uint32_t>(found.size()));
                if (isNew) found.push_back(child->second);
                mine.push_back(number->second);
            }
            children.add(mine);
        }
        std::vector<netlist::Module*> order;
        for (const std::uint32_t number : postorder(children, std::array{0U}).nodes)
            order.push_back(found[number]);
        return order;
    }

    void checkClock(const Interface& own, const netlist::Module& module) const {
        if (own.clock.empty() || options_.clock.empty() || own.clock == options_.clock) return;
        throw Problem{fmt::format("'{}' as the clock, where --clock says '{}'; hold it with "
                                  "--tie {}=0 where it does not matter",
                                  own.clock, options_.clock, own.clock),
                      module.attributes};
    }

    static bool isBody(const netlist::Module& module) {
        return netlist::valueOf(module.attributes, "blackbox").empty();
    }

    void import(netlist::Module& module) {
        try {
            if (const auto found = refused_.find(&module); found != refused_.end())
                throw Problem(found->second);
            Interface own;
            own.name = names_.take(module.name);
            findClock(module, interfaces_, own, &module == top_);
            if (&module == top_) checkClock(own, module);
            own.unread = unreadInputs(module, interfaces_);
            for (const netlist::Port& port : module.ports) {
                if (port.name == own.clock) continue;
                own.ports.push_back(declared(port));
                if (port.direction == netlist::Direction::Output) own.outputs.insert(port.name);
            }
            tables_.take(module);
            ModulePlan plan = planModule(module, interfaces_, own);
            own.registered = plan.registeredOutputs;
            own.isNetwork =
                !plan.hasState() && !(plan.instances.empty() && plan.groups.size() == 1);
            own.portNames = own.parameters = plan.signals.ports;
            const std::size_t before = result_.decls.size();
            ModuleWriter(result_, plan, interfaces_, own, names_, wires_).write();
            noteParts(before, own.name);
            // the ports of a network at the top are what users call them
            if (&module != top_ || !own.isNetwork) nameUnusedInputs(result_, own, plan.names);
            interfaces_[module.name] = std::move(own);
            release(module);
        } catch (const Problem& problem) {
            const SourceRange range = rangeOf(problem, module);
            const bool isAtEdge = !problem.atEdge.empty() && places_.waitsForEdge(range);
            diagnostics_.report(DiagId::ImportCell, range,
                                isAtEdge ? problem.atEdge : problem.what);
            interfaces_[module.name] = unknown(module);
        }
    }

    SourceRange rangeOf(const Problem& problem, const netlist::Module& module) const {
        const SourceRange range = places_.of(problem.place);
        return range.valid() ? range : places_.of(module.attributes);
    }

    /// Declarations from `first` on are what has become of a module.
    void noteParts(std::size_t first, const std::string& module) {
        for (std::size_t i = first; i < result_.decls.size(); ++i) {
            const auto* process = std::get_if<ast::ProcDecl>(&result_.decls[i].node);
            if (process && process->name.text != module) partOf_[process->name.text] = module;
        }
    }

    /// Others need its interface alone; its text takes the memory.
    static void release(netlist::Module& module) {
        std::vector<netlist::Cell>().swap(module.cells);
        std::vector<netlist::Net>().swap(module.nets);
    }

    static InterfacePort declared(const netlist::Port& port) {
        return {port.name, static_cast<std::uint32_t>(port.bits.size()), port.isSigned};
    }

    /// What others are told of a module that could not be imported, so that its users say nothing.
    Interface unknown(const netlist::Module& module) {
        Interface interface;
        interface.name = module.name;
        for (const netlist::Port& port : module.ports) {
            interface.ports.push_back(declared(port));
            if (port.direction == netlist::Direction::Output) interface.outputs.insert(port.name);
            interface.portNames[port.name] = spelled(port.name);
        }
        interface.parameters = interface.portNames;
        return interface;
    }

    /// The types of buses, which stand first, and a network around a process.
    void finish(const netlist::Module& top) {
        const Interface& interface = interfaces_.find(top.name)->second;
        if (!interface.isNetwork) wrap(interface);
        std::vector<ast::Decl> decls;
        for (const auto& [width, isSigned] : wires_) {
            ast::BusType type;
            type.fields.push_back({{},
                                   false,
                                   false,
                                   Tree::identifier("v"),
                                   Tree::word(width, isSigned),
                                   ast::ExprId()});
            decls.push_back(Tree::declaration(
                ast::TypeDecl{Tree::identifier(wireName(width, isSigned)), std::move(type)}));
        }
        std::ranges::move(result_.decls, std::back_inserter(decls));
        result_.decls = std::move(decls);
    }

    void wrap(const Interface& interface) {
        Tree tree(result_);
        ast::NetworkDecl network{};
        Names names;
        network.name = Tree::identifier(names_.take(interface.name + "_top"));
        ast::InstanceDecl instance{};
        instance.entity = tree.name(interface.name);
        for (const auto& [port, width, isSigned] : interface.ports) {
            const std::string name = names.take(interface.portNames.find(port)->second);
            ast::Param param{};
            param.kind =
                interface.outputs.contains(port) ? ast::ParamKind::Out : ast::ParamKind::In;
            param.name = Tree::identifier(name);
            param.type = Tree::named(wireName(width, isSigned));
            wires_.emplace(width, isSigned);
            network.params.push_back(std::move(param));
            instance.arguments.push_back(
                {Tree::identifier(interface.parameters.find(port)->second), tree.name(name)});
        }
        instance.name = Tree::identifier(names.take(interface.name));
        network.decls.push_back(Tree::declaration(std::move(instance)));
        result_.decls.push_back(Tree::declaration(std::move(network)));
    }

    ModulesByName modules_;
    const Options& options_;
    netlist::Module* top_ = nullptr;
    Places& places_;
    Diagnostics& diagnostics_;
    std::map<const netlist::Module*, Problem> refused_;  ///< before they were looked at
    Interfaces interfaces_;
    Names names_;
    WireTypes wires_;
    ast::Module result_;
    std::map<std::string, std::string> partOf_;  ///< Imported::modules
    Tables tables_{result_, names_};
};

}  // namespace

std::optional<Imported> import(netlist::Design design, std::string_view top, const Options& options,
                               SourceManager& sources, Diagnostics& diagnostics) {
    joinEqualModules(design, top);
    Places places(sources);
    Importer importer(design, options, places, diagnostics);
    if (!importer.run(top)) diagnostics.report(DiagId::ImportNoTop, {});
    if (diagnostics.hasErrors()) return std::nullopt;
    return importer.take();
}

}  // namespace smec::rtl
