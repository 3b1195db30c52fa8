#include "driver/verilog/scan/statements.h"

#include <algorithm>

namespace smec::driver::scan {
namespace {

constexpr int kDeepestStatement = 200;

constexpr std::string_view kAssigning[] = {
    "=", "<=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "<<<=", ">>>="};
/// What ends a statement that has no `;`.
constexpr std::string_view kEnds[] = {"end",  "endcase", "endmodule", "endfunction", "endtask",
                                      "else", "join",    "join_any",  "join_none",   "module"};

class StatementParser {
public:
    StatementParser(Cursor& cursor, Decls& decls, Module& module, Parsed& parsed)
        : c_(cursor), source_(cursor.source), decls_(decls), module_(module), parsed_(parsed) {}

    StatementId statement(int depth) {
        if (depth > kDeepestStatement) {
            c_.at = c_.end;
            return made({});
        }
        const std::uint32_t begin = c_.at;
        const StatementId id = any(depth);
        if (c_.at == begin && c_.at < c_.end && !isIn(source_[c_.at].text, kEnds)) ++c_.at;
        return id;
    }

private:
    StatementId made(Statement statement) {
        module_.statements.push_back(std::move(statement));
        return static_cast<StatementId>(module_.statements.size() - 1);
    }

    Statement begun(StatementKind kind) const {
        Statement statement;
        statement.kind = kind;
        statement.word = c_.at;
        return statement;
    }

    StatementId any(int depth) {
        if (c_.at >= c_.end) return made({});
        while (c_.isName() && c_.at + 1 < c_.end && source_[c_.at + 1].is(":")
               && !source_[c_.at].is("default") && !source_[c_.at].is("begin")
               && !source_[c_.at].is("fork"))
            c_.at += 2;  // a label
        std::uint32_t unique = 0;
        if (c_.is("unique") || c_.is("priority") || c_.is("unique0"))
            unique = c_.is("unique0") ? (++c_.at, 0) : c_.at++;
        if (c_.is("begin")) return block(depth);
        if (c_.is("fork")) return unread("fork", depth);
        if (c_.is("if")) return choice(depth, unique);
        if (c_.is("case") || c_.is("casez") || c_.is("casex")) return cases(depth, unique);
        if (c_.is("for") || c_.is("while") || c_.is("repeat") || c_.is("forever") || c_.is("do"))
            return loop(depth);
        if (c_.is("@") || c_.is("#") || c_.is("wait") || c_.is("->") || c_.is("disable"))
            return timed(depth);
        if (c_.is("assert") || c_.is("assume") || c_.is("cover") || c_.is("restrict"))
            return check(depth);
        if (parseDeclaration(c_, decls_, module_)) {
            c_.restOfItem();
            return made(begun(StatementKind::Block));
        }
        return simple();
    }

    StatementId block(int depth) {
        Statement whole = begun(StatementKind::Block);
        ++c_.at;
        if (c_.take(":") && c_.isName()) module_.blocks.insert(source_[c_.at++].text);
        while (c_.at < c_.end && !isIn(source_[c_.at].text, kEnds)) {
            const std::uint32_t before = c_.at;
            whole.children.push_back(statement(depth + 1));
            if (c_.at == before) ++c_.at;
        }
        if (c_.take("end") && c_.take(":") && c_.isName()) ++c_.at;
        return made(std::move(whole));
    }

    StatementId unread(std::string_view what, int depth) {
        Statement whole = begun(StatementKind::Unread);
        parsed_.unreadable.push_back({c_.at, what});
        if (!c_.take("fork")) {
            c_.restOfItem();
            return made(std::move(whole));
        }
        while (c_.at < c_.end && !isIn(source_[c_.at].text, kEnds)) {
            const std::uint32_t before = c_.at;
            whole.children.push_back(statement(depth + 1));
            if (c_.at == before) ++c_.at;
        }
        if (c_.is("join") || c_.is("join_any") || c_.is("join_none")) ++c_.at;
        return made(std::move(whole));
    }

    StatementId choice(int depth, std::uint32_t unique) {
        Statement whole = begun(StatementKind::If);
        whole.unique = unique;
        ++c_.at;
        whole.head = c_.brackets();
        whole.children.push_back(statement(depth + 1));
        if (c_.take("else")) whole.children.push_back(statement(depth + 1));
        return made(std::move(whole));
    }

    StatementId cases(int depth, std::uint32_t unique) {
        Statement whole = begun(StatementKind::Case);
        whole.unique = unique;
        ++c_.at;
        whole.head = c_.brackets();
        if (!c_.take("inside")) c_.take("matches");
        while (c_.at < c_.end && !isIn(source_[c_.at].text, kEnds)) {
            const std::uint32_t begin = c_.at;
            Span labels{begin, begin};
            if (c_.take("default")) {
                c_.take(":");
            } else {
                c_.at = colon(begin);
                labels.end = c_.at;
                if (!c_.take(":")) break;
            }
            whole.items.push_back(labels);
            whole.children.push_back(statement(depth + 1));
        }
        c_.take("endcase");
        return made(std::move(whole));
    }

    /// Of a case item, which may have choices.
    std::uint32_t colon(std::uint32_t begin) const {
        int choices = 0;
        for (std::uint32_t i = begin; i < c_.end; i = source_.after(i, c_.end)) {
            if (source_[i].is("?")) ++choices;
            if (source_[i].is(":") && choices-- == 0) return i;
            if (source_[i].is(";") || isIn(source_[i].text, kEnds)) return i;
        }
        return c_.end;
    }

    StatementId loop(int depth) {
        const bool isFor = c_.is("for"), isForever = c_.is("forever"), isDo = c_.is("do");
        Statement whole = begun(isFor ? StatementKind::For : StatementKind::Loop);
        if (isForever) parsed_.unreadable.push_back({c_.at, "forever"});
        ++c_.at;
        if (!isForever && !isDo) whole.head = c_.brackets();
        if (isFor) loopVariable(whole.head);
        whole.children.push_back(statement(depth + 1));
        if (isDo && c_.take("while")) {
            whole.head = c_.brackets();
            c_.take(";");
        }
        return made(std::move(whole));
    }

    /// for (int i = 0; ...)
    void loopVariable(Span head) {
        Cursor inside(source_, head.begin, head.end);
        parseDeclaration(inside, decls_, module_);
    }

    StatementId timed(int depth) {
        const Statement begin = begun(StatementKind::Block);
        if (c_.is("@")) parsed_.unreadable.push_back({c_.at, "an event that a block waits for"});
        if (c_.is("wait")) parsed_.unreadable.push_back({c_.at, "wait"});
        if (c_.is("->")) return unread("an event", depth);
        if (c_.is("disable")) return unread("disable", depth);
        ++c_.at;
        skipDelay();
        if (c_.take(";")) return made(begin);
        return statement(depth + 1);
    }

    void skipDelay() {
        if (c_.is("(")) {
            c_.brackets();
            return;
        }
        if (c_.at < c_.end && !c_.is(";")) ++c_.at;
        while (c_.is(".") && c_.at + 1 < c_.end)
            c_.at += 2;
    }

    /// What a check does where it fails is not looked at.
    StatementId check(int depth) {
        const Statement begin = begun(StatementKind::Block);
        ++c_.at;
        if (c_.is("property") || c_.is("#")) {
            c_.at = source_.find({c_.at, c_.end}, {"(", ";"});
        }
        c_.brackets();
        if (c_.take(";")) return made(begin);
        if (!c_.is("else")) statement(depth + 1);
        if (c_.take("else")) statement(depth + 1);
        return made(begin);
    }

    /// An assignment or a call, up to `;`.
    StatementId simple() {
        Statement whole = begun(StatementKind::Call);
        const std::uint32_t begin = c_.at;
        if (c_.take(";")) return made(begun(StatementKind::Block));
        std::uint32_t end = begin;
        while (end < c_.end && !source_[end].is(";") && !isIn(source_[end].text, kEnds))
            end = source_.after(end, c_.end);
        c_.at = end;
        c_.take(";");
        std::uint32_t sign = begin;
        while (sign < end
               && !(source_[sign].kind == TokenKind::Sign && isIn(source_[sign].text, kAssigning)))
            sign = source_.after(sign, end);
        if (sign < end) return assignment(std::move(whole), {begin, sign}, sign, end);
        if (end > begin && (source_[end - 1].is("++") || source_[end - 1].is("--")))
            return assignment(std::move(whole), {begin, end - 1}, end - 1, end);
        if (source_[begin].is("++") || source_[begin].is("--"))
            return assignment(std::move(whole), {begin + 1, end}, begin, begin + 1);
        const std::uint32_t open = source_.find({begin, end}, {"("});
        if (open < end) whole.head = {open + 1, source_.after(open, end) - 1};
        return made(std::move(whole));
    }

    StatementId assignment(Statement whole, Span left, std::uint32_t sign, std::uint32_t end) {
        if (source_[left.begin].is("assign") || source_[left.begin].is("force")) ++left.begin;
        whole.kind = StatementKind::Assign;
        whole.isNonblocking = source_[sign].is("<=");
        whole.left = left;
        // what is computed from itself reads the left side, too
        whole.right = source_[sign].is("=") || source_[sign].is("<=") ? Span{sign + 1, end}
                                                                      : Span{left.begin, end};
        return made(std::move(whole));
    }

    Cursor& c_;
    const Source& source_;
    Decls& decls_;
    Module& module_;
    Parsed& parsed_;
};

}  // namespace

StatementId parseStatement(Cursor& cursor, Decls& decls, Module& module, Parsed& parsed,
                           int depth) {
    return StatementParser(cursor, decls, module, parsed).statement(depth);
}

}  // namespace smec::driver::scan
