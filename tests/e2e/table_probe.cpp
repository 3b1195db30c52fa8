// Holds what the table of C functions says of a design compiled against what it says of the same
// design interpreted, call by call; and keeps the state in the middle of a run under each plan and
// goes on from it under each other one. Says what differs.
//
// Arguments: the design's library, its source, cycles in all, folder for traces.

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "driver/compile/compile.h"
#include "driver/compile/foreign.h"
#include "interp/library.h"
#include "sme/simulation.h"

namespace {

using smec::interp::InterpretedDesign;
using Table = const sme_simulation_table&;

void append(void* user, const char* text, std::size_t length) {
    static_cast<std::string*>(user)->append(text, length);
}

/// Who runs a design, and how.
struct Engine {
    std::string name;
    Table table;
    const void* design;
    std::vector<sme_option> options;
};

/// A simulation and all that it says.
class Simulation {
public:
    explicit Simulation(const Engine& engine) : table(engine.table) {
        const sme_sinks sinks{&text, append, append};
        char why[500] = "";
        status = table.create(engine.design, engine.options.data(), engine.options.size(), &sinks,
                              &it, why, sizeof why);
        text = why;
    }
    ~Simulation() { table.destroy(it); }
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    Table table;
    std::string text;
    sme_simulation* it = nullptr;
    sme_status status = SME_OK;
};

int differences = 0;

/// `call` of both; what it returns must be the same.
class Pair {
public:
    Pair(const Engine& a, const Engine& b) : a_(a), b_(b), names_(a.name + ", " + b.name) {}

