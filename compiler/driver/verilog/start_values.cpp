#include "driver/verilog/start_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/system/files.h"
#include "netlist/netlist.h"
#include "source/internal_error.h"

namespace smec::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFlatten = "$flatten";

/// Names of Yosys' own begin with `$`, those of the source with a backslash, which `write_json`
/// leaves out where nobody can take what is left for one of the others.
bool isShortened(std::string_view id) {
    return id.size() > 1 && id[0] == '\\' && id[1] != '$' && id[1] != '\\'
           && (id[1] < '0' || id[1] > '9');
}

std::string idOf(const std::string& name) {
    const std::string whole = "\\" + name;
    return isShortened(whole) ? whole : name;
}

bool isPublic(std::string_view name) { return !name.starts_with('$'); }

/// What `flatten` calls a cell of an instance: function concat_name() of its source.
std::string flatId(const std::string& instance, const std::string& cell) {
    if (cell.starts_with('\\')) return instance + "." + cell.substr(1);
    const std::size_t known = cell.starts_with(kFlatten) ? kFlatten.size() : 0;
    return fmt::format("{}{}.{}", kFlatten, instance, cell.substr(known));
}

/// What `flatten` calls a cell that stands below these instances, the outermost first.
std::string flatName(const std::vector<std::string>& path, const std::string& cell) {
    std::string id = idOf(cell);
    for (auto instance = path.rbegin(); instance != path.rend(); ++instance)
        id = flatId(idOf(*instance), id);
    return isShortened(id) ? id.substr(1) : id;
}

/// A module's name with a number behind that of the source: "$paramod\\sub_2\\N=…".
std::string numbered(const std::string& module, unsigned number) {
    constexpr std::string_view kParameters = "$paramod\\";
    std::size_t at = std::string::npos;
    if (module.starts_with(kParameters)) at = module.find('\\', kParameters.size());
    std::string name = module;
    return name.insert(std::min(at, name.size()), fmt::format("_{}", number));
}

/// What is there for the instances of one module that start alike.
struct Start {
    std::map<std::string, std::string> registers;  ///< digits by cell
    std::map<std::string, std::string> memories;
    std::map<std::string, std::string> instances;  ///< the names of their modules
};

class Giver {
public:
    Giver(Json& netlist, const StartValues& values)
        : modules_(netlist["modules"]), values_(values) {
        for (const auto& [name, module] : modules_.items())
            sources_[name] = module;
    }

    void run(const std::string& top) {
        place(top);
        for (const auto& [_, names] : copies_) {
            if (names.size() == 1) continue;
            for (const std::string& name : names)
                modules_[name]["attributes"][netlist::kStartsDiffer] = "1";
        }
    }

private:
    /// Returns the name of the module that the instance at `path_` is of.
    std::string place(const std::string& module) {
        const Json& source = sources_.at(module);
        Start start;
        for (const auto& [name, cell] : source["cells"].items()) {
            const std::string type = cell["type"];
            if (sources_.contains(type)) {
                path_.push_back(name);
                start.instances[name] = place(type);
                path_.pop_back();
            } else if (isFlipFlop(type) && !cell["connections"]["Q"].empty()) {
                take(values_.registers, name, start.registers);
            } else if (isWrittenMemory(cell)) {
                take(values_.memories, name, start.memories);
            }
        }
        return nameOf(module, start);
    }

    static bool isWrittenMemory(const Json& cell) {
        const std::string type = cell["type"];
        const auto ports = cell["parameters"].find("WR_PORTS");
        return type.starts_with("$mem") && ports != cell["parameters"].end()
               && ports->get<std::string>().find('1') != std::string::npos;
    }

    void take(const std::unordered_map<std::string, std::string>& all, const std::string& cell,
              std::map<std::string, std::string>& own) const {
        const auto found = all.find(flatName(path_, cell));
        require(found != all.end(), "what a register holds after the reset is not known");
        own[cell] = found->second;
    }

