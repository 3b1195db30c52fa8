#include "driver/bench/rank_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driver/bench/aligned.h"
#include "driver/bench/target.h"
#include "sme/whole_number.h"
#include <nlohmann/json.hpp>

namespace smec::driver {
namespace {

using Json = nlohmann::ordered_json;

/// All links of a prediction; that of the memory is the best of what was measured.
std::vector<Link> linksOf(const RankPrediction& prediction) {
    const auto byExchange = [](const RankRow& row) { return row.figures.exchange; };
    const RankRow& best = std::ranges::min(prediction.rows, {}, byExchange);
    std::vector<Link> links{memoryLink(best.figures)};
    links.insert(links.end(), networkLinks().begin(), networkLinks().end());
    return links;
}

/// How much faster than one rank; where the design grows, the part of the ideal that is left. 0:
/// there is nothing to compare with.
double gain(const RankPrediction& prediction, const RankRow& row, double seconds) {
    const RankRow& first = prediction.rows.front();
    if (first.figures.ranks != 1) return 0;
    return first.figures.alone / seconds
           * (prediction.isWeak ? row.figures.processes / first.figures.processes : 1);
}

std::string micro(double seconds) {
    const double us = seconds * 1e6;
    return fmt::format("{:.{}f}", us, us >= 100 ? 0 : us >= 10 ? 1 : 2);
}

Cells cellsOf(const RankPrediction& prediction, const RankRow& row,
              const std::vector<Link>& links) {
    const RankFigures& figures = row.figures;
    Cells cells{fmt::format("{}", figures.ranks), fmt::format("{:.0f}", figures.processes),
                micro(figures.alone), fmt::format("{:.0f}", figures.messages()),
                fmt::format("{:.0f}", figures.bytes())};
    for (const Link& link : links) {
        const double seconds = cycleSeconds(figures, link);
        const double gained = gain(prediction, row, seconds);
        cells.push_back(micro(seconds));
        cells.push_back(gained > 0 ? fmt::format("{:.2f}", gained) : "-");
    }
    if (row.measured > 0) {
        cells.push_back(micro(row.measured));
        cells.push_back(
            fmt::format("{:+.0f} %", 100 * (cycleSeconds(figures, links[0]) / row.measured - 1)));
    } else {
        cells.insert(cells.end(), {"-", "-"});
    }
    return cells;
}

double secondsOfBytes(const RankFigures& figures, const Link& link) {
    double seconds = 0;
    for (const RankFigures::Level& level : figures.levels)
        seconds += link.ofBytes(level.bytes);
    return seconds;
}

/// Which part of a cycle is largest beside what is computed.
const char* reasonOf(const RankFigures& figures, const Link& link) {
    double latency = 0;
    for (const RankFigures::Level& level : figures.levels)
        latency += link.latency + (level.messages - 1) * link.message;
    const double bytes = secondsOfBytes(figures, link);
    const double agreeing = exchangeSeconds(figures, link) - latency - bytes;
    if (bytes >= latency && bytes >= agreeing) return "bytes";
    return latency >= agreeing ? "latency" : "agreeing on the end";
}

/// Where a network takes most of the gain, why, and what longer steps would make of it.
std::string remarkOf(const RankPrediction& prediction, const RankRow& row, const Link& link) {
    const RankFigures& figures = row.figures;
    if (figures.levels.empty() && !figures.agrees) return "";
    const double seconds = cycleSeconds(figures, link);
    const double part = exchangeSeconds(figures, link) / seconds;
    if (part <= target::kExchangeShown) return "";
    std::string text = fmt::format("{} ranks, {}: exchanges take {:.0f} % of a cycle ({})",
                                   figures.ranks, link.name, 100 * part, reasonOf(figures, link));
    const Superstep best = bestSuperstep(figures, link);
    if (best.cycles > 1) {
        text += fmt::format("; exchanging every {} cycles would take {} us", best.cycles,
                            micro(best.seconds));
        if (const double gained = gain(prediction, row, best.seconds); gained > 0)
            text += fmt::format(" ({:.2f})", gained);
    }
    return text + "\n";
}

Json jsonRow(const RankPrediction& prediction, const RankRow& row, const std::vector<Link>& links) {
    const RankFigures& figures = row.figures;
    Json json;
    json["ranks"] = figures.ranks;
    json["processes"] = figures.processes;
    json["computed"] = figures.alone;
    json["computedTogether"] = figures.together;
    json["messages"] = figures.messages();
    json["bytes"] = figures.bytes();
    json["agrees"] = figures.agrees;
    for (const Link& link : links) {
        const Superstep best = bestSuperstep(figures, link);
        const double seconds = cycleSeconds(figures, link);
        json["predicted"].push_back({{"link", link.name},
                                     {"seconds", seconds},
                                     {"gain", gain(prediction, row, seconds)},
                                     {"superstep", best.cycles},
                                     {"superstepSeconds", best.seconds}});
    }
    if (row.measured > 0) json["measured"] = row.measured;
    return json;
}

}  // namespace

double RankFigures::messages() const {
    double sum = 0;
    for (const Level& level : levels)
        sum += level.messages;
    return sum;
}

double RankFigures::bytes() const {
    double sum = 0;
    for (const Level& level : levels)
        sum += level.bytes;
    return sum;
}

std::optional<RankFigures> readRankFigures(const std::string& output) {
    const Json json = Json::parse(output, nullptr, false);
    if (json.is_discarded()) return std::nullopt;
    try {
        RankFigures figures;
        figures.design = json.at("design").get<std::string>();
        figures.processors = sme::wholeNumber<unsigned>(json.at("processors"));
        figures.ranks = sme::wholeNumber<unsigned>(json.at("ranks"));
        figures.processes = json.at("processes").get<double>();
        figures.received = json.at("received").get<double>();
        figures.agrees = json.at("agrees").get<bool>();
        for (const Json& level : json.at("levels"))
            figures.levels.push_back(
                {level.at("messages").get<double>(), level.at("bytes").get<double>()});
        figures.alone = json.at("alone").get<double>();
        figures.together = json.at("together").get<double>();
        figures.exchange = json.at("exchange").get<double>();
        figures.few = json.at("few").get<double>();
        figures.fewBytes = json.at("fewBytes").get<double>();
        figures.byte = json.at("byte").get<double>();
        return figures;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

Link memoryLink(const RankFigures& figures) {
    const double more = std::max(0.0, figures.few - figures.byte);
    return {"shared memory", figures.exchange, figures.exchange / 2, figures.byte, true, more,
            figures.fewBytes};
}

const std::vector<Link>& networkLinks() {
    static const std::vector<Link> links{
        {"25 Gb/s Ethernet", target::kEthernetLatency, target::kEthernetMessage,
         8 / target::kEthernetBits, false},
        {"200 Gb/s InfiniBand", target::kInfiniBandLatency, target::kInfiniBandMessage,
         8 / target::kInfiniBandBits, false}};
    return links;
}

double exchangeSeconds(const RankFigures& figures, const Link& link) {
    double seconds = 0;
    for (const RankFigures::Level& level : figures.levels)
        seconds += link.latency + (level.messages - 1) * link.message + link.ofBytes(level.bytes);
    if (figures.agrees && figures.ranks > 1)
        seconds += std::ceil(std::log2(figures.ranks)) * link.latency;
    return seconds;
}

double cycleSeconds(const RankFigures& figures, const Link& link) {
    const bool isBeside = link.isMemory && figures.ranks > 1;
    return (isBeside ? figures.together : figures.alone) + exchangeSeconds(figures, link);
}

Superstep bestSuperstep(const RankFigures& figures, const Link& link) {
    Superstep best{1, cycleSeconds(figures, link)};
    if (figures.levels.size() != 1 || figures.processes <= 0) return best;
    const double bytes = secondsOfBytes(figures, link);
    const double latency = exchangeSeconds(figures, link) - bytes;
    const double computed = best.seconds - latency - bytes;
    for (unsigned cycles = 2; cycles <= target::kMostSuperstep; ++cycles) {
        // of the layers around a share, the innermost is computed cycles - 1 times, the next ...
        const double more = figures.received * (cycles - 1) / 2 / figures.processes;
        const double seconds = computed * (1 + more) + latency / cycles + bytes;
        if (seconds < best.seconds) best = {cycles, seconds};
    }
    return best;
}

std::string rankTable(const RankPrediction& prediction) {
    const std::vector<Link> links = linksOf(prediction);
    std::string text = fmt::format(
        "{}: microseconds a cycle, predicted from what the dearest rank takes here, alone; {}\n\n",
        prediction.file,
        prediction.isWeak ? "the design grows with the ranks, and e is the part of the ideal"
                          : "x is how many times as fast as one rank");
    const char* const gained = prediction.isWeak ? "e" : "x";
    Cells head{"", "processes", "", "messages", "bytes"};
    Cells names{"ranks", "of a rank", "computes", "sent", "sent"};
    for (const Link& link : links) {
        head.insert(head.end(), {link.name, ""});
        names.insert(names.end(), {"us", gained});
    }
    head.insert(head.end(), {"measured", ""});
    names.insert(names.end(), {"here", "off"});
    std::vector<Cells> lines{head, names};
    for (const RankRow& row : prediction.rows)
        lines.push_back(cellsOf(prediction, row, links));
    text += aligned(lines) + "\n";
    for (const Link& link : links)
        for (const RankRow& row : prediction.rows)
            text += remarkOf(prediction, row, link);
    return text;
}

std::string rankJson(const RankPrediction& prediction) {
    const std::vector<Link> links = linksOf(prediction);
    Json json;
    json["format"] = 1;
    json["file"] = prediction.file;
    json["design"] = prediction.rows.front().figures.design;
    json["weak"] = prediction.isWeak;
    for (const Link& link : links)
        json["links"].push_back({{"name", link.name},
                                 {"latency", link.latency},
                                 {"message", link.message},
                                 {"byte", link.byte}});
    for (const RankRow& row : prediction.rows)
        json["results"].push_back(jsonRow(prediction, row, links));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace smec::driver
