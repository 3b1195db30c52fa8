#include "codegen/vhdl/testbench.h"

#include <algorithm>

#include "codegen/hdl_writer.h"
#include "codegen/vhdl/module.h"
#include "codegen/vhdl/probes.h"
#include "codegen/vhdl/spelling.h"
#include "hdl/names.h"
#include "ir/arithmetic.h"

namespace smec::codegen::vhdl {

using namespace hdl;

namespace {

class BenchPrinter {
public:
    BenchPrinter(const Design& design, const SourceManager& sources, const Recording& recording,
                 const Options& options)
        : design_(design),
          sources_(sources),
          recording_(recording),
          options_(options),
          top_(design.modules.back()),
          name_(design.bench),
          copies_(probed(design)),
          layout_(layoutOf(design, recording)) {
        names_.take("clk");
        names_.take(options.name());
        for (const Signal& signal : top_.signals)
            names_.take(signal.name);
        for (std::string* own :
             {&onlyPorts_, &cycles_,      &probes_,        &check_,         &compare_,   &rows_,
              &text_,      &bits_,        &row_,           &words_,         &cycle_,     &failed_,
              &seen_,      &unknownBits_, &unknownBefore_, &unknownCycles_, &isTelling_, &inside_,
              &dut_,       &copy_,        &main_})
            *own = names_.take(*own);
    }

    std::map<std::string, std::string> run() {
        out_.line("-- Compares {} with a recorded run of {} cycles.", top_.name,
                  recording_.rows.size());
        out_.line("-- The design {}.", recording_.ending);
        out_.line("-- In front of it: the networks, each with a port that shows what is inside.");
        for (std::size_t i = 0; i < design_.modules.size(); ++i)
            if (copies_.copies[i].width != 0) {
                out_.append(printModule(design_, design_.modules[i], sources_, options_, &copies_));
                out_.line("");
            }
        head();
        instance(dut_, top_.name, false);
        if (copies_.top().width != 0) {
            out_.line("    {} : if not {} generate", inside_, onlyPorts_);
            out_.in();
            instance(copy_, copies_.top().name, true);
            out_.out();
            out_.line("    end generate;");
        }
        out_.line("");
        main();
        out_.line("end architecture;");
        return {{name_ + ".vhd", out_.text()},
                {name_ + ".hex", hexLines(design_, recording_, layout_)}};
    }

private:
    void head() {
        out_.line("library ieee;");
        out_.line("use ieee.std_logic_1164.all;");
        out_.line("use ieee.numeric_std.all;");
        out_.line("use work.{}.all;", design_.support);
        out_.line("");
        out_.line("entity {} is", name_);
        out_.line("    generic ({} : boolean := false);", onlyPorts_);
        out_.line("end entity;");
        out_.line("");
        out_.line("architecture bench of {} is", name_);
        out_.line("    constant {} : natural := {};", cycles_, recording_.rows.size());
        out_.line("    signal clk : std_logic := '0';");
        out_.line("    signal {} : std_logic := '{}';", options_.name(),
                  options_.isActiveLow ? 0 : 1);
        for (const Signal& signal : top_.signals)
            if (signal.role == Role::Input || signal.role == Role::Output)
                out_.line("    signal {} : {} := {};", identifier(signal.name), declared(signal),
                          firstOf(signal));
        if (copies_.top().width != 0)
            out_.line("    signal {} : unsigned({} downto 0) := (others => '0');", probes_,
                      copies_.top().width - 1);
        out_.line("begin");
    }

    static std::string firstOf(const Signal& signal) {
        if (signal.length == 0) return literal(0, signal.type);
        return "(others => '0')";
    }

    void instance(const std::string& label, const std::string& entity, bool isCopy) {
        std::vector<std::string> ports;
        if (top_.hasClock) {
            ports.emplace_back("clk => clk");
            ports.push_back(fmt::format("{0} => {0}", options_.name()));
        }
        for (const Signal& signal : top_.signals) {
            const std::string name = identifier(signal.name);
            if (signal.role == Role::Input) ports.push_back(fmt::format("{0} => {0}", name));
            if (signal.role == Role::Output)
                ports.push_back(fmt::format("{} => {}", name, isCopy ? "open" : name));
        }
        if (isCopy) ports.push_back(fmt::format("{} => {}", copies_.top().port, probes_));
        const std::string all =
            ports.empty() ? "" : fmt::format(" port map ({})", fmt::join(ports, ", "));
        out_.line("    {} : entity work.{}{};", label, identifier(entity), all);
    }

    // ------------------------------------------------------------ the process

    const Signal* portOf(const Probe& probe) const {
        if (!probe.isPort) return nullptr;
        for (const Signal& signal : top_.signals)
            if (signal.name == probe.signal
                && (signal.role == Role::Input || signal.role == Role::Output))
                return &signal;
        return nullptr;
    }

