#include "codegen/vhdl/process.h"

#include <algorithm>

#include "codegen/hdl_writer.h"
#include "codegen/vhdl/statements.h"
#include "hdl/memory_process.h"
#include "hdl/names.h"
#include "hdl/walk.h"

// Registers are signals; locals are variables. What a process reads after a place that sets it is
// a variable, too: arrays of a clocked process, and the outputs of a combinational one, which go
// to their ports at its end.

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

bool copies(const Block& block, SignalId id) {
    return anyStatement(block, [&](const Stmt& stmt) {
        const auto* copy = std::get_if<hdl::CopyArray>(&stmt.node);
        return copy && copy->from == id;
    });
}

class ProcessPrinter {
public:
    ProcessPrinter(const Module& module, const SourceManager& sources, const Options& options)
        : module_(module),
          options_(options),
          signalNames_(module),
          expressions_(module, signalNames_),
          variables_(module.signals.size(), false),
          statements_(module, sources, expressions_, variables_,
                      module.kind == Kind::Clocked && options.isAsync, code_) {
        for (const char* name : {"clk", "rst", "rst_n", "k", "process_body", "process_logic",
                                 "process_checks", "process_memories"})
            names_.take(name);
        for (const Signal& signal : module.signals)
            names_.take(signal.name);
        declarations_.in();
        code_.in();
    }

    Architecture run() {
        declare();
        switch (module_.kind) {
        case Kind::Clocked: clocked(); break;
        case Kind::Combinational: combinational(); break;
        case Kind::Delay: delay(); break;
        case Kind::Network:
        case Kind::Foreign: break;
        }
        return {declarations_.text(), code_.text()};
    }

private:
    static SignalId idOf(std::size_t i) { return {static_cast<std::uint32_t>(i)}; }

    /// Calls `visit` for the signals that `test` holds for.
    template <typename Test, typename Visit>
    void forEach(Test&& test, Visit&& visit) {
        for (std::size_t i = 0; i < module_.signals.size(); ++i)
            if (test(module_.signals[i])) visit(idOf(i), module_.signals[i]);
    }

    // ------------------------------------------------------------ declarations

    /// Elements of an array: "(others => x)" or "(x, y, z)".
    std::string aggregate(const Signal& signal) const {
        std::vector<std::string> parts;
        if (signal.initialFrom) {
            const std::string from = signalNames_[*signal.initialFrom];
            const std::uint32_t width = signal.type.width;
            for (std::uint32_t k = 0; k < signal.length; ++k)
                parts.push_back(signal.type.isBool
                                    ? fmt::format("{}({})", from, k)
                                    : converted(fmt::format("{}({} downto {})", from,
                                                            (k + 1) * width - 1, k * width),
                                                Form::Unsigned, formOf(signal.type)));
        } else if (signal.initial.size() <= 1) {
            const Integer value = signal.initial.empty() ? Integer(0) : signal.initial.front();
            return fmt::format("(others => {})", literal(value, signal.type));
        } else {
            for (const Integer& value : signal.initial)
                parts.push_back(literal(value, signal.type));
        }
        if (parts.size() == 1) return fmt::format("(0 => {})", parts.front());
        return fmt::format("({})", fmt::join(parts, ", "));
    }

    std::string valueOf(const Signal& signal) const {
        return isArray(signal) || signal.role == Role::Table ? aggregate(signal)
                                                             : initialOf(module_, signal);
    }

    /// The type of a signal, declared in front of it where it is an array.
    std::string typeOf(const Signal& signal) {
        if (!isArray(signal)) return declared(signal);
        const std::string type = names_.take(signal.name + "_array");
        declarations_.line("type {} is array (0 to {}) of {};", type, signal.length - 1,
                           declared(signal.type));
        return type;
    }

