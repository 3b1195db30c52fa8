#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/statements.h"

/// Bodies of processes and functions: locals, expressions and statements, and the texts of what they
/// trace and how they fail.
namespace smec::ir {

enum class LocalKind : std::uint8_t {
    Temp,    ///< undefined until set
    State,   ///< Class::state[slot]: starts with the plane's value, stored back at the end
    Output,  ///< Class::outputs[slot]: starts with the default (hold: last value), stored at the
             ///< end
    Param    ///< of a function, in order
};
/// How the instances of a class keep a variable.
enum class LocalForm : std::uint8_t {
    Own,     ///< each its own, an array in one piece
    Common,  ///< a scalar that is the same in all of them, unless it was set from outside
    Spread   ///< an array whose element e is Class::state[slot + e], a scalar; every index is
             ///< computed from constants and variables in Common form, and in range
};
struct Local {
    std::string name;  ///< as in the source; temporaries "t"
    LocalKind kind;
    StorageType type;
    std::uint32_t slot = 0;
    std::optional<Interval> range{};  ///< declared range: every value it ever holds lies in it
    bool isHelper = false;  ///< nobody declared it: arguments and results of calls that are written
                            ///< out, parts of expressions
    LocalForm form = LocalForm::Own;
};

enum class FailureKind : std::uint8_t {  ///< same order as sme::Failure
    Assertion,
    Assumption,
    DivisionByZero,
    IndexOutOfRange,
    NegativeShift,
    RangeViolation,
    EnumValue,
    LoopLimit,
    WaitCount
};
/// How an argument of a trace or failure is shown.
struct ArgFormat {
    ExprType type;
    bool isSigned = true;
    std::uint32_t bits = 64;                   ///< of the operand type
    std::optional<std::uint32_t> enumeration;  ///< Design::enums
};
struct TraceSite {
    std::string format;
    std::vector<ArgFormat> args;
};  ///< structs and arrays are spelled out in the format
struct FailSite {
    FailureKind kind;
    SourceRange range;
    TraceSite text;
    bool hasText = false;
    std::string subject;
};

struct Body {
    std::vector<Expr> exprs;
    std::vector<Local> locals;
    Block statements;
    std::vector<TraceSite> traces;
    std::vector<FailSite> fails;
    const Expr& operator[](ExprId id) const { return exprs[id.index]; }
};

/// C++ that `extern` names, as in hir::Foreign. Arguments and results of the function that stands
/// for it are the leaves of the language's, in order.
struct Foreign {
    struct Field {
        std::string name;
        std::uint32_t shape;   ///< Design::shapes
        bool written = false;  ///< by the process
    };
    struct Port {
        std::string name;
        bool isArray = false;
        std::uint32_t elements = 1;
        std::vector<Field> fields;
    };
    bool isProcess = false;
    bool isSerial = false;
    std::string name;
    std::string header;
    bool isFile = false;   ///< else a header of the toolchain
    SourceRange range;     ///< of the file's name
    std::uint32_t id = 0;  ///< hir::FunctionId
    std::uint32_t constants = 0;
    std::vector<Port> ports;
};

/// Failures and traces of functions count as those of the calling process: their sites are numbered
/// in the class's tables after lowering, so a function that traces or fails is specific to its
/// class (`owner`); others are shared (owner invalid).
struct Function {
    std::string name;
    SourceRange range;
    ClassId owner;
    std::vector<StorageType> results;  ///< one for each leaf of its type
    std::uint32_t paramCount = 0;
    Body body;  ///< traces, fails empty: sites refer to the owner's body
    bool mayFail = false;
    bool mayTrace = false;
    bool callsForeign = false;          ///< or is C++: not to be repeated or left out
    std::optional<Foreign> external{};  ///< the body holds the parameters only
};
/// Whether it calls C++, or is C++, whatever that may do.
inline bool isForeign(const Function& function) {
    return function.callsForeign || function.external.has_value();
}
/// C++ that must not run twice for one activation: it may have a state, or reach out of the program.
inline bool isCalledOnce(const Function& function) {
    return function.external && (function.external->isProcess || function.external->isSerial);
}

}  // namespace smec::ir
