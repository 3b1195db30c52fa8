#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interp/simulation.h"

/// The names of docs/language.md, "Names from outside": `a.link[2].v`, `a.acc[3]`, `p.at.x`.
namespace smec::interp {

/// A bus field or a process variable, whole.
struct Root {
    std::string name;
    TypeId type;
    bool isVariable = false;
    bool exposed = false;
    bool combinational = false;  ///< a field driven by, or a variable of, a combinational process
    bool isInput = false;        ///< exposed, and nobody inside drives it
    bool hold = false;
    std::uint32_t field = 0;    ///< fields
    std::uint32_t process = 0;  ///< variables
    std::uint32_t variable = 0;
    hir::InstanceId driver{};  ///< whose process writes it; invalid: nobody inside
    SourceRange range{};       ///< of the declaration of the bus or the variable
};

/// A scalar of a root, or any other part of it.
struct Part {
    std::string name;
    TypeId type;
    Root root;
    std::vector<std::uint32_t> path;  ///< indices and member numbers
};

/// All fields (undriven ones too) and process variables, in the order of the design.
std::vector<Root> allRoots(const hir::Design& design);
std::vector<Part> leavesOf(const TypeTable& types, const Root& root);

const Value& valueOf(const Simulation& simulation, const Root& root);
const Value& valueOf(const Simulation& simulation, const Part& part);
/// The same as it is read in the next cycle. Throws RunError as Simulation::evaluate() does.
const Value& shownOf(Simulation& simulation, const Part& part);
/// Follows `path` from the value of a root.
const Value& partOf(const Value& whole, const std::vector<std::uint32_t>& path);

using LeafVisitor = std::function<void(const std::string& name, TypeId type, const Value& value)>;
void forEachLeaf(const TypeTable& types, TypeId type, const std::string& name, const Value& value,
                 const LeafVisitor& visit);

/// Finds roots and their parts by name.
class NameTable {
public:
    explicit NameTable(const hir::Design& design);
    const std::vector<Root>& roots() const { return roots_; }
    std::optional<Part> find(const std::string& name) const;
    /// Number of the root with exactly this name.
    std::optional<std::uint32_t> rootCalled(const std::string& name) const;
    /// "; did you mean 'X'?", or nothing.
    std::string didYouMean(const std::string& name) const;
    /// What to say of a name that is no value: which ones it has, or the nearest; or nothing.
    std::string hint(const std::string& name) const;

private:
    std::optional<Part> findWhole(const std::string& name) const;
    std::optional<Part> findWithin(const Root& root, std::string_view rest) const;
    const TypeTable& types_;
    std::vector<Root> roots_;
    std::unordered_map<std::string, std::uint32_t> byName_;
};

}  // namespace smec::interp
