#include "driver/bench/bench_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

// A panel, and beside it all processor time of the row with the most threads, as a bar:
//
//   4 |  linear                      /   #
//     |                          . '     # scheduling overhead 20 %
//     |                      . '    _ -  =
//     |  maximal          .     _ -      = idle time 30 %
//     |  ...            _ - ' . - ' '    . useful work 50 %
//   0 +--------------------------------- .
//       1         2                   4 threads

namespace smec::driver {
namespace {

constexpr int kPanelWidth = 840;
constexpr int kPanelHeight = 500;
constexpr double kHeadRoom = 1.1;
constexpr double kMostAboveLinear = 1.5;  // what is noise need not be seen whole
constexpr double kLabelShare = 0.06;      // of a panel's height, for a label
constexpr double kBarDistance = 0.007;    // of a panel's width, between bars of one row
constexpr const char* kUsefulColour = "#888888";

struct CurveStyle {
    Curve curve;
    const char* title;
    const char* style;
    const char* bars;
};

constexpr std::array kCurves{
    CurveStyle{Curve::Linear, "linear", "lc rgb '#444444' lw 1.5 pt 0", "lc rgb '#444444' lw 1"},
    CurveStyle{Curve::Elision, "elision", "lc rgb '#8c564b' lw 1.5 dt 3 pt 1 ps 0.7",
               "lc rgb '#8c564b' lw 1"},
    CurveStyle{Curve::Maximal, "maximal", "lc rgb '#d0741f' lw 2 pt 4 ps 0.6",
               "lc rgb '#d0741f' lw 1"},
    CurveStyle{Curve::IdleSpecific, "idle-specific", "lc rgb '#1f6fd0' lw 2 pt 6 ps 0.6",
               "lc rgb '#1f6fd0' lw 1"},
    CurveStyle{Curve::InflationSpecific, "inflation-specific",
               "lc rgb '#a03fb0' lw 1.5 dt 2 pt 8 ps 0.6", "lc rgb '#a03fb0' lw 1"},
    CurveStyle{Curve::Actual, "actual", "lc rgb '#2f8a3f' lw 3 pt 7 ps 0.6",
               "lc rgb '#2f8a3f' lw 1"},
};

/// What is lost between two curves.
struct Gap {
    Curve upper;
    Curve lower;
    const char* name;
    const char* colour;
};

constexpr std::array kGaps{
    Gap{Curve::Linear, Curve::Maximal, "scheduling overhead", "#d0741f"},
    Gap{Curve::Maximal, Curve::IdleSpecific, "idle time", "#1f6fd0"},
    Gap{Curve::IdleSpecific, Curve::Actual, "work inflation", "#2f8a3f"},
};

/// A part of the bar.
struct Share {
    std::string label;
    const char* colour;
    double part;  ///< of all processor time, at least 0
};

/// "idle time 12 ± 3 %"; where the noise is larger than what is measured: "idle time below noise,
/// 3 %".
std::string labelOf(const char* name, const Loss& loss) {
    const double noise = std::round(100 * loss.noise);
    if (!loss.isKnown()) return fmt::format("{} below noise, {:.0f} %", name, noise);
    const double percent = std::round(100 * loss.share) + 0.0;  // -0 is 0
    if (noise == 0) return fmt::format("{} {:.0f} %", name, percent);
    return fmt::format("{} {:.0f} ± {:.0f} %", name, percent, noise);
}

/// From the top of the bar down. Together they are all of it, also where a loss is below the noise
/// and the others come to more.
std::vector<Share> sharesOf(const BenchRow& row) {
    const std::array lost{row.overhead(), row.idling(), row.inflated()};
    const double time = row.running * row.parallel.median;
    const Loss useful{row.sequential.median / time, row.sequential.width() / 2 / time};
    double all = useful.share;
    for (const Loss& loss : lost)
        all += std::max(0.0, loss.share);
    std::vector<Share> shares;
    const auto add = [&](const char* name, const char* colour, Loss loss) {
        if (loss.isKnown()) loss = {loss.share / all, loss.noise / all};
        shares.push_back({labelOf(name, loss), colour, std::max(0.0, loss.share)});
    };
    for (std::size_t i = 0; i < kGaps.size(); ++i)
        add(kGaps[i].name, kGaps[i].colour, lost[i]);
    add("useful work", kUsefulColour, useful);
    return shares;
}

/// In single quotes, where only a quote means something.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') out += '\'';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + "'";
}

std::string number(double value) {
    return std::isfinite(value) ? fmt::format("{:.6g}", value) : "NaN";
}

using Panel = std::vector<const BenchRow*>;

std::vector<Panel> panelsOf(const BenchResult& result) {
    std::vector<Panel> panels;
    for (const BenchRow& row : result.rows) {
        if (panels.empty() || panels.back().front()->model != row.model) panels.emplace_back();
        panels.back().push_back(&row);
    }
    return panels;
}

double topOf(const BenchResult& result) {
    double most = 1;
    for (const BenchRow& row : result.rows)
        most = std::max(most, row.speedup(Curve::Linear));
    double top = most;
    for (const BenchRow& row : result.rows) {
        for (std::size_t i = 0; i < kCurveCount; ++i) {
            const double high = std::max(row.speedups[i], row.range(static_cast<Curve>(i)).high);
            top = std::isfinite(high) ? std::clamp(high, top, kMostAboveLinear * most) : top;
        }
    }
    return top * kHeadRoom;
}

/// Columns: threads, the curves in their order, then the lowest and the highest of each.
std::string data(const Panel& panel, std::size_t index) {
    std::string text = fmt::format("$p{} << EOD\n", index);
    for (const BenchRow* row : panel) {
        text += fmt::format("{}", row->threads);
        for (const double value : row->speedups)
            text += " " + number(value);
        for (std::size_t i = 0; i < kCurveCount; ++i) {
            const Range range = row->range(static_cast<Curve>(i));
            text += fmt::format(" {} {}", number(range.low), number(range.high));
        }
        text += "\n";
    }
    return text + "EOD\n";
}

/// What the panel shows of the threads.
Range threadsOf(const Panel& panel) {
    const double first = panel.front()->threads;
    const double last = panel.back()->threads;
    const double margin = last > first ? 0.04 * (last - first) : 1;
    return {first - margin, last + margin};
}

/// As in the table: 4 (2) where two of four threads run at once, for which linear is 2.
std::string axes(const Panel& panel) {
    const Range range = threadsOf(panel);
    std::string tics;
    bool isShared = false;
    for (const BenchRow* row : panel) {
        if (!tics.empty()) tics += ", ";
        if (row->running != row->threads)
            tics += fmt::format("'{} ({})' ", row->threads, row->running);
        tics += fmt::format("{}", row->threads);
        isShared |= row->running != row->threads;
    }
    return fmt::format("set title {}\nset xrange [{:.6g}:{:.6g}]\nset xtics ({})\nset xlabel {}\n",
                       quoted(panel.front()->model), range.low, range.high, tics,
                       quoted(isShared ? "threads (that run at once)" : "threads"));
}

/// The bar beside the panel: each part as long as its share, with a label. In parts of the panel's
/// height.
std::string shareBar(const BenchRow& row) {
    std::string text = "unset arrow\nunset label\nunset object\n";
    const std::vector<Share> shares = sharesOf(row);
    double all = 0;
    for (const Share& share : shares)
        all += share.part;
    std::vector<double> middles;
    double top = 1;
    for (const Share& share : shares) {
        const double bottom = top - share.part / all;
        text += fmt::format("set object rectangle from graph 1.02, graph {:.6g} to graph 1.045, "
                            "graph {:.6g} noclip fc rgb '{}' fs solid noborder\n",
                            bottom, top, share.colour);
        middles.push_back((top + bottom) / 2);
        top = bottom;
    }
    const std::vector<double> places = spreadLabels(middles, kLabelShare, 1);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        text += fmt::format("set arrow from graph 1.05, graph {:.6g} to graph 1.075, graph {:.6g} "
                            "nohead lc rgb '{}'\n",
                            middles[i], places[i], shares[i].colour);
        text += fmt::format("set label {} at graph 1.08, graph {:.6g} left textcolor rgb '{}'\n",
                            quoted(shares[i].label), places[i], shares[i].colour);
    }
    return text;
}

