#include "codegen/cpp/decide/seams.h"

#include <algorithm>
#include <vector>

#include "codegen/cpp/target.h"

namespace smec::codegen::cpp {
namespace {

class SeamJoiner {
public:
    SeamJoiner(const Program& program, const ir::Class& cls, Wiring& wiring)
        : program_(program), cls_(cls), wiring_(wiring), width_(wiring.rowWidth) {}

    void run() {
        for (const Row& row : takeRows())
            add(row);
        keepPending();
        if (wiring_.rowCount() > target::kRowsInCode) extend();
    }

private:
    using Row = std::vector<std::uint32_t>;

    std::vector<Row> takeRows() {
        const std::vector<std::uint32_t> words = std::move(wiring_.rows);
        wiring_.rows.clear();
        std::vector<Row> rows;
        for (auto at = words.begin(); at != words.end(); at += std::ptrdiff_t(width_))
            rows.emplace_back(at, at + std::ptrdiff_t(width_));
        return rows;
    }

    void add(const Row& row) {
        if (!current_.empty() && continues(row)) {
            for (const Row& between : pending_)
                addSeams(between);
            pending_.clear();
            wiring_.rows[last_ + 1] = row[0] + row[1] - current_[0];
        } else if (row[1] <= target::kLongestSeam && !current_.empty()) {
            pending_.push_back(row);
        } else {
            keepPending();
            keep(row);
        }
    }

    /// Whether a row's instances read where those of the current one would if it were longer.
    bool continues(const Row& row) const {
        const std::uint32_t distance = row[0] - current_[0];
        for (const Port& port : wiring_.ports) {
            if (port.isGathered()) continue;
            if (!hasOwnStride(row, port) || !hasOwnStride(current_, port)) return false;
            if (!port.border && planeOf(port, row[0]) != planeOf(port, current_[0])) return false;
            if (std::int64_t(row[port.column])
                != std::int64_t(current_[port.column]) + distance * port.stride)
                return false;
        }
        return true;
    }

    /// What lies between elements of one plane is of its type, and no index leads astray.
    ir::PlaneId planeOf(const Port& port, std::uint32_t instance) const {
        return runOf(connectionOf(cls_, port), instance).plane;
    }

    static bool hasOwnStride(const Row& row, const Port& port) {
        return strideIn(row, port) == port.stride;
    }

    void keep(const Row& row) {
        last_ = wiring_.rows.size();
        current_ = row;
        wiring_.rows.insert(wiring_.rows.end(), row.begin(), row.end());
    }

    static std::int64_t strideIn(const Row& row, const Port& port) {
        return port.tellsStride() ? static_cast<std::int32_t>(row[port.column + 1]) : port.stride;
    }

    void keepPending() {
        for (const Row& row : pending_)
            keep(row);
        pending_.clear();
    }

    void addSeams(const Row& row) {
        for (std::uint32_t i = 0; i < row[1]; ++i) {
            const std::size_t at = wiring_.seams.size();
            wiring_.seams.insert(wiring_.seams.end(), row.begin(), row.end());
            wiring_.seams[at] += i;
            wiring_.seams[at + 1] = 1;
            for (const Port& port : wiring_.ports)
                if (!port.isGathered())
                    wiring_.seams[at + port.column] +=
                        static_cast<std::uint32_t>(i * strideIn(row, port));
        }
    }

    /// Rows that do not go on anywhere take in the short ones before them and the one behind.
    void extend() {
        const std::vector<Row> rows = takeRows();
        std::vector<Row> kept;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Row row = rows[i];
            while (isLong(row) && !kept.empty() && reaches(row, kept.back()[0], kept.back())) {
                addSeams(kept.back());
                for (const Port& port : wiring_.ports)
                    if (!port.isGathered())
                        row[port.column] -=
                            static_cast<std::uint32_t>(kept.back()[1] * port.stride);
                row[0] = kept.back()[0];
                row[1] += kept.back()[1];
                kept.pop_back();
            }
            if (isLong(row) && i + 1 < rows.size()
                && reaches(row, rows[i + 1][0] + rows[i + 1][1] - 1, rows[i + 1])) {
                addSeams(rows[++i]);
                row[1] += rows[i][1];
            }
            kept.push_back(std::move(row));
        }
        for (const Row& row : kept)
            wiring_.rows.insert(wiring_.rows.end(), row.begin(), row.end());
        sortSeams();
    }

    static bool isLong(const Row& row) { return row[1] >= 4 * target::kLongestSeam; }

    /// Whether a long row may go on until an instance of a short one beside it: whatever it reads for
    /// that, of the same planes.
    bool reaches(const Row& row, std::uint32_t instance, const Row& beside) const {
        if (beside[1] > target::kLongestSeam) return false;
        return std::all_of(wiring_.ports.begin(), wiring_.ports.end(), [&](const Port& port) {
            if (port.isGathered()) return true;
            if (port.border || !hasOwnStride(row, port)) return false;
            const ir::PlaneId plane = planeOf(port, row[0] + row[1] / 2);
            const std::int64_t element =
                row[port.column] + (std::int64_t(instance) - row[0]) * port.stride;
            const auto elementOf = [&](std::uint32_t at) {
                return static_cast<std::int64_t>(elementIndex(program_, plane, at));
            };
            const std::uint32_t last = program_.design.planes[plane.index].instances - 1;
            return element >= elementOf(0) && element <= elementOf(last);
        });
    }

    void sortSeams() {
        std::vector<Row> seams;
        for (auto at = wiring_.seams.begin(); at != wiring_.seams.end();
             at += std::ptrdiff_t(width_))
            seams.emplace_back(at, at + std::ptrdiff_t(width_));
        std::sort(seams.begin(), seams.end());
        wiring_.seams.clear();
        for (const Row& seam : seams)
            wiring_.seams.insert(wiring_.seams.end(), seam.begin(), seam.end());
    }

    const Program& program_;
    const ir::Class& cls_;
    Wiring& wiring_;
    const std::size_t width_;
    Row current_;           ///< the last row kept, as it was
    std::size_t last_ = 0;  ///< where it stands
    std::vector<Row> pending_;
};

}  // namespace

void joinSeams(const Program& program, const ir::Class& cls, Wiring& wiring) {
    SeamJoiner(program, cls, wiring).run();
}

std::uint32_t mostSeams(const Wiring& wiring, std::uint32_t span) {
    const auto instance = [&](std::size_t seam) { return wiring.seams[seam * wiring.rowWidth]; };
    std::size_t most = 0;
    for (std::size_t first = 0, last = 0; first < wiring.seamCount(); ++first) {
        while (last < wiring.seamCount() && instance(last) < instance(first) + span)
            ++last;
        most = std::max(most, last - first);
    }
    return static_cast<std::uint32_t>(most);
}

}  // namespace smec::codegen::cpp
