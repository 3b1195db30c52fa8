#include "driver/verilog/constant_ports.h"

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include <nlohmann/json.hpp>

namespace smec::driver {
namespace {

using Json = nlohmann::ordered_json;

class Tier {
public:
    explicit Tier(Json& netlist) : modules_(netlist["modules"]) {
        for (auto& [name, module] : modules_.items()) {
            for (auto& [_, cell] : module["cells"].items()) {
                const std::string type = cell["type"];
                if (modules_.contains(type)) instances_[type].push_back(&cell);
            }
        }
    }

    /// Parents come before the modules that they instantiate.
    void run(const std::string& top, const std::string& port, char value) {
        constants_[top].emplace_back(port, Json::array({std::string(1, value)}));
        order(top);
        for (auto name = order_.rbegin(); name != order_.rend(); ++name) {
            if (*name != top) constants_[*name] = constantInputs(*name);
            for (const auto& [input, bits] : constants_[*name])
                tie(*name, input, bits);
            replace(modules_[*name]);
        }
    }

private:
    /// Children first.
    void order(const std::string& name) {
        if (!seen_.insert(name).second) return;
        for (const auto& [_, cell] : modules_[name]["cells"].items()) {
            const std::string type = cell["type"];
            if (modules_.contains(type)) order(type);
        }
        order_.push_back(name);
    }

    std::vector<std::pair<std::string, Json>> constantInputs(const std::string& name) const {
        std::vector<std::pair<std::string, Json>> inputs;
        for (const auto& [port, what] : modules_[name]["ports"].items()) {
            if (what["direction"] != "input") continue;
            if (const Json* bits = sameConstant(name, port)) inputs.emplace_back(port, *bits);
        }
        return inputs;
    }

    /// Null where instances differ, or where it is none.
    const Json* sameConstant(const std::string& module, const std::string& port) const {
        const Json* same = nullptr;
        for (const Json* instance : instances_.at(module)) {
            const auto& connections = (*instance)["connections"];
            const auto bits = connections.find(port);
            if (bits == connections.end() || (same && *bits != *same)) return nullptr;
            for (const Json& bit : *bits) {
                if (bit != "0" && bit != "1") return nullptr;
            }
            same = &*bits;
        }
        return same;
    }

    void tie(const std::string& module, const std::string& port, const Json& values) {
        const Json bits = modules_[module]["ports"][port]["bits"];
        for (std::size_t i = 0; i < bits.size() && i < values.size(); ++i) {
            if (bits[i].is_number()) replaced_[bits[i]] = values[i];
        }
        modules_[module]["ports"].erase(port);
        if (const auto all = instances_.find(module); all != instances_.end()) {
            for (Json* instance : all->second) {
                (*instance)["connections"].erase(port);
                (*instance)["port_directions"].erase(port);
            }
        }
    }

    /// Bits of the module at hand that are constants now.
    void replace(Json& module) {
        const auto inBits = [&](Json& bits) {
            for (Json& bit : bits) {
                if (!bit.is_number()) continue;
                if (const auto found = replaced_.find(bit); found != replaced_.end())
                    bit = found->second;
            }
        };
        if (!replaced_.empty()) {
            for (auto& [_, port] : module["ports"].items())
                inBits(port["bits"]);
            for (auto& [_, net] : module["netnames"].items())
                inBits(net["bits"]);
            for (auto& [_, cell] : module["cells"].items()) {
                for (auto& [port, bits] : cell["connections"].items())
                    inBits(bits);
            }
        }
        replaced_.clear();
    }

    Json& modules_;
    std::map<std::string, std::vector<Json*>> instances_;  ///< cells, by the name of their module
    std::map<std::string, std::vector<std::pair<std::string, Json>>> constants_;  ///< inputs
    std::set<std::string> seen_;
    std::vector<std::string> order_;
    std::unordered_map<std::uint64_t, std::string> replaced_;  ///< of the module at hand
};

}  // namespace

void tiePort(Json& netlist, const std::string& top, const std::string& port, char value) {
    Tier(netlist).run(top, port, value);
}

}  // namespace smec::driver
