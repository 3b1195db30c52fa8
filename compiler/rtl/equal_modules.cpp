#include "rtl/equal_modules.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

// Modules are equal whose texts are: all that counts of them, with nets numbered as they come and
// instances by the module that stands for theirs. Children have to have their text first.

namespace smec::rtl {
std::string sourceName(const std::string& name, std::string_view top) {
    const std::size_t end = name.find(fmt::format("${}.", top));
    return end == std::string::npos || end == 0 ? name : name.substr(0, end);
}

namespace {

using netlist::Module;

class Text {
public:
    /// `standsFor`: the module that an instance's is equal to.
    Text(const Module& module, const std::map<std::string, std::string>& standsFor) {
        for (const netlist::Port& port : module.ports) {
            text_ += fmt::format("port {} {} {} ", port.name, static_cast<int>(port.direction),
                                 port.isSigned);
            add(port.bits);
        }
        for (const netlist::Cell& cell : module.cells)
            add(cell, standsFor);
        for (const netlist::Net& net : module.nets) {
            const std::string_view initial = netlist::valueOf(net.attributes, "init");
            if (net.isHidden && initial.empty()) continue;
            text_ += fmt::format("net {} {} ", net.isHidden ? "" : net.name, initial);
            add(net.bits);
        }
    }
    std::string take() { return std::move(text_); }

private:
    void add(const netlist::Cell& cell, const std::map<std::string, std::string>& standsFor) {
        const auto found = standsFor.find(cell.type);
        const std::string_view name = cell.name.starts_with('$') ? std::string_view() : cell.name;
        text_ +=
            fmt::format("cell {} {} ", name, found == standsFor.end() ? cell.type : found->second);
        for (const auto& [parameter, value] : cell.parameters)
            if (parameter != "MEMID") text_ += fmt::format("{}={} ", parameter, value);
        for (const auto& [port, bits] : cell.connections) {
            text_ += port + " ";
            add(bits);
        }
    }

    void add(const netlist::Bits& bits) {
        for (const netlist::Bit bit : bits) {
            const auto number = static_cast<netlist::Bit>(numbers_.size());
            text_ += netlist::isNet(bit)
                         ? fmt::format("{} ", numbers_.try_emplace(bit, number).first->second)
                         : fmt::format("c{} ", bit);
        }
        text_ += '\n';
    }

    std::string text_;
    std::unordered_map<netlist::Bit, netlist::Bit> numbers_;
};

class Joining {
public:
    Joining(netlist::Design& design, std::string_view top) : design_(design), top_(top) {
        for (const Module& module : design.modules)
            byName_[module.name] = &module;
    }

    void run() {
        for (const Module& module : design_.modules)
            visit(module);
        std::erase_if(design_.modules, [&](const Module& module) {
            const auto found = standsFor_.find(module.name);
            return found != standsFor_.end() && found->second != module.name;
        });
        for (Module& module : design_.modules)
            for (netlist::Cell& cell : module.cells)
                if (const auto found = standsFor_.find(cell.type); found != standsFor_.end())
                    cell.type = found->second;
    }

private:
    /// Children first. A module does not contain itself.
    void visit(const Module& module) {
        if (!seen_.try_emplace(module.name).second) return;
        for (const netlist::Cell& cell : module.cells)
            if (const auto child = byName_.find(cell.type); child != byName_.end())
                visit(*child->second);
        const std::string name = sourceName(module.name, top_);
        if (name == module.name) return;
        const std::string text = name + "\n" + Text(module, standsFor_).take();
        standsFor_[module.name] = first_.try_emplace(text, module.name).first->second;
    }

    netlist::Design& design_;
    std::string_view top_;
    std::map<std::string, const Module*> byName_;
    std::map<std::string, std::string> standsFor_;
    std::map<std::string, std::string> first_;  ///< by text
    std::map<std::string, bool> seen_;
};

/// Names of the source for what is called after it once.
void nameAfterSource(netlist::Design& design, std::string_view top) {
    std::map<std::string, std::string> renamed;
    std::map<std::string, unsigned> taken;
    for (const Module& module : design.modules)
        if (sourceName(module.name, top) == module.name) ++taken[module.name];
    for (Module& module : design.modules) {
        const std::string name = sourceName(module.name, top);
        if (name == module.name) continue;
        std::string next = name;
        for (unsigned& number = taken[name]; number > 0 && taken.contains(next);)
            next = fmt::format("{}_{}", name, ++number);
        ++taken[next];
        renamed[module.name] = next;
        module.name = next;
    }
    for (Module& module : design.modules)
        for (netlist::Cell& cell : module.cells)
            if (const auto found = renamed.find(cell.type); found != renamed.end())
                cell.type = found->second;
}

}  // namespace

void joinEqualModules(netlist::Design& design, std::string_view top) {
    Joining(design, top).run();
    nameAfterSource(design, top);
}

}  // namespace smec::rtl
