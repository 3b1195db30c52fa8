#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "syntax/habit.h"

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

// ---------------------------------------------------------------- words that start something

enum Where : unsigned { InModule = 1, InNetwork = 2, InProcess = 4, InBody = 8 };
constexpr unsigned kDeclared = InModule | InNetwork | InProcess;
constexpr unsigned kOutside = InModule | InNetwork;
constexpr unsigned kAnywhere = kDeclared | InBody;

/// A hint that is given at any of several words, which are separated by spaces.
struct Starters {
    std::string_view words;
    unsigned where;
    std::string_view hint;
};

constexpr std::array<Starters, 38> kStarters = {{
    {"module entity architecture component circuit", kAnywhere,
     "a process is 'proc NAME(in x, out y) { ... }', and what connects processes is 'network "
     "NAME() "
     "{ ... }'"},
    {"process procedure thread actor", kAnywhere, "write 'proc NAME(in x, out y) { ... }'"},
    {"comb combinational", kDeclared, "write 'async proc NAME(in x, out y) { ... }'"},
    {"test testbench tb", InModule,
     "a test is a network whose processes are 'sim proc NAME(in x, out y) { ... }'"},
    {"design net top", InModule, "write 'network NAME() { ... }'"},
    {"fn def function fun task sub void", kAnywhere,
     "a function is 'func NAME(x: u8): u8 { return x; }'"},
    {"package namespace", kDeclared, "a file is a module; others import it by its name"},
    {"library use using include require", kAnywhere, "write 'import std.fifo as fifo;'"},
    {"struct record", kAnywhere, "write 'type NAME: struct { x: u8; };'"},
    {"class impl trait object", kAnywhere,
     "data is 'type NAME: struct { x: u8; };', behaviour is 'proc NAME(in x, out y) { ... }'"},
    {"interface modport", kAnywhere, "write 'type NAME: bus { data: u8; valid: bool; };'"},
    {"typedef alias subtype", kAnywhere, "write 'type NAME: u8;'"},
    {"parameter localparam constant constexpr generic define", kAnywhere,
     "write 'const NAME: uint = 3;'"},
    {"template", kDeclared, "a process takes constants: 'proc NAME(in x, const n: uint)'"},
    {"pub public private export protected", kAnywhere,
     "all that a file declares can be imported; leave the word out"},
    {"always always_ff always_latch", kAnywhere, "the body of a 'proc' runs once in every cycle"},
    {"always_comb", kAnywhere, "the body of an 'async proc' runs whenever its inputs change"},
    {"initial", kAnywhere, "a variable has its first value in its declaration: 'var n: u8 = 3;'"},
    {"assign", kDeclared,
     "values are written in the body of a process; that of an 'async proc' is "
     "combinational"},
    {"assign set", InBody, "write 'NAME = ...;'"},
    {"input output inout port", InNetwork | InProcess | InBody,
     "ports stand in the head: '(in x, out y)'"},
    {"genvar", kAnywhere, "the index of 'generate i = 0 until 8 { ... }' needs no declaration"},
    {"connect port_map map", InNetwork,
     "buses are arguments of instances: 'instance a of NAME(b, c);'"},
    {"new create inst", kAnywhere, "write 'instance a of NAME(b, c);'"},
    {"print printf println printk puts echo write writeln writeline display report log info "
     "console "
     "cout fprintf eprintln",
     kAnywhere, "write 'trace(\"n={}\", n);' in the body of a process"},
    {"exit quit abort halt finish sc_stop sys", InBody, "'stop;' ends the run"},
    {"repeat", InBody, "write 'for i = 0 until 8 { ... }'"},
    {"loop forever do", InBody, "write 'while (true) { ... }', with a 'wait' in it"},
    {"foreach forall", InBody, "write 'for i = 0 until 8 { ... }'"},
    {"unless until", InBody, "write 'if (!c) { ... }'"},
    {"match case casez casex when select", InBody,
     "write 'switch e { case 1 { ... } default { ... } }'"},
    {"elsif elseif elsf", kAnywhere, "write 'elif'"},
    {"pass nop null skip noop", InBody, "a block that does nothing is '{ }'"},
    {"goto", InBody, "write 'while', 'break' and 'continue'"},
    {"throw raise try catch except finally", InBody,
     "'assert(c, \"text\");' ends a run that must not go on"},
    {"yield sleep await usleep delay", InBody,
     "'wait;' waits for the next cycle, 'wait 10;' for ten"},
    {"end endmodule endcase endif endfunction endgenerate fi done esac", kAnywhere,
     "a block ends with '}'"},
    {"fork join spawn", InBody, "processes run side by side: declare several"},
}};

