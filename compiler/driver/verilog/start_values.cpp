#include "driver/verilog/start_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "driver/system/files.h"

namespace smec::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFlatten = "$flatten";

/// Names of Yosys' own begin with `$`; those of the source have a backslash in front that
/// `write_json` leaves out.
bool isPublic(std::string_view name) { return !name.starts_with('$'); }

/// What `flatten` calls a cell of an instance.
std::string flatName(const std::string& instance, const std::string& cell) {
    if (isPublic(instance) && isPublic(cell)) return instance + "." + cell;
    const std::string inside = isPublic(cell)
                                   ? "\\" + cell
                                   : cell.substr(cell.starts_with(kFlatten) ? kFlatten.size() : 0);
    return fmt::format("{}{}{}.{}", kFlatten, isPublic(instance) ? "\\" : "", instance, inside);
}

/// What `flatten` calls a cell that stands below these instances, the outermost first.
std::string flatName(const std::vector<std::string>& path, const std::string& cell) {
    std::string name = cell;
    for (auto instance = path.rbegin(); instance != path.rend(); ++instance)
        name = flatName(*instance, name);
    return name;
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

    void run(const std::string& top) { place(top); }

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
            } else if (isFlipFlop(type)) {
                take(values_.registers, name, start.registers);
            } else if (type.starts_with("$mem")) {
                take(values_.memories, name, start.memories);
            }
        }
        return nameOf(module, start);
    }

    void take(const std::unordered_map<std::string, std::string>& all, const std::string& cell,
              std::map<std::string, std::string>& own) const {
        if (const auto found = all.find(flatName(path_, cell)); found != all.end())
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
        const unsigned number = ++copies_[module];
        name = module;
        for (unsigned copy = number; copy > 1 && (name == module || modules_.contains(name));
             ++copy)
            name = fmt::format("{}_{}", module, copy);
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
    std::map<std::string, unsigned> copies_;
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
