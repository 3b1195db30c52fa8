#include "codegen/verilog/process.h"

#include <algorithm>
#include <set>
#include <string>

#include "codegen/verilog/contents.h"
#include "codegen/verilog/statements.h"
#include "codegen/verilog/wide.h"
#include "hdl/memory_process.h"
#include "hdl/unread.h"
#include "hdl/walk.h"

namespace smec::codegen::verilog {

using namespace hdl;

namespace {

constexpr const char* kLogic = "process_logic";

bool needsLoop(const Module& module, const Block& block) {
    return anyStatement(block, [&](const Stmt& stmt) {
        if (const auto* copy = std::get_if<hdl::CopyArray>(&stmt.node))
            return isUnpacked(module[copy->to]) || isUnpacked(module[copy->from]);
        const auto* fill = std::get_if<FillArray>(&stmt.node);
        return fill && isUnpacked(module[fill->to]);
    });
}

bool holdsAssert(const Block& block) {
    return anyStatement(block,
                        [](const Stmt& stmt) { return std::holds_alternative<Assert>(stmt.node); });
}

class ProcessPrinter {
public:
    ProcessPrinter(const Module& module, const SourceManager& sources, const Options& options,
                   const ExpressionPrinter& expressions, Writer& out)
        : module_(module),
          options_(options),
          expressions_(expressions),
          reset_(options.reset.name()),
          contents_(module, out),
          statements_(module, sources, options, expressions, contents_, out),
          out_(out) {}

    void run() {
        switch (module_.kind) {
        case Kind::Clocked: clocked(); break;
        case Kind::Combinational: combinational(); break;
        case Kind::Delay: delay(); break;
        case Kind::Network:
        case Kind::Foreign: break;
        }
    }

private:
    bool initialNeedsLoop(bool isReset) const {
        return std::any_of(module_.signals.begin(), module_.signals.end(), [&](const Signal& s) {
            return isUnpacked(s) && s.isRegister && !s.initialFrom && s.initial.size() == 1
                   && !(isReset && s.isMemory);
        });
    }

    /// Those of which nobody looks at every bit in a group of their own.
    template <typename Test>
    void declareLocals(Test&& isWanted) {
        const std::vector<bool> isUnread = unreadOfProcess(module_);
        std::vector<const Signal*> read, unread;
        for (std::size_t i = 0; i < module_.signals.size(); ++i)
            if (module_.signals[i].role == Role::Local && isWanted(i))
                (isUnread[i] ? unread : read).push_back(&module_.signals[i]);
        declare(read);
        if (unread.empty()) return;
        out_.line("/* verilator lint_off UNUSEDSIGNAL */");
        declare(unread);
        out_.line("/* verilator lint_on UNUSEDSIGNAL */");
    }

    void declare(const std::vector<const Signal*>& signals) {
        for (const Signal* signal : signals)
            out_.line("{} {};", variableOf(options_, signal->type, signal->elements()),
                      signal->name);
    }

    void locals(const Block& body, bool needsCounter) {
        declareLocals([](std::size_t) { return true; });
        counters(body, needsCounter);
    }

    std::set<std::string> countersOf(const Block& block) const {
        std::set<std::string> names;
        (void)anyStatement(block, [&](const Stmt& stmt) {
            if (const auto* loop = std::get_if<For>(&stmt.node))
                names.insert(module_[loop->counter].name);
            return false;
        });
        return names;
    }

    void counters(const Block& block, bool needsCounter) {
        std::set<std::string> names = countersOf(block);
        if (needsCounter) names.insert("k");
        for (const std::string& name : names)
            out_.line("integer {};", name);
    }

    /// Yosys takes counters of loops in branches for latches.
    void startCounters() {
        std::set<std::string> names;
        (void)anyStatement(module_.body, [&](const Stmt& stmt) {
            if (!std::holds_alternative<For>(stmt.node))
                forEachBlock(stmt, [&](const Block& inner) { names.merge(countersOf(inner)); });
            return false;
        });
        for (const std::string& name : names)
            out_.line("{} = 0;", name);
    }

