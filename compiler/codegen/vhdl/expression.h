#pragma once

#include <string>

#include "codegen/vhdl/operators.h"
#include "codegen/vhdl/places.h"
#include "codegen/vhdl/signal_names.h"
#include "codegen/vhdl/spelling.h"
#include "hdl/hdl.h"

namespace smec::codegen::vhdl {

/// Prints the expressions of a module. Each comes out in the type that its hdl::Type asks for, as
/// wide as that; only bools are std_logic or boolean, as it happens, until somebody asks.
class ExpressionPrinter {
public:
    /// Both outlive it.
    ExpressionPrinter(const hdl::Module& module, const SignalNames& names)
        : module_(module),
          names_(names),
          places_(module, names, *this),
          operators_(module, names, places_, *this) {}
    ExpressionPrinter(const ExpressionPrinter&) = delete;
    ExpressionPrinter& operator=(const ExpressionPrinter&) = delete;

    const PlacePrinter& places() const { return places_; }
    std::string name(hdl::SignalId signal) const { return names_[signal]; }
    Text print(hdl::ExprId id) const;
    Text printAs(hdl::ExprId id, Form form) const;
    std::string text(hdl::ExprId id, Form form) const { return printAs(id, form).text; }
    std::string condition(hdl::ExprId id) const { return text(id, Form::Boolean); }
    /// Whether it is this value of its type, as a condition that stands alone.
    std::string equals(hdl::ExprId id, const hdl::Integer& value) const;
    /// Whether it is a number without a sign that another text gives.
    std::string equals(hdl::ExprId id, const std::string& number) const;

private:
    const hdl::Module& module_;
    const SignalNames& names_;
    PlacePrinter places_;
    OperatorPrinter operators_;
};

}  // namespace smec::codegen::vhdl
