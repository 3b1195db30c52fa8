#pragma once

#include <string>

#include "codegen/vhdl/signal_names.h"
#include "codegen/vhdl/text.h"
#include "hdl/hdl.h"

namespace smec::codegen::vhdl {

class ExpressionPrinter;

/// Prints signals, and elements and bits of them.
class PlacePrinter {
public:
    /// All of them outlive it.
    PlacePrinter(const hdl::Module& module, const SignalNames& names,
                 const ExpressionPrinter& expressions)
        : module_(module), names_(names), expressions_(expressions) {}

    /// A place of a signal to be assigned, and the type that it has; `index` invalid: all of it.
    struct Place {
        std::string text;
        Form form;
    };
    Place place(hdl::SignalId signal, hdl::ExprId index) const;
    /// Whether that place is there whatever the index, and synthesis tools understand it; else it
    /// has to be looked for.
    bool isSafe(hdl::SignalId signal, hdl::ExprId index) const;
    /// Whether it is the counter of a loop that stays below `length`: tools know it in each round.
    bool isCounted(hdl::ExprId id, std::uint64_t length) const;
    /// Bits of that place, where it is a number.
    static Place bitsOf(const Place& place, std::uint32_t low, std::uint32_t width);
    /// Element `k` of an array, where `k` is the variable of a loop.
    Place each(hdl::SignalId signal, const std::string& k) const;

    // What is read.
    Text counter(hdl::SignalId id, const hdl::Type& type) const;
    Text element(const hdl::Expr& expr) const;
    Text slice(const hdl::Expr& expr) const;
    Text part(const hdl::Expr& expr) const;

private:
    /// The first bit of something in a vector: `factor` * `index` + `low`.
    struct Bits {
        std::string index{};  ///< empty: none
        std::uint64_t factor = 1;
        std::uint64_t low = 0;
        bool isKnown = false;  ///< by synthesis tools, in each round of a loop
    };
    Text sliceOfCounter(const hdl::Expr& expr) const;
    static Text cut(const std::string& vector, Form form, const Bits& bits, const hdl::Type& type);
    static Text written(const std::string& vector, Form form, const Bits& bits,
                        const hdl::Type& type);
    Bits bitsOf(const hdl::Signal& signal, hdl::ExprId index) const;
    std::string index(hdl::ExprId id, std::uint64_t length) const;

    const hdl::Module& module_;
    const SignalNames& names_;
    const ExpressionPrinter& expressions_;
};

}  // namespace smec::codegen::vhdl