    void contents() {
        const bool some = std::any_of(module_.signals.begin(), module_.signals.end(),
                                      [](const Signal& s) { return s.isRegister && s.isMemory; });
        if (!some) return;
        out_.line("initial begin : contents");
        out_.in();
        if (std::any_of(module_.signals.begin(), module_.signals.end(), [&](const Signal& s) {
                return s.isMemory && !s.initialFrom && s.initial.size() == 1;
            }))
            out_.line("integer k;");
        for (const Signal& signal : module_.signals)
            if (signal.isRegister && signal.isMemory) contents_.set(signal, "=");
        out_.out();
        out_.line("end");
    }

    void clocked() {
        if (doesNothing(module_)) return;
        contents();
        const bool hasBlocking =
            std::any_of(module_.signals.begin(), module_.signals.end(),
                        [](const Signal& signal) { return signal.isBlocking; });
        if (hasBlocking) {
            out_.line("// arrays of the process that it sets at once, since it reads them later or "
                      "sets them in long loops");
            out_.line("/* verilator lint_off BLKSEQ */");
        }
        const auto split = options_.reset.isAsync ? memoryProcess(module_) : std::nullopt;
        const Block& body = split ? split->rest : module_.body;
        clockedHead();
        out_.in();
        locals(body, needsLoop(module_, body) || initialNeedsLoop(true));
        out_.line("if ({}{}) begin", options_.reset.isActiveLow ? "!" : "", reset_);
        out_.in();
        for (const Signal& signal : module_.signals)
            if (signal.isRegister && !signal.isMemory)
                contents_.set(signal, signal.isBlocking ? "=" : "<=");
        out_.out();
        out_.line("end else begin");
        out_.in();
        statements_.print(body);
        for (const Signal& signal : module_.signals)
            if (module_.usesCycle && signal.name == "cycle") out_.line("cycle <= cycle + 64'd1;");
        out_.out();
        out_.line("end");
        out_.out();
        out_.line("end");
        if (hasBlocking) out_.line("/* verilator lint_on BLKSEQ */");
        if (split) memories(*split);
    }

    /// What sets memories, which no reset sets.
    void memories(const MemoryProcess& split) {
        out_.line("// memories, which have no reset");
        out_.line("{} @(posedge clk) begin : process_memories",
                  options_.isVerilog2005() ? "always" : "always_ff");
        out_.in();
        declareLocals([&](std::size_t i) { return split.locals[i]; });
        counters(split.memories, needsLoop(module_, split.memories));
        outOfReset(split.memories);
    }

    /// The rest of a process that the clock alone starts.
    void outOfReset(const Block& block) {
        out_.line("if ({}{}) begin", options_.reset.isActiveLow ? "" : "!", reset_);
        out_.in();
        statements_.print(block);
        out_.out();
        out_.line("end");
        out_.out();
        out_.line("end");
    }

    void clockedHead() {
        const std::string edge =
            options_.reset.isAsync ? fmt::format(
                " or {} {}", options_.reset.isActiveLow ? "negedge" : "posedge", reset_)
                                   : "";
        out_.line("{} @(posedge clk{}) begin : process_body",
                  options_.isVerilog2005() || holdsAssert(module_.body) ? "always" : "always_ff",
                  edge);
    }

    void combinational() {
        if (module_.usesCycle) {
            clockedHead();
            out_.line("    if ({}{}) cycle <= 64'd0;", options_.reset.isActiveLow ? "!" : "",
                      reset_);
            out_.line("    else cycle <= cycle + 64'd1;");
            out_.line("end");
        }
        if (isConstant(module_)) return constants();
        begin();
        out_.line("begin : {}", kLogic);
        out_.in();
        out_.line("{} unused_start;", variableOf(options_, Type{}));
        locals(module_.body, false);
        out_.line("unused_start = start;");
        startCounters();
        statements_.print(module_.body);
        out_.out();
        out_.line("end");
        checks();
    }

    void checks() {
        if (module_.checks.empty()) return;
        out_.margin("`ifndef SYNTHESIS");
        out_.line("always @(posedge clk) begin : process_checks");
        out_.in();
        outOfReset(module_.checks);
        out_.margin("`endif");
    }

