#pragma once

#include <map>
#include <memory>
#include <set>
#include <string_view>

#include "driver/verilog/scan/constants.h"

/// What a module is made of, as far as the rules ask. Spans are of the tokens of its file.
namespace smec::driver::scan {

using StatementId = std::uint32_t;
constexpr StatementId kNone = ~StatementId{0};

enum class StatementKind : std::uint8_t {
    Block,   ///< begin ... end; also anything whose children go one after the other
    If,      ///< one or two children
    Case,    ///< children beside `items`
    For,     ///< head: all between its parentheses
    Loop,    ///< while, repeat, forever, do
    Assign,  ///< left and right
    Call,    ///< of a task or of a system's
    Unread   ///< word: what a simulator waits for or stops
};

struct Statement {
    StatementKind kind = StatementKind::Block;
    bool isNonblocking = false;
    std::uint32_t word = 0;  ///< where it begins
    Span head;               ///< a condition, what a case looks at, the call's arguments
    Span left, right;        ///< of an assignment
    std::vector<StatementId> children;
    std::vector<Span> items;   ///< of a case; empty: the default
    std::uint32_t unique = 0;  ///< the word `unique` or `priority`; 0: none
};

enum class DeclKind : std::uint8_t { Net, Variable, Parameter, Genvar, Real, Other };

struct Decl {
    DeclKind kind = DeclKind::Net;
    std::uint32_t name = 0;
    std::optional<std::int64_t> left, right;  ///< of its range
    std::optional<std::uint32_t> width;       ///< none: not known
    bool isUpward = false;                    ///< the left bound is the smaller
    bool isSigned = false;
    bool isArray = false;
    bool isInput = false, isOutput = false;  ///< `inout` is both
    bool isInteger = false;                  ///< integer and int
    bool hasUnsizedNumber = false;           ///< a parameter of 2^31 and more without a size
    Span value;                              ///< what it is given
    std::uint32_t type = 0;                  ///< the name of the user's type; 0: none
    bool hasTypeRange = false;               ///< packed ranges behind that
    bool isSignedPort = false;               ///< `isSigned` of what stands in no block
};
using Decls = std::map<std::string_view, Decl>;

/// A type of the user's, as far as its sign asks.
struct Type {
    bool isSigned = false;
    std::uint32_t same = 0;  ///< the name of the type that it is another name of; 0: none
};
using Types = std::map<std::string_view, Type>;

struct Routine {
    std::uint32_t name = 0;
    Span whole;
    bool isFunction = false;
    bool isAutomatic = false;
    Decls locals;                         ///< with its ports and, of a function, its result
    std::vector<std::string_view> ports;  ///< in their order
    StatementId body = kNone;
};

struct Always {
    std::uint32_t word = 0;
    bool isInitial = false;
    bool isAlternative = false;  ///< of `generate`, where a condition may leave it out
    bool hasList = false;        ///< @( ... ) that is no @(*)
    Span list;
    StatementId body = kNone;
};

struct Instance {
    std::uint32_t module = 0;  ///< tokens
    std::uint32_t name = 0;
    Span connections;
};

struct Unreadable {
    std::uint32_t at = 0;
    std::string_view what;  ///< "a primitive of its own"
};

struct Module {
    std::uint32_t unit = 0;
    std::uint32_t word = 0;
    std::uint32_t name = 0;
    Span whole;
    bool isInterface = false;
    Decls decls;
    std::set<std::string_view> blocks;  ///< names of blocks and generate blocks
    Types types;                        ///< of the user's
    int depth = 0;                      ///< of begin and end while it is read
    std::vector<Statement> statements;
    std::vector<Always> always;
    std::vector<Span> assigns;  ///< continuous ones
    std::map<std::string_view, Routine> routines;
    std::vector<Span> uncalled;  ///< routines that nothing in the module calls, which are left out
    std::vector<Instance> instances;
    std::vector<std::string_view> ports;
};

/// A file's.
struct Parsed {
    std::vector<Module> modules;
    std::vector<Unreadable> unreadable;
    Types types;  ///< that stand in no module
};

/// The tokens of a file given.
struct Source {
    explicit Source(Tokens list);
    Tokens tokens;
    /// Of each bracket that opens, the token behind the one that closes it; of all others, and of
    /// those that nothing closes, the next one.
    std::vector<std::uint32_t> closing;

    const Token& operator[](std::uint32_t i) const { return tokens[i]; }
    /// Behind the token or what is in its brackets.
    std::uint32_t after(std::uint32_t i, std::uint32_t end) const {
        return closing[i] < end ? closing[i] : end;
    }
    /// The first of some signs that stands in no brackets; `end` where there is none.
    std::uint32_t find(Span span, std::initializer_list<std::string_view> signs) const;
    /// Parts between commas.
    std::vector<Span> list(Span span) const;
};

/// The value of a constant expression, by the parameters that are declared so far.
std::optional<std::int64_t> valueIn(const Source& source, Span span, const Decls& decls,
                                    int depth = 0);

/// Never fails: what it does not understand it passes over. O(n).
Parsed parse(const Source& source, std::uint32_t unit);

/// Calls `act(index)` for each name that a span reads: not members, not named connections.
template <class Act>
void forNames(const Source& source, Span span, Act act) {
    for (std::uint32_t i = span.begin; i < span.end; ++i) {
        if (!source[i].isName()) continue;
        if (i > 0 && (source[i - 1].is(".") || source[i - 1].is("::"))) continue;
        act(i);
    }
}

}  // namespace smec::driver::scan