    std::string ofRow(std::size_t column) const {
        const std::uint32_t width = design_.probes[recording_.probes[column]].type.width;
        const RecordingLayout::Place& place = layout_.places[column];
        return fmt::format("{}({})({} downto {})", row_, place.word, place.low + width - 1,
                           place.low);
    }

    static std::string quoted(const std::string& text) {
        std::string result;
        for (const char c : text) {
            if (c == '"') result += '"';
            result += c;
        }
        return result;
    }

    /// As unsigned bits.
    static std::string ofPort(const Signal& port, const Probe& probe) {
        const std::string name = identifier(port.name);
        if (port.length != 0)
            return fmt::format("{}({} downto {})", name, probe.low + probe.type.width - 1,
                               probe.low);
        return converted(name, formOf(port), Form::Unsigned);
    }

    void drive(const Signal& port, const Probe& probe, const std::string& value) {
        std::string place = identifier(port.name);
        if (port.length != 0)
            place += fmt::format("({} downto {})", probe.low + probe.type.width - 1, probe.low);
        const std::string bits = formOf(port) == Form::Logic
                                     ? "to_logic(" + value + ")"
                                     : converted(value, Form::Unsigned, formOf(port));
        out_.line("{} <= {};", place, bits);
    }

    /// Each output and each signal inside, with its number.
    void compare() {
        out_.line("        procedure {} is", compare_);
        out_.line("        begin");
        std::size_t number = 0;
        for (const bool isPort : {true, false}) {
            Writer checks;
            for (std::size_t i = 0; i < recording_.probes.size(); ++i) {
                const Probe& probe = design_.probes[recording_.probes[i]];
                const Signal* port = portOf(probe);
                if (probe.isInput || (port != nullptr) != isPort) continue;
                std::string got;
                if (port) {
                    got = ofPort(*port, probe);
                } else {
                    const std::uint32_t low = bitOf(design_, copies_, probe);
                    got = fmt::format("{}({} downto {})", probes_, low + probe.type.width - 1, low);
                }
                checks.line("            {}{}({}, \"{}\", {}, {}, {});", isPort ? "" : "    ",
                            check_, number++, quoted(probe.name), ofRow(i), got,
                            probe.type.isSigned);
            }
            if (checks.text().empty()) continue;
            if (!isPort) out_.line("            if not {} then", onlyPorts_);
            out_.append(checks.text());
            if (!isPort) out_.line("            end if;");
        }
        if (number == 0) out_.line("            null;");
        out_.line("        end procedure;");
    }

    void declareProcess() {
        const std::uint64_t bits = 4 * ((layout_.width + 3) / 4);
        out_.line("    {} : process", main_);
        out_.line("        file {} : std.textio.text open read_mode is \"{}.hex\";", rows_, name_);
        out_.line("        variable {} : std.textio.line;", text_);
        out_.line("        variable {} : std_logic_vector({} downto 0);", bits_, bits - 1);
        out_.line("        type {} is array (0 to {}) of unsigned({} downto 0);", words_,
                  std::max<std::size_t>(layout_.words.size(), 1) - 1, bits - 1);
        out_.line("        variable {} : {};", row_, words_);
        out_.line("        variable {} : natural := 0;", cycle_);
        out_.line("        variable {} : boolean := false;", failed_);
        out_.line("        -- what is U, X, W, Z or - is not compared, but counted");
        out_.line("        type {}_type is array (0 to {}) of boolean;", seen_,
                  std::max<std::size_t>(recording_.probes.size(), 1) - 1);
        out_.line("        variable {0} : {0}_type := (others => false);", seen_);
        out_.line("        variable {}, {} : unsigned(63 downto 0) := (others => '0');",
                  unknownBits_, unknownBefore_);
        out_.line("        variable {} : natural := 0;", unknownCycles_);
        out_.line("        variable {} : boolean := false;", isTelling_);
        check();
        compare();
        out_.line("    begin");
    }

    /// Of a value of which nothing is known in any cycle a line tells in the end, for whoever reads
    /// what the bench prints: smec verify does.
    void check() {
        out_.line("        procedure {}(number : natural; name : string; expected, got : unsigned; "
                  "is_signed : boolean) is",
                  check_);
        out_.line("            alias wanted : unsigned(got'length - 1 downto 0) is expected;");
        out_.line("            variable known : unsigned(got'length - 1 downto 0) := to_x01(got);");
        out_.line("            variable differs : boolean := false;");
        out_.line("        begin");
        out_.line("            if {} then", isTelling_);
        out_.line("                if not {}(number) then", seen_);
        out_.line(
            "                    std.textio.write(std.textio.output, \"NEVER KNOWN: \" & name "
            "& LF);");
        out_.line("                end if;");
        out_.line("                return;");
        out_.line("            end if;");
        out_.line("            if not is_x(known) then");
        out_.line("                {}(number) := true;", seen_);
        out_.line("                differs := known /= wanted;");
        out_.line("            else");
        out_.line("                for i in known'range loop");
        out_.line("                    if known(i) = 'X' then");
        out_.line("                        {0} := {0} + 1;", unknownBits_);
        out_.line("                    else");
        out_.line("                        {}(number) := true;", seen_);
        out_.line("                        differs := differs or known(i) /= wanted(i);");
        out_.line("                    end if;");
        out_.line("                end loop;");
        out_.line("            end if;");
        out_.line("            if differs then");
        out_.line(
            "                std.textio.write(std.textio.output, \"cycle \" & "
            "integer'image({0}) & \": \" & name & \": expected \" & image(expected, is_signed, 10) "
            "& \", got \" & image(got, is_signed, 10) & LF);",
            cycle_);
        out_.line("                {} := true;", failed_);
        out_.line("            end if;");
        out_.line("        end procedure;");
    }