    /// The head of what is computed from time 0 on: not all simulators run `always @*` before a
    /// signal changes, and Icarus 11 may run an always_comb for ever then.
    void begin() {
        const char* moving = "reg start = 1'b0;\n    initial start <= 1'b1;";
        const char* still = "wire start = 1'b1;";
        if (options_.isVerilog2005()) {
            out_.margin("`ifdef SYNTHESIS");
            out_.line("{}", still);
            out_.margin("`elsif VERILATOR");
            out_.line("{}", still);
            out_.margin("`else");
            out_.line("{}", moving);
            out_.margin("`endif");
            return out_.line("always @*");
        }
        out_.margin("`ifdef __ICARUS__");
        out_.line("{}", moving);
        out_.line("always @*");
        out_.margin("`else");
        out_.line("{}", still);
        out_.line("always_comb");
        out_.margin("`endif");
    }

    void constants() {
        for (std::size_t i = 0; i < module_.signals.size(); ++i) {
            if (module_.signals[i].role != Role::Output) continue;
            const Assign* last = nullptr;
            for (const Stmt& stmt : module_.body)
                if (std::get<Assign>(stmt.node).to.index == i) last = &std::get<Assign>(stmt.node);
            if (!last) continue;
            const Expr& value = module_[last->value];
            const std::string name = "assign " + module_.signals[i].name;
            if (isSpoilt(value.value, value.type.width))
                contents_.setParts(name, 0, value.type.width, "=", value.value);
            else
                out_.line("{} = {};", name, expressions_.text(last->value));
        }
    }

    /// One for each cycle of delay.
    Integer repeated(const Integer& value, std::uint64_t width) const {
        Integer all = 0;
        for (std::uint32_t i = 0; i < module_.delay; ++i)
            all = (all << width) | value;
        return all;
    }

    void delay() {
        const Signal& in = module_.signals[0];
        const Signal& out = module_.signals[1];
        const std::uint64_t width = out.type.width * out.elements();
        const std::uint64_t all = width * module_.delay;
        std::string initial = contents_.text(out);
        if (out.length == 0) initial = "{" + initial + "}";
        out_.line("{} line;",
                  variableOf(options_, {static_cast<std::uint32_t>(all), false, false}));
        clockedHead();
        out_.in();
        const Integer value =
            out.initialFrom ? Integer(0) : repeated(ContentsPrinter::all(out), width);
        if (isSpoilt(value, all)) {
            out_.line("if ({}{}) begin", options_.reset.isActiveLow ? "!" : "", reset_);
            out_.in();
            contents_.setParts("line", 0, all, "<=", value);
            out_.out();
            out_.line("end");
        } else {
            out_.line("if ({}{}) line <= {{{}{{{}}}}};", options_.reset.isActiveLow ? "!" : "",
                      reset_, module_.delay, initial);
        }
        if (module_.delay == 1)
            out_.line("else line <= {};", in.name);
        else
            out_.line("else line <= {{line[{}:0], {}}};", all - width - 1, in.name);
        out_.out();
        out_.line("end");
        if (module_.delay == 1)
            out_.line("assign {} = line;", out.name);
        else
            out_.line("assign {} = line[{}:{}];", out.name, all - 1, all - width);
    }

    const Module& module_;
    const Options& options_;
    const ExpressionPrinter& expressions_;
    std::string reset_;
    ContentsPrinter contents_;
    StatementPrinter statements_;
    Writer& out_;
};

}  // namespace

bool isConstant(const Module& module) {
    if (!module.checks.empty()) return false;
    return std::all_of(module.body.begin(), module.body.end(), [&](const Stmt& stmt) {
        const auto* set = std::get_if<Assign>(&stmt.node);
        return set && !set->index.valid() && module[set->value].op == Op::Const;
    });
}

void printProcess(const Module& module, const SourceManager& sources, const Options& options,
                  const ExpressionPrinter& expressions, Writer& out) {
    ProcessPrinter(module, sources, options, expressions, out).run();
}

}  // namespace smec::codegen::verilog
