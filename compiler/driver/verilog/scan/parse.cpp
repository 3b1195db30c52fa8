#include <algorithm>

#include "driver/verilog/scan/statements.h"

namespace smec::driver::scan {
namespace {

constexpr std::string_view kGates[] = {"and", "nand", "or",     "nor",    "xor",    "xnor",
                                       "not", "buf",  "bufif0", "bufif1", "notif0", "notif1"};
constexpr std::string_view kSwitches[] = {"nmos",     "pmos",     "cmos",   "rnmos",   "rpmos",
                                          "rcmos",    "tran",     "rtran",  "tranif0", "tranif1",
                                          "rtranif0", "rtranif1", "pullup", "pulldown"};
constexpr std::string_view kStrengths[] = {"supply0", "supply1", "strong0", "strong1", "pull0",
                                           "pull1",   "weak0",   "weak1",   "highz0",  "highz1",
                                           "small",   "medium",  "large"};
constexpr std::pair<std::string_view, std::string_view> kPassed[] = {
    {"specify", "endspecify"},  {"property", "endproperty"}, {"sequence", "endsequence"},
    {"covergroup", "endgroup"}, {"clocking", "endclocking"}, {"class", "endclass"},
    {"checker", "endchecker"},  {"table", "endtable"}};
constexpr std::string_view kUntilSemicolon[] = {
    "import", "export",   "modport",  "defparam",      "alias",   "bind",      "assert", "assume",
    "cover",  "restrict", "timeunit", "timeprecision", "default", "specparam", "let",    "nettype"};

class ModuleParser {
public:
    ModuleParser(Cursor& cursor, Module& module, Parsed& parsed)
        : c_(cursor), source_(cursor.source), m_(module), parsed_(parsed) {}

    void run() {
        header();
        while (c_.at < c_.end && !isEnd()) {
            const std::uint32_t begin = c_.at;
            item();
            if (c_.at == begin) ++c_.at;
        }
        m_.whole.end = c_.at;
        dropUncalled();
        if (c_.at < c_.end) ++c_.at;
    }

private:
    /// What nothing calls does nothing; a package's functions are others'.
    void dropUncalled() {
        if (source_[m_.word].is("package") || m_.isInterface) return;
        std::set<std::string_view> called;
        for (std::uint32_t i = m_.whole.begin; i < m_.whole.end; ++i) {
            if (!source_[i].isName()) continue;
            const auto found = m_.routines.find(source_[i].text);
            if (found == m_.routines.end()) continue;
            const Span own = found->second.whole;
            if (i < own.begin || i >= own.end) called.insert(found->first);
        }
        std::erase_if(m_.routines, [&](const auto& entry) {
            if (called.contains(entry.first)) return false;
            m_.uncalled.push_back(entry.second.whole);
            return true;
        });
        std::ranges::sort(m_.uncalled, {}, &Span::begin);
    }

    bool isEnd() const {
        return c_.is("endmodule") || c_.is("endinterface") || c_.is("endprogram")
               || c_.is("endpackage") || c_.is("module");
    }

    void header() {
        m_.word = m_.whole.begin = c_.at++;
        while (c_.is("static") || c_.is("automatic"))
            ++c_.at;
        if (c_.isName()) m_.name = c_.at++;
        while (c_.take("import"))
            c_.restOfItem();
        if (c_.take("#")) parameters(c_.brackets());
        if (c_.is("(")) ports(c_.brackets());
        c_.restOfItem();
    }

    void parameters(Span span) {
        Cursor inside(source_, span.begin, span.end);
        while (inside.at < inside.end) {
            const std::uint32_t begin = inside.at;
            if (!parseDeclaration(inside, m_.decls, m_)) untyped(inside);
            inside.take(",");
            if (inside.at == begin) ++inside.at;
        }
    }

    /// NAME = VALUE, or with a type of the user's before it.
    void untyped(Cursor& inside) {
        const std::uint32_t equals = source_.find({inside.at, inside.end}, {"=", ","});
        if (equals < inside.end && equals > inside.at && source_[equals].is("=")
            && source_[equals - 1].isName()) {
            Decl decl;
            decl.kind = DeclKind::Parameter;
            decl.name = equals - 1;
            decl.value = {equals + 1, source_.find({equals, inside.end}, {","})};
            m_.decls.try_emplace(source_[equals - 1].text, decl);
        }
        inside.at = source_.find({inside.at, inside.end}, {","});
    }