    template <typename Call>
    std::string both(const std::string& what, const Call& call) {
        const std::string a = call(a_), b = call(b_);
        if (a == b) return a;
        const auto at = static_cast<std::size_t>(
            std::mismatch(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin()).first
            - a.begin());
        const std::size_t from = at > 60 ? at - 60 : 0;
        if (++differences <= 10)
            std::printf("  %s: %s: '%s', '%s'\n", names_.c_str(), what.c_str(),
                        a.substr(from, 200).c_str(), b.substr(from, 200).c_str());
        return a;
    }
    Simulation& first() { return a_; }
    Simulation& second() { return b_; }

private:
    Simulation a_, b_;
    const std::string names_;
};

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

/// Of an enum with their values, in more bytes than it takes.
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

// ---------------------------------------------------------------- compiled and interpreted

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

/// Records of all names in some cycles, as text.
std::string blockOf(Simulation& s, const std::vector<std::string>& names, std::uint64_t cycles,
                    const std::string& input, std::string rows) {
    std::vector<std::string> taken;
    std::vector<sme_column> records;
    for (const std::string& name : names) {
        const std::size_t bytes = shape(s, name).bytes;
        taken.emplace_back(cycles * bytes, '?');
        records.push_back({handle(s, name), taken.back().data(), bytes});
    }
    for (std::size_t i = 0; i < taken.size(); ++i)
        records[i].rows = taken[i].data();
    const sme_column driven{handle(s, input), rows.data(), rows.size() / cycles};
    std::uint64_t done = 0;
    std::uint32_t ended = 0;
    const sme_status status = s.table.run_block(s.it, cycles, &driven, input.empty() ? 0 : 1,
                                                records.data(), records.size(), &done, &ended);
    std::string text = result(s, status) + " done " + std::to_string(done) + " ended "
                       + std::to_string(ended) + " ";
    for (const std::string& bytes : taken)
        for (const char c : bytes)
            text += std::to_string(static_cast<unsigned char>(c)) + " ";
    return text;
}

/// Rows of random values of an input, mostly values of its type.
std::string rowsOf(Simulation& s, const std::string& name, std::uint64_t cycles,
                   std::mt19937& random) {
    std::string value(shape(s, name).bytes, 0), rows;
    s.table.get(s.it, handle(s, name), value.data(), value.size());
    for (std::uint64_t k = 0; k < cycles; ++k) {
        if (!value.empty() && random() % 3 == 0) value[0] ^= 1;
        rows += value;
    }
    return rows;
}

/// Both go to cycles of the past, the present and what is ahead.
void goTo(Pair& pair, const std::vector<std::string>& names, std::mt19937& random,
          const std::map<std::uint64_t, std::uint64_t>& sums) {
    const std::uint64_t now = pair.first().table.cycle(pair.first().it);
    for (int i = 0; i < 6; ++i) {
        const std::uint64_t cycle = random() % (now + 1);
        const std::string gone = pair.both("go to", [&](Simulation& s) {
            return result(s, s.table.go_to(s.it, cycle)) + " cycle "
                   + std::to_string(s.table.cycle(s.it));
        });
        if (!gone.starts_with("0 ")) continue;
        compareAll(pair, names, "in cycle " + std::to_string(cycle));
        // sums are those before anything was set
        const auto before = sums.find(cycle);
        if (i % 3 == 2) pair.both("on", [&](Simulation& s) { return stepped(s, 2); });
        pair.both("checksum",
                  [&](Simulation& s) { return std::to_string(s.table.checksum(s.it)); });
        if (before != sums.end() && i % 3 != 2
            && before->second != pair.first().table.checksum(pair.first().it)) {
            ++differences;
            std::printf("  cycle %s is not what it was\n", std::to_string(cycle).c_str());
        }
    }
    pair.both("ahead", [&](Simulation& s) { return result(s, s.table.go_to(s.it, now + 3)); });
    compareAll(pair, names, "ahead");
}

/// What combinational processes make of the inputs is what a step makes of them.
void evaluate(Pair& pair, const std::vector<std::string>& names) {
    const auto sum = [](Simulation& s) { return std::to_string(s.table.checksum(s.it)); };
    const std::string before = pair.both("before eval", sum);
    const std::string status =
        pair.both("eval", [](Simulation& s) { return result(s, s.table.eval(s.it)); });
    if (pair.both("after eval", sum) != before) {
        ++differences;
        std::printf("  eval changes the state\n");
    }
    compareAll(pair, names, "evaluated");
    std::vector<std::string> values;
    for (const std::string& name : names)
        values.push_back(got(pair.first(), name));
    pair.both("step", [](Simulation& s) { return stepped(s, 1); });
    for (std::size_t i = 0; i < names.size() && status == "0"; ++i) {
        const std::uint32_t flags = shape(pair.first(), names[i]).flags;
        if ((flags & (SME_SETTABLE | SME_VARIABLE)) != 0) continue;
        if (got(pair.first(), names[i]) == values[i]) continue;
        ++differences;
        std::printf("  %s is not what eval said\n", names[i].c_str());
    }
}

void comparePast(Pair& pair, const std::vector<std::string>& names, std::mt19937& random,
                 const std::string& folder) {
    std::map<std::uint64_t, std::uint64_t> sums;
    std::vector<std::string> inputs;
    for (const std::string& name : names)
        if (name.back() != ']' && (shape(pair.first(), name).flags & SME_INPUT) != 0)
            inputs.push_back(name);
    pair.both("reset", [](Simulation& s) { return result(s, s.table.reset(s.it)); });
    compareAll(pair, names, "after a reset");
    for (int round = 0; round < 12; ++round) {
        sums[pair.first().table.cycle(pair.first().it)] =
            pair.first().table.checksum(pair.first().it);
        if (round % 4 == 1) setSome(pair, names, random, true);
        if (round % 4 == 1) sums.erase(pair.first().table.cycle(pair.first().it));
        if (round % 3 == 0) evaluate(pair, names);
        const std::string input =
            inputs.empty() || round % 2 == 0 ? "" : inputs[random() % inputs.size()];
        const std::string rows = input.empty() ? "" : rowsOf(pair.first(), input, 3, random);
        if (!input.empty()) sums.erase(pair.first().table.cycle(pair.first().it));
        pair.both("block", [&](Simulation& s) { return blockOf(s, names, 3, input, rows); });
        compareAll(pair, names, "after a block");
    }
    pair.both("inputs", [&](Simulation& s) {
        const std::string path = folder + "/" + (&s == &pair.first() ? "a" : "b") + "inputs.csv";
        return result(s, s.table.save_inputs(s.it, path.c_str())) + read(path);
    });
    goTo(pair, names, random, sums);
}

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
        pair.both("step", [&](Simulation& s) { return stepped(s, 2); });
        compareAll(pair, names, "after it was set");
    }
    goTo(pair, names, random, {});
    comparePast(pair, names, random, folder);
}

// ---------------------------------------------------------------- states

/// A state as the other engine has it: by its bytes, or, where these cannot be written and both are
/// of one kind, as it is. Null: it does not take it, and says why.
sme_snapshot* handedOver(Simulation& from, sme_snapshot* kept, Simulation& to, std::string& why) {
    std::size_t size = 0;
    if (from.table.save(from.it, kept, nullptr, &size) != SME_OK) {
        if (&from.table == &to.table) return kept;
        why = from.table.message(from.it);
        return nullptr;
    }
    std::vector<char> bytes(size);
    from.table.save(from.it, kept, bytes.data(), &size);
    from.table.forget(kept);
    sme_snapshot* loaded = nullptr;
    if (to.table.load(to.it, bytes.data(), size, &loaded) != SME_OK) why = to.table.message(to.it);
    return loaded;
}

