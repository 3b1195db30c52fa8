#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/ir.h"
#include "source/graph.h"

/// Which classes read which. Nodes are classes, by number; an edge is a run of a connection that
/// comes from a plane which a class drives.
namespace smec::ir {

struct Read {
    std::uint32_t writer;  ///< class
    std::uint32_t reader;  ///< class
    std::uint32_t input;   ///< of the reader
    const Run* run;        ///< instances of the reader
    const Plane* plane;    ///< that run->plane is
    /// Whether the reader runs after the writer in every cycle.
    bool isInSameCycle() const { return plane->combinational; }
    /// The writer's instance that the reader's instance run->first + i reads.
    std::uint32_t source(std::uint32_t i) const {
        const std::int64_t element = run->start + std::int64_t(i) * run->stride;
        return static_cast<std::uint32_t>(element / plane->perOwner);
    }
};

/// Calls `use(const Read&)` for what one class reads of others and itself, in the order of its
/// inputs, elements and runs.
template <typename F>
void forEachRead(const Design& design, std::uint32_t reader, F&& use) {
    const std::vector<Input>& inputs = design.classes[reader].inputs;
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        for (const Connection& connection : inputs[i].elements) {
            for (const Run& run : connection.runs) {
                const Plane& plane = design.planes[run.plane.index];
                if (plane.kind == PlaneKind::Output && plane.owner.valid())
                    use(Read{plane.owner.index, reader, i, &run, &plane});
            }
        }
    }
}

/// The reads of the cycle in which a field is written, between classes. A picture of the design
/// when it was made: it holds no reference to it.
class ReaderGraph {
public:
    explicit ReaderGraph(const Design& design);

    /// Classes that one reads, in ascending order; none of a clocked one, which starts a new cycle.
    std::span<const std::uint32_t> sourcesOf(std::uint32_t cls) const { return sources_[cls]; }
    /// Classes that read one, in ascending order, clocked ones too.
    std::span<const std::uint32_t> readersOf(std::uint32_t cls) const { return readers_[cls]; }
    /// From each class to those that read it.
    const Graph& readers() const { return readers_; }
    bool isCombinational(std::uint32_t cls) const { return isCombinational_[cls]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(sources_.size()); }

    /// The longest path to each class; clocked ones: 0; kEndless in and after cycles.
    std::vector<std::uint32_t> levels() const;
    /// The strongly connected components of the combinational classes, sources first.
    NodeLists components() const;
    /// Whether a class of a component reads another one of it, or itself.
    bool isCyclic(std::span<const std::uint32_t> component) const {
        return smec::isCyclic(sources_, component);
    }

private:
    Graph sources_, readers_;
    std::vector<bool> isCombinational_;
};

}  // namespace smec::ir