    void ports(Span span) {
        Cursor inside(source_, span.begin, span.end);
        while (inside.at < inside.end) {
            const std::uint32_t begin = inside.at;
            if (inside.is(".") || inside.is("{"))
                parsed_.unreadable.push_back({inside.at, "a port that is an expression"});
            else if (inside.isName() && inside.at + 1 < inside.end && source_[inside.at + 1].is("[")
                     && source_.find({inside.at, inside.end}, {","})
                            == source_.after(inside.at + 1, inside.end)
                     && !isKind(inside.at))
                parsed_.unreadable.push_back({inside.at, "a port that is an expression"});
            if (!parseDeclaration(inside, m_.decls, m_)) {
                const std::uint32_t end = source_.find({inside.at, inside.end}, {","});
                userPort(inside.at, end);
                inside.at = end;
            }
            inside.take(",");
            if (inside.at == begin) ++inside.at;
        }
        for (const Span part : source_.list(span)) {
            std::uint32_t last = part.begin;
            for (std::uint32_t i = part.begin; i < part.end; i = source_.after(i, part.end)) {
                if (source_[i].is("=")) break;
                if (source_[i].isName()) last = i;
            }
            m_.ports.push_back(source_[last].text);
        }
    }

    bool isKind(std::uint32_t at) const {
        return source_[at].is("input") || source_[at].is("output") || source_[at].is("inout")
               || source_[at].is("parameter");
    }

    /// Of an interface, or of a type of the user's: its last name.
    void userPort(std::uint32_t begin, std::uint32_t end) {
        std::uint32_t last = end, names = 0;
        for (std::uint32_t i = begin; i < end; i = source_.after(i, end)) {
            if (!source_[i].isName()) continue;
            last = i;
            ++names;
        }
        if (names < 2) return;
        Decl decl;
        decl.kind = DeclKind::Other;
        decl.name = last;
        const bool isMember = begin + 2 < end && source_[begin + 1].is("::");
        decl.type = isMember ? begin + 2 : begin;
        decl.hasTypeRange = decl.type + 1 != last;
        m_.decls.try_emplace(source_[last].text, decl);
    }

    void item() {
        const Token& t = source_[c_.at];
        if (!t.isName()) return structure();
        if (t.is("assign")) return assigns();
        if (t.text.starts_with("always")) return always(false);
        if (t.is("initial") || t.is("final")) return always(true);
        if (t.is("function") || t.is("task")) return routine();
        if (t.is("typedef")) return typedefs();
        if (t.is("tri0") || t.is("tri1") || t.is("trireg"))
            unreadable(t.is("trireg") ? "trireg" : "tri0 and tri1");
        if (t.is("event")) unreadable("an event");
        if (t.is("generate") || t.is("endgenerate")) return void(++c_.at);
        for (const auto& [begin, end] : kPassed) {
            if (!t.is(begin)) continue;
            while (c_.at < c_.end && !c_.is(end) && !c_.is("endmodule"))
                ++c_.at;
            return void(c_.take(end));
        }
        if (isIn(t.text, kGates)) return gates();
        if (isIn(t.text, kSwitches)) {
            unreadable("a switch of transistors");
            return void(c_.restOfItem());
        }
        if (isStructure(t.text)) return structure();
        if (isIn(t.text, kUntilSemicolon)) return void(c_.restOfItem());
        declarationOrInstance();
    }

    void unreadable(std::string_view what) { parsed_.unreadable.push_back({c_.at, what}); }

    static bool isStructure(std::string_view word) {
        static constexpr std::string_view kWords[] = {"begin", "end",  "if",      "else",
                                                      "for",   "case", "endcase", "default"};
        return isIn(word, kWords);
    }

    /// Of `generate`: what is inside counts as if it stood in the module.
    void structure() {
        if (c_.take("begin") || c_.take("end")) {
            m_.depth += source_[c_.at - 1].is("begin") ? 1 : m_.depth > 0 ? -1 : 0;
            if (c_.take(":") && c_.isName()) m_.blocks.insert(source_[c_.at++].text);
        } else if (c_.take("if") || c_.take("for") || c_.take("case")) {
            const Span head = c_.brackets();
            Cursor inside(source_, head.begin, head.end);
            parseDeclaration(inside, m_.decls, m_);
        } else if (c_.at < c_.end) {
            ++c_.at;
        }
    }

