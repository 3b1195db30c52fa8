// What is called of METIS 5 is the same in each version of it. Its numbers have 32 or 64 bits, which
// its default options tell, as many bytes that are all ones. No options are given, whose places change
// with the version, and no floats.

#include "schedule/metis.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <utility>

#include <sme/fnv1a.h>

#include "schedule/target.h"

namespace sme {
namespace {

constexpr const char* kLibrary = "libmetis.so.5";
constexpr std::size_t kOptions = 40;
constexpr int kWentWell = 1;
constexpr int kOutOfMemory = -3;

/// METIS draws from rand(), which foreign code may, too, and catches signals meanwhile.
class Undisturbed {
public:
    Undisturbed() : kept_(initstate(1, state_.data(), state_.size())) {
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            sigaction(kSignals[i], nullptr, &actions_[i]);
    }
    ~Undisturbed() {
        setstate(kept_);
        for (std::size_t i = 0; i < kSignals.size(); ++i)
            sigaction(kSignals[i], &actions_[i], nullptr);
    }
    Undisturbed(const Undisturbed&) = delete;
    Undisturbed& operator=(const Undisturbed&) = delete;

private:
    static constexpr std::array<int, 2> kSignals{SIGABRT, SIGTERM};
    std::array<char, 128> state_{};
    std::array<struct sigaction, kSignals.size()> actions_{};
    char* kept_;
};

/// A graph in METIS's form: the neighbours of i are neighbours[begins[i]] …
template <typename Index>
struct MetisGraph {
    std::vector<Index> begins{0};
    std::vector<Index> neighbours;
    std::vector<Index> bytes;
    std::vector<Index> costs;  ///< by vertex, then what is balanced by itself
    Index balanced = 1;
};

std::uint32_t countLevels(const CutGraph& graph) {
    std::uint32_t levels = 0;
    for (const CutGraph::Vertex& vertex : graph.vertices)
        levels = std::max(levels, vertex.level + 1);
    return levels;
}

/// Levels are balanced by themselves.
template <typename Index>
void weigh(const CutGraph& graph, MetisGraph<Index>& all) {
    const std::uint32_t levels = countLevels(graph);
    std::vector<double> sums(levels);
    for (const CutGraph::Vertex& vertex : graph.vertices)
        sums[vertex.level] += vertex.cost;
    all.balanced = static_cast<Index>(levels);
    all.costs.resize(graph.vertices.size() * levels);
    for (std::size_t i = 0; i < graph.vertices.size(); ++i) {
        const std::uint32_t level = graph.vertices[i].level;
        const double part = graph.vertices[i].cost / std::max(sums[level], target::kLeastGain);
        all.costs[i * levels + level] =
            std::max(Index{1}, static_cast<Index>(part * target::kMetisSum));
    }
}

template <typename Index>
MetisGraph<Index> metisGraphOf(const CutGraph& graph) {
    MetisGraph<Index> all;
    weigh(graph, all);
    double sum = target::kLeastGain;
    for (const CutGraph::Edge& edge : graph.edges)
        sum += edge.bytes;
    const double scale = std::min(1.0, target::kMetisSum / sum);
    const Neighbours neighbours(graph);
    for (std::uint32_t i = 0; i < graph.vertices.size(); ++i) {
        for (const Neighbours::Neighbour& each : neighbours.of(i)) {
            all.neighbours.push_back(static_cast<Index>(each.vertex));
            all.bytes.push_back(
                std::max(Index{1}, static_cast<Index>(std::round(each.bytes * scale))));
        }
        all.begins.push_back(static_cast<Index>(all.neighbours.size()));
    }
    return all;
}

/// Two groups of four, each vertex tied to those of its own, and one edge between the groups.
CutGraph twoGroups() {
    CutGraph graph{std::vector<CutGraph::Vertex>(8, {1, 0}), {{0, 5, 1}}};
    for (std::uint32_t i = 0; i < 8; ++i)
        for (std::uint32_t other = i % 2; other < i; other += 2)
            graph.edges.push_back({other, i, 9});
    return graph;
}

/// Which of its cuts into seven is best is a matter of chance.
CutGraph closedGrid() {
    constexpr std::uint32_t kSide = 24;
    CutGraph graph{std::vector<CutGraph::Vertex>(kSide * kSide, {1, 0}), {}};
    for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
        graph.edges.push_back({i, (i + kSide) % (kSide * kSide), 4});
        graph.edges.push_back({i, i / kSide * kSide + (i + 1) % kSide, 4});
    }
    return graph;
}

std::uint64_t hashOf(const std::vector<unsigned>& partOf) {
    std::uint64_t hash = kFnv1aStart;
    for (const unsigned part : partOf)
        hash = fnv1aStep(hash, part);
    return hash;
}

/// As find() got on.
struct Search {
    std::string problem;
    std::optional<Metis> found = Metis::load(kLibrary, problem);
};

const Search& search() {
    static const Search once;
    return once;
}

}  // namespace

