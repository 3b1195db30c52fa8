#include "codegen/verilog/testbench.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/verilog/expression.h"
#include "ir/arithmetic.h"

namespace smec::codegen::verilog {

using namespace hdl;

namespace {

using Group = RecordingLayout::Group;

class BenchPrinter {
public:
    BenchPrinter(const hdl::Design& design, const Recording& recording, const Options& options)
        : design_(design),
          recording_(recording),
          options_(options),
          top_(design.modules.back()),
          name_(design.bench),
          layout_(layoutOf(design, recording)) {}

    std::map<std::string, std::string> run() {
        head();
        instance();
        compare();
        check();
        report();
        tellUnknown();
        main();
        return {{name_ + ".sv", std::move(out_)},
                {name_ + ".hex", hexLines(design_, recording_, layout_)},
                {name_ + ".names", nameLines(design_, recording_, layout_)}};
    }

private:
    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
        out_ += '\n';
    }

    void head() {
        line("// Compares {} with a recorded run of {} cycles.", top_.name, recording_.rows.size());
        line("// The design {}.", recording_.ending);
        line("`timescale 1ns / 1ps");
        line("module {};", name_);
        line("    localparam integer CYCLES = {};", recording_.rows.size());
        line("    logic clk = 1'b0;");
        line("    logic {} = 1'b{};", options_.reset.name(), options_.reset.isActiveLow ? 0 : 1);
        for (const Signal& signal : top_.signals) {
            if (signal.role == Role::Input)
                line("    {} {};", declared(signal.type, signal.elements()), signal.name);
            if (signal.role == Role::Output)
                line("    {} {};", declared(signal.type, signal.elements(), "wire"), signal.name);
        }
        line("    localparam integer WORDS = {};  // of a cycle", wordCount());
        line("    logic [{}:0] rows [0:CYCLES*WORDS-1];", layout_.width - 1);
        if (hasInputs()) line("    logic [{}:0] row;", layout_.width - 1);
        line("    integer cycle;");
        line("    integer failures = 0;");
        line("    // what is x or z is not compared, but counted");
        line("    reg [63:0] unknown_bits = 0, unknown_before = 0;");
        line("    integer unknown_cycles = 0;");
        line("    integer suspects = 0;  // words of which bits have been unknown from the start");
        line("    reg [{}:0] never_known [0:WORDS-1];", layout_.width - 1);
        line("");
    }

    void instance() {
        std::string ports;
        if (top_.hasClock) ports = fmt::format(".clk(clk), .{0}({0})", options_.reset.name());
        for (const Signal& signal : top_.signals)
            if (signal.role == Role::Input || signal.role == Role::Output)
                ports +=
                    fmt::format("{}.{}({})", ports.empty() ? "" : ", ", signal.name, signal.name);
        line("    {} dut ({});", top_.name, ports);
        line("");
    }

    /// "s", and in loops "s[3].inner[2].element".
    static std::string pathOf(const Step& step) {
        std::string path = step.instance;
        for (std::size_t i = 0; i < step.indices.size(); ++i)
            path +=
                fmt::format("{}[{}]", i == 0 ? "" : std::string(".") + kInnerLoop, step.indices[i]);
        if (!step.indices.empty()) path += std::string(".") + kElement;
        return path;
    }

    std::string pathOf(const Probe& probe) const {
        std::string path = probe.isPort ? "" : "dut.";
        for (const Step& step : probe.path)
            path += pathOf(step) + ".";
        path += probe.signal;
        if (probe.isWhole) return path;
        if (probe.type.width == 1) return fmt::format("{}[{}]", path, probe.low);
        return fmt::format("{}[{}:{}]", path, probe.low + probe.type.width - 1, probe.low);
    }

    std::size_t wordCount() const { return std::max<std::size_t>(layout_.words.size(), 1); }

    const Probe& probeOf(std::uint32_t column) const {
        return design_.probes[recording_.probes[column]];
    }

