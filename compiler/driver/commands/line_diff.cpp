#include "driver/commands/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

// Myers, "An O(ND) Difference Algorithm and Its Variations" (1986): the furthest point on each
// diagonal for each number of changes, then back along what was kept. Its memory grows with the
// square of the number of changes, so that beyond kMaxChanges everything between the common start
// and the common end counts as changed.

namespace smec::driver {
namespace {

constexpr int kMaxChanges = 2000;
constexpr std::size_t kContext = 3;

std::vector<std::string_view> splitLines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

using Lines = std::vector<std::string_view>;

/// Lines [a, aEnd) of the old text become lines [b, bEnd) of the new one.
struct Change {
    std::size_t a, aEnd, b, bEnd;
};

class Myers {
public:
    Myers(const Lines& a, const Lines& b, std::size_t skip, std::size_t aEnd, std::size_t bEnd)
        : a_(a),
          b_(b),
          skip_(skip),
          n_(static_cast<int>(aEnd - skip)),
          m_(static_cast<int>(bEnd - skip)) {}

    std::vector<Change> run() {
        const int most = std::min(n_ + m_, kMaxChanges);
        furthest_.assign(static_cast<std::size_t>(2 * most + 3), 0);
        middle_ = most + 1;
        for (int d = 0; d <= most; ++d) {
            const bool arrived = advance(d);
            history_.emplace_back(furthest_.begin() + (middle_ - d - 1),
                                  furthest_.begin() + (middle_ + d + 2));
            if (arrived) return back(d);
        }
        return {{skip_, skip_ + static_cast<std::size_t>(n_), skip_,
                 skip_ + static_cast<std::size_t>(m_)}};
    }

private:
    int& at(int k) { return furthest_[static_cast<std::size_t>(middle_ + k)]; }

    bool isDown(int k, int d, int below, int above) const {
        return k == -d || (k != d && below < above);
    }

    bool same(int x, int y) const {
        return a_[skip_ + static_cast<std::size_t>(x)] == b_[skip_ + static_cast<std::size_t>(y)];
    }

    bool advance(int d) {
        for (int k = -d; k <= d; k += 2) {
            int x = isDown(k, d, at(k - 1), at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
            while (x < n_ && x - k < m_ && x - k >= 0 && same(x, x - k))
                ++x;
            at(k) = x;
            if (x >= n_ && x - k >= m_) return true;
        }
        return false;
    }

    std::vector<Change> back(int d) const {
        std::vector<Change> changes;
        int x = n_;
        int y = m_;
        for (; d > 0; --d) {
            const std::vector<int>& v = history_[static_cast<std::size_t>(d) - 1];
            const auto old = [&](int k) {  // history of d - 1 starts with diagonal -d
                const int i = k + d;
                return i < 0 || i >= static_cast<int>(v.size()) ? 0
                                                                : v[static_cast<std::size_t>(i)];
            };
            const int k = x - y;
            const bool down = isDown(k, d, old(k - 1), old(k + 1));
            const int fromX = old(down ? k + 1 : k - 1);
            const int fromY = fromX - (down ? k + 1 : k - 1);
            add(changes, fromX, fromY, down);
            x = fromX;
            y = fromY;
        }
        std::reverse(changes.begin(), changes.end());
        return changes;
    }

    void add(std::vector<Change>& changes, int x, int y, bool down) const {
        const std::size_t a = skip_ + static_cast<std::size_t>(x);
        const std::size_t b = skip_ + static_cast<std::size_t>(y);
        changes.push_back({a, a + (down ? 0 : 1), b, b + (down ? 1 : 0)});
    }

    const Lines& a_;
    const Lines& b_;
    std::size_t skip_;
    int n_;
    int m_;
    int middle_ = 0;
    std::vector<int> furthest_;
    std::vector<std::vector<int>> history_;
};

std::vector<Change> changesBetween(const Lines& a, const Lines& b) {
    std::size_t skip = 0;
    while (skip < a.size() && skip < b.size() && a[skip] == b[skip])
        ++skip;
    std::size_t aEnd = a.size();
    std::size_t bEnd = b.size();
    while (aEnd > skip && bEnd > skip && a[aEnd - 1] == b[bEnd - 1]) {
        --aEnd;
        --bEnd;
    }
    if (aEnd == skip && bEnd == skip) return {};
    return Myers(a, b, skip, aEnd, bEnd).run();
}

void addLine(std::string& text, char mark, std::string_view line) {
    text += mark;
    text += line;
    if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
}

std::string hunkRange(std::size_t first, std::size_t count) {
    return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

/// The changes [from, to), with what lies between and around them.
std::string hunk(const Lines& a, const Lines& b, const std::vector<Change>& changes,
                 std::size_t from, std::size_t to) {
    const std::size_t before = std::min(kContext, changes[from].a);
    const std::size_t start = changes[from].a - before;
    const std::size_t end = std::min(a.size(), changes[to - 1].aEnd + kContext);
    const std::size_t bStart = changes[from].b - before;
    const std::size_t bEnd = changes[to - 1].bEnd + (end - changes[to - 1].aEnd);
    std::string text = fmt::format("@@ -{} +{} @@\n", hunkRange(start, end - start),
                                   hunkRange(bStart, bEnd - bStart));
    std::size_t line = start;
    for (std::size_t i = from; i < to;) {
        for (; line < changes[i].a; ++line)
            addLine(text, ' ', a[line]);
        std::size_t last = i;  // changes that touch: what goes first, then what comes
        while (last + 1 < to && changes[last + 1].a == changes[last].aEnd)
            ++last;
        for (std::size_t k = i; k <= last; ++k) {
            for (; line < changes[k].aEnd; ++line)
                addLine(text, '-', a[line]);
        }
        for (std::size_t k = i; k <= last; ++k) {
            for (std::size_t added = changes[k].b; added < changes[k].bEnd; ++added)
                addLine(text, '+', b[added]);
        }
        i = last + 1;
    }
    for (; line < end; ++line)
        addLine(text, ' ', a[line]);
    return text;
}

}  // namespace

std::string lineDiff(std::string_view before, std::string_view after, std::string_view name) {
    const Lines a = splitLines(before);
    const Lines b = splitLines(after);
    const std::vector<Change> changes = changesBetween(a, b);
    if (changes.empty()) return {};
    std::string text = fmt::format("--- {0}\n+++ {0}\n", name);
    for (std::size_t from = 0; from < changes.size();) {
        std::size_t to = from + 1;
        while (to < changes.size() && changes[to].a - changes[to - 1].aEnd <= 2 * kContext)
            ++to;
        text += hunk(a, b, changes, from, to);
        from = to;
    }
    return text;
}

}  // namespace smec::driver
