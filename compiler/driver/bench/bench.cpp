#include "driver/bench/bench.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "driver/bench/aligned.h"
#include "driver/bench/target.h"
#include "driver/compile/plan_lists.h"
#include "sme/whole_number.h"
#include <nlohmann/json.hpp>

namespace smec::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kReportStart = "{\n  \"design\": ";

/// 1.23 M, 45.6 k, 7.00 G.
std::string withPrefix(double number) {
    constexpr std::array prefixes{"", " k", " M", " G", " T", " P"};
    std::size_t i = 0;
    while (number >= 999.5 && i + 1 < prefixes.size()) {
        number /= 1000;
        ++i;
    }
    return fmt::format("{:.{}f}{}", number, number >= 100 ? 0 : number >= 10 ? 1 : 2, prefixes[i]);
}

/// 12345 to 12000.
std::uint64_t twoDigits(double number) {
    const double step =
        std::pow(10, std::max(0.0, std::floor(std::log10(std::max(number, 1.0))) - 1));
    return static_cast<std::uint64_t>(std::round(number / step) * step);
}

// ---------------------------------------------------------------- reports

Spread readSpread(const Json& json) {
    const double mean = json.at("mean").get<double>();
    return {mean, json.at("min").get<double>(), json.at("max").get<double>(),
            json.value("median", mean)};
}

/// A number, or null for one that JSON does not have.
double readNumber(const Json& json) { return json.is_null() ? NAN : json.get<double>(); }

BenchRow readRow(const Json& json) {
    BenchRow row;
    row.running = sme::wholeNumber<unsigned>(json.at("threads"));
    row.cycles = sme::wholeNumber(json.at("cycles"));
    row.sequential = readSpread(json.at("sequential"));
    row.elided = readSpread(json.at("elided"));
    row.one = readSpread(json.at("one"));
    row.parallel = readSpread(json.at("parallel"));
    row.idle = readSpread(json.at("idle"));
    row.untimed = readSpread(json.at("untimed"));
    row.inflation = readNumber(json.at("inflation"));
    for (std::size_t i = 0; i < kCurveCount; ++i)
        row.speedups[i] = readNumber(json.at("speedup").at(kCurveNames[i]));
    row.others = json.value("others", 0.0);
    row.diagnosis = json.at("diagnosis").get<std::string>();
    return row;
}

SimulatorReport reportIn(const Json& json) {
    SimulatorReport report;
    report.design = json.at("design").get<std::string>();
    report.cycles = sme::wholeNumber(json.at("cycles"));
    report.seconds = json.at("seconds").get<double>();
    report.processors = sme::wholeNumber<unsigned>(json.at("processors"));
    if (!json.contains("factored")) return report;
    report.row = readRow(json.at("factored"));
    report.row->plan = json.value("plan", "");
    if (report.cycles > 0)
        report.row->stepsPerCycle =
            json.at("processSteps").get<double>() / static_cast<double>(report.cycles);
    return report;
}

// ---------------------------------------------------------------- the table

struct Unit {
    double perSecond;
    const char* name;
};

/// One that gives the shortest sequential run digits in front of the point.
Unit unitOf(const std::vector<BenchRow>& rows) {
    double shortest = HUGE_VAL;
    for (const BenchRow& row : rows)
        shortest = std::min(shortest, row.sequential.median);
    if (shortest >= 1) return {1, "s"};
    return shortest >= 1e-3 ? Unit{1e3, "ms"} : Unit{1e6, "us"};
}

/// "1.2..1.4"; of one run: "-".
std::string between(double low, double high, unsigned repeats) {
    return repeats < 2 ? "-" : fmt::format("{:.3f}..{:.3f}", low, high);
}

Cells rowCells(const BenchRow& row, const Unit& unit, unsigned repeats) {
    const auto time = [&](double seconds) {
        return fmt::format("{:.3f}", seconds * unit.perSecond);
    };
    Cells cells{row.model, fmt::format("{}", row.threads)};
    if (row.running != row.threads) cells.back() += fmt::format(" ({})", row.running);
    for (const double seconds :
         {row.sequential.median, row.elided.median, row.one.median, row.parallel.median})
        cells.push_back(time(seconds));
    cells.push_back(between(row.parallel.lowest * unit.perSecond,
                            row.parallel.highest * unit.perSecond, repeats));
    cells.push_back(time(row.idle.median));
    cells.push_back(row.inflation < 0 ? "<noise" : time(row.inflation));
    for (const double speedup : row.speedups)
        cells.push_back(std::isfinite(speedup) ? fmt::format("{:.3f}", speedup) : "<noise");
    const Range actual = row.range(Curve::Actual);
    cells.push_back(between(actual.low, actual.high, repeats));
    cells.push_back(fmt::format("{:.{}f}", row.nsPerStep(), row.nsPerStep() < 1 ? 4 : 2));
    cells.push_back(withPrefix(row.stepsPerSecond()));
    return cells;
}