    bool hasInputs() const {
        return !layout_.words.empty() && layout_.words.front().group == Group::Input;
    }

    /// The fields of each word at once: simulators read and compare that faster than field by
    /// field.
    void compare() {
        line("    task compare;");
        line("        begin");
        words(Group::Port);
        line("`ifndef ONLY_PORTS");
        words(Group::Inner);
        line("`endif");
        line("        end");
        line("    endtask");
        line("");
    }

    void words(Group group) {
        for (std::size_t number = 0; number < layout_.words.size(); ++number) {
            const RecordingLayout::Word& word = layout_.words[number];
            if (word.group != group) continue;
            line("            check({}, {{", number);
            for (std::size_t i = word.columns.size(); i-- > 0;)
                line("                {}{}", pathOf(probeOf(word.columns[i])), i == 0 ? "" : ",");
            line("            }});");
        }
    }

    void check() {
        const std::uint32_t last = layout_.width - 1;
        line("    task check(input integer number, input [{}:0] got);", last);
        line("        if (got !== rows[cycle * WORDS + number])");
        line("            judge(number, got, rows[cycle * WORDS + number]);");
        line("        else if (suspects != 0)");
        line("            never_known[number] = 0;");
        line("    endtask");
        line("");
        line("    task judge(input integer number, input [{0}:0] got, input [{0}:0] expected);",
             last);
        line("        integer i;");
        line("        begin");
        line("            for (i = 0; i < {}; i = i + 1)", layout_.width);
        line("                if ((got[i] ^ got[i]) === 1'b0)");
        line("                    never_known[number][i] = 1'b0;");
        line("                else begin");
        line("                    unknown_bits = unknown_bits + 1;");
        line("                    if (cycle == 0) begin");
        line("                        never_known[number][i] = 1'b1;");
        line("                        suspects = suspects + 1;");
        line("                    end");
        line("                end");
        line("            if ((|(got ^ expected)) === 1'b1) begin");
        line("                failures = failures + 1;");
        line("                report(number, got, expected);");
        line("            end");
        line("        end");
        line("    endtask");
        line("");
    }

    /// Lines for whoever reads what the bench prints: smec verify does.
    void tellUnknown() {
        line("    task tell_unknown;");
        line("        integer names, word, low, width, is_signed;");
        line("        reg [{}:0] name;", nameBits() - 1);
        line("        reg [{}:0] ones;", layout_.width);
        line("        if (unknown_bits != 0) begin");
        line("            $display(\"UNKNOWN: %0d bits in %0d cycles\", unknown_bits, "
             "unknown_cycles);");
        line("            names = $fopen(\"{}.names\", \"r\");", name_);
        line("            if (names != 0) begin");
        line("                while ($fscanf(names, \"%d %d %d %d %s\", word, low, width, "
             "is_signed, name) == 5) begin");
        line("                    ones = ~(~{}'d0 << width);", layout_.width + 1);
        line("                    if (((never_known[word] >> low) & ones) == ones)");
        line("                        $display(\"NEVER KNOWN: %0s\", name);");
        line("                end");
        line("                $fclose(names);");
        line("            end");
        line("        end");
        line("    endtask");
        line("");
    }

    std::size_t nameBits() const {
        std::size_t longest = 1;
        for (const std::uint32_t probe : recording_.probes)
            longest = std::max(longest, design_.probes[probe].name.size());
        return 8 * longest;
    }

