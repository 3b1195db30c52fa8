#pragma once

#include "sema/check/context.h"

namespace smec::sema {

/// Where a value is stored, for messages: "'small'", "parameter 'r' of 'luma'".
struct Destination {
    hir::TypeId type;
    std::string what;
    bool isInitialiser = false;  ///< a scalar fills an array, surplus elements are dropped
    bool isConstant = false;     ///< of a named constant: uint and int are without bound
};

/// What may be stored where, and casts.
class Conversions {
public:
    explicit Conversions(const CheckContext& in)
        : reporter_(in.core.reporter),
          types_(in.core.types()),
          rules_(in.core.rules),
          uses_(in.uses),
          build_(in.build),
          nesting_(in.nesting) {}

    /// The value as part of the body, ready to be stored there; invalid after an error.
    hir::ExprId store(Operand operand, const Destination& destination);
    bool convert(Operand& operand, const Destination& destination);
    Operand castTo(Operand operand, hir::TypeId type, SourceRange range);

private:
    bool convertValue(Operand& operand, const Destination& destination);
    bool narrowConstant(Operand& operand, const Destination& destination);
    bool convertInteger(Operand& operand, const Destination& destination);
    bool fillArray(Operand& operand, const Destination& destination);
    bool convertConstant(Operand& operand, const Destination& destination);
    void reportMismatch(const Operand& operand, const Destination& destination);
    bool castAllowed(const Operand& operand, hir::TypeId type, SourceRange range);

    Reporter& reporter_;
    hir::TypeTable& types_;
    const Rules& rules_;
    ConstantUses& uses_;
    BodyBuilder& build_;
    Nesting& nesting_;
};

}  // namespace smec::sema
