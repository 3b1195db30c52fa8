#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "diag/diagnostics.h"
#include "hir/design.h"
#include "ir/ir.h"
#include "lower/layout.h"
#include "lower/lower.h"
#include "lower/wait.h"

namespace smec::lower {

inline constexpr std::uint32_t kNone = UINT32_MAX;

/// Where one leaf of a constant that differs between instances comes from: the column itself
/// (scalars), or a table of all its different values with the place where the instance's begins in
/// the column.
struct ConstantLeaf {
    std::uint32_t column = kNone;
    ir::TableId table;
};
/// A constant of a specialisation: one value, or leaves.
struct ConstantSource {
    const hir::Value* uniform = nullptr;
    std::vector<ConstantLeaf> leaves;
};

/// What a body needs to know of the class it belongs to.
struct ClassShape {
    ir::ClassId id;
    const hir::Specialisation* spec = nullptr;
    std::vector<std::vector<std::uint32_t>>
        inputs;  ///< [port][field]: its first leaf in Class::inputs, or kNone
    std::vector<std::vector<std::uint32_t>>
        outputs;  ///< [port][field]: its first leaf in Class::outputs, or kNone
    std::vector<std::uint32_t> portStart;  ///< [port]: its first binding
    std::vector<ConstantSource> constants;
    std::vector<ConstantSource> starts;  ///< of the process variables of combinational processes
    /// Class::state: hidden planes follow the variables': progress of random(), counters of
    /// `cover`, wait state and count, last values of `waits.loops`; then `keptSlots`.
    std::uint32_t firstHidden = 0;
    std::uint32_t hiddenCount = 0;
    WaitPlan waits;
    ir::PlaneId waitState;                                       ///< of a body that waits
    std::unordered_map<std::uint32_t, std::uint32_t> keptSlots;  ///< by VarId: its first plane
    bool usesRandom = false;  ///< column `randomColumn` holds the hash of the instance's path
    std::uint32_t randomColumn = kNone;
};

struct ConstantsHash {
    std::size_t operator()(const ir::Constants& constants) const { return ir::hashOf(constants); }
};

/// What all parts of the lowering share: the input, the output as far as it is built, and what is
/// made at most once.
class Context {
public:
    Context(const hir::Design& design, const Options& options, Diagnostics& diagnostics)
        : hir(design), options(options), diagnostics(diagnostics), layouts(design.types) {}

    const hir::TypeTable& types() const { return hir.types; }
    std::uint32_t enumeration(hir::TypeId type);
    std::optional<std::uint32_t> enumerationOf(hir::TypeId type);
    /// The type in Design::shapes.
    std::uint32_t shape(hir::TypeId type);
    /// The same table for the same contents.
    ir::TableId table(const ir::Scalar& scalar, ir::Constants values, const std::string& name = {});
    void notSupported(SourceRange range, const std::string& what);
    /// Declared ranges hold only where stores are checked.
    std::optional<ir::Interval> trustedRange(hir::TypeId type) const;

    const hir::Design& hir;
    const Options& options;
    Diagnostics& diagnostics;
    Layouts layouts;
    ir::Design out;
    std::unordered_map<std::uint32_t, ir::FunctionId> sharedFunctions;  ///< by hir function
    std::map<std::pair<std::uint32_t, std::uint32_t>, ir::FunctionId>
        ownedFunctions;  ///< by hir function and class

private:
    std::unordered_map<std::uint32_t, std::uint32_t> enums_;
    std::unordered_map<std::uint32_t, std::uint32_t> shapes_;
    /// Tables of one content, of whatever types.
    std::unordered_map<ir::Constants, std::vector<ir::TableId>, ConstantsHash> tables_;
};

}  // namespace smec::lower