    void assigns() {
        ++c_.at;
        if (c_.is("(")) strength();
        if (c_.take("#")) c_.is("(") ? void(c_.brackets()) : void(++c_.at);
        for (const Span part : source_.list(c_.restOfItem()))
            m_.assigns.push_back(part);
    }

    /// (strong0, weak1)
    bool strength() {
        const std::uint32_t open = c_.at;
        if (!c_.is("(") || open + 1 >= c_.end || !isIn(source_[open + 1].text, kStrengths))
            return false;
        parsed_.unreadable.push_back({open + 1, "a strength"});
        c_.brackets();
        return true;
    }

    void always(bool isInitial) {
        Always always;
        always.word = c_.at++;
        always.isInitial = isInitial;
        const Token& before = source_[always.word - 1];
        always.isAlternative =
            m_.depth > 0 || before.is(")") || before.is("else") || before.is(":");
        if (!isInitial && c_.is("@")) {
            ++c_.at;
            if (c_.is("(")) {
                always.list = c_.brackets();
                always.hasList = !source_[always.list.begin].is("*");
            } else if (!c_.take("*") && c_.isName()) {
                always.list = {c_.at, c_.at + 1};
                always.hasList = true;
                ++c_.at;
            }
        }
        always.body = parseStatement(c_, m_.decls, m_, parsed_);
        m_.always.push_back(always);
    }

    void routine() {
        Routine routine;
        routine.whole.begin = c_.at;
        routine.isFunction = c_.is("function");
        const std::string_view end = routine.isFunction ? "endfunction" : "endtask";
        ++c_.at;
        if (c_.take("automatic")) routine.isAutomatic = true;
        c_.take("static");
        // the name stands before ( or ;
        const std::uint32_t stop = source_.find({c_.at, c_.end}, {"(", ";"});
        if (stop == c_.at || stop >= c_.end || !source_[stop - 1].isName()) return;
        routine.name = stop - 1;
        const std::string_view name = source_[routine.name].text;
        if (routine.isFunction && !(stop - c_.at == 2 && c_.is("void"))) result(routine, stop);
        c_.at = stop;
        if (c_.is("(")) {
            const Span list = c_.brackets();
            routinePorts(routine, list);
        }
        c_.take(";");
        Statement body;
        body.word = routine.name;
        while (c_.at < c_.end && !c_.is(end) && !isEnd()) {
            const std::uint32_t begin = c_.at;
            if (c_.is("input") || c_.is("output") || c_.is("inout"))
                oldPorts(routine);
            else
                body.children.push_back(parseStatement(c_, routine.locals, m_, parsed_));
            if (c_.at == begin) ++c_.at;
        }
        c_.take(end);
        if (c_.take(":") && c_.isName()) ++c_.at;
        m_.statements.push_back(std::move(body));
        routine.body = static_cast<StatementId>(m_.statements.size() - 1);
        routine.whole.end = c_.at;
        m_.routines.insert_or_assign(name, std::move(routine));
    }

    void result(Routine& routine, std::uint32_t stop) {
        Decl decl;
        decl.kind = DeclKind::Variable;
        decl.name = routine.name;
        decl.isOutput = true;
        decl.width = stop - c_.at == 1 ? std::optional<std::uint32_t>(1) : std::nullopt;
        if (c_.is("integer")) decl.width = 32;
        if (c_.is("signed")) decl.isSigned = true;
        for (std::uint32_t i = c_.at; i + 1 < stop; i = source_.after(i, stop)) {
            if (!source_[i].is("[")) continue;
            const Span inside{i + 1, source_.after(i, stop) - 1};
            const std::uint32_t colon = source_.find(inside, {":"});
            const auto left = valueIn(source_, {inside.begin, colon}, m_.decls);
            const auto right =
                valueIn(source_, {std::min(colon + 1, inside.end), inside.end}, m_.decls);
            if (left && right && std::abs(*left - *right) < 1 << 24)
                decl.width = static_cast<std::uint32_t>(std::abs(*left - *right) + 1);
        }
        routine.locals[source_[routine.name].text] = decl;
    }

