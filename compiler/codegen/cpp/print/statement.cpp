#include "codegen/cpp/print/statement.h"

#include "ir/visit.h"
#include "source/overloaded.h"

namespace smec::codegen::cpp {

Statements::Statements(const CppDesign& cpp, const BodyInfo& info,
                       const std::vector<ir::Input>& inputs, Leaves& leaves, const Site& site,
                       Names& names, Writer& out)
    : info_(info),
      inputs_(inputs),
      leaves_(leaves),
      site_(site),
      names_(names),
      out_(out),
      expr_(cpp, info, inputs, leaves, site.selects, names, out),
      wayOut_(site, out),
      stores_(info, leaves, expr_, out),
      calls_(cpp, info, leaves, site, expr_, wayOut_, out),
      reports_(info, site, expr_, wayOut_, names, out),
      loops_(info, leaves, site, expr_, names, out) {}

void declareTemporaries(const BodyInfo& info, const Leaves& leaves, Writer& out) {
    for (const ir::LocalId id : info.inFront) {
        const ir::Local& local = info.body->locals[id.index];
        const Place& place = leaves.locals[id.index];
        if (!local.type.isArray()) {
            out.line("{} {}{{}};", nameOf(place.type), place.name);
            continue;
        }
        const char* duration = info.locals[id.index].isStatic ? "static thread_local " : "";
        out.line("{}{} {}[{}];", duration, nameOf(place.type), place.name, local.type.length);
    }
}

/// What a part shares with the body around it, as text.
struct Statements::Shared {
    std::string type;      ///< a struct of all that it sets; empty for none
    std::string there;     ///< such a struct
    std::string members;   ///< what that type declares
    std::string taken;     ///< in the part: a copy of each member
    std::string given;     ///< and back
    std::string received;  ///< around it
    std::string parameters, arguments;

    void addValue(const std::string& itsType, const std::string& name) {
        append(parameters, itsType + " " + name);
        append(arguments, name);
    }
    static void append(std::string& list, const std::string& more) {
        list += (list.empty() ? "" : ", ") + more;
    }
};

/// As parameters: of a lambda's captures g++ believes that each trace and check behind which it goes
/// on may change them.
void Statements::addReads(const BodyPart& part, Shared& shared) const {
    for (const auto& element : part.elements) {
        const Place& place = leaves_.inputs.at(element);
        const std::string type = nameOf(place.type);
        const bool isArray = inputs_[element.first].type.isArray();
        shared.addValue(isArray ? fmt::format("const {}*", type) : type, place.name);
    }
    for (const std::uint32_t column : part.columns) {
        const Value& value = leaves_.columns.at(column);
        shared.addValue(nameOf(value.type), value.text);
    }
}

/// Scalars that lie side by side are set together, in vectors; references to each would be loaded
/// and stored at each use.
Statements::Shared Statements::sharedBy(const BodyPart& part) {
    Shared shared;
    std::string values;
    addReads(part, shared);
    for (const auto& [local, isSet] : part.locals) {
        const Place& place = leaves_.locals[local];
        const std::string type = nameOf(place.type);
        if (!isSet) {
            shared.addValue(type, place.name);
            continue;
        }
        if (shared.type.empty()) {
            shared.type = names_.add("Values");
            shared.there = names_.add("values");
        }
        Shared::append(values, place.name);
        shared.members += fmt::format("{} {}; ", type, place.name);
        shared.taken += fmt::format("{} {} = {}.{}; ", type, place.name, shared.there, place.name);
        shared.given += fmt::format("{}.{} = {}; ", shared.there, place.name, place.name);
        shared.received += fmt::format("{} = {}.{}; ", place.name, shared.there, place.name);
    }
    if (shared.type.empty()) return shared;
    shared.addValue(shared.type + "&", shared.there);
    out_.line("struct {} {{ {}}};", shared.type, shared.members);
    out_.line("{} {} = {{{}}};", shared.type, shared.there, values);
    return shared;
}

/// A function that works on copies.
void Statements::part(const BodyPart& part, const ir::Stmt* first) {
    const bool mayLeave = site_.mayLeave;
    out_.open("");
    const Shared shared = sharedBy(part);
    const std::string name = names_.add("part"), goes = names_.add("goes");
    out_.open("const auto {} = [&]({}) __attribute__((noinline)) -> bool", name, shared.parameters);
    out_.line("bool {} = true;", goes);
    if (!shared.taken.empty()) out_.line("{}", shared.taken);
    out_.open("");
    wayOut_.enterPart(goes);
    for (const ir::Stmt* stmt = first; stmt != first + part.count; ++stmt)
        statement(*stmt);
    out_.close();
    if (mayLeave) out_.margin("part_end:;");
    if (!shared.given.empty()) out_.line("{}", shared.given);
    out_.line("return {};", goes);
    out_.close(";");
    wayOut_.leavePart();
    if (mayLeave)
        out_.line("const bool {} = {}({});", goes, name, shared.arguments);
    else
        out_.line("{}({});", name, shared.arguments);
    if (!shared.received.empty()) out_.line("{}", shared.received);
    if (mayLeave) {
        out_.open("if (!{}) [[unlikely]]", goes);
        wayOut_.fail();
        out_.close();
    }
    out_.close();
}

void Statements::block(const ir::Block& block) {
    const auto inFront = block.empty() ? site_.inFront.end() : site_.inFront.find(block.front().id);
    if (inFront != site_.inFront.end()) {
        for (const std::string& line : inFront->second)
            out_.line("{}", line);
    }
    for (std::size_t i = 0; i < block.size();) {
        const auto found = info_.parts.find(block[i].id);
        if (found == info_.parts.end()) {
            statement(block[i++]);
            continue;
        }
        part(found->second, &block[i]);
        i += found->second.count;
    }
}

void Statements::some(const ir::Block& block, std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i)
        statement(block[i]);
}

