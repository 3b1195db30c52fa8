// METIS bisects the graph of groups, an edge for every field that one reads of the other, then each
// half, and so on; it numbers the leaves so that each half's are consecutive. Eight groups, each of
// which reads the one two places in front of it, and 6 also 5, two leaves:
//
//   source order   0 1 2 3 | 4 5 6 7     cuts 2→4, 3→5
//   min-cut order  0 2 4 6 | 1 3 5 7     cuts 5→6
//
// Source order stays where that does not save much: it moves nothing when the wiring changes.

#include "plan/mincut.h"

#include <metis.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "ir/reader_graph.h"
#include "plan/target.h"

namespace smec::plan {
namespace {

constexpr std::uint32_t kNoGroup = UINT32_MAX;

double totalCost(const std::vector<StepGroup>& groups) {
    double cost = 0;
    for (const StepGroup& group : groups)
        cost += group.cost;
    return cost;
}

/// A plane of the groups' and the groups that read it, but for its writer.
struct Field {
    ir::PlaneId plane;
    std::uint32_t writer;
    std::vector<std::uint32_t> readers;
};

std::vector<std::uint32_t> groupsOfClasses(const ir::Design& design,
                                           const std::vector<StepGroup>& groups) {
    std::vector<std::uint32_t> groupOf(design.classes.size(), kNoGroup);
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
        for (const InstanceRef& step : groups[i].steps)
            if (!design.classes[step.cls.index].combinational) groupOf[step.cls.index] = i;
    }
    return groupOf;
}

/// What crosses from one cycle to the next between groups. Combinational fields do not: who reads
/// them is in their group.
std::vector<Field> fieldsOf(const ir::Design& design, const std::vector<StepGroup>& groups) {
    const std::vector<std::uint32_t> groupOf = groupsOfClasses(design, groups);
    std::vector<Field> fields;
    std::vector<std::uint32_t> fieldOf(design.planes.size(), kNoGroup);
    const auto addRead = [&](const ir::Read& read, std::uint32_t reader) {
        const std::uint32_t writer = groupOf[read.writer];
        if (writer == kNoGroup || writer == reader) return;
        const ir::PlaneId plane = read.run->plane;
        std::uint32_t& field = fieldOf[plane.index];
        if (field == kNoGroup) {
            field = static_cast<std::uint32_t>(fields.size());
            fields.push_back({plane, writer, {}});
        }
        std::vector<std::uint32_t>& readers = fields[field].readers;
        if (readers.empty() || readers.back() != reader) readers.push_back(reader);
    };
    for (std::uint32_t i = 0; i < groups.size(); ++i) {
        for (const InstanceRef& step : groups[i].steps) {
            ir::forEachRead(design, step.cls.index,
                            [&](const ir::Read& read) { addRead(read, i); });
        }
    }
    return fields;
}

/// METIS's form of a graph: the neighbours of i are neighbours[begins[i]] …
/// neighbours[begins[i+1]-1].
struct MetisGraph {
    std::vector<idx_t> begins{0};
    std::vector<idx_t> neighbours;
    std::vector<idx_t> edgeWeights;  ///< fields read, in either direction
    std::vector<idx_t> vertexWeights;
};

/// None is more than half of a leaf, so that METIS is never left with a part without vertices.
std::vector<idx_t> weightsOf(const std::vector<StepGroup>& groups, std::uint32_t leaves) {
    std::vector<double> costs;
    for (const StepGroup& group : groups)
        costs.push_back(std::max(group.cost, 1.0));
    std::vector<double> sorted = costs;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double most = target::kMedianWeight * static_cast<double>(groups.size() / leaves) / 4;
    std::vector<idx_t> weights;
    for (const double cost : costs) {
        const double power = std::max(std::round(std::log2(cost / *middle) / 2), -2.0);
        weights.push_back(
            static_cast<idx_t>(std::min(target::kMedianWeight * std::exp2(2 * power), most)));
    }
    return weights;
}

MetisGraph graphOf(const std::vector<StepGroup>& groups, const std::vector<Field>& fields,
                   std::uint32_t leaves) {
    std::vector<std::map<std::uint32_t, idx_t>> edges(groups.size());
    for (const Field& field : fields) {
        for (const std::uint32_t reader : field.readers) {
            ++edges[field.writer][reader];
            ++edges[reader][field.writer];
        }
    }
    MetisGraph graph;
    for (const auto& neighbours : edges) {
        for (const auto& [neighbour, weight] : neighbours) {
            graph.neighbours.push_back(static_cast<idx_t>(neighbour));
            graph.edgeWeights.push_back(weight);
        }
        graph.begins.push_back(static_cast<idx_t>(graph.neighbours.size()));
    }
    graph.vertexWeights = weightsOf(groups, leaves);
    return graph;
}

/// Per group its leaf; empty where METIS fails.
std::vector<idx_t> bisect(MetisGraph graph, std::uint32_t leaves) {
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NUMBERING] = 0;
    idx_t vertices = static_cast<idx_t>(graph.vertexWeights.size()), constraints = 1;
    idx_t parts = static_cast<idx_t>(leaves), cut = 0;
    std::vector<idx_t> leafOf(graph.vertexWeights.size());
    const int status = METIS_PartGraphRecursive(&vertices, &constraints, graph.begins.data(),
                                                graph.neighbours.data(), graph.vertexWeights.data(),
                                                nullptr, graph.edgeWeights.data(), &parts, nullptr,
                                                nullptr, options, &cut, leafOf.data());
    return status == METIS_OK ? leafOf : std::vector<idx_t>{};
}