// ---------------------------------------------------------------- words that stand for operators

struct Replacement {
    std::string_view word;
    std::string_view hint;
};

constexpr std::array<Replacement, 22> kInfix = {{
    {"and", "write '&&', or '&' for bits"},
    {"or", "write '||', or '|' for bits"},
    {"xor", "write '^', or '!=' for bools"},
    {"nand", "write '!(a && b)', or '~(a & b)' for bits"},
    {"nor", "write '!(a || b)', or '~(a | b)' for bits"},
    {"xnor", "write '==' for bools, or '~(a ^ b)' for bits"},
    {"mod", "write '%'"},
    {"rem", "write '%'"},
    {"div", "write '/'"},
    {"sll", "write '<<'"},
    {"sla", "write '<<'"},
    {"shl", "write '<<'"},
    {"srl", "write '>>'"},
    {"sra", "write '>>'; it keeps the sign of a signed value"},
    {"shr", "write '>>'"},
    {"eq", "write '=='"},
    {"ne", "write '!='"},
    {"is", "write '=='"},
    {"inside", "write '(x == 1 || x == 2)', or a 'switch'"},
    {"in", "write '(x == 1 || x == 2)', or a 'switch'"},
    {"as", "write a cast, as in 'u16(x)'"},
    {"when", "write 'c ? a : b'"},
}};

// ---------------------------------------------------------------- operators

constexpr std::array<Replacement, 41> kOperators = {{
    {"**", "write 'x * x', or '1 << n' for a power of two"},
    {"===", "write '=='"},
    {"!==", "write '!='"},
    {"==?", "write '=='"},
    {"<>", "write '!='"},
    {"=/=", "write '!='"},
    {"~=", "write '!='"},
    {":=", "write '='"},
    {"<-", "write '='"},
    {"->", "write '.'"},
    {"::", "write '.'"},
    {">>>", "write '>>'; it keeps the sign of a signed value"},
    {"<<<", "write '<<'"},
    {"..", "write 'a to b', or 'a until b' without the last"},
    {"..=", "write 'a to b'"},
    {"...", "write 'a to b'"},
    {"%=", "write 'n = n % ...'"},
    {"/=", "write 'n = n / ...'"},
    {"//=", "write 'n = n / ...'"},
    {"**=", "write 'n = n * ...'"},
    {"&&=", "write 'b = b && ...'"},
    {"||=", "write 'b = b || ...'"},
    {"??", "write 'c ? a : b'"},
    {"?:", "write 'c ? a : b'"},
    {"~^", "write '~(a ^ b)'"},
    {"^~", "write '~(a ^ b)'"},
    {"~&", "write '~(a & b)'"},
    {"~|", "write '~(a | b)'"},
    {"<=>", "write '<', '==' and '>'"},
    {"=&", "write '&='"},
    {"=|", "write '|='"},
    {"=^", "write '^='"},
    {"=*", "write '*='"},
    {"=<<", "write '<<='"},
    {"=>>", "write '>>='"},
    {"|>", "write a call: 'f(x)'"},
    {"=~", "write '=='"},
    {"=<", "write '<='"},
    {"=>", "write '>=' to compare, 'name: value' for an argument"},
    {"=!", "write '!='"},
    {"-:", "write 'x[k +: 8]', where k is the lowest bit"},
}};