void Statements::statement(const ir::Stmt& stmt) {
    if (site_.lines != nullptr && stmt.range.valid()) {
        const LineColumn position = site_.lines->position(stmt.range.file, stmt.range.begin);
        out_.lineDirective(fmt::format("#line {} {}", position.line,
                                       stringLiteral(site_.lines->path(stmt.range.file))),
                           LongLines::Keep);
    }
    print(stmt);
}

void Statements::print(const ir::Stmt& stmt) {
    const auto loop = [&](const ir::Block& body) {
        block(body);
        loops_.close();
    };
    smec::visit(
        Overloaded{
            [&](const ir::Set& s) { stores_.print(s, stmt); },
            [&](const ir::AnyOf<ir::CopyArray, ir::FillArray> auto& s) { stores_.print(s); },
            [&](const ir::AnyOf<ir::Check, ir::CountRound, ir::Trace, ir::Stop> auto& s) {
                reports_.print(s);
            },
            [&](const ir::AnyOf<ir::If, ir::Switch> auto& s) { print(s); },
            [&](const ir::For& s) {
                loops_.open(s, stmt);
                loop(s.body);
            },
            [&](const ir::Loop& s) {
                loops_.open(s);
                loop(s.body);
            },
            [&](const ir::AnyOf<ir::Break, ir::Continue> auto& s) { loops_.print(s); },
            [&](const ir::Call& s) { calls_.print(s, stmt); },
            [&](const ir::Return& s) { calls_.print(s); },
        },
        stmt.node);
}

void Statements::print(const ir::If& s) {
    expr_.prepare({s.condition});
    if (s.yes.empty()) {
        out_.open("if (!{})", expr_[s.condition].operand());
        block(s.no);
        out_.close();
        return;
    }
    out_.open("if ({})", expr_[s.condition].text);
    block(s.yes);
    if (!s.no.empty() && !printElseIf(s.no)) {
        out_.reopen("else");
        block(s.no);
    }
    out_.close();
}

/// A chain of alternatives stays flat as long as their conditions need nothing in front.
bool Statements::printElseIf(const ir::Block& no) {
    const auto* next = no.size() == 1 ? std::get_if<ir::If>(&no.front().node) : nullptr;
    if (next == nullptr) return false;
    if (!expr_.prepareInPlace({next->condition})) return false;
    out_.reopen(fmt::format("else if ({})", expr_[next->condition].text));
    block(next->yes);
    if (!next->no.empty() && !printElseIf(next->no)) {
        out_.reopen("else");
        block(next->no);
    }
    return true;
}

void Statements::print(const ir::Switch& s) {
    expr_.prepare({s.subject});
    const Value subject = settle(expr_[s.subject], kU64);
    if (subject.type.isInt() && subject.type.bits > 64) return wideSwitch(s);
    const Word type = subject.type.isInt() ? subject.type : kInt;
    loops_.enterSwitch();
    out_.open("switch ({})", subject.type.isInt() ? subject.text : "int(" + subject.text + ")");
    for (const ir::SwitchCase& c : s.cases) {
        std::string labels;
        for (const ir::Integer& label : c.labels) {
            if (holds(type, label))
                labels +=
                    fmt::format("{}case {}:", labels.empty() ? "" : " ", literal(label, type));
        }
        if (labels.empty()) continue;
        out_.open("{}", labels);
        block(c.body);
        out_.line("break;");
        out_.close();
    }
    out_.open("default:");
    block(s.otherwise);
    out_.line("break;");
    out_.close();
    out_.close();
    loops_.leaveSwitch();
}

/// C++ switches over at most 64 bits.
void Statements::wideSwitch(const ir::Switch& s) {
    const Value& subject = expr_[s.subject];
    std::string keyword = "if";
    const std::string name = names_.add("subject");
    out_.open("");
    out_.line("const {} {} = {};", nameOf(subject.type), name, subject.text);
    for (const ir::SwitchCase& c : s.cases) {
        std::string condition;
        for (const ir::Integer& label : c.labels) {
            if (holds(subject.type, label)) {
                condition += fmt::format("{}{} == {}", condition.empty() ? "" : " || ", name,
                                         literal(label, subject.type));
            }
        }
        if (condition.empty()) continue;
        if (keyword == "if")
            out_.open("if ({})", condition);
        else
            out_.reopen(fmt::format("else if ({})", condition));
        keyword = "else if";
        block(c.body);
    }
    if (keyword == "if")
        out_.open("");
    else
        out_.reopen("else");
    block(s.otherwise);
    out_.close();
    out_.close();
}

}  // namespace smec::codegen::cpp
