#pragma once

#include <string>

#include "codegen/vhdl/places.h"

namespace smec::codegen::vhdl {

/// Prints operators.
class OperatorPrinter {
public:
    /// All of them outlive it.
    OperatorPrinter(const hdl::Module& module, const SignalNames& names, const PlacePrinter& places,
                    const ExpressionPrinter& expressions)
        : module_(module), names_(names), places_(places), expressions_(expressions) {}

    Text concat(hdl::ExprId id) const;
    Text repeat(const hdl::Expr& expr) const;
    Text resize(const hdl::Expr& expr) const;
    /// Any other.
    Text operation(const hdl::Expr& expr) const;

private:
    Text arithmetic(const hdl::Expr& expr) const;
    Text choose(const hdl::Expr& expr) const;
    Text count(const hdl::Expr& expr) const;
    Text divide(const hdl::Expr& expr) const;
    Text shift(const hdl::Expr& expr) const;
    Text compare(const hdl::Expr& expr) const;
    Text logical(const hdl::Expr& expr) const;
    std::string operandOrNumber(hdl::ExprId id, const Text& text, Level most) const;

    const hdl::Module& module_;
    const SignalNames& names_;
    const PlacePrinter& places_;
    const ExpressionPrinter& expressions_;
};

}  // namespace smec::codegen::vhdl
