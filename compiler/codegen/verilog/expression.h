#pragma once

#include <set>
#include <string>
#include <utility>

#include "hdl/hdl.h"

namespace smec::codegen::verilog {

/// "8'd5", "-8'sd3", "1'b1"
std::string literal(const hdl::Integer& value, const hdl::Type& type);
/// "logic signed [7:0]"; `elements`: of an array that is one vector.
std::string declared(const hdl::Type& type, std::uint64_t elements = 1,
                     const std::string& keyword = "logic");

/// Prints the expressions of a module. `isCombinational`: within always_comb, where Icarus 11 takes
/// no constant selects, so that these become casts of what was shifted.
class ExpressionPrinter {
public:
    ExpressionPrinter(const hdl::Module& module, bool isCombinational)
        : module_(module), isCombinational_(isCombinational) {}

    std::string text(hdl::ExprId id) const { return print(id).text; }
    /// A place of a signal to be assigned; `index` invalid: all of it.
    std::string place(hdl::SignalId signal, hdl::ExprId index) const;

private:
    struct Text {
        std::string text;
        bool isSigned = false;  ///< as the language sees it
        bool isSimple = true;   ///< needs no parentheses as an operand
    };
    Text print(hdl::ExprId id) const;
    Text operation(const hdl::Expr& expr) const;
    Text element(const hdl::Expr& expr) const;
    Text slice(const hdl::Expr& expr) const;
    Text resize(const hdl::Expr& expr) const;
    static bool isName(const hdl::Expr& expr);
    static std::string alone(const Text& text);
    static std::string behindSign(const Text& text);
    static std::string operand(const Text& text);
    static std::string asSigned(const Text& text);
    static std::string asUnsigned(const Text& text);
    std::string offset(const hdl::Signal& signal, hdl::ExprId index) const;

    const hdl::Module& module_;
    bool isCombinational_;
};

/// Functions "popcount_W_R" that the module calls: width of the argument and of the result.
std::set<std::pair<std::uint32_t, std::uint32_t>> popcounts(const hdl::Module& module);

}  // namespace smec::codegen::verilog
