#pragma once

#include <set>
#include <string>
#include <utility>

#include "codegen/verilog/verilog.h"
#include "hdl/hdl.h"

namespace smec::codegen::verilog {

/// "8'd5", "-8'sd3", "1'b1"
std::string literal(const hdl::Integer& value, const hdl::Type& type);
/// "logic signed [7:0]"; `elements`: of an array that is one vector.
std::string declared(const hdl::Type& type, std::uint64_t elements = 1,
                     const std::string& keyword = "logic");
/// What a process sets.
inline std::string variableOf(const Options& options, const hdl::Type& type,
                              std::uint64_t elements = 1) {
    return declared(type, elements, options.isVerilog2005() ? "reg" : "logic");
}

/// Prints the expressions of a module.
class ExpressionPrinter {
public:
    ExpressionPrinter(const hdl::Module& module, Dialect dialect)
        : module_(module), isOld_(dialect == Dialect::Verilog2005) {}

    /// A function that changes the width of a value, since Verilog-2005 has no casts. Signed: it
    /// extends; unsigned: it gives the low bits.
    struct Change {
        std::uint32_t fromWidth = 0, toWidth = 0;
        bool isSigned = false;
        auto operator<=>(const Change&) const = default;
        std::string name() const;  ///< "low_9_4", "extend_8_16"
        hdl::Type from() const { return {fromWidth, isSigned, false}; }
        hdl::Type to() const { return {toWidth, isSigned, false}; }
    };
    /// Those that what was printed calls.
    const std::set<Change>& changes() const { return changes_; }

    std::string text(hdl::ExprId id) const { return print(id).text; }
    /// A place of a signal to be assigned; `index` invalid: all of it.
    std::string place(hdl::SignalId signal, hdl::ExprId index) const;
    /// That of an assignment.
    std::string place(const hdl::Assign& node) const;

private:
    struct Text {
        std::string text;
        bool isSigned = false;  ///< as the language sees it
        bool isSimple = true;   ///< needs no parentheses as an operand
    };
    Text print(hdl::ExprId id) const;
    Text operation(const hdl::Expr& expr) const;
    Text shift(const hdl::Expr& expr, const Text& a, const Text& b) const;
    Text divide(const hdl::Expr& expr, const Text& a, const Text& b) const;
    Text element(const hdl::Expr& expr) const;
    Text slice(const hdl::Expr& expr) const;
    Text part(const hdl::Expr& expr) const;
    Text concat(hdl::ExprId id) const;
    Text resize(const hdl::Expr& expr) const;
    static bool isName(const hdl::Expr& expr);
    static std::string alone(const Text& text);
    static std::string afterSign(const Text& text);
    static std::string operand(const Text& text);
    static std::string asSigned(const Text& text);
    static std::string asUnsigned(const Text& text);
    static std::string inSign(const hdl::Type& type, hdl::Op op, const Text& a, const Text& b);
    static Text choose(const Text& condition, const Text& yes, const Text& no);
    std::string subscript(hdl::ExprId index) const;
    std::string offset(const hdl::Signal& signal, hdl::ExprId index, std::uint32_t low) const;

    /// The low bits of a value that is no name.
    std::string low(const Text& text, std::uint32_t from, std::uint32_t to) const;
    std::string selected(const std::string& name, std::uint64_t low, std::uint32_t width) const;

    const hdl::Module& module_;
    bool isOld_;
    mutable std::set<Change> changes_;
};

}  // namespace smec::codegen::verilog
