// Specialisations are the nodes of a graph; its strongly connected components are those whose
// instances depend on one another. An instance's level is the longest path to it within its
// component.

#include "rewrite/levels.h"

#include <algorithm>
#include <map>

#include "hir/fields.h"
#include "rewrite/target.h"
#include "source/graph.h"
#include "source/internal_error.h"

namespace smec::rewrite {

namespace {

class Leveller {
public:
    Leveller(const hir::Design& design, const rules::Asker& ledger)
        : design_(design), ledger_(ledger) {}

    std::optional<hir::Design> run() {
        collectEdges();
        if (edges_.empty()) return std::nullopt;
        findComponents();
        std::erase_if(edges_, [&](const Edge& edge) {
            return componentOf(edge.from) != componentOf(edge.to);
        });
        if (edges_.empty()) return std::nullopt;
        for (const Edge& edge : edges_)
            knots_[componentOf(edge.from)];
        levels_ = longestPaths(Graph(static_cast<std::uint32_t>(design_.instances.size()), edges_));
        for (std::uint32_t spec = 0; spec < design_.specs.size(); ++spec) {
            const auto knot = knots_.find(components_[spec]);
            if (knot != knots_.end()) knot->second.push_back(splitOf(spec));
        }
        return split();
    }

private:
    /// The instances of a specialisation by level.
    struct Split {
        std::uint32_t spec;
        std::map<std::uint32_t, std::vector<hir::InstanceId>> levels;
    };

    std::uint32_t specOf(std::uint32_t instance) const {
        return design_.instances[instance].spec.index;
    }
    std::uint32_t componentOf(std::uint32_t instance) const {
        return components_[specOf(instance)];
    }

    /// From each combinational instance to those that read it in the same cycle.
    void collectEdges() {
        for (const hir::Specialisation& spec : design_.specs) {
            if (spec.kind != hir::ProcKind::Combinational) continue;
            for (const hir::InstanceId id : spec.instances) {
                hir::forEachField(
                    design_, id, false,
                    [&](const hir::Port&, std::uint32_t, hir::BusId, std::uint32_t number) {
                        const hir::Field& field = design_.fields[number];
                        if (field.kind == hir::FieldDriver::Combinational)
                            edges_.push_back({field.driver.index, id.index});
                    });
            }
        }
    }

    void findComponents() {
        std::vector<Edge> specs;
        specs.reserve(edges_.size());
        for (const Edge& edge : edges_)
            specs.push_back({specOf(edge.from), specOf(edge.to)});
        std::sort(specs.begin(), specs.end());
        specs.erase(std::unique(specs.begin(), specs.end()), specs.end());
        const auto count = static_cast<std::uint32_t>(design_.specs.size());
        components_.resize(count);
        std::uint32_t number = 0;
        componentsOf(Graph(count, specs)).forEach([&](std::span<const std::uint32_t> component) {
            for (const std::uint32_t spec : component)
                components_[spec] = number;
            ++number;
        });
    }

    Split splitOf(std::uint32_t spec) const {
        Split result{spec, {}};
        for (const hir::InstanceId id : design_.specs[spec].instances) {
            require(levels_[id.index] != kEndless, "combinational cycle between instances");
            result.levels[levels_[id.index]].push_back(id);
        }
        return result;
    }

    bool isWorthwhile(const std::vector<Split>& splits) const {
        std::size_t levels = 0, fewest = SIZE_MAX;
        for (const Split& split : splits) {
            levels += split.levels.size();
            fewest =
                std::min(fewest, design_.specs[split.spec].instances.size() / split.levels.size());
        }
        return ledger_.ask(rules::Rule::LevelClasses, rules::Subject::ofClass(splits.front().spec),
                           {{rules::Condition::InstancesOfLevel, fewest, target::kInstancesOfLevel},
                            {rules::Condition::Levels, levels, target::kLevelsOfChain}});
    }

    std::optional<hir::Design> split() {
        std::optional<hir::Design> result;
        for (auto& [component, splits] : knots_) {
            if (!isWorthwhile(splits)) continue;
            if (!result) result = design_;
            for (Split& split : splits)
                apply(split, *result);
        }
        return result;
    }

    /// The first level keeps the specialisation.
    static void apply(Split& split, hir::Design& result) {
        std::uint32_t at = split.spec;
        for (auto& [level, instances] : split.levels) {
            if (at == UINT32_MAX) {
                at = static_cast<std::uint32_t>(result.specs.size());
                result.specs.push_back(result.specs[split.spec]);
            }
            for (const hir::InstanceId id : instances)
                result.instances[id.index].spec = {at};
            result.specs[at].instances = std::move(instances);
            at = UINT32_MAX;
        }
    }

    const hir::Design& design_;
    const rules::Asker& ledger_;
    std::vector<Edge> edges_;                            ///< between instances
    std::vector<std::uint32_t> components_;              ///< by specialisation
    std::vector<std::uint32_t> levels_;                  ///< by instance
    std::map<std::uint32_t, std::vector<Split>> knots_;  ///< components with edges inside
};

}  // namespace

std::optional<hir::Design> withLevels(const hir::Design& design, const rules::Asker& ledger) {
    return Leveller(design, ledger).run();
}

}  // namespace smec::rewrite