/// What has to be known to read the figures right.
std::string remarks(const BenchResult& result) {
    std::string text;
    const auto isDealt = [](const BenchRow& row) { return row.running != row.threads; };
    if (std::any_of(result.rows.begin(), result.rows.end(), isDealt))
        text += fmt::format("note: P (n): n threads run the shares of P, since no more can run at "
                            "once here (processors: {}); n is the P of the formulas\n",
                            result.processors);
    double others = 0;
    for (const BenchRow& row : result.rows)
        others = std::max(others, row.others);
    if (others > target::kQuiet)
        text += fmt::format("note: other programs used up to {:.1f} of {} processors meanwhile; "
                            "measure again when they are quiet\n",
                            others, result.processors);
    if (result.repeats < 2)
        text +=
            "note: one run of each kind tells nothing about how far runs differ; see --repeat\n";
    double apart = 0;
    for (const BenchRow& row : result.rows)
        apart = std::max(apart, row.sequential.width() / row.sequential.median);
    if (apart > target::kDisturbed)
        text += fmt::format("note: sequential runs differ by up to {:.0f} %, and by as much every "
                            "speedup may be wrong, also against 'linear'\n",
                            100 * apart);
    const auto isUnknown = [](const BenchRow& row) { return row.inflation < 0; };
    if (std::any_of(result.rows.begin(), result.rows.end(), isUnknown))
        text += "note: <noise: less than the times differ of which it is the difference\n";
    const auto isShort = [](const BenchRow& row) {
        return row.sequential.median < target::kTooShort;
    };
    if (std::any_of(result.rows.begin(), result.rows.end(), isShort))
        text += "note: a sequential run takes less than 1 ms; more cycles give steadier figures\n";
    return text;
}

/// Rows are sorted by model, then by threads.
bool isLastOfModel(const BenchResult& result, std::size_t i) {
    return i + 1 == result.rows.size() || result.rows[i + 1].model != result.rows[i].model;
}

Json jsonSpread(const Spread& spread) {
    return {{"mean", spread.mean},
            {"median", spread.median},
            {"min", spread.lowest},
            {"max", spread.highest}};
}

Json jsonLoss(const Loss& loss) {
    return {{"share", loss.isKnown() ? Json(loss.share) : Json()}, {"noise", loss.noise}};
}

Json jsonRow(const BenchRow& row) {
    Json json;
    json["model"] = row.model;
    json["threads"] = row.threads;
    json["running"] = row.running;
    json["plan"] = row.plan;
    json["cycles"] = row.cycles;
    json["sequential"] = jsonSpread(row.sequential);
    json["elided"] = jsonSpread(row.elided);
    json["one"] = jsonSpread(row.one);
    json["parallel"] = jsonSpread(row.parallel);
    json["idle"] = jsonSpread(row.idle);
    json["untimed"] = jsonSpread(row.untimed);
    json["inflation"] = row.inflation;
    for (std::size_t i = 0; i < kCurveCount; ++i)
        json["speedup"][kCurveNames[i]] = row.speedups[i];
    for (std::size_t i = 0; i < kCurveCount; ++i) {
        const Range range = row.range(static_cast<Curve>(i));
        json["range"][kCurveNames[i]] = {range.low, range.high};
    }
    json["lost"] = {{"overhead", jsonLoss(row.overhead())},
                    {"idle", jsonLoss(row.idling())},
                    {"inflation", jsonLoss(row.inflated())}};
    json["others"] = row.others;
    json["nsPerStep"] = row.nsPerStep();
    json["stepsPerSecond"] = row.stepsPerSecond();
    json["diagnosis"] = row.diagnosis;
    return json;
}

}  // namespace

double BenchRow::nsPerStep() const {
    const double steps = stepsPerCycle * static_cast<double>(cycles);
    return steps > 0 ? parallel.median * 1e9 / steps : 0;
}

double BenchRow::stepsPerSecond() const {
    const double steps = stepsPerCycle * static_cast<double>(cycles);
    return parallel.median > 0 ? steps / parallel.median : 0;
}

