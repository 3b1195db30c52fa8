#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hdl/body.h"
#include "hir/design.h"
#include "lower/layout.h"

namespace smec::hdl {

constexpr std::uint32_t kNone = UINT32_MAX;

/// A leaf of a field of a bus: what one driver gives to any number of readers.
struct Net {
    hir::BusId bus;
    std::uint32_t field = 0;  ///< of the shape
    std::uint32_t leaf = 0;
    Type type{};
    bool isFloat = false;  ///< what hardware cannot have, so that `type` says nothing
    hir::TypeId scalar;    ///< of one element
    std::uint32_t length = 0;
    enum class Source : std::uint8_t { Constant, Top, Process } source = Source::Constant;
    std::uint32_t driver = kNone;  ///< node
    std::uint32_t delay = 0;       ///< cycles after the driver's output
    bool isExposed = false;
    std::vector<Integer> initial{};        ///< of each element
    std::vector<std::uint32_t> readers{};  ///< nodes
};

/// A node of the instance tree: of hir::Design::instances, or (after them) the body of a process
/// that holds instances.
struct Node {
    std::uint32_t parent = kNone;
    bool isLeaf = false;           ///< a process's body
    std::uint32_t cls = kNone;     ///< ir::Design::classes
    std::uint32_t number = kNone;  ///< among the instances of the class
    hir::InstanceId instance;
    std::vector<std::uint32_t> children{};
};

/// What a port of a class is in the elaborated design.
struct PortLeaf {
    std::uint32_t port = 0, field = 0, leaf = 0;
};

/// The elaborated design as nets between leaves of a tree.
class Netlist {
public:
    Netlist(const hir::Design& design, const ir::Design& lowered);

    const hir::Design& design;
    const ir::Design& lowered;
    std::vector<Node> nodes;
    std::vector<Net> nets;
    std::vector<const hir::Specialisation*> specs;       ///< by class; simulation processes too
    std::vector<std::vector<PortLeaf>> inputs, outputs;  ///< by class and number
    std::vector<std::vector<std::int64_t>> sameAs;       ///< by class and input

    bool isSimulation(std::uint32_t cls) const {
        return specs[cls]->kind == hir::ProcKind::Simulation;
    }
    /// The net at an element of a port of a leaf.
    std::uint32_t netOf(const Node& node, const PortLeaf& leaf, std::uint32_t element) const;
    /// The elements of a port that a class reads or writes, in the order in which it has them.
    std::vector<std::uint32_t> elementsOf(std::uint32_t cls, const PortLeaf& leaf,
                                          bool written) const;
    const hir::BusShape& shapeOf(const Net& net) const;
    /// ".field.leaf"
    std::string suffixOf(const Net& net) const;
    /// Calls `visit(name, element)` for every scalar of a net: "link[2].v.a[3]".
    void forEachScalar(const Net& net,
                       const std::function<void(const std::string&, std::uint32_t)>& visit) const;

private:
    void makeNodes();
    void matchPorts();
    void makeNets();
    static Net netOf(const lower::Leaf& leaf);
    /// Who drives it. `leafOf`: the node of an instance's body.
    void setSource(Net& net, const hir::Field& field,
                   const std::vector<std::uint32_t>& leafOf) const;
    void findReaders();

    mutable lower::Layouts layouts_;
    std::vector<std::uint32_t> firstNet_;  ///< by field of the design
};

}  // namespace smec::hdl