/// The column of the lowest of a curve; the highest is the next one.
int lowestColumn(Curve curve) {
    return 2 + static_cast<int>(kCurveCount) + 2 * static_cast<int>(curve);
}

/// Around linear a band: how far the sequential runs lie apart, on which all is based. The others
/// have bars from the slowest to the fastest run, beside each other.
std::string plot(const Panel& panel, std::size_t index) {
    const int band = lowestColumn(Curve::Linear);
    const Range threads = threadsOf(panel);
    std::string text = fmt::format("plot $p{} using 1:{}:{} with filledcurves fc rgb '#444444' fs "
                                   "transparent solid 0.25 title 'sequential runs', \\\n     ",
                                   index, band, band + 1);
    for (const Gap& gap : kGaps)
        text += fmt::format("$p{} using 1:{}:{} with filledcurves fc rgb '{}' fs transparent solid "
                            "0.15 notitle, \\\n     ",
                            index, static_cast<int>(gap.upper) + 2, static_cast<int>(gap.lower) + 2,
                            gap.colour);
    for (const CurveStyle& curve : kCurves) {
        const int lowest = lowestColumn(curve.curve);
        const double aside = (static_cast<int>(curve.curve) - static_cast<int>(Curve::IdleSpecific))
                             * kBarDistance * (threads.high - threads.low);
        if (curve.curve != Curve::Linear)
            text += fmt::format("$p{0} using ($1{1:+.6g}):{2}:(0):(${3}-${2}) with vectors heads "
                                "size graph 0.006,90 {4} notitle, \\\n     ",
                                index, aside, lowest, lowest + 1, curve.bars);
        text += fmt::format("$p{} using 1:{} with linespoints {} title {}{}", index,
                            static_cast<int>(curve.curve) + 2, curve.style, quoted(curve.title),
                            &curve == &kCurves.back() ? "\n" : ", \\\n     ");
    }
    return text;
}

}  // namespace

