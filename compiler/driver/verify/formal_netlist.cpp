#include "driver/verify/formal_netlist.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace smec::driver {
namespace {

using YosysJson = nlohmann::json;

/// Line and column of "file.v:3.16-3.20".
std::pair<std::uint64_t, std::uint64_t> placeOf(const YosysJson& net) {
    const auto attributes = net.find("attributes");
    if (attributes == net.end() || !attributes->contains("src")) return {};
    const std::string source = attributes->at("src").get<std::string>();
    const std::size_t colon = source.rfind(':');
    if (colon == std::string::npos) return {};
    std::pair<std::uint64_t, std::uint64_t> place;
    const char* end = source.data() + source.size();
    const char* dot = std::from_chars(source.data() + colon + 1, end, place.first).ptr;
    if (dot != end) std::from_chars(dot + 1, end, place.second);
    return place;
}

/// The numbers of the nets that registers drive.
std::set<std::uint64_t> registeredBits(const YosysJson& module) {
    std::set<std::uint64_t> bits;
    for (const auto& [name, cell] : module.at("cells").items()) {
        if (cell.at("type") != "$dff") continue;
        for (const YosysJson& bit : cell.at("connections").at("Q"))
            if (bit.is_number_unsigned()) bits.insert(bit.get<std::uint64_t>());
    }
    return bits;
}

std::vector<FormalRegister> registersOf(const YosysJson& module) {
    const std::set<std::uint64_t> bits = registeredBits(module);
    std::vector<FormalRegister> result;
    for (const auto& [name, net] : module.at("netnames").items()) {
        if (net.at("hide_name") != 0) continue;
        const YosysJson& own = net.at("bits");
        const bool isRegister = std::all_of(own.begin(), own.end(), [&](const YosysJson& bit) {
            return bit.is_number_unsigned() && bits.contains(bit.get<std::uint64_t>());
        });
        if (isRegister && !module.at("ports").contains(name))
            result.push_back({name, own.size(), placeOf(net)});
    }
    return result;
}

FormalModule readModule(const YosysJson& json) {
    FormalModule module;
    for (const auto& [name, port] : json.at("ports").items())
        module.ports[name] = {port.at("direction") == "input", port.at("bits").size()};
    if (const auto parameters = json.find("parameter_default_values"); parameters != json.end())
        for (const auto& [name, value] : parameters->items())
            module.parameters.insert(name);
    module.registers = registersOf(json);
    return module;
}

std::string described(const FormalPort& port) {
    return fmt::format("{} of {} bit{}", port.isInput ? "input" : "output", port.width,
                       port.width == 1 ? "" : "s");
}

std::string instanceOf(const std::string& name) { return name.substr(0, name.rfind('.') + 1); }

/// Those that `other` does not have, by instance and width, in the order of the source.
std::map<std::pair<std::string, std::size_t>, std::vector<FormalRegister>>
unmatched(const FormalModule& module, const FormalModule& other) {
    std::map<std::pair<std::string, std::size_t>, std::vector<FormalRegister>> result;
    for (const FormalRegister& one : module.registers) {
        const bool isKnown =
            std::any_of(other.registers.begin(), other.registers.end(),
                        [&](const FormalRegister& theirs) { return theirs.name == one.name; });
        if (!isKnown) result[{instanceOf(one.name), one.width}].push_back(one);
    }
    for (auto& [key, registers] : result)
        std::sort(registers.begin(), registers.end(),
                  [](const FormalRegister& a, const FormalRegister& b) {
                      return std::tie(a.place, a.name) < std::tie(b.place, b.name);
                  });
    return result;
}

}  // namespace

std::map<std::string, FormalModule> readFormalNetlist(const std::string& text) {
    std::map<std::string, FormalModule> modules;
    try {
        const YosysJson json = YosysJson::parse(text);
        for (const auto& [name, module] : json.at("modules").items())
            modules[name] = readModule(module);
    } catch (const YosysJson::exception&) {
        return {};
    }
    return modules;
}

std::vector<std::string> portDifferences(const FormalPorts& expected, const FormalPorts& got) {
    std::vector<std::string> result;
    for (const auto& [name, port] : expected) {
        const auto same = got.find(name);
        if (same == got.end())
            result.push_back(fmt::format("there is no '{}', {}", name, described(port)));
        else if (same->second != port)
            result.push_back(fmt::format("'{}' is an {}, not an {}", name, described(same->second),
                                         described(port)));
    }
    for (const auto& [name, port] : got)
        if (!expected.contains(name))
            result.push_back(fmt::format("'{}', {}, is one too many", name, described(port)));
    return result;
}

std::vector<std::pair<std::string, std::string>> registerPairs(const FormalModule& expected,
                                                               const FormalModule& got) {
    std::vector<std::pair<std::string, std::string>> pairs;
    const auto theirs = unmatched(expected, got), ours = unmatched(got, expected);
    for (const auto& [key, registers] : theirs) {
        const auto same = ours.find(key);
        if (same == ours.end() || same->second.size() != registers.size()) continue;
        for (std::size_t i = 0; i < registers.size(); ++i)
            pairs.emplace_back(registers[i].name, same->second[i].name);
    }
    return pairs;
}

}  // namespace smec::driver