    /// A module that starts so: the one that is there, or another one.
    std::string nameOf(const std::string& module, const Start& start) {
        std::string key = module;
        for (const auto* values : {&start.registers, &start.memories, &start.instances}) {
            key += '\n';
            for (const auto& [cell, value] : *values)
                key += cell + '=' + value + ' ';
        }
        std::string& name = made_[contentHash(key)];
        if (!name.empty()) return name;
        std::vector<std::string>& copies = copies_[module];
        name = module;
        for (auto copy = static_cast<unsigned>(copies.size() + 1);
             copy > 1 && (name == module || modules_.contains(name)); ++copy)
            name = numbered(module, copy);
        copies.push_back(name);
        Json body = sources_.at(module);
        set(start, body);
        modules_[name] = std::move(body);
        return name;
    }

    using Digits = std::unordered_map<std::uint64_t, char>;  ///< by the number of the bit

    static void set(const Start& start, Json& body) {
        Digits digits;
        for (const auto& [_, net] : body["netnames"].items())
            addOld(net, digits);
        for (const auto& [cell, value] : start.registers) {
            const Json& bits = body["cells"][cell]["connections"]["Q"];
            for (std::size_t i = 0; i < bits.size(); ++i) {
                if (bits[i].is_number()) digits[bits[i]] = value[value.size() - 1 - i];
            }
        }
        for (const auto& [cell, value] : start.memories)
            body["cells"][cell]["parameters"]["INIT"] = value;
        for (const auto& [cell, module] : start.instances)
            body["cells"][cell]["type"] = module;
        std::set<std::string> hadValue;
        for (auto& [name, net] : body["netnames"].items()) {
            if (net["attributes"].erase("init") > 0) hadValue.insert(name);
        }
        // one net tells of a bit, for Yosys forgets the others when the bit becomes a constant:
        // that of the source's register, which had a value before, or else one with a name
        for (const int turn : {0, 1, 2}) {
            for (auto& [name, net] : body["netnames"].items()) {
                const int own = hadValue.contains(name) ? 0 : isPublic(name) ? 1 : 2;
                if (own == turn) setNew(digits, net);
            }
        }
    }

    static void addOld(const Json& net, Digits& digits) {
        const auto init = net["attributes"].find("init");
        if (init == net["attributes"].end()) return;
        const std::string value = *init;
        const Json& bits = net["bits"];
        for (std::size_t i = 0; i < std::min(bits.size(), value.size()); ++i) {
            const char digit = value[value.size() - 1 - i];
            if (bits[i].is_number() && digit != 'x') digits[bits[i]] = digit;
        }
    }

    /// Takes those of its bits.
    static void setNew(Digits& digits, Json& net) {
        const Json& bits = net["bits"];
        std::string init(bits.size(), 'x');
        for (std::size_t i = 0; i < bits.size(); ++i) {
            if (!bits[i].is_number()) continue;
            if (const auto digit = digits.find(bits[i]); digit != digits.end()) {
                init[init.size() - 1 - i] = digit->second;
                digits.erase(digit);
            }
        }
        const bool isKnown = init.find_first_not_of('x') != std::string::npos;
        if (isKnown) net["attributes"]["init"] = init;
    }

    Json& modules_;
    const StartValues& values_;
    std::map<std::string, Json> sources_;      ///< as they came
    std::vector<std::string> path_;            ///< instances from the top to the one at hand
    std::map<std::string, std::string> made_;  ///< names, by what their modules start with
    std::map<std::string, std::vector<std::string>> copies_;  ///< names, by the module as it came
};

}  // namespace

bool isFlipFlop(std::string_view type) {
    return type.starts_with("$")
           && (type.find("dff") != std::string_view::npos
               || type.find("DFF") != std::string_view::npos);
}

void giveStartValues(Json& netlist, const std::string& top, const StartValues& values) {
    Giver(netlist, values).run(top);
}

}  // namespace smec::driver
