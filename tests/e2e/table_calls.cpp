// A design compiled and interpreted, call by call.

#include <map>
#include <random>

#include "table_past.h"

namespace sme::probe {

/// Some bytes of a value, changed: mostly no value any more where the type has gaps.
void setSome(Pair& pair, const std::vector<std::string>& names, std::mt19937& random, bool inputs) {
    for (const std::string& name : names) {
        const sme_value value = shape(pair.first(), name);
        const bool isInput = (value.flags & SME_INPUT) != 0;
        if (isInput != inputs || random() % (isInput ? 2 : 8) != 0) continue;
        std::string bytes(value.bytes, 0);
        pair.first().table.get(pair.first().it, handle(pair.first(), name), bytes.data(),
                               bytes.size());
        if (!bytes.empty()) bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
        pair.both("set " + name, [&](Simulation& s) {
            return result(s, s.table.set(s.it, handle(s, name), bytes.data(), bytes.size()));
        });
    }
}

namespace {

void errors(Pair& pair, const std::vector<std::string>& names) {
    const std::string known = names.empty() ? "x.y" : names.front();
    for (const std::string& path :
         {std::string("no.such"), known + "x", known + "[100000]", known + ".no", std::string()})
        pair.both("find '" + path + "'", [&](Simulation& s) {
            std::uint32_t found = 0;
            const std::string text = result(s, s.table.find(s.it, path.c_str(), &found));
            return text.substr(0, text.find("; did you mean"));
        });
    pair.both("no path",
              [](Simulation& s) { return result(s, s.table.find(s.it, nullptr, nullptr)); });
    pair.both("no handle",
              [](Simulation& s) { return result(s, s.table.get(s.it, 1u << 30, nullptr, 0)); });
    pair.both("no state", [](Simulation& s) { return result(s, s.table.restore(s.it, nullptr)); });
    pair.both("nonsense", [](Simulation& s) {
        sme_snapshot* state = nullptr;
        return result(s, s.table.load(s.it, "nonsense", 8, &state));
    });
    pair.both("a trace of nothing", [](Simulation& s) {
        const char* filter = "no such";
        return result(s, s.table.trace(s.it, "t.csv", &filter, 1));
    });
    for (const char* path : {"trace.unknown", "/no/such/folder/t.csv"})
        pair.both(path, [&](Simulation& s) {
            const char* filter = "*";
            return result(s, s.table.trace(s.it, path, &filter, 1));
        });
    if (!names.empty())
        pair.both("a wrong size", [&](Simulation& s) {
            char byte = 0;
            return result(s, s.table.set(s.it, handle(s, known), &byte, 70000));
        });
}

void compareOptions(const Engine& a, const Engine& b) {
    for (const sme_option& option :
         {sme_option{"treads", "2"}, sme_option{"trace", "a.csv"}, sme_option{"threads", "x"},
          sme_option{"seed", nullptr}, sme_option{"foreman", "1"}, sme_option{nullptr, "1"}}) {
        Engine x = a, y = b;
        x.options = y.options = {option};
        Pair pair(x, y);
        pair.both(std::string("option ") + (option.name ? option.name : "null"),
                  [](Simulation& s) { return std::to_string(s.status) + " " + s.text; });
    }
}

/// Both go back to the state in the middle, each to its own; then on, and end the same.
void goBack(Pair& pair, const std::vector<std::string>& names, std::uint64_t cycles) {
    sme_snapshot* states[2] = {};
    const auto own = [&](Simulation& s) -> sme_snapshot*& { return states[&s == &pair.second()]; };
    const std::string kept = pair.both(
        "snapshot", [&](Simulation& s) { return result(s, s.table.snapshot(s.it, &own(s))); });
    if (kept != "0") return;
    pair.both("on", [&](Simulation& s) { return stepped(s, cycles); });
    const std::string after = said(pair.first());
    said(pair.second());
    pair.both("back", [&](Simulation& s) { return result(s, s.table.restore(s.it, own(s))); });
    compareAll(pair, names, "in the past");
    pair.both("on again", [&](Simulation& s) { return stepped(s, cycles); });
    pair.both("said again", [&](Simulation& s) { return s.text == after ? "the same" : s.text; });
    said(pair.first());
    said(pair.second());
    for (Simulation* s : {&pair.first(), &pair.second()})
        s->table.forget(own(*s));
}

}  // namespace

void compareCalls(const Engine& a, const Engine& b, std::uint64_t cycles,
                  const std::string& folder) {
    compareOptions(a, b);
    Pair pair(a, b);
    pair.both("create", [](Simulation& s) { return std::to_string(s.status) + " " + s.text; });
    if (pair.first().status != SME_OK) return;
    pair.both("list", listed);
    std::vector<std::string> names = paths(pair.first());
    if (names.size() > 2000) names.resize(2000);
    for (const std::string& name : std::vector(names))
        if (const sme_value value = shape(pair.first(), name);
            value.kind == SME_ARRAY && value.count > 0)
            names.push_back(name + "[" + std::to_string(value.count - 1) + "]");
    // that of what is delayed a compiled design does not know
    for (const std::string& name : names)
        if (driver(pair.first(), name) != "0 ")
            pair.both("driver of " + name, [&](Simulation& s) { return driver(s, name); });
    for (const std::string& name : names)
        pair.both("members of " + name, [&](Simulation& s) { return members(s, name); });
    errors(pair, names);
    std::mt19937 random(17);
    int traces = 0;
    const auto trace = [&](bool begins) {
        const char* filter = "*";
        pair.both("trace", [&](Simulation& s) {
            const std::string path =
                folder + "/" + (&s == &pair.first() ? "a" : "b") + std::to_string(traces) + ".csv";
            return result(s, s.table.trace(s.it, begins ? path.c_str() : nullptr, &filter, 1));
        });
        if (!begins) {
            const std::string number = std::to_string(traces++);
            pair.both("rows of the trace", [&](Simulation& s) {
                return read(folder + "/" + (&s == &pair.first() ? "a" : "b") + number + ".csv");
            });
        }
    };
    compareAll(pair, names, "before cycle 0");
    for (std::uint64_t at = 0, round = 0; at < cycles; ++round) {
        const std::uint64_t step = std::min<std::uint64_t>(cycles - at, 1 + random() % 7);
        setSome(pair, names, random, true);
        if (round == 2) trace(true);
        pair.both("step", [&](Simulation& s) { return stepped(s, step); });
        if (round == 5) trace(false);
        compareAll(pair, names, "after cycle " + std::to_string(at + step - 1));
        at += step;
        if (round == 3) goBack(pair, names, 9);
    }
    for (int round = 0; round < 4; ++round) {
        setSome(pair, names, random, false);
        compareAll(pair, names, "when set");
        const std::uint64_t step = 2 + 3 * (round % 2);
        pair.both("step", [&](Simulation& s) { return stepped(s, step); });
        compareAll(pair, names, "after it was set");
    }
    goTo(pair, names, random, {});
    comparePast(pair, names, random, folder);
}

}  // namespace sme::probe
