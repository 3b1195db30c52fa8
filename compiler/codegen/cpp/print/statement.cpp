#include "codegen/cpp/print/statement.h"

#include "codegen/cpp/target.h"
#include "ir/visit.h"
#include "source/internal_error.h"

namespace smec::codegen::cpp {
namespace {

bool isFloat(const ir::Scalar& scalar) {
    return scalar.kind == ir::ScalarKind::F32 || scalar.kind == ir::ScalarKind::F64;
}

/// What outlives the activation holds one form of NaN.
bool isStorage(const ir::Local& local) {
    return local.kind == ir::LocalKind::State || local.kind == ir::LocalKind::Output;
}

}  // namespace

Statements::Statements(const CppDesign& cpp, const BodyInfo& info,
                       const std::vector<ir::Input>& inputs, const ir::Body& sites, Leaves& leaves,
                       const Site& site, Names& names, Writer& out)
    : cpp_(cpp),
      info_(info),
      sites_(sites),
      leavesOf_(leaves),
      site_(site),
      names_(names),
      out_(out),
      expr_(cpp, info, inputs, leaves, site.selects, names, out) {}

void Statements::isFunction(ir::FunctionId function) {
    function_ = &cpp_.program.design.functions[function.index];
    functionFails_ = cpp_.program.functionNeeds[function.index].fails;
}

void Statements::declareTemporaries() {
    for (std::size_t i = 0; i < info_.locals.size(); ++i) {
        const ir::Local& local = info_.body->locals[i];
        const LocalInfo& use = info_.locals[i];
        if (local.kind != ir::LocalKind::Temp || !use.isUsed || use.declaredBy != nullptr) continue;
        const Place& place = leavesOf_.locals[i];
        if (!local.type.isArray()) {
            out_.line("{} {}{{}};", nameOf(place.type), place.name);
            continue;
        }
        const std::uint64_t bytes = std::uint64_t(place.type.bits / 8) * local.type.length;
        out_.line("{}{} {}[{}];", bytes > target::kStackBytes ? "static thread_local " : "",
                  nameOf(place.type), place.name, local.type.length);
    }
}

void Statements::body() {
    std::size_t begin = 0;
    for (const BodyPart& each : info_.parts) {
        part(each, begin);
        begin = each.end;
    }
    if (info_.parts.empty()) block(info_.body->statements);
}

/// A function that takes a copy of each scalar and gives back those that it sets: a reference would
/// be loaded and stored at each use.
void Statements::part(const BodyPart& part, std::size_t begin) {
    const bool mayLeave = info_.needs.leave && site_.checks == Checks::Test;
    const std::string name = names_.add("part");
    std::string parameters, arguments, taken, given;
    for (const auto& [local, isSet] : part.locals) {
        const Place& place = leavesOf_.locals[local];
        const std::string type = nameOf(place.type);
        const std::string separator = arguments.empty() ? "" : ", ";
        const std::string parameter = isSet ? names_.add(place.name + "_there") : place.name;
        parameters += fmt::format("{}{}{} {}", separator, type, isSet ? "&" : "", parameter);
        arguments += separator + place.name;
        if (!isSet) continue;
        taken += fmt::format("{} {} = {}; ", type, place.name, parameter);
        given += fmt::format("{} = {}; ", parameter, place.name);
    }
    out_.open("const auto {} = [&]({}) __attribute__((noinline)) -> bool", name, parameters);
    partGoes_ = names_.add("goes");
    out_.line("bool {} = true;", partGoes_);
    if (!taken.empty()) out_.line("{}", taken);
    out_.open("");
    for (std::size_t i = begin; i < part.end; ++i)
        statement(info_.body->statements[i]);
    out_.close();
    if (mayLeave) out_.margin("part_end:;");
    if (!given.empty()) out_.line("{}", given);
    out_.line("return {};", partGoes_);
    out_.close(";");
    partGoes_.clear();
    if (!mayLeave) {
        out_.line("{}({});", name, arguments);
        return;
    }
    out_.open("if (!{}({})) [[unlikely]]", name, arguments);
    leave();
    out_.close();
}

void Statements::block(const ir::Block& block) {
    for (const ir::Stmt& stmt : block)
        statement(stmt);
}

void Statements::statement(const ir::Stmt& stmt) {
    if (site_.lines != nullptr && stmt.range.valid()) {
        const LineColumn position = site_.lines->position(stmt.range.file, stmt.range.begin);
        out_.lineDirective(fmt::format("#line {} {}", position.line,
                                       stringLiteral(site_.lines->path(stmt.range.file))),
                           LongLines::Keep);
    }
    std::visit([&](const auto& s) { print(s, stmt); }, stmt.node);
}

bool Statements::declares(const ir::Stmt& stmt, ir::LocalId local) const {
    return info_.locals[local.index].declaredBy == &stmt;
}

Value Statements::stored(ir::ExprId id, const ir::Local& local) const {
    Value value =
        expr_.as(id, local.type.isArray() && local.type.scalar.kind == ir::ScalarKind::Bool
                         ? kBool
                         : variableWord(local.type.scalar));
    if (isStorage(local) && isFloat(local.type.scalar))
        value.text = fmt::format("sme::canonical({})", value.text);
    return value;
}

void Statements::print(const ir::Set& s, const ir::Stmt& stmt) {
    const ir::Local& local = info_.body->locals[s.local.index];
    expr_.prepare({s.value, s.index});
    const Value value = stored(s.value, local);
    if (s.index.valid()) {
        out_.line("{} = {};", expr_.element(nameOfLocal(s.local), s.index, local.type.length),
                  value.text);
    } else if (declares(stmt, s.local)) {
        out_.line("{} {} = {};", nameOf(leavesOf_.locals[s.local.index].type), nameOfLocal(s.local),
                  value.text);
    } else {
        out_.line("{} = {};", nameOfLocal(s.local), value.text);
    }
}

void Statements::print(const ir::CopyArray& s, const ir::Stmt&) {
    const ir::Local& to = info_.body->locals[s.to.index];
    if (const auto* local = std::get_if<ir::LocalId>(&s.from); local && *local == s.to) return;
    const std::string from = std::visit(
        Overloaded{
            [&](const ir::LocalId& local) { return nameOfLocal(local); },
            [&](const ir::ReadInput& input) {
                expr_.prepare({input.element});
                return expr_.arrayOfInput(input);
            },
            [&](const ir::TableId& table) { return "tables::" + cpp_.names.tables[table.index]; },
        },
        s.from);
    const bool isFloatStorage =
        isStorage(to) && isFloat(to.type.scalar) && std::holds_alternative<ir::LocalId>(s.from);
    const char* copy = isFloatStorage ? "copyCanonical" : "copyArray";
    out_.line("sme::{}<{}>({}, {}, {});", copy, nameOf(storedWord(to.type.scalar)),
              nameOfLocal(s.to), from, to.type.length);
}

void Statements::print(const ir::FillArray& s, const ir::Stmt&) {
    const ir::Local& to = info_.body->locals[s.to.index];
    expr_.prepare({s.value});
    out_.line("sme::fillArray<{}>({}, {}, {});", nameOf(storedWord(to.type.scalar)),
              nameOfLocal(s.to), to.type.length, stored(s.value, to).text);
}

void Statements::leave() {
    if (!partGoes_.empty()) {
        out_.line("{} = false;", partGoes_);
        out_.line("goto part_end;");
        return;
    }
    leaves_ = true;
    out_.line("{}", site_.leave);
}

void Statements::print(const ir::Check& s, const ir::Stmt&) {
    if (site_.checks == Checks::Skip) return;
    expr_.prepare({s.ok});
    if (site_.checks == Checks::Collect) {
        out_.line("failed |= u8(!{});",
                  expr_[s.ok].operand());  // g++ does not vectorise |= of bools
        return;
    }
    out_.open("if (!{}) [[unlikely]]", expr_[s.ok].operand());
    const std::string args =
        arguments(s.args, sites_.fails.at(s.site).text.args, site_.arguments->fails.at(s.site));
    out_.line("sme::fail(context, {}, {}, {}, {});", site_.cls, s.site, site_.instance, args);
    leave();
    out_.close();
}

void Statements::print(const ir::CountRound& s, const ir::Stmt&) {
    out_.open("if (++{} > context.loopLimit) [[unlikely]]", site_.rounds);
    out_.line("sme::fail(context, {}, {}, {}, nullptr);", site_.cls, s.site, site_.instance);
    leave();
    out_.close();
}

void Statements::print(const ir::If& s, const ir::Stmt&) {
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

void Statements::print(const ir::Switch& s, const ir::Stmt&) {
    expr_.prepare({s.subject});
    const Value subject = settle(expr_[s.subject], kU64);
    if (subject.type.isInt() && subject.type.bits > 64) return wideSwitch(s);
    const Word type = subject.type.isInt() ? subject.type : kInt;
    nests_.push_back({false, {}});
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
    nests_.pop_back();
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

void Statements::print(const ir::Call& s, const ir::Stmt& stmt) {
    const ir::Function& function = cpp_.program.design.functions[s.function.index];
    std::vector<ir::ExprId> scalars;
    for (std::size_t i = 0; i < s.args.size(); ++i) {
        if (!function.body.locals[i].type.isArray()) scalars.push_back(s.args[i]);
    }
    expr_.prepare(scalars);
    const bool fails = cpp_.program.functionNeeds[s.function.index].fails;
    std::string args = callArguments(s);
    const std::string name = "functions::" + cpp_.names.functions[s.function.index];
    if (returnsByValue(function) && !fails) {
        const Place& result = leavesOf_.locals[s.results[0].index];
        const std::string type = declares(stmt, s.results[0]) ? nameOf(result.type) + " " : "";
        out_.line("{}{} = {}({});", type, result.name, name, args);
        return;
    }
    for (const ir::LocalId id : s.results) {
        const Place& result = leavesOf_.locals[id.index];
        const std::uint32_t length = info_.body->locals[id.index].type.length;
        if (declares(stmt, id))
            out_.line("{} {}{};", nameOf(result.type), result.name,
                      length != 0 ? fmt::format("[{}]", length) : "{}");
        args += (args.empty() ? "" : ", ") + result.name;
    }
    if (!fails) {
        out_.line("{}({});", name, args);
        return;
    }
    out_.open("if (!{}({})) [[unlikely]]", name, args);
    leave();
    out_.close();
}

std::string Statements::callArguments(const ir::Call& call) {
    const ir::Function& function = cpp_.program.design.functions[call.function.index];
    const Needs& needs = cpp_.program.functionNeeds[call.function.index];
    std::string args;
    const auto add = [&](const std::string& arg) { args += (args.empty() ? "" : ", ") + arg; };
    if (needs.context) add("context");
    if (needs.instance) add(site_.instance);
    if (needs.rounds) add(site_.rounds);
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        const ir::StorageType& type = function.body.locals[i].type;
        add(type.isArray() ? expr_.arrayOf(call.args[i])
                           : expr_.as(call.args[i], variableWord(type.scalar)).text);
    }
    return args;
}

void Statements::print(const ir::Return& s, const ir::Stmt&) {
    if (function_ == nullptr) return leave();
    std::vector<ir::ExprId> scalars;
    for (std::size_t i = 0; i < s.values.size(); ++i) {
        if (!function_->results[i].isArray()) scalars.push_back(s.values[i]);
    }
    expr_.prepare(scalars);
    if (returnsByValue(*function_) && !functionFails_) {
        out_.line("return {};",
                  expr_.as(s.values[0], variableWord(function_->results[0].scalar)).text);
        return;
    }
    for (std::size_t i = 0; i < s.values.size(); ++i) {
        const ir::StorageType& type = function_->results[i];
        const std::string result = resultName(*function_, i);
        if (type.isArray())
            out_.line("sme::copyArray<{}>({}, {}, {});", nameOf(storedWord(type.scalar)), result,
                      expr_.arrayOf(s.values[i]), type.length);
        else
            out_.line("{} = {};", result, expr_.as(s.values[i], variableWord(type.scalar)).text);
    }
    out_.line("{}", functionFails_ ? "return true;" : "return;");
}

std::string Statements::arguments(const std::vector<ir::ExprId>& args,
                                  const std::vector<ir::ArgFormat>& formats,
                                  const std::vector<Extent>& extents) {
    if (args.empty()) return "nullptr";
    expr_.prepare(args);
    std::string list;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const ir::ArgFormat format = i < formats.size()
                                         ? formats[i]
                                         : ir::ArgFormat{(*info_.body)[args[i]].type, true, 64, {}};
        const Shown shown =
            shownAs(format, i < extents.size() ? extents[i] : expr_.facts(args[i]).extent);
        const Value value = settle(expr_[args[i]], wordFor(expr_.facts(args[i]).extent));
        const char* separator = i == 0 ? "" : ", ";
        if (shown.isTyped) {
            const std::string name = names_.add("shown");
            const Word word = storedWord(shown.scalar);
            out_.line("const {} {} = {};", nameOf(word), name, convert(value, word).text);
            list += fmt::format("{}sme::argumentAt(&{})", separator, name);
        } else {
            const bool isPlain =
                !value.constant && value.type.kind != WordKind::Bool && value.isAtom;
            list += isPlain ? fmt::format("{}sme::argument({})", separator, value.text)
                            : fmt::format("{}sme::argument({}({}))", separator, nameOf(value.type),
                                          value.text);
        }
    }
    const std::string name = names_.add("args");
    out_.line("const sme::Arg {}[] = {{{}}};", name, list);
    return name;
}

void Statements::print(const ir::Trace& s, const ir::Stmt&) {
    out_.open("");
    const std::string args =
        arguments(s.args, sites_.traces.at(s.site).args, site_.arguments->traces.at(s.site));
    out_.line("sme::trace(context, {}, {}, {}, {});", site_.cls, s.site, site_.instance, args);
    out_.close();
}

void Statements::print(const ir::Stop& s, const ir::Stmt&) {
    if (s.status.valid()) expr_.prepare({s.status});
    const std::string status =
        s.status.valid() ? expr_.as(s.status, {WordKind::Int, false, 8}).text : "0";
    out_.line("sme::stop(context, {}, {}, {});", site_.cls, site_.instance, status);
}

}  // namespace smec::codegen::cpp