const Metis* Metis::find() { return search().found ? &*search().found : nullptr; }

const std::string& Metis::problem() { return search().problem; }

std::optional<Metis> Metis::load(const char* library, std::string& problem) {
    void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return problem = dlerror(), std::nullopt;
    Metis metis;
    void* const setDefaults = dlsym(handle, "METIS_SetDefaultOptions");
    metis.bisect_ = dlsym(handle, "METIS_PartGraphRecursive");
    problem = std::string(library) + " does not cut a graph as METIS 5 does";
    if (!setDefaults || !metis.bisect_) return std::nullopt;
    std::array<std::int64_t, 2 * kOptions> room{};
    reinterpret_cast<int (*)(void*)>(setDefaults)(room.data());
    const auto* const bytes = reinterpret_cast<const unsigned char*>(room.data());
    const auto written = static_cast<std::size_t>(std::find(bytes, bytes + sizeof room, 0) - bytes);
    metis.width_ = written / kOptions;
    if (written % kOptions != 0 || (metis.width_ != 4 && metis.width_ != 8)) return std::nullopt;
    try {
        const std::vector<unsigned> partOf = metis.cutRaw(twoGroups(), 2);
        for (std::size_t i = 0; i < partOf.size(); ++i)
            if (partOf[i] != partOf[i % 2] || partOf[0] == partOf[1]) return std::nullopt;
        metis.kind_ = hashOf(metis.cutRaw(closedGrid(), 7));
    } catch (const std::runtime_error&) {
        return std::nullopt;
    }
    problem.clear();
    return metis;
}

template <typename Index>
std::vector<unsigned> Metis::call(const CutGraph& graph, unsigned parts) const {
    using Cut = int (*)(Index*, Index*, Index*, Index*, Index*, Index*, Index*, Index*, void*,
                        void*, void*, Index*, Index*);
    MetisGraph<Index> all = metisGraphOf<Index>(graph);
    auto count = static_cast<Index>(graph.vertices.size());
    auto wanted = static_cast<Index>(parts);
    Index cut = 0;
    std::vector<Index> partOf(graph.vertices.size());
    const Undisturbed undisturbed;
    const int status = reinterpret_cast<Cut>(bisect_)(
        &count, &all.balanced, all.begins.data(), all.neighbours.data(), all.costs.data(), nullptr,
        all.bytes.data(), &wanted, nullptr, nullptr, nullptr, &cut, partOf.data());
    if (status == kOutOfMemory) throw std::bad_alloc();
    const auto isPart = [&](Index part) { return part >= 0 && part < wanted; };
    if (status != kWentWell || !std::ranges::all_of(partOf, isPart))
        throw std::runtime_error("METIS cannot cut the design for ranks");
    return {partOf.begin(), partOf.end()};
}

std::vector<unsigned> Metis::cutRaw(const CutGraph& graph, unsigned parts) const {
    return width_ == sizeof(std::int32_t) ? call<std::int32_t>(graph, parts)
                                          : call<std::int64_t>(graph, parts);
}

std::vector<unsigned> Metis::cut(const CutGraph& graph, unsigned parts) const {
    const bool suits =
        parts > 1 && graph.vertices.size() > parts && countLevels(graph) <= target::kMetisLevels;
    if (!suits) return cutGraph(graph, parts);
    return improveCut(graph, cutRaw(graph, parts), parts);
}

}  // namespace sme
