#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/ir.h"

/// Hardware as the printers of hardware description languages see it: modules with signals,
/// processes whose every expression has a width and a sign of its own, and instances. Nothing is
/// left to the rules by which such a language widens operands: operands of an operator have the
/// width of its result (comparisons: one common width), and Resize says where bits come and go.
/// Plain data with typed ids; built by hdl::build, read by codegen.
namespace smec::hdl {

using ir::Integer;

using ExprId = ir::Id<struct HdlExprTag>;      ///< within a module
using SignalId = ir::Id<struct HdlSignalTag>;  ///< within a module
using ModuleId = ir::Id<struct HdlModuleTag>;  ///< within a design

/// Bits of a scalar. Signed: two's complement, which counts where it is widened, compared, divided
/// or shifted to the right. Bool: one bit.
struct Type {
    std::uint32_t width = 1;
    bool isSigned = false;
    bool isBool = false;
    bool operator==(const Type&) const = default;
};

enum class Op : std::uint8_t {
    Const,    ///< value, 0 … 2^width-1 (unsigned) or negative (signed)
    Ref,      ///< a whole scalar signal
    Element,  ///< args[0]: place in an array, just wide enough for its length
    Slice,    ///< bits low … low+width-1 of a scalar signal, or of one element (args[0])
    Part,     ///< bits args[1] … args[1]+width-1, all there, of a scalar signal or of one element
              ///< (args[0]) of an array that is no vector
    Concat,   ///< args[0] above args[1]
    Repeat,   ///< args[0] `low` times
    Resize,   ///< to the width of its type: extended by the operand's sign, or its low bits
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Complement,
    Negate,  ///< modulo 2^width
    Div,
    Rem,  ///< truncating; operands and result have one type; the divisor is not 0
    Shl,
    Shr,  ///< args[1]: an unsigned count of any width; Shr by the sign of args[0]
    Eq,
    Ne,
    Lt,
    Le,  ///< operands have one type; bool
    LogicalAnd,
    LogicalOr,
    LogicalNot,
    Choose,    ///< args[0] ? args[1] : args[2]
    Popcount,  ///< of args[0], which has any width
    Parity,    ///< bool
};
struct Expr {
    Op op = Op::Const;
    Type type{};
    std::array<ExprId, 3> args{};
    Integer value = 0;
    SignalId signal{};
    std::uint32_t low = 0;
    bool operator==(const Expr&) const = default;
};

enum class Role : std::uint8_t {
    Input,
    Output,
    Register,   ///< keeps its value from cycle to cycle
    Wire,       ///< between instances
    Local,      ///< of the process: set before it is read, in every activation
    Parameter,  ///< a constant that each instance gives
    Table,      ///< an array of constants
    Constant,   ///< a number with a name
    Check,      ///< of a combinational process, for Module::checks: set in every activation
    Counter,    ///< of loops, from initial[0] to initial[1]; those of loops side by side may have
                ///< one name
};
struct Signal {
    std::string name;
    Role role = Role::Local;
    Type type{};
    std::uint32_t length = 0;  ///< 0: a scalar
    bool isPacked = false;     ///< an array that is one vector, element 0 in its low bits
    std::uint32_t perNet = 0;  ///< Wire: an array of nets with so many elements each, which a
                               ///< language may have as such, since a simulator that resolves the
                               ///< drivers of one vector takes long; its parts are whole nets
    bool isRegister = false;   ///< Register, and Output of a clocked process
    bool isBlocking = false;   ///< a register that is assigned at once, since it is read later in
                               ///< the same activation, or set in long loops
    bool isMemory = false;     ///< an array that a reset leaves as it is
    bool isFixed = false;      ///< a register that nothing but a reset sets
    std::vector<Integer> initial{};         ///< registers, tables: one, or one for each element
    std::optional<SignalId> initialFrom{};  ///< a parameter instead
    SourceRange range{};
    std::string source{};  ///< its name in the source: "x.v"
    std::uint64_t elements() const { return length == 0 ? 1 : length; }
    bool operator==(const Signal&) const = default;
};

struct Stmt;
using Block = std::vector<Stmt>;
struct Assign {
    SignalId to;
    ExprId index{};  ///< of an array
    ExprId value;
    /// Of an element of a register that is no vector: as many of its bits as the value has, from
    /// this one on.
    std::optional<std::uint32_t> low{};
    bool operator==(const Assign&) const = default;
};
/// All elements of an array, from another of the same length and type.
struct CopyArray {
    SignalId to, from;
    bool operator==(const CopyArray&) const = default;
};
struct FillArray {
    SignalId to;
    ExprId value;
    bool operator==(const FillArray&) const = default;
};
struct If;
struct Case;
/// A value in a text: a name that it has, or its digits.
struct Shown {
    ExprId value;
    std::uint32_t base = 10;              ///< 2, 10, 16
    std::optional<std::uint32_t> bits{};  ///< of its operand type, where a negative number is to be
                                          ///< shown in two's complement
    bool isCharacter = false;             ///< one byte
    std::vector<std::pair<Integer, std::string>> names{};
    std::uint32_t width = 0;  ///< at least so many characters, for what has no names
    bool zero = false;        ///< filled by zeros, else by spaces
    bool operator==(const Shown&) const = default;
};
/// `pieces` of the text, with `values` between them.
struct Assert {
    ExprId condition;
    std::vector<std::string> pieces;
    std::vector<Shown> values;
    bool operator==(const Assert&) const = default;
};
struct If {
    ExprId condition;
    Block yes, no;
    bool operator==(const If&) const;
};
struct Choice {
    std::vector<Integer> labels;
    Block body;
    bool operator==(const Choice&) const;
};
struct Case {
    ExprId subject;
    std::vector<Choice> choices;
    Block otherwise;
    bool operator==(const Case&) const;
};
/// As many rounds as its counter counts, up or down: at least one.
struct For {
    SignalId counter;
    Block body;
    bool operator==(const For&) const;
};
struct Stmt {
    SourceRange range;
    std::variant<Assign, CopyArray, FillArray, If, Case, For, Assert> node;
    bool operator==(const Stmt&) const;
};
inline bool If::operator==(const If& o) const {
    return condition == o.condition && yes == o.yes && no == o.no;
}
inline bool Choice::operator==(const Choice& o) const {
    return labels == o.labels && body == o.body;
}
inline bool Case::operator==(const Case& o) const {
    return subject == o.subject && choices == o.choices && otherwise == o.otherwise;
}
inline bool For::operator==(const For& o) const { return counter == o.counter && body == o.body; }
inline bool Stmt::operator==(const Stmt& o) const { return range == o.range && node == o.node; }

/// What a port of an instance is connected to: parts of signals or constants, element 0 of the port
/// first.
struct Actual {
    std::string port;
    struct Part {
        SignalId signal{};              ///< invalid: a constant
        std::vector<Integer> values{};  ///< elements of the constant
        Type type{};
        std::uint32_t count = 0;  ///< elements of an array, from `first` on; 0: the whole signal
        std::int64_t first = 0;
        std::vector<std::int64_t> steps{};  ///< what is added to `first` in each round of a loop
        bool operator==(const Part&) const = default;
    };
    std::vector<Part> parts;
    bool operator==(const Actual&) const = default;
};
/// A generate loop: indices first … first+count-1.
struct Loop {
    std::int64_t first = 0;
    std::uint32_t count = 0;
    bool operator==(const Loop&) const = default;
};
struct Argument {
    std::string parameter;
    Integer value;
    std::uint32_t width = 0;
    std::vector<std::int64_t> steps{};  ///< as in Actual::Part
    bool operator==(const Argument&) const = default;
};
/// Names in a loop: of the instance, and of a loop in another one. The outermost has the name of
/// the instance here.
inline constexpr const char* kElement = "element";
inline constexpr const char* kInnerLoop = "inner";
/// The variable of the loop at a depth.
inline std::string loopVariable(std::size_t depth) {
    return depth < 3 ? std::string(1, static_cast<char>('i' + depth)) : "i" + std::to_string(depth);
}
/// One instance, or with loops (the outermost first) an array of them: what changes from round to
/// round are the parts and arguments with steps.
struct Instance {
    std::string name;
    ModuleId module;
    std::vector<Argument> arguments;
    std::vector<Actual> actuals;
    std::vector<Loop> loops;
    std::uint64_t rounds() const {
        std::uint64_t all = 1;
        for (const Loop& loop : loops)
            all *= loop.count;
        return all;
    }
    bool operator==(const Instance&) const = default;
};

enum class Kind : std::uint8_t {
    Network,
    Clocked,
    Combinational,
    Delay,
    Foreign,  ///< written by hand in the language itself: ports and parameters only
};
/// A file with a module written by hand.
struct ForeignFile {
    std::string language;  ///< "verilog", "vhdl"
    std::string path;
    bool isFile = false;  ///< there is such a file
    SourceRange range;    ///< where the source names it
    bool operator==(const ForeignFile&) const = default;
};
struct Module {
    std::string name;
    Kind kind = Kind::Network;
    SourceRange range{};
    std::string title;  ///< what it is, for the comment in front
    std::vector<Signal> signals;
    std::vector<Expr> exprs;
    Block body;  ///< of a process
    /// Assertions of a combinational process, about signals of Role::Check: its values pass through
    /// many states in a cycle, of which the last one counts, which is there when the clock ticks.
    Block checks{};
    std::vector<Instance> instances;
    bool usesCycle = false;  ///< signal "cycle": a register that counts
    bool hasClock = false;
    std::uint32_t delay = 0;           ///< Kind::Delay: cycles from "in" to "out"
    std::vector<ForeignFile> files{};  ///< Kind::Foreign: one for each language
    const Expr& operator[](ExprId id) const { return exprs[id.index]; }
    Signal& operator[](SignalId id) { return signals[id.index]; }
    const Signal& operator[](SignalId id) const { return signals[id.index]; }
    bool operator==(const Module&) const = default;
};

/// An instance on the way to a signal; `indices`: in its loops.
struct Step {
    std::string instance;
    std::vector<std::int64_t> indices{};
};
/// Where a scalar that the simulators show stands in the hardware.
struct Probe {
    std::string name;        ///< "s[3].status.n"
    std::vector<Step> path;  ///< from the top
    std::string signal;      ///< in the innermost
    Type type;
    std::uint32_t low = 0;  ///< its first bit in the signal
    bool isWhole = true;    ///< the signal is nothing else
    bool isInput = false;   ///< of the top
    bool isPort = false;    ///< of the top, an input or an output
    bool isExposed = false;
    Integer initial = 0;                         ///< what it is before the first cycle
    std::optional<std::uint32_t> enumeration{};  ///< Design::enumerations
};

/// Whether every language's `integer` holds it.
inline bool isIntegerOfAll(const Integer& value) {
    return value > std::numeric_limits<std::int32_t>::min()
           && value <= std::numeric_limits<std::int32_t>::max();
}

/// How registers get their initial values.
struct Reset {
    bool isAsync = false;  ///< at once, not at the next edge
    bool isActiveLow = false;
    /// Of its port.
    std::string name() const { return isActiveLow ? "rst_n" : "rst"; }
};

/// A file that was written by hand and goes along, as it will stand in the folder of the design.
struct CopiedFile {
    enum class Kind : std::uint8_t {
        Source,   ///< given to the tools, in this order
        Include,  ///< read by `include
        Data      ///< read while it runs
    };
    Kind kind = Kind::Source;
    std::string language;  ///< "verilog", "vhdl"
    std::string name;      ///< in that folder, which may have folders inside
    std::string text;      ///< with the names that the other files have there
    std::string from;      ///< the file itself
};

struct Design {
    std::vector<Module> modules;  ///< those inside first, the top last
    // no module has these names, in any case of letters
    std::string bench;    ///< the test bench: "tb_TOP"
    std::string support;  ///< the package of functions that VHDL calls: "smec_support"
    std::vector<Probe> probes;
    /// Members of enums by name.
    std::vector<std::vector<std::pair<std::string, Integer>>> enumerations;
    std::vector<CopiedFile> copied{};  ///< whoever knows files fills it
};

}  // namespace smec::hdl