/// Enough for the bounds of a block, unless groups are few: a power of two or, where there are
/// many, a multiple of one, so that halves, quarters and eighths of the list are whole leaves. 1:
/// one block holds all.
std::uint32_t leafCount(const std::vector<StepGroup>& groups, const Options& options) {
    double statements = 0;
    for (const StepGroup& group : groups)
        statements += static_cast<double>(group.statements);
    const double blocks =
        std::max(statements / options.blockStatements, totalCost(groups) / options.blockCost);
    if (blocks <= 1) return 1;
    const double wanted = std::min(std::ceil(blocks / target::kLeafFill),
                                   static_cast<double>(groups.size() / target::kGroupsPerLeaf));
    const auto needed = static_cast<std::uint32_t>(wanted);
    if (needed <= 8) return std::bit_ceil(needed);
    const std::uint32_t step = std::max(4u, std::bit_ceil(needed) / 8);
    return (needed + step - 1) / step * step;
}

/// How many fields are cut when the list in an order is cut into 2, 4 and 8 parts of equal cost.
std::uint64_t cutFields(const std::vector<StepGroup>& groups, const std::vector<Field>& fields,
                        const std::vector<std::uint32_t>& order) {
    const double total = std::max(totalCost(groups), 1.0);
    std::uint64_t count = 0;
    std::vector<std::uint32_t> partOf(groups.size());
    for (const std::uint32_t parts : target::cutParts()) {
        double before = 0;
        for (const std::uint32_t i : order) {
            partOf[i] = static_cast<std::uint32_t>((before + groups[i].cost / 2) / total * parts);
            before += groups[i].cost;
        }
        for (const Field& field : fields) {
            count += std::any_of(field.readers.begin(), field.readers.end(), [&](std::uint32_t r) {
                return partOf[r] != partOf[field.writer];
            });
        }
    }
    return count;
}

/// The depth at which two leaves part. As METIS does it, the smaller half goes first.
std::uint8_t depthOf(std::uint32_t a, std::uint32_t b, std::uint32_t leaves) {
    if (a == b) return kNotCut;
    std::uint32_t begin = 0;
    for (std::uint8_t depth = 0;; ++depth) {
        const std::uint32_t middle = begin + leaves / 2;
        if ((a < middle) != (b < middle)) return depth;
        leaves = a < middle ? leaves / 2 : leaves - leaves / 2;
        if (a >= middle) begin = middle;
    }
}

/// Orders the groups of a leaf so that those stand next to each other that read the same fields:
/// the C++ compiler then loads them once and does not keep them for long. Chains of groups that
/// share fields are walked from their ends.
class Arranger {
public:
    Arranger(const std::vector<Field>& fields, std::size_t groups)
        : fields_(fields), reads_(groups), isOpen_(groups, false) {
        for (std::uint32_t i = 0; i < fields.size(); ++i) {
            if (fields[i].readers.size() > target::kManyReaders) continue;
            for (const std::uint32_t reader : fields[i].readers)
                reads_[reader].push_back(i);
        }
    }