    /// A bit more than a word has, so that what is not signed is not negative.
    void report() {
        const std::uint32_t width = layout_.width;
        line("    // a line of {}.names: word, first bit, width, 1 if signed, name", name_);
        line("    task report(input integer number, input [{}:0] got, input [{}:0] expected);",
             width, width);
        line("        integer names, word, low, width, is_signed;");
        line("        reg [{}:0] name;", nameBits() - 1);
        line("        reg [{}:0] ones, is, was;", width);
        line("        begin");
        line("            names = $fopen(\"{}.names\", \"r\");", name_);
        line("            if (names == 0)");
        line(
            "                $display(\"cycle %0d: word %0d: expected %h, got %h\", cycle, number, "
            "expected, got);");
        line("            else begin");
        line("                while ($fscanf(names, \"%d %d %d %d %s\", word, low, width, "
             "is_signed, "
             "name) == 5)");
        line("                    if (word == number) begin");
        line("                        ones = ~(~{}'d0 << width);", width + 1);
        line("                        is = (got >> low) & ones;");
        line("                        was = (expected >> low) & ones;");
        line("                        if ((|(is ^ was)) === 1'b1) begin");
        line("                            if (is_signed != 0 && is[width - 1]) is = is | ~ones;");
        line(
            "                            if (is_signed != 0 && was[width - 1]) was = was | ~ones;");
        line("                            $display(\"cycle %0d: %0s: expected %0d, got %0d\", "
             "cycle, "
             "name, $signed(was), $signed(is));");
        line("                        end");
        line("                    end");
        line("                $fclose(names);");
        line("            end");
        line("        end");
        line("    endtask");
        line("");
    }

    /// Inputs take what stands in the words of a row.
    void drive() {
        for (std::size_t number = 0; number < layout_.words.size(); ++number) {
            const RecordingLayout::Word& word = layout_.words[number];
            if (word.group != Group::Input) return;
            line("            row = rows[cycle * WORDS + {}];", number);
            for (const std::uint32_t column : word.columns)
                line("            {} = {};", pathOf(probeOf(column)), ofRow(column));
        }
    }

    std::string ofRow(std::uint32_t column) const {
        const std::uint32_t width = probeOf(column).type.width, low = layout_.places[column].low;
        if (layout_.width == 1) return "row";
        if (width == 1) return fmt::format("row[{}]", low);
        return fmt::format("row[{}:{}]", low + width - 1, low);
    }

    void main() {
        const int active = options_.reset.isActiveLow ? 0 : 1;
        line("    initial begin");
        line("        $readmemh(\"{}.hex\", rows);", name_);
        for (std::size_t i = 0; i < recording_.probes.size(); ++i) {
            const Probe& probe = design_.probes[recording_.probes[i]];
            if (probe.isInput)
                line("        {} = {};", pathOf(probe),
                     literal(ir::wrapInteger(probe.initial, probe.type.width, false),
                             {probe.type.width, false, probe.type.isBool}));
        }
        line("        {} = 1'b{};", options_.reset.name(), active);
        line("        for (cycle = 0; cycle < WORDS; cycle = cycle + 1) never_known[cycle] = 0;");
        line("        repeat ({}) begin", resetCycles(design_));
        line("            #5 clk = 1'b1;");
        line("            #5 clk = 1'b0;");
        line("        end");
        line("        {} = 1'b{};", options_.reset.name(), 1 - active);
        line("        for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin");
        drive();
        line("            unknown_before = unknown_bits;");
        line("            #4 compare;");
        line(
            "            if (unknown_bits != unknown_before) unknown_cycles = unknown_cycles + 1;");
        line("            if (failures != 0) begin");
        line("                $display(\"FAILED in cycle %0d\", cycle);");
        line("                $fatal(1);");
        line("            end");
        line("            #1 clk = 1'b1;");
        line("            #5 clk = 1'b0;");
        line("        end");
        line("        tell_unknown;");
        line("        $display(\"PASSED: %0d cycles\", CYCLES);");
        line("        $finish;");
        line("    end");
        line("endmodule");
    }

    const hdl::Design& design_;
    const Recording& recording_;
    const Options& options_;
    const Module& top_;
    std::string name_;
    RecordingLayout layout_;
    std::string out_;
};

}  // namespace

std::map<std::string, std::string>
testBench(const hdl::Design& design, const hdl::Recording& recording, const Options& options) {
    return BenchPrinter(design, recording, options).run();
}

}  // namespace smec::codegen::verilog
