#include "driver/verify/verify.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "driver/system/exit_status.h"
#include "driver/verify/target.h"

namespace smec::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kEngines{"cpp", "icarus", "verilator", "ghdl"};

const char* nameOf(Outcome outcome) {
    switch (outcome) {
    case Outcome::Agrees: return "agrees";
    case Outcome::Differs: return "DIFFERS";
    case Outcome::Failed: return "failed";
    case Outcome::NotFound: return "not found";
    case Outcome::NotHardware: return "not hardware";
    case Outcome::NoCycle: return "no cycle";
    }
    return "";
}

bool isCompared(const VerifyRow& row) {
    return row.outcome == Outcome::Agrees || row.outcome == Outcome::Differs;
}

/// It took part, well or not.
bool hasRun(const VerifyRow& row) { return isCompared(row) || row.outcome == Outcome::Failed; }

// ---------------------------------------------------------------- what test benches print

/// Moves `text` after `word`; whether it stands there.
bool skip(std::string_view& text, std::string_view word) {
    const std::size_t at = text.find(word);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + word.size());
    return true;
}

bool readNumber(std::string_view& text, std::uint64_t& number) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

/// "... cycle 3: led.on: expected 1, got 0"
bool readDifference(std::string_view line, Difference& difference) {
    if (!skip(line, "cycle ") || !readNumber(line, difference.cycle) || !line.starts_with(": "))
        return false;
    line.remove_prefix(2);
    const std::size_t name = line.find(": expected "), got = line.find(", got ");
    if (name == std::string_view::npos || got == std::string_view::npos || got < name) return false;
    difference.name = line.substr(0, name);
    const std::size_t value = name + std::string_view(": expected ").size();
    difference.expected = line.substr(value, got - value);
    difference.got = line.substr(got + std::string_view(", got ").size());
    return true;
}

// ---------------------------------------------------------------- table

using Cells = std::vector<std::string>;

const char* unknownWords(const VerifyRow& row) {
    return row.plan == "VHDL" ? "U, X, W, Z or -" : "x or z";
}

/// "; 12 bits in 3 of 40 cycles were x or z, and were not compared"
std::string unknownOf(const VerifyRow& row) {
    if (row.unknownBits == 0 || row.outcome == Outcome::Failed) return {};
    return fmt::format("; {} bit{} in {} cycle{} {} {}, and not compared", row.unknownBits,
                       row.unknownBits == 1 ? "" : "s", row.unknownCycles,
                       row.unknownCycles == 1 ? "" : "s", row.unknownBits == 1 ? "was" : "were",
                       unknownWords(row));
}

Cells cellsOf(const VerifyRow& row, const std::string& result) {
    const bool isEmpty = !isCompared(row) && row.cycles == 0;
    const bool hasTime = row.seconds > 0;
    return {row.engine,
            row.plan,
            isEmpty ? "" : fmt::format("{}", row.cycles),
            isEmpty ? "" : fmt::format("{}", row.fields),
            hasTime ? fmt::format("{:.2f} s", row.seconds) : "",
            (row.remark.empty() ? result : fmt::format("{}: {}", result, row.remark))
                + unknownOf(row)};
}

std::string alignedRows(const std::vector<Cells>& lines) {
    std::vector<std::size_t> widths(lines.front().size());
    for (const Cells& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], line[i].size());
    std::string text;
    for (const Cells& line : lines) {
        std::string row;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const bool isNumber = i >= 2 && i <= 4;
            row += isNumber ? fmt::format("{:>{}}  ", line[i], widths[i])
                            : fmt::format("{:<{}}  ", line[i], widths[i]);
        }
        text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string titleOf(const VerifyRow& row) { return fmt::format("{} ({})", row.engine, row.plan); }

std::string differencesOf(const VerifyRow& row) {
    if (row.first.empty()) return {};
    std::string text = fmt::format("\n{}:\n", titleOf(row));
    for (const Difference& difference : row.first)
        text += fmt::format("  cycle {}: {}: expected {}, got {}\n", difference.cycle,
                            difference.name, difference.expected, difference.got);
    if (row.different > row.first.size())
        text += fmt::format("  and {} more in that cycle\n", row.different - row.first.size());
    return text;
}

std::string neverKnownOf(const VerifyRow& row) {
    const std::vector<std::string>& names = row.neverKnown;
    if (names.empty()) return {};
    const std::size_t shown = std::min(names.size(), target::kDifferencesListed);
    std::string text = fmt::format(
        "\n{}: never known, and so not compared: {}", titleOf(row),
        fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
    if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
    return text + "\n";
}

// ---------------------------------------------------------------- JSON

Json jsonOf(const VerifyRow& row) {
    Json json;
    json["engine"] = row.engine;
    json["plan"] = row.plan;
    json["cycles"] = row.cycles;
    json["fields"] = row.fields;
    json["seconds"] = row.seconds;
    json["result"] = nameOf(row.outcome);
    json["remark"] = row.remark;
    json["unknown"] = {
        {"bits", row.unknownBits}, {"cycles", row.unknownCycles}, {"neverKnown", row.neverKnown}};
    json["differences"] = Json::array();
    for (const Difference& difference : row.first)
        json["differences"].push_back({{"cycle", difference.cycle},
                                       {"name", difference.name},
                                       {"expected", difference.expected},
                                       {"got", difference.got}});
    return json;
}

}  // namespace

