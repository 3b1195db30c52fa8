#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "hdl/module_builder.h"
#include "ir/bits.h"

namespace smec::hdl {

/// What a body's leaves are in the module.
class Leaves {
public:
    virtual ~Leaves() = default;
    virtual ExprId local(ir::LocalId local, ExprId index) = 0;
    /// `place`: number of the element among those of all elements of an array port.
    virtual ExprId input(std::uint32_t input, ExprId place) = 0;
    virtual ExprId column(std::uint32_t column) = 0;
    virtual ExprId table(ir::TableId table, ExprId index) = 0;
    virtual ExprId cycle() = 0;
    /// A temporary that holds a value from here to the end of the statement.
    virtual ExprId hold(ExprId value) = 0;
};

/// Gives the exact integer expressions of a body their widths: each is as wide as its values need,
/// or as the bits of it that anyone looks at.
class Expressions {
public:
    Expressions(const ir::Body& body, const std::vector<ir::Input>& inputs,
                std::vector<ir::Interval> values, std::vector<std::uint32_t> demanded,
                ModuleBuilder& builder, Leaves& leaves);

    /// Counts uses in the statement that comes next: what is used twice is held.
    void begin(const std::vector<ir::ExprId>& roots);
    ExprId boolean(ir::ExprId id);
    /// The value, exactly.
    ExprId exact(ir::ExprId id);
    /// The value modulo 2^width, unsigned.
    ExprId low(ir::ExprId id, std::uint32_t width);
    /// What a scalar of that type holds after the value was stored.
    ExprId stored(ir::ExprId id, const Type& type);
    ExprId index(ir::ExprId id, std::uint64_t count);

private:
    ExprId makeExact(const ir::Expr& expr, ir::ExprId id);
    ExprId unary(const ir::Unary& node, const Type& type);
    ExprId binary(const ir::Binary& node, const Type& type);
    ExprId modular(const ir::Expr& expr, ir::ExprId id, std::uint32_t width);
    ExprId modular(const ir::Binary& node, std::uint32_t width);
    std::optional<ExprId> bitsBeside(ir::ExprId id, std::uint32_t width);
    ExprId concat(const ir::Beside& node, std::uint32_t width);
    ExprId repeat(const ir::Repeated& node, std::uint32_t width);
    std::optional<ExprId> part(const ir::Wrap& node, std::uint32_t width);
    ExprId insert(const ir::Inserted& node, std::uint32_t width);
    ExprId bitsFrom(ExprId value, std::uint32_t first, std::uint32_t width);
    ExprId named(ExprId value);
    ExprId divide(const ir::Binary& node, const Type& type);
    ExprId shiftCount(ir::ExprId id, std::uint32_t width);
    ExprId shiftRight(const ir::Binary& node, const Type& type);
    ExprId extreme(const ir::Binary& node, const Type& type);
    ExprId compare(const ir::Binary& node);
    ExprId makeBoolean(const ir::Expr& expr);
    ExprId makeBoolean(const ir::Binary& node);
    ExprId leaf(const ir::Expr& expr);
    ExprId inputPlace(const ir::ReadInput& node);
    ExprId asType(ir::ExprId id, const Type& type);
    ExprId held(ir::ExprId id, ExprId value);
    ExprId small(ExprId value);
    Type exactType(ir::ExprId id);
    Type common(ir::ExprId a, ir::ExprId b);
    std::size_t sizeOf(ExprId id);

    const ir::Body& body_;
    const std::vector<ir::Input>& inputs_;
    std::vector<ir::Interval> values_;
    std::vector<std::uint32_t> demanded_;
    ModuleBuilder& builder_;
    Leaves& leaves_;
    std::vector<std::uint32_t> uses_;
    std::unordered_map<std::uint32_t, ExprId> held_;  ///< of this statement
    std::vector<std::size_t> sizes_;                  ///< by ExprId of the module
};

}  // namespace smec::hdl