    void declare() {
        for (std::size_t i = 0; i < module_.signals.size(); ++i) {
            const Signal& signal = module_.signals[i];
            if (signal.role == Role::Table) {
                const std::string type = typeOf(signal);
                declarations_.line("constant {} : {} := {};", identifier(signal.name), type,
                                   valueOf(signal));
            }
            if (signal.role == Role::Constant)
                declarations_.line("constant {} : {} := {};", identifier(signal.name),
                                   declared(signal.type),
                                   literal(signal.initial.front(), signal.type));
            if (signal.role == Role::Check)
                declarations_.line("signal {} : {} := {};", identifier(signal.name),
                                   declared(signal.type), literal(0, signal.type));
            if (signal.role != Role::Register) continue;
            const std::string type = typeOf(signal);
            if (signal.isBlocking)
                locals_.emplace_back(idOf(i), type);
            else
                declarations_.line("{} {} : {} := {};",
                                   signal.isFixed && signal.isMemory ? "constant" : "signal",
                                   identifier(signal.name), type, valueOf(signal));
        }
        forEach(
            [](const Signal& s) { return s.role == Role::Local; },
            [&](SignalId id, const Signal& signal) { locals_.emplace_back(id, typeOf(signal)); });
        for (const auto& local : locals_)
            variables_[local.first.index] = true;
    }

    /// `wanted`: by SignalId, nothing for all.
    void variables(const std::vector<bool>& wanted = {}) {
        code_.in();
        for (const auto& [id, type] : locals_)
            if (wanted.empty() || wanted[id.index])
                code_.line("variable {} : {} := {};", signalNames_[id], type, valueOf(module_[id]));
        code_.out();
    }

    // ------------------------------------------------------------ clocked

    std::string isReset() const {
        return fmt::format("{} = '{}'", options_.name(), options_.isActiveLow ? 0 : 1);
    }

    void head(const char* name) {
        code_.line("{} : process (clk{})", name, options_.isAsync ? ", " + options_.name() : "");
    }

    /// `reset` and `body` print the two branches.
    template <typename Reset, typename Body>
    void atEdge(Reset&& reset, Body&& body) {
        code_.in();
        if (options_.isAsync) {
            code_.line("if {} then", isReset());
            branch(reset);
            code_.line("elsif rising_edge(clk) then");
            branch(body);
        } else {
            code_.line("if rising_edge(clk) then");
            code_.in();
            code_.line("if {} then", isReset());
            branch(reset);
            code_.line("else");
            branch(body);
            code_.line("end if;");
            code_.out();
        }
        code_.line("end if;");
        code_.out();
    }

    template <typename F>
    void branch(F&& fill) {
        code_.in();
        const std::size_t before = code_.text().size();
        fill();
        if (code_.text().size() == before) code_.line("null;");
        code_.out();
    }

    /// Registers that nothing but the reset sets, or that a parameter may keep from it.
    void keepRegisters() {
        const bool hasParameters =
            std::any_of(module_.signals.begin(), module_.signals.end(),
                        [](const Signal& s) { return s.role == Role::Parameter; });
        std::vector<bool> isSet(module_.signals.size(), !hasParameters);
        for (const Stmt& stmt : module_.body)
            if (const auto target = targetOf(stmt)) isSet[target->index] = true;
        forEach([](const Signal& s) { return s.isRegister && !s.isMemory && !s.isBlocking; },
                [&](SignalId id, const Signal& signal) {
                    const bool isCycle = module_.usesCycle && signal.name == "cycle";
                    if (signal.isFixed || (!isSet[id.index] && !isCycle)) statements_.keep(id);
                });
    }

    void clocked() {
        if (doesNothing(module_)) return;
        const auto split = options_.isAsync ? memoryProcess(module_) : std::nullopt;
        head("process_body");
        variables();
        code_.line("begin");
        atEdge(
            [&] {
                forEach([](const Signal& s) { return s.isRegister && !s.isMemory; },
                        [&](SignalId id, const Signal& signal) {
                            code_.line("{} {} {};", signalNames_[id],
                                       signal.isBlocking ? ":=" : "<=", valueOf(signal));
                        });
            },
            [&] {
                if (options_.isAsync) keepRegisters();
                statements_.print(split ? split->rest : module_.body);
                count();
            });
        code_.line("end process;");
        if (!split) return;
        code_.line("");
        code_.line("-- memories, which have no reset");
        code_.line("process_memories : process (clk)");
        variables(split->locals);
        code_.line("begin");
        outOfReset(split->memories);
        code_.line("end process;");
    }