std::string parseEngineList(const std::string& text, std::vector<std::string>& engines) {
    engines.clear();
    if (text.empty()) return {};
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        if (std::find(kEngines.begin(), kEngines.end(), word) == kEngines.end())
            return fmt::format("--engines takes {} with commas between, not '{}'",
                               fmt::join(kEngines, ", "), text);
        if (std::find(engines.begin(), engines.end(), word) == engines.end())
            engines.push_back(word);
    }
    return {};
}

namespace {

/// "UNKNOWN: 12 bits in 3 cycles", "NEVER KNOWN: s[1].v"
void readUnknown(std::string_view line, VerifyRow& row) {
    constexpr std::string_view kCount = "UNKNOWN: ", kName = "NEVER KNOWN: ";
    if (line.starts_with(kName)) {
        row.neverKnown.emplace_back(line.substr(kName.size()));
        return;
    }
    if (!line.starts_with(kCount)) return;
    line.remove_prefix(kCount.size());
    const bool isRead = readNumber(line, row.unknownBits) && skip(line, " bits in ")
                        && readNumber(line, row.unknownCycles);
    if (!isRead) row.unknownBits = row.unknownCycles = 0;
}

}  // namespace

void readBench(const std::string& output, VerifyRow& row) {
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        Difference difference;
        std::string_view rest = line;
        std::uint64_t cycles = 0;
        if (skip(rest, "PASSED: ") && readNumber(rest, cycles)) {
            row.cycles = cycles;
            row.outcome = Outcome::Agrees;
        } else if (readDifference(line, difference)) {
            row.cycles = difference.cycle + 1;
            row.outcome = Outcome::Differs;
            ++row.different;
            if (row.first.size() < target::kDifferencesListed) row.first.push_back(difference);
        } else {
            readUnknown(line, row);
        }
    }
    if (row.outcome != Outcome::Agrees || row.neverKnown.size() < row.fields) return;
    if (row.neverKnown.empty()) return;  // there is nothing to compare
    row.outcome = Outcome::Failed;
    row.remark = fmt::format("all values were {} in all cycles, so that nothing could be compared",
                             unknownWords(row));
}

std::string verifyTable(const VerifyResult& result) {
    std::vector<Cells> lines{{"engine", "plan", "cycles", "fields", "time", "result"}};
    lines.push_back(cellsOf(result.reference, "reference"));
    for (const VerifyRow& row : result.rows)
        lines.push_back(cellsOf(row, nameOf(row.outcome)));
    std::string text = alignedRows(lines);
    for (const VerifyRow& row : result.rows)
        text += differencesOf(row);
    for (const VerifyRow& row : result.rows)
        text += neverKnownOf(row);
    if (!result.failure.empty())
        text += fmt::format("\nthe run ends with status {}: {}\n", result.referenceStatus,
                            result.failure);
    return text + "\n" + verdict(result) + "\n";
}

std::string verifyJson(const VerifyResult& result) {
    Json json;
    json["format"] = 1;
    json["file"] = result.file;
    json["cycles"] = result.reference.cycles;
    json["fields"] = result.reference.fields;
    json["status"] = result.referenceStatus;
    json["ending"] = result.reference.remark;
    json["failure"] = result.failure;
    json["engines"] = Json::array();
    for (const VerifyRow& row : result.rows)
        json["engines"].push_back(jsonOf(row));
    json["verdict"] = verdict(result);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string verdict(const VerifyResult& result) {
    const auto count = [&](auto predicate) {
        return std::count_if(result.rows.begin(), result.rows.end(), predicate);
    };
    const auto agreeing =
        count([](const VerifyRow& row) { return row.outcome == Outcome::Agrees; });
    const auto having = count(hasRun);
    std::string text = having == 0 ? "verify: nothing could be compared"
                                   : fmt::format("verify: {} of {} agree over {} cycles", agreeing,
                                                 having, result.reference.cycles);
    for (const Outcome outcome : {Outcome::NotFound, Outcome::NotHardware, Outcome::NoCycle}) {
        const auto number = count([&](const VerifyRow& row) { return row.outcome == outcome; });
        if (number != 0) text += fmt::format("; {} {}", number, nameOf(outcome));
    }
    return text;
}

int verifyStatus(const VerifyResult& result) {
    const auto is = [](Outcome outcome) {
        return [outcome](const VerifyRow& row) { return row.outcome == outcome; };
    };
    if (std::none_of(result.rows.begin(), result.rows.end(), hasRun))
        return std::any_of(result.rows.begin(), result.rows.end(), is(Outcome::NotFound))
                   ? exit_status::kEnvironment
                   : exit_status::kSource;
    const bool isGood = std::all_of(result.rows.begin(), result.rows.end(), [](const auto& row) {
        return !hasRun(row) || row.outcome == Outcome::Agrees;
    });
    return isGood ? exit_status::kGood : exit_status::kSource;
}

}  // namespace smec::driver