/// A state of one engine, taken over by the other. With `why`: it does not take it.
bool goesOn(const Engine& first, const Engine& second, std::uint64_t cycles,
            const std::string& wanted, std::string& why) {
    Simulation half(first), rest(second);
    half.table.step(half.it, cycles / 2, nullptr);
    sme_snapshot* kept = nullptr;
    if (half.table.snapshot(half.it, &kept) != SME_OK) {
        why = half.table.message(half.it);
        return true;
    }
    kept = handedOver(half, kept, rest, why);
    if (!kept) return true;
    rest.table.restore(rest.it, kept);
    rest.table.forget(kept);
    stepped(rest, cycles - cycles / 2);
    return half.text + rest.text + std::to_string(rest.table.checksum(rest.it)) == wanted;
}

void compareStates(const std::vector<Engine>& engines, std::uint64_t cycles) {
    std::string wanted;
    {
        Simulation whole(engines.front());
        whole.table.step(whole.it, cycles, nullptr);
        cycles = whole.table.cycle(whole.it);
        wanted = whole.text + std::to_string(whole.table.checksum(whole.it));
    }
    for (const Engine& first : engines) {
        for (const Engine& second : engines) {
            std::string why;
            const bool isSameKind = &first.table == &second.table;
            const bool isGood = goesOn(first, second, cycles, wanted, why);
            if (!isGood || (!why.empty() && isSameKind)) {
                ++differences;
                std::printf("  kept in %s, gone on in %s: %s\n", first.name.c_str(),
                            second.name.c_str(), why.empty() ? "another end" : why.c_str());
            } else if (!why.empty() && &first == &engines.front()) {
                std::printf("  to the interpreter: %s\n", why.c_str());
            }
        }
    }
}

}  // namespace

int main(int, char** argv) {
    void* library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
        std::printf("%s\n", dlerror());
        return 1;
    }
    void* model = nullptr;
    // the simulator's main(), under another name, with another sme::run()
    using GiveModel = int (*)(int, char**);
    reinterpret_cast<GiveModel>(dlsym(library, "_Z9give_mainiPPc"))(
        0, reinterpret_cast<char**>(&model));
    smec::driver::CompileOptions options;
    options.files = {argv[2]};
    smec::driver::FrontEnd front(options.warnings);
    smec::driver::Stats stats;
    smec::driver::runFrontEnd(front, argv[2], options, false, stats);
    if (!front.design) {
        smec::driver::printDiagnostics(front, options);
        return 1;
    }
    smec::driver::LoadedForeign foreign;
    if (foreign.load(front, options, smec::driver::findInstallation()) != 0) return 1;
    const InterpretedDesign design{*front.design, front.sources, &foreign.code()};
    const sme_simulation_table& compiled = *sme_compiled_simulations();
    const sme_simulation_table& interpreted = *smec::interp::interpretedSimulations();
    const std::vector<Engine> engines = {
        {"m2 with 1 thread",
         compiled,
         model,
         {{"model", "m2"}, {"threads", "1"}, {"snapshots", "64"}, {"snapshot-time", "100"}}},
        {"m1 with 2 threads",
         compiled,
         model,
         {{"model", "m1"}, {"threads", "2"}, {"oversubscribe", nullptr}}},
        {"m2 with 2 threads", compiled, model, {{"threads", "2"}, {"oversubscribe", nullptr}}},
        {"m3 with 3 threads",
         compiled,
         model,
         {{"model", "m3"}, {"threads", "3"}, {"oversubscribe", nullptr}}},
        {"the interpreter", interpreted, &design, {{"threads", "2"}, {"snapshot-time", "100"}}}};
    const std::uint64_t cycles = std::strtoull(argv[3], nullptr, 10);
    Simulation some(engines.front());
    const std::uint64_t most = 100'000 / (paths(some).size() + 1) + 8;
    compareCalls(engines[0], engines.back(), std::min(most, cycles), argv[4]);
    // an object that is none of a state does not go on in another run
    if (!std::string(argv[2]).ends_with("uncopied.sme")) {
        compareStates({engines.begin(), engines.end() - 1}, cycles);
        compareStates({engines.front(), engines.back()}, std::min(most, cycles));
    }
    std::printf("%d differences\n", differences);
    return differences == 0 ? 0 : 1;
}
