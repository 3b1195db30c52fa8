#include <algorithm>

#include "driver/verilog/scan/statements.h"

namespace smec::driver::scan {
namespace {

constexpr int kDeepestParameters = 20;

constexpr std::string_view kNets[] = {"wire", "wand", "wor",    "tri",     "triand",  "trior",
                                      "tri0", "tri1", "trireg", "supply0", "supply1", "uwire"};
constexpr std::string_view kVariables[] = {"reg", "logic", "bit", "var"};
constexpr std::pair<std::string_view, std::uint32_t> kIntegers[] = {
    {"integer", 32}, {"int", 32}, {"byte", 8}, {"shortint", 16}, {"longint", 64}, {"time", 64}};
constexpr std::string_view kSignedTypes[] = {"int", "byte", "shortint", "longint"};
constexpr std::string_view kReals[] = {"real", "realtime", "shortreal"};

bool isUnsizedAndLarge(const Token& t) {
    if (!t.isNumber()) return false;
    const Literal literal = literalOf(t.text);
    return literal.hasBase && !literal.size && !literal.isSigned && !literal.isLarge
           && literal.value >> 31 == 1;
}

/// The words before a list of names.
struct Head {
    Decl decl;
    bool isThere = false;
    bool hasRange = false;
};

class Declaration {
public:
    Declaration(Cursor& cursor, Decls& decls, Module& module)
        : cursor_(cursor), source_(cursor.source), decls_(decls), module_(module) {}

    bool run() {
        const std::uint32_t begin = cursor_.at;
        const Head head = readHead();
        Head whole = head;
        if (head.isThere) userType(whole);
        if (!head.isThere || !cursor_.isName()) {
            cursor_.at = begin;
            return false;
        }
        while (cursor_.isName()) {
            declarator(whole);
            const std::uint32_t comma = cursor_.at;
            if (!cursor_.take(",")) break;
            // a list of ports: another head begins
            const std::uint32_t behind = cursor_.at;
            Head next = readHead();
            if (!next.isThere) userType(next);
            if (cursor_.at != behind) {
                cursor_.at = comma;
                break;
            }
            cursor_.at = behind;
        }
        return true;
    }

private:
    Head readHead() {
        Head head;
        for (; cursor_.isName(); ++cursor_.at) {
            const std::string_view word = source_[cursor_.at].text;
            if (!headWord(word, head)) break;
            head.isThere = true;
        }
        if (head.isThere && cursor_.is("(")) cursor_.brackets();  // a strength
        if (head.isThere) ranges(head);
        if (head.isThere && cursor_.take("#"))
            cursor_.is("(") ? void(cursor_.brackets()) : void(++cursor_.at);
        return head;
    }

    /// A name before the declared one: of a type, maybe in a package, with more ranges.
    void userType(Head& head) {
        std::uint32_t at = cursor_.at;
        if (at + 2 < cursor_.end && source_[at + 1].is("::")) at += 2;
        std::uint32_t behind = at + 1;
        while (behind < cursor_.end && source_[behind].is("["))
            behind = source_.after(behind, cursor_.end);
        if (at >= cursor_.end || behind >= cursor_.end || !source_[at].isName()
            || !source_[behind].isName())
            return;
        cursor_.at = behind;
        head.decl.type = at;
        head.decl.hasTypeRange = behind > at + 1;
        if (head.decl.kind != DeclKind::Parameter) head.decl.kind = DeclKind::Other;
        head.decl.width = std::nullopt;
        head.hasRange = true;
    }

    bool headWord(std::string_view word, Head& head) {
        Decl& decl = head.decl;
        if (word == "input" || word == "inout") decl.isInput = true;
        if (word == "output" || word == "inout") decl.isOutput = true;
        if (decl.isInput || decl.isOutput) {
            if (word == "input" || word == "output" || word == "inout") return true;
        }
        if (isIn(word, kNets)) return true;
        if (isIn(word, kVariables)) return decl.kind = variableOf(decl), true;
        if (isIn(word, kReals)) {
            decl.kind = DeclKind::Real;
            decl.width = 64;
            return true;
        }
        for (const auto& [name, width] : kIntegers) {
            if (word != name) continue;
            decl.kind = variableOf(decl);
            decl.isSigned = name != "time";
            decl.isInteger = width == 32;
            decl.width = width;
            decl.left = width - 1;
            decl.right = 0;
            return true;
        }
        if (word == "genvar") return decl.kind = DeclKind::Genvar, true;
        if (word == "parameter" || word == "localparam")
            return decl.kind = DeclKind::Parameter, true;
        if (word == "signed") return decl.isSigned = true, head.isThere;
        if (word == "unsigned") return decl.isSigned = false, head.isThere;
        return word == "static" || word == "automatic" || word == "const" || word == "scalared"
               || word == "vectored";
    }

    static DeclKind variableOf(const Decl& decl) {
        return decl.kind == DeclKind::Parameter ? DeclKind::Parameter : DeclKind::Variable;
    }

