#include "hdl/module_names.h"

#include <algorithm>
#include <map>
#include <set>

#include "hdl/module_builder.h"
#include "hdl/names.h"

namespace smec::hdl {

namespace {

bool isLocal(const Signal& signal) {
    return signal.role == Role::Local || signal.role == Role::Counter;
}

void renameLocals(Module& module, const std::set<std::string>& instances) {
    std::set<std::string> own;
    for (const Signal& signal : module.signals)
        own.insert(signal.name);
    const auto isTaken = [&](const std::string& name) {
        return instances.contains(name) || own.contains(name);
    };
    std::map<std::string, std::string> renamed;  // counters of loops side by side share a name
    for (Signal& signal : module.signals) {
        if (!isLocal(signal) || !instances.contains(signal.name)) continue;
        std::string& name = renamed[signal.name];
        if (name.empty()) {
            name = signal.name + "_v";
            for (unsigned i = 1; isTaken(name); ++i)
                name = signal.name + "_v" + std::to_string(i);
            own.insert(name);
        }
        signal.name = name;
    }
}

}  // namespace

void nameModules(Design& design, ModuleId top, Messages& messages) {
    Names names;
    // what is written by hand has its name; the top, its bench and the package keep theirs
    std::set<std::string> foreign;
    for (const Module& module : design.modules) {
        if (module.kind != Kind::Foreign || !foreign.insert(module.title).second) continue;
        if (names.take(module.title) != module.title)
            messages.report(DiagId::HardwareExternName, module.range, module.title);
    }
    Module& outermost = design.modules[top.index];
    outermost.name = names.take(outermost.title);
    design.bench = names.take("tb_" + outermost.name);
    design.support = names.take("smec_support");
    for (Module& module : design.modules)
        if (&module != &outermost && module.kind != Kind::Foreign)
            module.name = names.take(module.title);
}

void renameLocals(Design& design) {
    std::set<std::string> instances;
    for (const Module& module : design.modules)
        for (const Instance& instance : module.instances)
            instances.insert(instance.name);
    for (Module& module : design.modules)
        renameLocals(module, instances);
}

bool hidesInstance(const Module& module, const std::string& name) {
    for (const Signal& signal : module.signals)
        if (signal.name == name && !isLocal(signal)) return true;
    return module.kind != Kind::Network
           && std::find(kProcessNames.begin(), kProcessNames.end(), name) != kProcessNames.end();
}

}  // namespace smec::hdl
