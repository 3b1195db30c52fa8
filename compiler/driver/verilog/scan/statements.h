#pragma once

#include "driver/verilog/scan/model.h"

namespace smec::driver::scan {

/// Where a parser is in the tokens of a file.
class Cursor {
public:
    Cursor(const Source& source, std::uint32_t at, std::uint32_t end)
        : source(source), at(at), end(end) {}

    bool is(std::string_view what) const { return at < end && source[at].is(what); }
    bool isName() const { return at < end && source[at].isName(); }
    bool take(std::string_view what) {
        if (!is(what)) return false;
        ++at;
        return true;
    }
    /// What is in the brackets here, and behind them; empty where there are none.
    Span brackets() {
        if (!is("(") && !is("[") && !is("{")) return {at, at};
        const std::uint32_t begin = at + 1;
        const std::uint32_t behind = source.after(at, end);
        at = behind;
        return {begin, behind > begin ? behind - 1 : begin};
    }
    /// Up to a `;`, which is passed.
    Span restOfItem() {
        const std::uint32_t begin = at;
        at = source.find({at, end}, {";", "endmodule", "module"});
        const Span span{begin, at};
        take(";");
        return span;
    }

    const Source& source;
    std::uint32_t at;
    std::uint32_t end;
};

/// Declares what a list of declarators has: from a direction, kind or type on up to `;` or the end.
/// Returns false, and does nothing, where none begins here.
bool parseDeclaration(Cursor& cursor, Decls& decls, Module& module);

/// What a `typedef` declares, of its words without the `;`.
void takeType(const Source& source, Span span, Types& types);

/// The type that words say, with no name declared behind them.
Type typeOf(const Source& source, Span words);

/// One statement of a block into `module`; its number.
StatementId parseStatement(Cursor& cursor, Decls& decls, Module& module, Parsed& parsed,
                           int depth = 0);

}  // namespace smec::driver::scan