    /// [a:b], and more of them, packed.
    void ranges(Head& head) {
        Decl& decl = head.decl;
        while (cursor_.is("[")) {
            const Span inside = cursor_.brackets();
            const std::uint32_t colon = source_.find(inside, {":"});
            const auto left = valueIn(source_, {inside.begin, colon}, decls_);
            const auto right =
                valueIn(source_, {std::min(colon + 1, inside.end), inside.end}, decls_);
            if (!head.hasRange) {
                decl.left = left;
                decl.right = right;
                decl.isUpward = left && right
                                    ? *left < *right
                                    : colon == inside.begin + 1 && source_[inside.begin].is("0");
            }
            std::optional<std::uint32_t> width;
            if (left && right && std::abs(*left - *right) < (1 << 24))
                width = static_cast<std::uint32_t>(std::abs(*left - *right) + 1);
            decl.width = head.hasRange && decl.width && width ? *decl.width * *width : width;
            head.hasRange = true;
        }
        if (!head.hasRange && decl.kind != DeclKind::Parameter && !decl.width
            && decl.kind != DeclKind::Real) {
            decl.width = 1;
            decl.left = decl.right = 0;
        }
    }

    void declarator(const Head& head) {
        Decl decl = head.decl;
        decl.name = cursor_.at;
        decl.isSignedPort = decl.isSigned && module_.depth == 0;
        const std::string_view name = source_[cursor_.at++].text;
        while (cursor_.is("[")) {
            cursor_.brackets();
            decl.isArray = true;
        }
        if (cursor_.take("=")) {
            const std::uint32_t begin = cursor_.at;
            cursor_.at = source_.find({begin, cursor_.end}, {",", ";", ")"});
            decl.value = {begin, cursor_.at};
            for (std::uint32_t i = begin;
                 decl.kind == DeclKind::Parameter && !head.hasRange && i < cursor_.at; ++i)
                decl.hasUnsizedNumber |=
                    isUnsizedAndLarge(source_[i]) && source_[begin].is(source_[i].text);
        }
        add(name, decl);
    }

    /// The direction of a port may stand apart from its kind; names of different parts of a
    /// `generate` are one here, whose width is not known where they differ.
    void add(std::string_view name, const Decl& decl) {
        const auto [known, isNew] = decls_.try_emplace(name, decl);
        if (isNew) return;
        Decl& old = known->second;
        const bool isPort = (old.isInput || old.isOutput) != (decl.isInput || decl.isOutput);
        if (decl.kind != DeclKind::Net) old.kind = decl.kind;
        old.isInput |= decl.isInput;
        old.isOutput |= decl.isOutput;
        old.isArray |= decl.isArray;
        old.isSigned |= decl.isSigned;
        old.isSignedPort |= decl.isSignedPort;
        if (isPort ? decl.width.value_or(1) > old.width.value_or(0) && old.width == 1u : false) {
            old.width = decl.width;
            old.left = decl.left;
            old.right = decl.right;
            old.isUpward = decl.isUpward;
        } else if (!isPort && old.width != decl.width) {
            old.width = std::nullopt;
        }
    }

    Cursor& cursor_;
    const Source& source_;
    Decls& decls_;
    Module& module_;
};

/// Whether words before a name or a brace are those of a type with a sign.
bool isSignedType(const Source& source, Span words) {
    bool isSigned = false;
    for (std::uint32_t i = words.begin; i < words.end; i = source.after(i, words.end)) {
        const std::string_view word = source[i].text;
        if (word == "signed" || word == "integer" || isIn(word, kSignedTypes)) isSigned = true;
        if (word == "unsigned") isSigned = false;
    }
    return isSigned;
}

bool isOwnWord(std::string_view word) {
    return word == "signed" || word == "unsigned" || word == "packed" || word == "enum"
           || word == "struct" || word == "union" || word == "tagged" || word == "time"
           || word == "integer" || isIn(word, kSignedTypes) || isIn(word, kNets)
           || isIn(word, kVariables) || isIn(word, kReals);
}

/// The name of a type of the user's that a type is called by; 0: it is another one.
std::uint32_t typeCalled(const Source& source, Span words) {
    if (words.empty() || !source[words.begin].isName() || isOwnWord(source[words.begin].text))
        return 0;
    const bool isMember = words.size() > 2 && source[words.begin + 1].is("::");
    const std::uint32_t name = words.begin + (isMember ? 2 : 0);
    return name + 1 == words.end ? name : 0;  // an array of it has no sign
}

}  // namespace

Type typeOf(const Source& source, Span span) {
    // words before what is in braces
    const std::uint32_t brace = source.find(span, {"{"});
    Span words{span.begin, brace};
    Type type;
    if (!words.empty() && source[words.begin].is("enum")) {
        ++words.begin;
        type.isSigned = words.empty();  // an int
    }
    const bool isArray = brace < span.end && source.after(brace, span.end) < span.end;
    type.isSigned = !isArray && (type.isSigned || isSignedType(source, words));
    if (!isArray) type.same = typeCalled(source, words);
    return type;
}

void takeType(const Source& source, Span span, Types& types) {
    if (span.empty() || !source[span.begin].is("typedef")) return;
    const std::uint32_t last = span.end - 1;
    if (source[last].isName()) types[source[last].text] = typeOf(source, {span.begin + 1, last});
}

std::optional<std::int64_t> valueIn(const Source& source, Span span, const Decls& decls,
                                    int depth) {
    if (depth > kDeepestParameters) return std::nullopt;
    return evaluate(source.tokens, span, [&](std::string_view name) -> std::optional<std::int64_t> {
        const auto found = decls.find(name);
        if (found == decls.end() || found->second.kind != DeclKind::Parameter) return std::nullopt;
        return valueIn(source, found->second.value, decls, depth + 1);
    });
}

bool parseDeclaration(Cursor& cursor, Decls& decls, Module& module) {
    return Declaration(cursor, decls, module).run();
}

}  // namespace smec::driver::scan
