#pragma once

#include <map>
#include <string>

#include "codegen/vhdl/spelling.h"
#include "hdl/hdl.h"

namespace smec::codegen::vhdl {

/// Prints the expressions of a module. Each comes out in the type that its hdl::Type asks for, as
/// wide as that; only bools are std_logic or boolean, as it happens, until somebody asks.
class ExpressionPrinter {
public:
    explicit ExpressionPrinter(const hdl::Module& module) : module_(module) {}

    /// Calls a signal by another name from now on.
    void rename(hdl::SignalId signal, std::string name) {
        renamed_[signal.index] = std::move(name);
    }
    std::string name(hdl::SignalId signal) const;

    std::string text(hdl::ExprId id, Form form) const;
    std::string condition(hdl::ExprId id) const { return text(id, Form::Boolean); }
    /// Whether it is this value of its type, as a condition that stands alone.
    std::string equals(hdl::ExprId id, const hdl::Integer& value) const;
    /// Whether it is a number without a sign that another text gives.
    std::string equals(hdl::ExprId id, const std::string& number) const;

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

private:
    /// What binds less needs parentheses within what binds more.
    enum class Level : std::uint8_t { Simple, Arithmetic, Relation, Logical };
    struct Text {
        std::string text;
        Form form = Form::Unsigned;
        Level level = Level::Simple;
        std::string negated{};    ///< the text is "not" of that: std_logic
        std::string converted{};  ///< the text is that, converted from `before`
        Form before = Form::Unsigned;
        bool isConcat = false;  ///< which may as well be an array of vectors, where nobody asks
    };
    /// The first bit of something in a vector: `factor` * `index` + `low`.
    struct Bits {
        std::string index{};  ///< empty: none
        std::uint64_t factor = 1;
        std::uint64_t low = 0;
        bool isKnown = false;  ///< by synthesis tools, in each round of a loop
    };
    Text print(hdl::ExprId id) const;
    Text counter(hdl::SignalId id, const hdl::Type& type) const;
    Text printAs(hdl::ExprId id, Form form) const;
    Text element(const hdl::Expr& expr) const;
    Text slice(const hdl::Expr& expr) const;
    Text part(const hdl::Expr& expr) const;
    Text concat(hdl::ExprId id) const;
    Text repeat(const hdl::Expr& expr) const;
    Text resize(const hdl::Expr& expr) const;
    Text operation(const hdl::Expr& expr) const;
    Text arithmetic(const hdl::Expr& expr) const;
    Text divide(const hdl::Expr& expr) const;
    Text shift(const hdl::Expr& expr) const;
    Text compare(const hdl::Expr& expr) const;
    Text logical(const hdl::Expr& expr) const;
    static Text cut(const std::string& vector, Form form, const Bits& bits, const hdl::Type& type);
    static Text written(const std::string& vector, Form form, const Bits& bits,
                        const hdl::Type& type);
    Bits bitsOf(const hdl::Signal& signal, hdl::ExprId index) const;
    std::string index(hdl::ExprId id, std::uint64_t length) const;
    std::string operandOrNumber(hdl::ExprId id, const Text& text, Level most) const;
    bool isVarying(hdl::ExprId id) const;
    static Text as(Text text, Form form);
    static Text sideBySide(std::string parts);
    static std::string within(const Text& text, Level most);

    const hdl::Module& module_;
    std::map<std::uint32_t, std::string> renamed_;
};

}  // namespace smec::codegen::vhdl
