#include "hdl/class_modules.h"

#include <algorithm>
#include <utility>

#include "hdl/foreign.h"
#include "hdl/memories.h"

namespace smec::hdl {

namespace {

class ClassMaker {
public:
    ClassMaker(const Netlist& list, ir::Design& lowered, const SourceManager& sources,
               ModuleList& modules, Messages& messages)
        : list_(list),
          lowered_(lowered),
          sources_(sources),
          modules_(modules),
          messages_(messages) {}

    ClassModules run() {
        for (std::uint32_t cls = 0; cls < list_.specs.size(); ++cls) {
            result_.processes.emplace_back();
            result_.modules.emplace_back();
            make(cls);
        }
        return std::move(result_);
    }

private:
    void make(std::uint32_t cls) {
        const hir::Specialisation& spec = *list_.specs[cls];
        if (list_.isSimulation(cls)) {
            messages_.report(DiagId::LeftOut, spec.range, "simulation process", spec.name);
            return;
        }
        Process& process = result_.processes.back();
        ir::Class& made = lowered_.classes[cls];
        if (spec.foreign.valid()) {
            process = makeForeign(lowered_, made, list_.design.functions[spec.foreign.index],
                                  list_.sameAs[cls], messages_);
        } else {
            made.body = straightBody(lowered_, made, messages_);
            if (messages_.isUnusable()) return;
            process = makeProcess(lowered_, made, list_.sameAs[cls], sources_);
        }
        process.module.title = spec.name;
        process.module.range = spec.range;
        process.module.name = spec.name;
        placeRegisters(cls);
        judgeMemories(cls);
        result_.modules.back() = modules_.add(process.module);
    }

    /// Of the variable that `name` is, or is a member of; the process itself where it has none.
    static SourceRange declarationOf(const hir::Specialisation& spec, const std::string& name) {
        const std::string whole = name.substr(0, name.find('.'));
        SourceRange range = spec.range;
        for (const hir::Variable& variable : spec.body.vars)
            if (variable.name == whole) {
                range = variable.range;
                if (variable.kind == hir::VarKind::Process) break;
            }
        return range;
    }

    /// Where the source declares variables, and first sets fields.
    void placeRegisters(std::uint32_t cls) {
        const hir::Specialisation& spec = *list_.specs[cls];
        Process& process = result_.processes[cls];
        for (Signal& signal : process.module.signals)
            if (signal.role == Role::Register) signal.range = declarationOf(spec, signal.source);
        for (std::size_t k = 0; k < process.outputs.size(); ++k) {
            const PortLeaf& leaf = list_.outputs[cls][k];
            const hir::Port& port = spec.ports[leaf.port];
            const SourceRange set = port.fields[leaf.field].firstWrite;
            process.module[process.outputs[k]].range = set.valid() ? set : port.range;
        }
    }

    void judgeMemories(std::uint32_t cls) {
        const Process& process = result_.processes[cls];
        for (std::uint32_t i = 0; i < process.module.signals.size(); ++i) {
            const Signal& signal = process.module.signals[i];
            if (!signal.isMemory) continue;
            const auto why = whyRegisters(process.module, {i}, [&](SignalId input) {
                return comesFromRegisters(cls, input);
            });
            if (why)
                messages_.report(DiagId::MemoryRegisters, signal.range, signal.source)
                    .note(why->note, {}, why->places);
        }
    }

    /// In every instance.
    bool comesFromRegisters(std::uint32_t cls, SignalId input) const {
        const std::vector<SignalId>& inputs = result_.processes[cls].inputs;
        const auto at = std::find(inputs.begin(), inputs.end(), input);
        const PortLeaf& port = list_.inputs[cls][static_cast<std::size_t>(at - inputs.begin())];
        const std::vector<std::uint32_t> elements = list_.elementsOf(cls, port, false);
        return std::all_of(list_.nodes.begin(), list_.nodes.end(), [&](const Node& node) {
            if (!node.isLeaf || node.cls != cls) return true;
            for (const std::uint32_t e : elements)
                if (!isRegister(list_.nets[list_.netOf(node, port, e)])) return false;
            return true;
        });
    }

    bool isRegister(const Net& net) const {
        if (net.source != Net::Source::Process) return net.source == Net::Source::Constant;
        const std::uint32_t driver = list_.nodes[net.driver].cls;
        return net.delay > 0 || list_.specs[driver]->kind == hir::ProcKind::Clocked;
    }

    const Netlist& list_;
    ir::Design& lowered_;
    const SourceManager& sources_;
    ModuleList& modules_;
    Messages& messages_;
    ClassModules result_;
};

}  // namespace

ClassModules classModules(const Netlist& list, ir::Design& lowered, const SourceManager& sources,
                          ModuleList& modules, Messages& messages) {
    return ClassMaker(list, lowered, sources, modules, messages).run();
}

}  // namespace smec::hdl