template <typename Table>
std::string_view hintFor(const Table& table, std::string_view word) {
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Replacement& each) { return each.word == word; });
    return found == table.end() ? std::string_view() : found->hint;
}

bool isAmong(std::string_view word, std::string_view words) {
    if (word.empty()) return false;
    for (std::size_t at = words.find(word); at != std::string_view::npos;
         at = words.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
            return true;
    }
    return false;
}

unsigned whereOf(const Slip& slip) {
    if (slip.isStatement()) return InBody;
    switch (slip.kind()) {
    case PieceKind::Item: return InModule;
    case PieceKind::NetworkDeclaration: return InNetwork;
    case PieceKind::ProcessDeclaration: return InProcess;
    case PieceKind::Statement: return InBody;
    }
    return InBody;
}

/// After what the word starts: VHDL and Verilog close their blocks by words, too.
std::size_t afterStarter(const Slip& slip) {
    const std::size_t head = slip.head();
    const std::string_view word = slip.word(head);
    if (isAmong(word, "module case casez casex loop process architecture entity package function"))
        return slip.afterEnd(head);
    const std::size_t begin = isAmong(word, "always always_ff always_comb always_latch initial")
                                  ? slip.find(head, {"begin"})
                                  : Slip::npos;
    if (begin != Slip::npos) return slip.afterEnd(begin);
    const std::size_t open = slip.find(head, {"{"});
    if (word != "do" || open == Slip::npos) return head;
    const std::size_t after = slip.afterBracket(open);
    return after == Slip::npos || slip.type(after) != P::While ? head : after + 1;
}

}  // namespace

std::optional<Habit> foreignWord(const Slip& slip) {
    const std::size_t head = slip.head();
    if (!slip.isAfterFirstName() && !slip.isAtStart()) {
        const bool isCall = slip.expects(P::PlusAssign) && slip.type(slip.failed()) == P::LeftParen
                            && slip.type(head + 1) == P::Dot && slip.word(head) == "console";
        if (!isCall) return std::nullopt;
    }
    for (const Starters& row : kStarters) {
        if ((row.where & whereOf(slip)) == 0 || !isAmong(slip.word(head), row.words)) continue;
        Habit habit = lacks(slip, head, head, std::string(row.hint));
        habit.after = afterStarter(slip);
        return habit;
    }
    return std::nullopt;
}

std::optional<Habit> foreignOperator(const Slip& slip) {
    const std::size_t failed = slip.failed();
    if (slip.expects(P::Plus)) {
        const std::string_view hint = hintFor(kInfix, slip.word(failed));
        if (!hint.empty()) return lacks(slip, failed, failed, std::string(hint));
        if (slip.word(failed - 1) == "not")
            return lacks(slip, failed - 1, failed - 1, "write '!', or '~' for bits");
    }
    if (!slip.isOperator(failed)) return std::nullopt;
    const auto [first, last] = slip.operatorsAround(failed);
    if (slip.word(first - 1) == "others")
        return lacks(slip, first - 1, last, "write '0', or '~0' for all ones");
    const std::string row = slip.source(first, last);
    if (slip.expects(P::PlusAssign) && slip.type(failed) == P::LessEqual)
        return says(failed, failed, "'<=' compares; write '=' to assign");
    if (slip.expects(P::PlusAssign) && slip.type(failed) == P::Equal)
        return says(failed, failed, "'==' compares; write '=' to assign");
    if (row == "/=" && slip.expects(P::Plus) && !slip.expects(P::PlusAssign))
        return lacks(slip, first, last, "write '!='");
    if (const std::string_view hint = hintFor(kOperators, row); !hint.empty())
        return lacks(slip, first, last, std::string(hint));
    return std::nullopt;
}

}  // namespace smec::syntax