Range BenchRow::range(Curve curve) const {
    const double p = running, base = sequential.median;
    switch (curve) {
    case Curve::Linear: return {p * sequential.lowest / base, p * sequential.highest / base};
    case Curve::Elision: return {p * base / elided.highest, p * base / elided.lowest};
    case Curve::Maximal: return {p * base / one.highest, p * base / one.lowest};
    case Curve::IdleSpecific:
        return {p * base / (one.highest + idle.highest), p * base / (one.lowest + idle.lowest)};
    case Curve::InflationSpecific:
        return {p * base / (p * parallel.highest - idle.lowest),
                p * base / (p * parallel.lowest - std::min(idle.highest, p * parallel.lowest))};
    case Curve::Actual: return {base / parallel.highest, base / parallel.lowest};
    case Curve::Count: break;
    }
    return {};
}

Loss BenchRow::overhead() const {
    const double all = running * parallel.median;
    return {(one.median - sequential.median) / all, (one.width() + sequential.width()) / 2 / all};
}

Loss BenchRow::idling() const {
    const double all = running * parallel.median;
    return {idle.median / all, idle.width() / 2 / all};
}

Loss BenchRow::inflated() const {
    const double all = running * parallel.median;
    return {inflation / all, (running * parallel.width() + idle.width() + one.width()) / 2 / all};
}

std::vector<unsigned> defaultThreads(unsigned processors) {
    std::vector<unsigned> threads;
    for (unsigned n = 1; n < std::min(processors, kMostThreads); n *= 2)
        threads.push_back(n);
    threads.push_back(std::clamp(processors, 1u, kMostThreads));
    return threads;
}

CycleChoice nextCycles(std::uint64_t cycles, double seconds) {
    if (seconds < target::kSecondsToJudge) {
        const double wanted = seconds > 0 ? target::kSecondsToJudge / seconds : HUGE_VAL;
        const double factor = std::clamp(std::ceil(wanted), 2.0, double{target::kLargestFactor});
        return {cycles * static_cast<std::uint64_t>(factor), false};
    }
    const double estimate = static_cast<double>(cycles) * target::kSecondsWanted / seconds;
    return {std::max<std::uint64_t>(1, twoDigits(estimate)), true};
}

std::uint64_t boundedCycles(std::uint64_t cycles, std::uint64_t tried, double seconds) {
    const double most =
        static_cast<double>(tried) * target::kSecondsAtMost / std::max(seconds, 1e-9);
    if (static_cast<double>(cycles) <= most) return cycles;
    return std::max<std::uint64_t>(1, twoDigits(most));
}

std::optional<SimulatorReport> readReport(const std::string& output) {
    const std::size_t start = output.rfind(kReportStart);
    if (start == std::string::npos) return std::nullopt;
    try {
        return reportIn(
            Json::parse(output.begin() + static_cast<std::ptrdiff_t>(start), output.end()));
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

std::string benchTable(const BenchResult& result) {
    if (result.rows.empty()) return {};
    const Unit unit = unitOf(result.rows);
    std::string text = fmt::format(
        "{}: {} cycles, runs of each kind: {}, processors: {}; times in {}\n\n", result.file,
        result.rows.front().cycles, result.repeats, result.processors, unit.name);
    std::vector<Cells> lines;
    lines.push_back({"", "", "", "", "", "", "T_P", "", "", "", "", "", "idle-", "inflation-", "",
                     "actual", "ns per", "steps"});
    lines.push_back({"model", "P", "T_s", "T_elision", "T_1", "T_P", "min..max", "I_P", "F_P",
                     "linear", "elision", "maximal", "specific", "specific", "actual", "min..max",
                     "step", "per s"});
    for (const BenchRow& row : result.rows)
        lines.push_back(rowCells(row, unit, result.repeats));
    text += aligned(lines) + "\n";
    for (std::size_t i = 0; i < result.rows.size(); ++i) {
        const BenchRow& row = result.rows[i];
        if (isLastOfModel(result, i))
            text += fmt::format("{} on {}: {}\n", row.model, row.threads, row.diagnosis);
    }
    return text + remarks(result);
}

std::string benchJson(const BenchResult& result) {
    Json json;
    json["format"] = 1;
    json["file"] = result.file;
    json["design"] = result.design;
    json["repeats"] = result.repeats;
    json["processors"] = result.processors;
    json["options"] = result.options;
    json["stepsPerCycle"] = result.rows.empty() ? 0 : result.rows.front().stepsPerCycle;
    json["results"] = Json::array();
    for (const BenchRow& row : result.rows)
        json["results"].push_back(jsonRow(row));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smec::driver