    void routinePorts(Routine& routine, Span list) {
        Cursor inside(source_, list.begin, list.end);
        while (inside.at < inside.end) {
            const std::uint32_t begin = inside.at;
            if (!parseDeclaration(inside, routine.locals, m_)) {
                const std::uint32_t end = source_.find({inside.at, inside.end}, {","});
                inside.at = end;
            }
            inside.take(",");
            if (inside.at == begin) ++inside.at;
        }
        for (const Span part : source_.list(list)) {
            std::uint32_t last = part.begin;
            for (std::uint32_t i = part.begin; i < part.end && !source_[i].is("=");
                 i = source_.after(i, part.end))
                if (source_[i].isName()) last = i;
            routine.ports.push_back(source_[last].text);
        }
    }

    void oldPorts(Routine& routine) {
        const std::uint32_t begin = c_.at;
        parseDeclaration(c_, routine.locals, m_);
        for (const Span part : source_.list({begin, c_.at})) {
            std::uint32_t last = part.begin;
            for (std::uint32_t i = part.begin; i < part.end; i = source_.after(i, part.end))
                if (source_[i].isName()) last = i;
            routine.ports.push_back(source_[last].text);
        }
        c_.restOfItem();
    }

    void typedefs() { takeType(source_, c_.restOfItem(), m_.types); }

    void gates() {
        ++c_.at;
        strength();
        if (c_.take("#")) c_.is("(") ? void(c_.brackets()) : void(++c_.at);
        const std::uint32_t begin = c_.at;
        if (c_.isName() && begin + 1 < c_.end && source_[begin + 1].is("["))
            unreadable("an array of gates");
        c_.restOfItem();
    }

    void declarationOrInstance() {
        if (parseDeclaration(c_, m_.decls, m_)) {
            c_.restOfItem();
            return;
        }
        const std::uint32_t module = c_.at++;
        if (c_.take("::") && c_.isName()) ++c_.at;
        if (c_.take(":")) return;  // a label
        if (c_.is("#")) {
            ++c_.at;
            if (!c_.is("(")) {
                parsed_.unreadable.push_back({c_.at, "a parameter without parentheses"});
                ++c_.at;
            } else {
                c_.brackets();
            }
        }
        while (c_.is("[") || c_.is("."))
            c_.is("[") ? void(c_.brackets()) : void(c_.at += 2);  // of a type, or a modport
        if (!c_.isName()) return void(c_.restOfItem());
        instances(module);
    }

    void instances(std::uint32_t module) {
        while (c_.isName()) {
            const std::uint32_t name = c_.at++;
            while (c_.is("["))
                c_.brackets();
            if (c_.is("(")) {
                m_.instances.push_back({module, name, c_.brackets()});
            } else {
                Decl decl;
                decl.kind = DeclKind::Other;
                decl.name = name;
                m_.decls.try_emplace(source_[name].text, decl);
                c_.at = source_.find({c_.at, c_.end}, {",", ";"});
            }
            if (!c_.take(",")) break;
        }
        c_.restOfItem();
    }

    Cursor& c_;
    const Source& source_;
    Module& m_;
    Parsed& parsed_;
};

bool isModuleWord(const Token& t) {
    return t.is("module") || t.is("macromodule") || t.is("interface") || t.is("program")
           || t.is("package");
}

}  // namespace

Parsed parse(const Source& source, std::uint32_t unit) {
    Parsed parsed;
    const auto end = static_cast<std::uint32_t>(source.tokens.size() - 1);
    Cursor cursor(source, 0, end);
    while (cursor.at < end) {
        if (cursor.is("primitive")) {
            parsed.unreadable.push_back({cursor.at, "a primitive that a table describes"});
            while (cursor.at < end && !cursor.is("endprimitive"))
                ++cursor.at;
        } else if (isModuleWord(source[cursor.at]) && !source[cursor.at + 1].is("class")) {
            Module module;
            module.unit = unit;
            module.isInterface = cursor.is("interface");
            ModuleParser(cursor, module, parsed).run();
            parsed.modules.push_back(std::move(module));
        } else if (cursor.is("typedef")) {
            takeType(source, cursor.restOfItem(), parsed.types);
        } else {
            ++cursor.at;
        }
    }
    return parsed;
}

}  // namespace smec::driver::scan