    void main() {
        declareProcess();
        out_.in();
        out_.in();
        for (const std::uint32_t number : recording_.probes) {
            const Probe& probe = design_.probes[number];
            if (probe.isInput)
                drive(*portOf(probe), probe,
                      literal(ir::wrapInteger(probe.initial, probe.type.width, false),
                              {probe.type.width, false, false}));
        }
        out_.line("for k in 1 to {} loop", resetCycles(design_));
        out_.line("    wait for 5 ns;");
        out_.line("    clk <= '1';");
        out_.line("    wait for 5 ns;");
        out_.line("    clk <= '0';");
        out_.line("end loop;");
        out_.line("{} <= '{}';", options_.name(), options_.isActiveLow ? 1 : 0);
        out_.line("while {} < {} loop", cycle_, cycles_);
        out_.in();
        round();
        out_.out();
        out_.line("end loop;");
        out_.line("if {} /= 0 then", unknownBits_);
        out_.line(
            "    std.textio.write(std.textio.output, \"UNKNOWN: \" & image({}, false, 10) & \" "
            "bits in \" & integer'image({}) & \" cycles\" & LF);",
            unknownBits_, unknownCycles_);
        out_.line("    {} := true;", isTelling_);
        out_.line("    {};", compare_);
        out_.line("end if;");
        out_.line("std.textio.write(std.textio.output, \"PASSED: {} cycles\" & LF);",
                  recording_.rows.size());
        out_.line("wait;");
        out_.out();
        out_.line("end process;");
        out_.out();
    }

    void round() {
        out_.line("for k in {}'range loop", row_);
        out_.line("    std.textio.readline({}, {});", rows_, text_);
        out_.line("    hread({}, {});", text_, bits_);
        out_.line("    {}(k) := unsigned({});", row_, bits_);
        out_.line("end loop;");
        for (std::size_t i = 0; i < recording_.probes.size(); ++i) {
            const Probe& probe = design_.probes[recording_.probes[i]];
            if (probe.isInput) drive(*portOf(probe), probe, ofRow(i));
        }
        out_.line("wait for 4 ns;");
        out_.line("{} := {};", unknownBefore_, unknownBits_);
        out_.line("{};", compare_);
        out_.line("if {} /= {} then", unknownBits_, unknownBefore_);
        out_.line("    {0} := {0} + 1;", unknownCycles_);
        out_.line("end if;");
        out_.line("if {} then", failed_);
        out_.line("    std.textio.write(std.textio.output, \"FAILED in cycle \" & "
                  "integer'image({}) & LF);",
                  cycle_);
        out_.line("    std.env.stop(1);");
        out_.line("end if;");
        out_.line("wait for 1 ns;");
        out_.line("clk <= '1';");
        out_.line("wait for 5 ns;");
        out_.line("clk <= '0';");
        out_.line("{0} := {0} + 1;", cycle_);
    }

    const Design& design_;
    const SourceManager& sources_;
    const Recording& recording_;
    const Options& options_;
    const Module& top_;
    std::string name_;
    Probed copies_;
    Names names_;
    std::string onlyPorts_ = "only_ports", cycles_ = "cycles", probes_ = "probes";
    std::string seen_ = "seen", unknownBits_ = "unknown_bits", unknownBefore_ = "unknown_before",
                unknownCycles_ = "unknown_cycles", isTelling_ = "is_telling";
    std::string check_ = "check", compare_ = "compare", rows_ = "rows", text_ = "text",
                bits_ = "bits";
    std::string row_ = "row", words_ = "words", cycle_ = "cycle", failed_ = "failed",
                inside_ = "inside";
    std::string dut_ = "dut", copy_ = "copy", main_ = "main";
    RecordingLayout layout_;
    Writer out_;
};

}  // namespace

std::map<std::string, std::string> testBench(const Design& design, const SourceManager& sources,
                                             const Recording& recording, const Options& options) {
    return BenchPrinter(design, sources, recording, options).run();
}

}  // namespace smec::codegen::vhdl
