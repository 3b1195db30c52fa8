#pragma once

#include "sema/context.h"
#include "sema/interval.h"

namespace smec::sema {

class Reporter;

/// What an expression was found to be. Constants are kept as values and become part of the body
/// only when something that is no constant uses them, so that folding costs nothing there.
struct Operand {
    enum class Kind : std::uint8_t {
        Error,  ///< was reported
        Value,  ///< `id` in the body
        Constant,
        Undefined,  ///< 'U
        Bus         ///< a bus, or an array of buses
    };
    Kind kind = Kind::Error;
    hir::TypeId type;      ///< operand type of integers
    hir::TypeId declared;  ///< for type(e); like `type` except for variables and fields of type
                           ///< uint, int or range
    SourceRange range;
    hir::ExprId id;     ///< Value
    Interval interval;  ///< integers
    bool wide = false;  ///< something inside may need more than kMaxBits bits

    // ---- Constant
    hir::Value own;
    const hir::Value* shared = nullptr;      ///< the value of a named constant, instead of `own`
    const Symbol* symbol = nullptr;          ///< a plain name
    bool unsized = false;                    ///< an integer that counts by its value
    bool floatLiteral = false;               ///< takes the other operand's type
    std::optional<hir::TypeId> convertedTo;  ///< the declared type that it was converted to
    bool perInstance = false;
    bool siteSafe = true;  ///< can be evaluated in the process scope alone
    ast::ExprId source;    ///< the expression evaluated
    std::uint32_t touchedBegin =
        0;  ///< the instance's constants inside: ConstantUses::touch, [begin, end)
    std::uint32_t touchedEnd = 0;

    // ---- Bus
    std::uint32_t port = 0;
    std::uint32_t dimension = 0;  ///< number of indices given
    hir::ExprId element;          ///< row-major so far
    std::optional<std::uint64_t> constantElement;

    bool isError() const { return kind == Kind::Error; }
    bool isConstant() const { return kind == Kind::Constant; }
    bool isValue() const { return kind == Kind::Value || kind == Kind::Constant; }
    const hir::Value& value() const { return shared ? *shared : own; }
    const hir::Integer& integer() const { return value().integer(); }
};

/// What the check relied on when it used a constant of the instance.
struct SiteNeeds {
    SiteUse use = SiteUse::Free;
    std::optional<hir::TypeId> fits;
    bool nonZero = false;
    bool nonNegative = false;
    std::optional<std::uint64_t> below;
    std::optional<Narrowing> narrowing;
    std::vector<hir::Value> distinctFrom;
};

/// A constant that `part` went into depends on what `part` depends on.
void merge(Operand& result, const Operand& part);
/// The type as messages name it.
std::string typeName(hir::TypeTable& types, const Operand& operand);
/// The value of a constant number, else the type.
std::string described(hir::TypeTable& types, const Operand& operand);
/// Reports what is no value: buses, 'U and texts. Errors, which were reported before, pass.
bool operandsAreValues(Reporter& reporter, const Operand& left, const Operand& right);

}  // namespace smec::sema
