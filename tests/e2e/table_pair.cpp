#include "table_pair.h"

#include <fstream>
#include <iterator>
#include <utility>

namespace sme::probe {
namespace {

void append(void* user, const char* text, std::size_t length) {
    static_cast<std::string*>(user)->append(text, length);
}

}  // namespace

int differences = 0;

Simulation::Simulation(const Engine& engine) : table(engine.table) {
    const sme_sinks sinks{&text, append, append};
    char why[500] = "";
    status = table.create(engine.design, engine.options.data(), engine.options.size(), &sinks, &it,
                          why, sizeof why);
    text = why;
}

std::string result(Simulation& s, sme_status status) {
    return std::to_string(status)
           + (status == SME_OK ? "" : std::string(" ") + s.table.message(s.it));
}

std::string shown(const sme_value& value) {
    return std::string(value.type) + " kind " + std::to_string(value.kind) + " width "
           + std::to_string(value.width) + " count " + std::to_string(value.count) + " bytes "
           + std::to_string(value.bytes)
           + " flags "
           // where values lie is each engine's own
           + std::to_string(value.flags & ~std::uint32_t{SME_PLANE}) + " "
           + (value.file ? value.file : "nowhere") + ":" + std::to_string(value.line) + ":"
           + std::to_string(value.column);
}

std::vector<std::string> paths(Simulation& s) {
    std::vector<std::string> all;
    s.table.list(
        s.it,
        [](void* user, const char* path, const sme_value*) {
            static_cast<std::vector<std::string>*>(user)->emplace_back(path);
            return 0;
        },
        &all);
    return all;
}

std::string listed(Simulation& s) {
    std::vector<std::string> lines;
    const sme_status status = s.table.list(
        s.it,
        [](void* user, const char* path, const sme_value* value) {
            static_cast<std::vector<std::string>*>(user)->push_back(std::string(path) + ": "
                                                                    + shown(*value));
            return 0;
        },
        &lines);
    std::sort(lines.begin(), lines.end());
    std::string text = std::to_string(status);
    for (const std::string& line : lines)
        text += "\n" + line;
    return text;
}

std::uint32_t handle(Simulation& s, const std::string& path) {
    std::uint32_t handle = ~0u;
    s.table.find(s.it, path.c_str(), &handle);
    return handle;
}

sme_value shape(Simulation& s, const std::string& path) {
    sme_value value{};
    s.table.describe(s.it, handle(s, path), &value, sizeof value);
    return value;
}

std::string got(Simulation& s, const std::string& path) {
    std::string bytes(shape(s, path).bytes, '?');
    const sme_status status = s.table.get(s.it, handle(s, path), bytes.data(), bytes.size());
    std::string text = result(s, status) + " ";
    for (const char c : bytes) {
        char hex[3];
        std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(c));
        text += hex;
    }
    return text;
}

std::string driver(Simulation& s, const std::string& path) {
    const char* instance = "";
    const sme_status status = s.table.driver(s.it, handle(s, path), &instance);
    return result(s, status) + " " + instance;
}

std::string members(Simulation& s, const std::string& path) {
    std::string text;
    sme_status status = SME_OK;
    for (std::uint32_t i = 0; status == SME_OK && i < 100; ++i) {
        const char* name = nullptr;
        std::uint8_t value[40] = {};
        status = s.table.member(s.it, handle(s, path), i, &name, value, sizeof value);
        if (status != SME_OK) break;
        text += std::string(name) + " ";
        for (const std::uint8_t byte : value)
            text += std::to_string(byte) + ",";
    }
    return text + result(s, status);
}

std::string stepped(Simulation& s, std::uint64_t cycles) {
    std::uint32_t ended = 0;
    const sme_status status = s.table.step(s.it, cycles, &ended);
    return result(s, status) + " ended " + std::to_string(ended) + " cycle "
           + std::to_string(s.table.cycle(s.it)) + " stop "
           + std::to_string(s.table.stop_status(s.it)) + " checksum "
           + std::to_string(s.table.checksum(s.it));
}

std::string said(Simulation& s) { return std::exchange(s.text, {}); }

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void compareAll(Pair& pair, const std::vector<std::string>& names, const std::string& when) {
    for (const std::string& name : names)
        pair.both(name + " " + when, [&](Simulation& s) { return got(s, name); });
    pair.both("what is said " + when, said);
}

}  // namespace sme::probe
