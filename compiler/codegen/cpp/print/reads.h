#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/print/names.h"
#include "codegen/cpp/print/value.h"

namespace smec::codegen::cpp {

/// A variable, or a pointer to the elements of an array.
struct Place {
    std::string name;
    Word type;                   ///< of the variable or an element
    std::uint64_t distance = 1;  ///< from one element to the next
    bool isBounded = false;      ///< WorksOn::Bounded
};

/// An array port whose element is chosen at run time: base[index[e]], or where slots differ
/// sme::pick(base, index[e]).
struct Selection {
    std::string base;  ///< of both slots where these differ
    std::string index;
    Slot slot = Slot::Read;
    Word type;
    std::uint32_t elements = 1;
};

/// The C++ names of what a body reads and writes.
struct Leaves {
    std::vector<Place> locals;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Place> inputs;  ///< by (input, element)
    std::map<std::uint32_t, Selection> selections;                    ///< by input
    std::map<std::uint32_t, Value> columns;
};

/// What a body reads, as C++. `values`: what its expressions have been printed as so far.
class Reads {
public:
    Reads(const CppDesign& cpp, const BodyInfo& info, const std::vector<ir::Input>& inputs,
          const Leaves& leaves, const std::vector<Value>& values)
        : cpp_(cpp), info_(info), inputs_(inputs), leaves_(leaves), values_(values) {}

    Value of(const ir::ReadInput& node) const;
    Value of(const ir::ReadLocal& node) const;
    Value of(const ir::ReadTable& node) const;
    Value of(const ir::ReadColumn& node) const { return leaves_.columns.at(node.column); }
    /// An element of an array of `length`, kept in bounds.
    std::string element(const std::string& array, ir::ExprId index, std::uint32_t length) const;
    std::string element(const Place& array, ir::ExprId index, std::uint32_t length) const;
    /// Pointer to the elements of an array-valued read: of a local, an input or a table without
    /// index.
    std::string arrayOf(ir::ExprId id) const;
    std::string arrayOf(const ir::ReadInput& node) const;
    std::string arrayOf(ir::TableId id) const { return "tables::" + cpp_.names.tables[id.index]; }

private:
    const CppDesign& cpp_;
    const BodyInfo& info_;
    const std::vector<ir::Input>& inputs_;
    const Leaves& leaves_;
    const std::vector<Value>& values_;
};

}  // namespace smec::codegen::cpp
