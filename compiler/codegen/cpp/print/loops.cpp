// `for` counts in a word that also holds one step past its last value, so that the usual C++ loop
// ends:
//   for i = 0 to 255 (u8)      →   for (i32 i = 0; i <= 255; ++i)
// Where no such word of 64 bits exists, the test moves after the body's end:
//   for (u64 i = from, last = to, more = i <= last; more; more = i != last && (++i, true))
// A `break` inside a C++ switch must leave the loop around it: goto.

#include "codegen/cpp/print/loops.h"

#include "codegen/cpp/print/stores.h"

namespace smec::codegen::cpp {

void Loops::open(const ir::For& s, const ir::Stmt& stmt) {
    expr_.prepare({s.from, s.to});
    const auto& [word, toTheEnd] = info_.counters.at(stmt.id);

    Place& local = leaves_.locals[s.var.index];
    const bool isOwn = isDeclaredBy(info_, stmt, s.var);
    if (isOwn) local.type = word;
    const std::string counter = isOwn ? local.name : names_.add(local.name);
    if (toTheEnd)
        openForToTheEnd(s, word, counter);
    else
        openFor(s, word, counter);
    if (!isOwn) out_.line("{} = {}({});", local.name, nameOf(local.type), counter);
    nests_.push_back({true, {}});
}

void Loops::openFor(const ir::For& s, const Word& word, const std::string& counter) {
    const Value from = expr_.as(s.from, word);
    const Value to = expr_.as(s.to, word);
    const std::string last = to.constant ? to.text : names_.add("last");
    std::string start = fmt::format("{} {} = {}", nameOf(word), counter, from.text);
    if (!to.constant) start += fmt::format(", {} = {}", last, to.text);
    if (s.kind == ir::LoopKind::Either) {
        const std::string up = names_.add("up");
        out_.line("const bool {} = {} <= {};", up, from.operand(), to.operand());
        out_.open("for ({}; {} ? {} <= {} : {} >= {}; {} ? ++{} : --{})", start, up, counter, last,
                  counter, last, up, counter, counter);
        return;
    }
    const bool isDown = s.kind == ir::LoopKind::Down;
    out_.open("for ({}; {} {} {}; {}{})", start, counter, isDown ? ">=" : "<=", last,
              isDown ? "--" : "++", counter);
}

void Loops::openForToTheEnd(const ir::For& s, const Word& word, const std::string& counter) {
    const std::string last = names_.add("last"), more = names_.add("more"), up = names_.add("up");
    const std::string from = expr_.as(s.from, word).text, to = expr_.as(s.to, word).text;
    const std::string start =
        fmt::format("{} {} = {}, {} = {}", nameOf(word), counter, from, last, to);
    const std::string next = fmt::format("{} = {} != {}", more, counter, last);
    if (s.kind == ir::LoopKind::Either) {
        out_.line("const bool {} = {}({}) <= {}({});", up, nameOf(word), from, nameOf(word), to);
        out_.open("for ({}, {} = 1; {} != 0; {} && ({} ? ++{} : --{}, true))", start, more, more,
                  next, up, counter, counter);
        return;
    }
    const bool isDown = s.kind == ir::LoopKind::Down;
    out_.open("for ({}, {} = {} {} {}; {} != 0; {} && ({}{}, true))", start, more, counter,
              isDown ? ">=" : "<=", last, more, next, isDown ? "--" : "++", counter);
}

void Loops::open(const ir::Loop&) {
    out_.open("while (true)");
    nests_.push_back({true, {}});
}

void Loops::close() {
    out_.close();
    const std::string label = nests_.back().label;
    nests_.pop_back();
    if (!label.empty()) out_.margin(label + ":;");
}

void Loops::print(const ir::Break&) {
    auto loop = nests_.rbegin();
    while (!loop->isLoop)
        ++loop;
    if (loop == nests_.rbegin()) {
        out_.line("break;");
        return;
    }
    if (loop->label.empty()) loop->label = site_.labels->add("after_loop");
    out_.line("goto {};", loop->label);
}

void Loops::print(const ir::Continue&) { out_.line("continue;"); }

}  // namespace smec::codegen::cpp