    void outOfReset(const Block& block) {
        code_.in();
        code_.line("if rising_edge(clk) and {} = '{}' then", options_.name(),
                   options_.isActiveLow ? 1 : 0);
        code_.in();
        statements_.print(block);
        code_.out();
        code_.line("end if;");
        code_.out();
    }

    void count() {
        if (module_.usesCycle) code_.line("cycle <= cycle + 1;");
    }

    // ------------------------------------------------------------ combinational

    bool isReadBack(SignalId id) const {
        const auto isRead = [&](const Expr& expr) {
            const bool isName = expr.op == Op::Ref || expr.op == Op::Element || expr.op == Op::Slice
                                || expr.op == Op::Part;
            return isName && expr.signal == id;
        };
        return std::any_of(module_.exprs.begin(), module_.exprs.end(), isRead)
               || copies(module_.body, id);
    }

    void combinational() {
        if (module_.usesCycle) {
            head("process_body");
            code_.line("begin");
            atEdge([&] { code_.line("cycle <= to_unsigned(0, 64);"); }, [&] { count(); });
            code_.line("end process;");
            code_.line("");
        }
        std::vector<std::pair<std::string, SignalId>> last;
        forEach([](const Signal& s) { return s.role == Role::Output; },
                [&](SignalId id, const Signal& signal) {
                    if (!isReadBack(id)) return;
                    last.emplace_back(signalNames_[id], id);
                    signalNames_.rename(id, identifier(names_.take(signal.name + "_value")));
                    locals_.emplace_back(id, declared(signal));
                    variables_[id.index] = true;
                });
        code_.line("{} : process (all)", module_.usesCycle ? "process_logic" : "process_body");
        variables();
        code_.line("begin");
        branch([&] {
            statements_.print(module_.body);
            for (const auto& [port, id] : last)
                code_.line("{} <= {};", port, signalNames_[id]);
        });
        code_.line("end process;");
        checks();
    }

    void checks() {
        if (module_.checks.empty()) return;
        code_.line("");
        code_.line("process_checks : process (clk)");
        code_.line("begin");
        outOfReset(module_.checks);
        code_.line("end process;");
    }

    // ------------------------------------------------------------ delay lines

    void delay() {
        const Signal& in = module_.signals[0];
        const Signal& out = module_.signals[1];
        const std::string line = names_.take("stages");
        const std::string type = names_.take("stages_array");
        declarations_.line("type {} is array (0 to {}) of {};", type, module_.delay - 1,
                           declared(out));
        declarations_.line("signal {} : {} := (others => {});", line, type, valueOf(out));
        head("process_body");
        code_.line("begin");
        atEdge([&] { code_.line("{} <= (others => {});", line, valueOf(out)); },
               [&] {
                   code_.line("{}(0) <= {};", line, identifier(in.name));
                   if (module_.delay == 1) return;
                   code_.line("for k in 1 to {} loop", module_.delay - 1);
                   code_.line("    {0}(k) <= {0}(k - 1);", line);
                   code_.line("end loop;");
               });
        code_.line("end process;");
        code_.line("{} <= {}({});", identifier(out.name), line, module_.delay - 1);
    }

    const Module& module_;
    const Options& options_;
    Names names_;
    SignalNames signalNames_;
    ExpressionPrinter expressions_;
    std::vector<bool> variables_;
    Writer declarations_, code_;
    StatementPrinter statements_;
    std::vector<std::pair<SignalId, std::string>> locals_;  ///< and their types
};

}  // namespace

Architecture processOf(const Module& module, const SourceManager& sources, const Options& options) {
    return ProcessPrinter(module, sources, options).run();
}

}  // namespace smec::codegen::vhdl
