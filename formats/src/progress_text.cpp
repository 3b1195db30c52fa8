#include "formats/progress_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace sme {
namespace {

constexpr unsigned kUsualColumns = 80;
constexpr std::size_t kLongestBar = 40;
constexpr std::size_t kShortestBar = 8;

std::string printed(const char* pattern, double number) {
    char text[64];
    std::snprintf(text, sizeof text, pattern, number);
    return text;
}

bool isLimited(const Progress& progress) {
    return progress.limit != ~std::uint64_t{0} && progress.limit > 0;
}

double shareOf(const Progress& progress) {
    const double share = static_cast<double>(progress.done) / static_cast<double>(progress.limit);
    return std::min(share, 1.0);
}

std::string percentage(const Progress& progress) {
    return printed("%.0f %%", std::floor(100 * shareOf(progress)));
}

std::string rateText(const Progress& progress) {
    return withPrefix(progress.perSecond) + " cycles/s";
}

/// ", 2.5 s left"; empty when nobody knows.
std::string restText(const Progress& progress) {
    double left = progress.timeout > 0 ? progress.timeout - progress.seconds : INFINITY;
    if (isLimited(progress) && progress.done > progress.first) {
        const auto over = static_cast<double>(progress.done - progress.first);
        const auto still =
            static_cast<double>(progress.limit - std::min(progress.done, progress.limit));
        left = std::min(left, still * progress.seconds / over);
    }
    return std::isfinite(left) ? ", " + durationText(std::max(0.0, left)) + " left" : "";
}

}  // namespace

std::string durationText(double seconds) {
    if (seconds < 59.95) return printed("%.1f s", seconds);
    const auto whole = static_cast<std::uint64_t>(std::min(seconds + 0.5, 1e15));
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

std::string withPrefix(double number) {
    const char* prefixes[] = {"", " k", " M", " G", " T", " P"};
    std::size_t i = 0;
    while (number >= 999.5 && i + 1 < std::size(prefixes)) {
        number /= 1000;
        ++i;
    }
    return printed(number >= 100 ? "%.0f" : number >= 10 ? "%.1f" : "%.2f", number) + prefixes[i];
}

std::string progressLine(const Progress& progress) {
    std::string line = "cycle " + std::to_string(progress.done);
    if (isLimited(progress))
        line += " of " + std::to_string(progress.limit) + " (" + percentage(progress) + ")";
    return line + ", " + rateText(progress) + ", " + durationText(progress.seconds)
           + restText(progress);
}

std::string progressBar(const Progress& progress, unsigned columns) {
    const std::size_t room = columns > 0 ? columns - 1 : 0;
    const std::string text = isLimited(progress) ? " " + percentage(progress) + ", "
                                                       + rateText(progress) + restText(progress)
                                                 : progressLine(progress);
    const std::size_t brackets = 2;
    if (!isLimited(progress) || room < text.size() + brackets + kShortestBar)
        return progressLine(progress).substr(0, room);
    const std::size_t length = std::min(room - text.size() - brackets, kLongestBar);
    const auto filled = static_cast<std::size_t>(shareOf(progress) * static_cast<double>(length));
    return "[" + std::string(filled, '=') + std::string(length - filled, ' ') + "]" + text;
}

unsigned terminalColumns(int descriptor) {
    if (isatty(descriptor) == 0) return 0;
    winsize size{};
    const bool isKnown = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return isKnown ? size.ws_col : kUsualColumns;
}

}  // namespace sme
