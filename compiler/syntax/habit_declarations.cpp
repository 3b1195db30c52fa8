#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "syntax/foreign_types.h"
#include "syntax/habit.h"

// Declarations in which the type stands first or another word than `var` begins:
//
//     reg [7:0] n = 3;     var n: u8 = 3;
//     let mut x: u16 = 5;  var x: u16 = 5;
//     adder a(count);      instance a of adder(count);

namespace smec::syntax {

namespace {

using P = grammar::SmeParser;

constexpr std::string_view kTypeUnknown = "TYPE";

bool isQualifier(std::string_view word) {
    constexpr std::array<std::string_view, 12> kWords = {
        "static", "volatile", "register", "let",    "mut",  "auto",
        "final",  "variable", "signal",   "shared", "rand", "const"};
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// `int x[4] = ...;` taken apart.
struct Declared {
    std::string type = std::string(kTypeUnknown);
    std::string name;
    std::string init;  ///< " = 3", or nothing
    bool isFunction = false;
    bool hasOthers = false;  ///< int a, b;
    std::size_t nameAt = 0;
    std::size_t after = 0;
};

/// Reads a declaration of another language from a token on.
class Reader {
public:
    Reader(const Slip& slip, std::size_t at) : slip_(slip), at_(at) {}

    std::optional<Declared> run() {
        while (isQualifier(slip_.word(at_)) && (slip_.type(at_) != P::Const || isDeclared_)) {
            ++at_;
            isDeclared_ = true;
        }
        readType();
        const bool isTyped = slip_.type(at_ + 1) == P::Colon && slip_.type(at_ + 2) != P::Assign;
        if (!isDeclared_ && !isTyped) return std::nullopt;
        if (!slip_.isName(at_)) return std::nullopt;
        out_.nameAt = at_;
        out_.name = slip_.word(at_++);
        if (slip_.type(at_) == P::LeftParen) {
            out_.isFunction = true;
            out_.after = at_;
            return out_;
        }
        readDimensions();
        if (!readAnnotation()) return std::nullopt;
        readInit();
        out_.hasOthers = slip_.type(at_) == P::Comma;
        const bool ends =
            slip_.type(at_) == P::Semicolon || out_.hasOthers || slip_.beginsLine(at_);
        out_.after = at_;
        return ends ? std::optional(out_) : std::nullopt;
    }

private:
    /// Whether the word at `at` is the last one of a declaration without a type before it.
    bool endsName(std::size_t at) const {
        const std::uint16_t next = slip_.type(at + 1);
        return next == P::Semicolon || next == P::Assign || next == P::Comma || next == P::Colon;
    }

    void readType() {
        bool isUnsigned = false;
        std::string_view word;
        for (; !nativeType(slip_.word(at_)).empty() && !endsName(at_); ++at_) {
            isUnsigned = isUnsigned || slip_.word(at_) == "unsigned";
            word = slip_.word(at_);
            isDeclared_ = true;
        }
        if (!word.empty()) {
            out_.type = word == "int" ? "i32" : word == "uint" ? "u32" : nativeType(word);
            if (isUnsigned && out_.type[0] == 'i') out_.type[0] = 'u';
            return readWidth(word);
        }
        if (slip_.word(at_) == "void") {
            ++at_;
            isDeclared_ = true;
        } else if (slip_.type(at_) == P::Identifier && slip_.isName(at_ + 1)
                   && !slip_.beginsLine(at_ + 1) && slip_.word(at_) != "begin" && endsName(at_ + 1)
                   && slip_.type(at_ + 2) != P::Colon) {
            out_.type = slip_.word(at_++);
            isDeclared_ = true;
        }
    }

    /// `[7:0]`, `(7 downto 0)`, `<8>`: where the high and the low bit are numbers, a number.
    void readWidth(std::string_view word) {
        const std::uint16_t open = slip_.type(at_);
        const std::size_t after = open == P::Less ? closingAngle(at_) : slip_.afterBracket(at_);
        if (open != P::LeftBracket && open != P::LeftParen && open != P::Less) return;
        if (after == Slip::npos || after < at_ + 3) return;
        const std::string width =
            open == P::Less ? slip_.source(at_ + 1, after - 2) : widthOf(at_ + 1, after - 2);
        if (std::string type = nativeType(word, width); !type.empty()) out_.type = type;
        at_ = after;
    }

    std::size_t closingAngle(std::size_t open) const {
        return slip_.type(open + 2) == P::Greater ? open + 3 : Slip::npos;
    }

    std::string widthOf(std::size_t first, std::size_t last) const {
        const std::size_t middle = slip_.find(first, {":", "downto"});
        if (middle == Slip::npos || middle > last) return slip_.source(first, last);
        const std::string high = slip_.source(first, middle - 1);
        if (middle - 1 == first && slip_.type(first) == P::Integer && high.size() < 5)
            return std::to_string(std::strtoul(high.c_str(), nullptr, 10) + 1);
        if (slip_.type(middle - 2) == P::Minus && slip_.word(middle - 1) == "1")
            return slip_.source(first, middle - 3);
        return high + " + 1";
    }

    void readDimensions() {
        std::string sizes;
        while (slip_.type(at_) == P::LeftBracket) {
            const std::size_t after = slip_.afterBracket(at_);
            if (after == Slip::npos || after < at_ + 3) break;
            const std::size_t colon = slip_.find(at_ + 1, {":"});
            sizes += colon == Slip::npos ? slip_.source(at_, after - 1)
                                         : "[" + sizeOf(at_ + 1, colon, after - 2) + "]";
            at_ = after;
        }
        out_.type = sizes + out_.type;
    }

    /// [0:255] in Verilog has 256 elements.
    std::string sizeOf(std::size_t first, std::size_t colon, std::size_t last) const {
        const bool counts = slip_.word(first) == "0" && colon == first + 1 && last == colon + 1
                            && slip_.type(last) == P::Integer && slip_.word(last).size() < 9;
        if (!counts) return slip_.source(first, last);
        const std::string high(slip_.word(last));
        return std::to_string(std::strtoul(high.c_str(), nullptr, 10) + 1);
    }

    /// `: u8`, as in Rust and VHDL.
    bool readAnnotation() {
        if (slip_.type(at_) != P::Colon || slip_.type(at_ + 1) == P::Assign) return true;
        const std::size_t first = ++at_;
        if (!slip_.isName(at_) && slip_.type(at_) != P::LeftBracket) return false;
        while (slip_.type(at_) == P::LeftBracket) {
            const std::size_t after = slip_.afterBracket(at_);
            if (after == Slip::npos) return false;
            at_ = after;
        }
        const std::size_t word = at_++;
        out_.type = slip_.source(first, word);
        if (const std::string type = nativeType(slip_.word(word)); first == word && !type.empty()) {
            out_.type = type;
            readWidth(slip_.word(word));
        }
        return true;
    }

    void readInit() {
        const bool isColon = slip_.type(at_) == P::Colon && slip_.type(at_ + 1) == P::Assign;
        if (isColon) ++at_;
        if (slip_.type(at_) != P::Assign) return;
        const std::size_t first = at_ + 1;
        const std::size_t end = slip_.find(first, {";", ","});
        if (end == Slip::npos || end == first) return;
        out_.init = " = " + slip_.source(first, end - 1);
        if (out_.type == kTypeUnknown) out_.type = typeOf(first, end - 1);
        at_ = end;
    }

    std::string typeOf(std::size_t first, std::size_t last) const {
        if (first != last) return std::string(kTypeUnknown);
        switch (slip_.type(first)) {
        case P::True:
        case P::False: return "bool";
        case P::Float: return "f64";
        case P::Integer: return slip_.word(first).size() <= 2 ? "u8" : "u32";
        default: return std::string(kTypeUnknown);
        }
    }

    const Slip& slip_;
    std::size_t at_;
    bool isDeclared_ = false;  // by a word or a type in front of the name
    Declared out_;
};

std::string asVariable(const Declared& found) {
    return fmt::format("var {}: {}{};", found.name, found.type, found.init);
}

std::optional<Habit> variable(const Slip& slip) {
    const bool isPlace = slip.expects(P::PlusAssign) || slip.isAtStart();
    if (!isPlace) return std::nullopt;
    const std::optional<Declared> found = Reader(slip, slip.head()).run();
    if (!found || found->nameAt > slip.failed() + 8) return std::nullopt;
    const std::size_t first = slip.head();
    if (found->isFunction) {
        if (slip.isStatement() || nativeType(slip.word(first)).empty()) return std::nullopt;
        return says(
            first, found->nameAt,
            fmt::format("a function starts with 'func'; write 'func {}(x: u8): {} {{ ... }}'",
                        found->name, found->type));
    }
    std::string message =
        fmt::format("a variable starts with 'var'; write '{}'{}", asVariable(*found),
                    found->hasOthers ? ", and a 'var' for each of the others" : "");
    if (slip.kind() == PieceKind::NetworkDeclaration && found->init.ends_with(")"))
        message = fmt::format("an instance starts with 'instance'; write 'instance {} of {};'",
                              found->name, found->init.substr(3));
    else if (slip.kind() == PieceKind::NetworkDeclaration)
        message =
            fmt::format("a network has no variables; a value travels on a bus, as in 'bus {} {{ "
                        "v: {}; }};'",
                        found->name, found->type);
    if (slip.kind() == PieceKind::Item && !slip.isStatement())
        message =
            fmt::format("variables stand in processes ('{}'); what never changes is 'const {}: "
                        "{} = ...;'",
                        asVariable(*found), found->name, found->type);
    return says(first, found->nameAt, message);
}

// ---------------------------------------------------------------- instances

std::string asInstance(const Slip& slip, std::string_view name, std::string_view entity,
                       std::size_t open) {
    const std::size_t after = slip.afterBracket(open);
    const bool isPlain = after != Slip::npos && slip.type(open + 1) != P::Dot;
    return fmt::format("write 'instance {} of {}{};'", name, entity,
                       isPlain ? slip.source(open, after - 1) : "(x: ...)");
}

std::optional<Habit> instance(const Slip& slip) {
    if (!slip.isAtStart() || slip.isStatement() || slip.kind() == PieceKind::Item)
        return std::nullopt;
    const std::size_t head = slip.head();
    if (!slip.isName(head) || !nativeType(slip.word(head)).empty()) return std::nullopt;
    const std::string_view entity = slip.word(head);
    if (slip.type(head + 1) == P::LeftParen)
        return says(head, head,
                    "an instance needs a name, or '_'; " + asInstance(slip, "_", entity, head + 1));
    if (slip.isName(head + 1) && slip.type(head + 2) == P::LeftParen)
        return says(head, head + 1,
                    "an instance starts with 'instance'; "
                        + asInstance(slip, slip.word(head + 1), entity, head + 2));
    if (slip.type(head + 1) != P::Colon) return std::nullopt;
    std::size_t of = slip.word(head + 2) == "entity" ? head + 3 : head + 2;
    if (slip.word(of) == "work" && slip.type(of + 1) == P::Dot) of += 2;
    const std::size_t open = slip.find(of, {"("});
    if (open == Slip::npos) return std::nullopt;
    return says(head, head,
                "an instance starts with 'instance'; "
                    + asInstance(slip, entity, slip.word(of), open));
}

std::optional<Habit> argument(const Slip& slip) {
    if (slip.type(slip.head()) != P::Instance) return std::nullopt;
    const std::size_t failed = slip.failed();
    if (slip.type(failed) == P::Dot && slip.isName(failed + 1))
        return says(
            failed, failed + 1,
            fmt::format("an argument is named by a colon; write '{}: ...'", slip.word(failed + 1)));
    if (slip.type(failed) == P::Assign && slip.expects(P::RightParen) && slip.isName(failed - 1)) {
        const std::size_t last = slip.operatorsAround(failed).second;
        return says(
            failed, last,
            fmt::format("an argument is named by a colon; write '{}: ...'", slip.word(failed - 1)));
    }
    const std::size_t head = slip.head();
    if (slip.type(head) == P::Instance && failed == head + 2 && slip.type(failed) == P::LeftParen)
        return says(failed - 1, failed - 1,
                    fmt::format("an instance needs a name, or '_'; write 'instance _ of {}(...);'",
                                slip.word(failed - 1)));
    const bool isSign = slip.type(failed) == P::Assign || slip.type(failed) == P::Colon;
    if (isSign && slip.expects(P::Of)) return lacks(slip, failed, failed, "write 'of'");
    return std::nullopt;
}

}  // namespace

std::optional<Habit> foreignDeclaration(const Slip& slip) {
    for (const auto& recognise : {instance, argument, variable})
        if (std::optional<Habit> found = recognise(slip)) return found;
    return std::nullopt;
}

}  // namespace smec::syntax
