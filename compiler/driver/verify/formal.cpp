#include "driver/verify/formal.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/system/exit_status.h"
#include "driver/verify/target.h"

namespace smec::driver {
namespace {

using Json = nlohmann::ordered_json;

/// Decimal, or hexadecimal where it is wide.
std::string written(const std::string& bits) {
    if (bits.find_first_not_of("01") != std::string::npos) return bits;
    if (bits.size() <= target::kDecimalBits) {
        std::uint64_t value = 0;
        for (const char bit : bits)
            value = value << 1U | (bit == '1' ? 1U : 0U);
        return fmt::format("{}", value);
    }
    std::string digits;
    const std::string padded = std::string((4 - bits.size() % 4) % 4, '0') + bits;
    for (std::size_t i = 0; i < padded.size(); i += 4)
        digits += fmt::format("{:x}", std::stoi(padded.substr(i, 4), nullptr, 2));
    return "0x" + digits;
}

// ---------------------------------------------------------------- what Yosys printed

/// A line of its table: "   3 \in_a    7   7   0111".
struct TableLine {
    std::uint64_t step = 0;
    std::string name;
    std::string bits;
};

std::optional<TableLine> readLine(const std::string& line) {
    std::istringstream words(line);
    TableLine result;
    std::string decimal, hexadecimal, rest;
    if (!(words >> result.step >> result.name >> decimal >> hexadecimal >> result.bits))
        return std::nullopt;
    if (words >> rest || !result.name.starts_with('\\')) return std::nullopt;
    result.name.erase(0, 1);
    return result;
}

/// The number after the last `word`; 0: it does not stand there.
std::uint64_t lastNumber(const std::string& output, const std::string& word) {
    const std::size_t at = output.rfind(word);
    std::uint64_t number = 0;
    if (at != std::string::npos)
        std::from_chars(output.data() + at + word.size(), output.data() + output.size(), number);
    return number;
}

Counterexample readCounterexample(const std::string& output, const FormalPorts& ports,
                                  bool hasReset) {
    std::map<std::uint64_t, std::map<std::string, std::string>> steps;
    std::istringstream lines(output.substr(output.find("Signal Name")));
    for (std::string line; std::getline(lines, line);)
        if (const auto found = readLine(line)) steps[found->step][found->name] = found->bits;
    Counterexample result;
    result.hasReset = hasReset;
    for (auto& [number, values] : steps) {
        auto& inputs = result.inputs.emplace_back();
        for (const auto& [name, port] : ports)
            if (port.isInput && !(hasReset && name == "clk"))
                inputs.push_back({name, values["in_" + name]});
    }
    if (steps.empty()) return result;
    auto& last = steps.rbegin()->second;
    for (const auto& [name, port] : ports) {
        if (port.isInput || last["gold_" + name] == last["gate_" + name]) continue;
        result.expected.push_back({name, last["gold_" + name]});
        result.got.push_back({name, last["gate_" + name]});
    }
    return result;
}

// ---------------------------------------------------------------- text

/// What the cycle is called: the reset comes in front of cycle 0.
std::string cycleName(const Counterexample& example, std::size_t step) {
    if (!example.hasReset) return fmt::format("{}", step);
    return step == 0 ? "reset" : fmt::format("{}", step - 1);
}

std::string counterexampleText(const Counterexample& example) {
    std::vector<std::vector<std::string>> lines{{"cycle"}};
    for (const FormalValue& input : example.inputs.front())
        lines[0].push_back(input.name);
    for (std::size_t step = 0; step < example.inputs.size(); ++step) {
        auto& line = lines.emplace_back(1, cycleName(example, step));
        for (const FormalValue& input : example.inputs[step])
            line.push_back(written(input.bits));
    }
    std::string text = "  inputs:\n";
    for (const auto& line : lines) {
        text += "   ";
        for (std::size_t i = 0; i < line.size(); ++i) {
            std::size_t width = 0;
            for (const auto& other : lines)
                width = std::max(width, other[i].size());
            text += fmt::format(" {:>{}}", line[i], width);
        }
        text += "\n";
    }
    for (std::size_t i = 0; i < example.expected.size(); ++i)
        text += fmt::format("  cycle {}: {}: expected {}, got {}\n",
                            cycleName(example, example.inputs.size() - 1), example.expected[i].name,
                            written(example.expected[i].bits), written(example.got[i].bits));
    return text;
}

std::string sentence(const FormalResult& result) {
    switch (result.proof) {
    case Proof::Proved: return fmt::format("proved for all time ({})", result.method);
    case Proof::Bounded:
        return fmt::format("not proved; equal in the first {} cycles after a reset (bounded)",
                           result.cycles);
    case Proof::Differs: return "DIFFERS";
    }
    return "";
}

const char* nameOf(Proof proof) {
    switch (proof) {
    case Proof::Proved: return "proved";
    case Proof::Bounded: return "bounded";
    case Proof::Differs: return "DIFFERS";
    }
    return "";
}

std::string formalVerdict(const std::vector<FormalResult>& results) {
    const auto count = [&](Proof proof) {
        return std::count_if(results.begin(), results.end(),
                             [&](const FormalResult& one) { return one.proof == proof; });
    };
    std::string text =
        fmt::format("verify: {} of {} proved equal", count(Proof::Proved), results.size());
    if (count(Proof::Differs) != 0) text += fmt::format("; {} differ", count(Proof::Differs));
    if (count(Proof::Bounded) != 0) text += fmt::format("; {} not proved", count(Proof::Bounded));
    return text;
}

Json jsonOf(const std::vector<FormalValue>& values) {
    Json json = Json::object();
    for (const FormalValue& value : values)
        json[value.name] = written(value.bits);
    return json;
}

}  // namespace

SearchResult readSearch(const std::string& output, const FormalPorts& ports, bool hasReset) {
    SearchResult result;
    result.isProved = output.find("Induction step proven: SUCCESS!") != std::string::npos;
    const std::uint64_t steps = lastNumber(output, "Base case for induction length ");
    result.cycles = steps > 0 && hasReset ? steps - 1 : steps;
    if (output.find("model found for base case: FAIL") != std::string::npos)
        result.counterexample = readCounterexample(output, ports, hasReset);
    return result;
}

std::uint64_t readPairs(const std::string& output) {
    const std::size_t at = output.rfind(" $equiv cells in equiv:");
    if (at == std::string::npos) return 0;
    return lastNumber(output.substr(0, at), "Found ");
}

std::string formalText(const std::vector<FormalResult>& results, const std::string& file,
                       const std::string& reference) {
    std::string text = fmt::format("{} against {}\n", file, reference);
    for (const FormalResult& result : results) {
        text += fmt::format("{}: {}\n", result.name, sentence(result));
        if (result.counterexample) text += counterexampleText(*result.counterexample);
    }
    return text + formalVerdict(results) + "\n";
}

std::string formalJson(const std::vector<FormalResult>& results, const std::string& file,
                       const std::string& reference) {
    Json json;
    json["format"] = 1;
    json["file"] = file;
    json["reference"] = reference;
    json["results"] = Json::array();
    for (const FormalResult& result : results) {
        Json row;
        row["name"] = result.name;
        row["result"] = nameOf(result.proof);
        row["method"] = result.method;
        row["cycles"] = result.cycles;
        row["seconds"] = result.seconds;
        if (const auto& example = result.counterexample) {
            row["inputs"] = Json::array();
            for (const auto& inputs : example->inputs)
                row["inputs"].push_back(jsonOf(inputs));
            row["expected"] = jsonOf(example->expected);
            row["got"] = jsonOf(example->got);
        }
        json["results"].push_back(row);
    }
    json["verdict"] = formalVerdict(results);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int formalStatus(const std::vector<FormalResult>& results) {
    const auto has = [&](Proof proof) {
        return std::any_of(results.begin(), results.end(),
                           [&](const FormalResult& one) { return one.proof == proof; });
    };
    if (has(Proof::Differs)) return exit_status::kSource;
    return has(Proof::Bounded) ? exit_status::kLimit : exit_status::kGood;
}

}  // namespace smec::driver