    void arrange(std::vector<std::uint32_t>& leaf) {
        for (const std::uint32_t i : leaf)
            isOpen_[i] = true;
        std::vector<std::pair<std::size_t, std::uint32_t>> starts;
        for (const std::uint32_t i : leaf)
            starts.emplace_back(sharersOf(i).size(), i);
        std::sort(starts.begin(), starts.end());
        leaf.clear();
        for (const auto& [sharers, start] : starts) {
            if (isOpen_[start]) walk(start, leaf);
        }
    }

private:
    /// Groups of the leaf without a place that read a field that this one reads.
    std::vector<std::uint32_t> sharersOf(std::uint32_t group) const {
        std::vector<std::uint32_t> sharers;
        for (const std::uint32_t field : reads_[group]) {
            for (const std::uint32_t reader : fields_[field].readers)
                if (reader != group && isOpen_[reader]) sharers.push_back(reader);
        }
        return sharers;
    }

    void walk(std::uint32_t group, std::vector<std::uint32_t>& leaf) {
        while (true) {
            isOpen_[group] = false;
            leaf.push_back(group);
            const std::vector<std::uint32_t> sharers = sharersOf(group);
            if (sharers.empty()) return;
            group = sharers.front();
        }
    }

    const std::vector<Field>& fields_;
    std::vector<std::vector<std::uint32_t>> reads_;  ///< per group, fields that few read
    std::vector<bool> isOpen_;                       ///< in the leaf at hand and without a place
};

/// Fills `depths`.
void measureDepths(const std::vector<Field>& fields, const std::vector<idx_t>& leafOf,
                   MinCutOrder& order) {
    const auto leaves = static_cast<std::uint32_t>(order.leaves.size());
    const auto leaf = [&](std::uint32_t i) { return static_cast<std::uint32_t>(leafOf[i]); };
    for (const Field& field : fields) {
        std::uint8_t& depth = order.depths[field.plane.index];
        for (const std::uint32_t reader : field.readers)
            depth = std::min(depth, depthOf(leaf(field.writer), leaf(reader), leaves));
    }
}

}  // namespace

MinCutOrder orderByMinCut(const ir::Design& design, const Options& options,
                          const std::vector<StepGroup>& groups) {
    using enum rules::Condition;
    const auto fails = [&](const rules::Finding& found) {
        if (found.holds() && options.ledger.allows(rules::Rule::MinimumCut)) return false;
        options.ledger.ask(rules::Rule::MinimumCut, rules::Subject::design(), {found});
        return true;
    };
    const std::uint32_t leaves = leafCount(groups, options);
    if (leaves <= 1) return {};
    const double meanCost = totalCost(groups) / static_cast<double>(groups.size());
    if (fails({WorkOfGroup, meanCost, target::kDearPart * options.blockCost})) return {};

    const std::vector<Field> fields = fieldsOf(design, groups);
    std::vector<std::uint32_t> sourceOrder(groups.size());
    std::iota(sourceOrder.begin(), sourceOrder.end(), 0u);
    const auto before = static_cast<double>(cutFields(groups, fields, sourceOrder));
    const auto all = static_cast<double>(fields.size() * target::cutParts().size());
    if (fails({FieldsCut, before, target::kManyCut * all})) return {};

    const std::vector<idx_t> leafOf = bisect(graphOf(groups, fields, leaves), leaves);
    if (leafOf.empty()) return {};
    MinCutOrder result;
    result.leaves.resize(leaves);
    for (const std::uint32_t i : sourceOrder)
        result.leaves[static_cast<std::size_t>(leafOf[i])].push_back(i);
    std::vector<std::uint32_t> order;
    for (const auto& leaf : result.leaves)
        order.insert(order.end(), leaf.begin(), leaf.end());
    const rules::Finding still{FieldsStillCut, cutFields(groups, fields, order),
                               target::kWorthwhile * before};
    if (!options.ledger.ask(rules::Rule::MinimumCut, rules::Subject::design(), {still})) return {};

    result.depths.assign(design.planes.size(), kNotCut);
    measureDepths(fields, leafOf, result);
    Arranger arranger(fields, groups.size());
    for (std::vector<std::uint32_t>& leaf : result.leaves)
        arranger.arrange(leaf);
    return result;
}

}  // namespace smec::plan