std::vector<double> spreadLabels(std::vector<double> wanted, double distance, double top) {
    double ceiling = top;
    for (double& place : wanted) {
        place = std::min(place, ceiling);
        ceiling = place - distance;
    }
    double floor = 0;
    for (auto place = wanted.rbegin(); place != wanted.rend(); ++place) {
        *place = std::max(*place, floor);
        floor = *place + distance;
    }
    return wanted;
}

std::string pictureScript(const BenchResult& result) {
    const std::vector<Panel> panels = panelsOf(result);
    const double top = topOf(result);
    std::string text =
        fmt::format("set terminal svg size {},{} font 'sans-serif,12' background 'white'\n"
                    "set termoption noenhanced\n",
                    kPanelWidth * panels.size(), kPanelHeight);
    for (std::size_t i = 0; i < panels.size(); ++i)
        text += data(panels[i], i);
    text += fmt::format(
        "set multiplot layout 1,{} title {}\n", panels.size(),
        quoted(fmt::format("{}: speedup over a sequential run, {} cycles; medians, min to max of "
                           "{} runs",
                           result.file, result.rows.front().cycles, result.repeats)));
    text +=
        fmt::format("set ylabel 'speedup'\nset yrange [0:{:.6g}]\nset grid "
                    "lc rgb '#dddddd'\nset key below center vertical maxrows 4\nset rmargin 36\n",
                    top);
    for (std::size_t i = 0; i < panels.size(); ++i)
        text += axes(panels[i]) + shareBar(*panels[i].back()) + plot(panels[i], i);
    return text + "unset multiplot\n";
}

}  // namespace smec::driver
