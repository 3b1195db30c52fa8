// One class becomes
//   void add_instances(u64 count, const u32* __restrict x_v_in, u32* __restrict y_v_out) {
//       for (u64 i = 0; i < count; ++i) … }
//   void add(const sme::Thread& thread, const sme::Slots& slots, u32 begin, u32 end) {
//       for each segment that meets [begin, end) add_instances(…); }
// and, where the wiring has seams, add_seams(count, seam, …), which goes through a table of
// instances. The loop stands in a function of its own with the count by value: only so do the
// restrict pointers reach the vectoriser.

#include "codegen/cpp/print/unit.h"
#include "codegen/cpp/print/walk.h"

namespace smec::codegen::cpp {
namespace {

class LoopPrinter {
public:
    LoopPrinter(const CppDesign& cpp, std::uint32_t kernel, Writer& out)
        : cpp_(cpp),
          kernel_(kernel),
          loop_(std::get<LoopPlan>(cpp.program.kernels[kernel])),
          segments_(loop_.segments),
          out_(out) {
        for (const Walk& walk : loop_.walks)
            walks_.emplace_back(cpp, loop_, walk);
    }

    void print() {
        Writer inner;
        for (std::uint32_t i = 0; i < walks_.size(); ++i) {
            if (loop_.walks[i].function == WalkRef{kernel_, i}) walks_[i].print(inner);
            if (isFilled(loop_.walks[i].kind))
                walks_[i].printFilled(cpp_.names.loops[kernel_].filled, inner);
        }
        if (inCode()) printRows(inner);
        if (!inner.text().empty()) {
            out_.margin("namespace {");
            out_.blank();
            out_.append(inner.text());
            out_.margin("}  // namespace");
            out_.blank();
        }
        printKernel();
    }

private:
    bool hasRows() const { return !std::holds_alternative<OneRow>(segments_.place); }
    bool inCode() const { return std::holds_alternative<RowsInCode>(segments_.place); }

    const WalkPrinter* find(WalkKind kind) const {
        const Walk* walk = loop_.find(kind);
        return walk == nullptr ? nullptr
                               : &walks_[static_cast<std::size_t>(walk - loop_.walks.data())];
    }
    bool isFilled(WalkKind kind) const { return kind == WalkKind::Segment && loop_.filledWord > 0; }
    std::string call(WalkKind kind, const std::string& count) const {
        return isFilled(kind) ? find(kind)->callOf(cpp_.names.loops[kernel_].filled, count)
                              : find(kind)->call(count);
    }

    void printRows(Writer& out) const {
        out.line("// first instance, count, where the inputs begin");
        out.open("constexpr u32 {}[] =", cpp_.names.loops[kernel_].rows);
        for (std::size_t row = 0; row < segments_.count(); ++row) {
            std::string text;
            for (std::size_t i = 0; i < segments_.rowWidth; ++i)
                text += fmt::format("{}, ", segments_.rows[row * segments_.rowWidth + i]);
            out.line("{}", text.substr(0, text.size() - 1));
        }
        out.close(";");
        out.blank();
    }

    static std::string rowsAt(std::uint64_t offset) {
        return fmt::format("sme::at<u32>(thread.constants, {})", offset);
    }

    void printKernel() {
        out_.open("void {}({})", cpp_.names.kernels[kernel_], kInstancesParameters);
        if (loop_.joined)
            printAheadAcrossSeams(*loop_.seams, *loop_.joined);
        else if (loop_.seams)
            printAcrossSeams(*loop_.seams);
        else
            printSegments("end");
        out_.close();
        out_.blank();
    }

    void printAcrossSeams(const Seams& seams) {
        out_.line("const u32* const seams = {};", rowsAt(seams.offset));
        const std::string atSeams = callAtSeams(WalkKind::Seams);
        if (seams.saved.empty()) {
            printSeamsBetween(seams, "begin", "end");
            printSegments("end");
            out_.line("{};", atSeams);
            return;
        }
        out_.open("while (begin < end)");
        out_.line("const u32 stop = sme::minimum(begin + {}, end);", seams.span);
        printSeamsBetween(seams, "begin", "stop");
        for (const std::uint32_t slot : seams.saved)
            printSaving(seams, slot);
        printSegments("stop");
        out_.line("{};", atSeams);
        out_.close();
    }

    std::string callAtSeams(WalkKind kind) const {
        return call(kind, fmt::format("lastSeam - firstSeam, seams + u64(firstSeam) * {}",
                                      segments_.rowWidth));
    }

    /// Segments go on across seams while no check fails, else one by one.
    void printAheadAcrossSeams(const Seams& seams, const Segments& joined) {
        const std::string joinedRows = rowsAt(std::get<RowsInData>(joined.place).offset);
        out_.line("const u32* const seams = {};", rowsAt(seams.offset));
        out_.open("for (u32 from = begin; from < end;)");
        out_.line("const u32 stop = sme::minimum(from + sme::kAhead, end);");
        printSeamsBetween(seams, "from", "stop");
        for (const std::uint32_t slot : seams.saved)
            printSaving(seams, slot);
        out_.line("bool isSure = sme::kLooksAhead && !{};", callAtSeams(WalkKind::AheadAtSeams));
        out_.line("begin = from;");
        printRowsUntilStop(joinedRows, joined.count(), "isSure && ",
                           "isSure = !" + call(WalkKind::Ahead, "next - begin"));
        out_.line("begin = from;");
        out_.open("if (isSure)");
        printRowsUntilStop(joinedRows, joined.count(), "", call(WalkKind::Sure, "next - begin"));
        out_.line("{};", callAtSeams(WalkKind::SureAtSeams));
        out_.reopen("else");
        printRowsUntilStop(rows(), segments_.count(), "", call(WalkKind::Segment, "next - begin"));
        out_.close();
        out_.line("from = stop;");
        out_.close();
    }

    /// Calls for each row from begin to stop, while `condition` holds.
    void printRowsUntilStop(const std::string& table, std::size_t count, const char* condition,
                            const std::string& statement) {
        out_.open("for (const u32* row = sme::firstSegment({}, {}, {}, begin); {}begin < stop;)",
                  table, count, segments_.rowWidth, condition);
        out_.line("const u32 skip = begin - row[0];");
        out_.line("const u32 next = sme::minimum(row[0] + row[1], stop);");
        out_.line("{};", statement);
        out_.line("begin = next;");
        out_.line("if (begin == row[0] + row[1]) row += {};", segments_.rowWidth);
        out_.close();
    }

    void printSeamsBetween(const Seams& seams, const char* from, const char* stop) {
        const auto before = [&](const char* bound) {
            return fmt::format("sme::rowsBefore(seams, {}, {}, {})", seams.count,
                               segments_.rowWidth, bound);
        };
        out_.line("const u32 firstSeam = {}, lastSeam = {};", before(from), before(stop));
    }

    void printSaving(const Seams& seams, std::uint32_t slot) {
        const ir::Design& design = cpp_.program.design;
        const ir::PlaneId plane = design.classes[loop_.cls.index].state[slot];
        const std::string type = nameOf(storedWord(design.planes[plane.index].type.scalar));
        out_.line("{} saved_{}[{}];", type, slot, seams.seamsInSpan);
        out_.line("for (u32 i = firstSeam; i < lastSeam; ++i)");
        out_.line("    saved_{}[i - firstSeam] = sme::at<{}>(slots.state, {})[seams[u64(i) * {}]];",
                  slot, type, cpp_.program.plan.placements[plane.index].offset, segments_.rowWidth);
    }

    /// Runs [begin, bound); begin becomes a bound that is not the last.
    void printSegments(const std::string& bound) {
        const bool looksAhead = find(WalkKind::Sure) != nullptr;
        if (!hasRows() && !looksAhead) {
            printRun(bound + " - begin");
            if (bound != "end") out_.line("begin = {};", bound);
            return;
        }
        if (hasRows())
            out_.line("const u32* row = sme::firstSegment({}, {}, {}, begin);", rows(),
                      segments_.count(), segments_.rowWidth);
        out_.open("while (begin < {})", bound);
        std::string next = bound;
        if (hasRows()) {
            out_.line("const u32 skip = begin - row[0];");
            next = fmt::format("sme::minimum(row[0] + row[1], {})", next);
        }
        if (looksAhead) next = fmt::format("sme::minimum(begin + sme::kAhead, {})", next);
        out_.line("const u32 next = {};", next);
        printStrides();
        out_.line("begin = next;");
        if (hasRows()) out_.line("if (begin == row[0] + row[1]) row += {};", segments_.rowWidth);
        out_.close();
    }

    /// The name or place of the table of segments.
    std::string rows() const {
        if (const auto* inData = std::get_if<RowsInData>(&segments_.place))
            return rowsAt(inData->offset);
        return cpp_.names.loops[kernel_].rows;
    }

    void printStrides() {
        if (loop_.usualStrides.empty()) return printRun("next - begin");
        std::string condition;
        for (const UsualStride& usual : loop_.usualStrides)
            condition += fmt::format("{}i32(row[{}]) == {}", condition.empty() ? "" : " && ",
                                     usual.column, usual.stride);
        out_.open("if ({})", condition);
        printRun("next - begin");
        out_.reopen("else");
        out_.line("{};", call(WalkKind::Strided, "next - begin"));
        out_.close();
    }

    /// Runs that many instances from begin, within a segment.
    void printRun(const std::string& count) {
        if (find(WalkKind::Sure) == nullptr) {
            out_.line("{};", call(WalkKind::Segment, count));
            return;
        }
        out_.line("if ({})", unsure(count));
        out_.line("    {};", call(WalkKind::Segment, count));
        out_.line("else");
        out_.line("    {};", call(WalkKind::Sure, count));
    }

    /// Whether the instances have to run one after the other, each by itself.
    std::string unsure(const std::string& count) const {
        std::string condition;
        const auto add = [&](const std::string& term) {
            condition += (condition.empty() ? "" : " || ") + term;
        };
        const bool looksAhead = find(WalkKind::Ahead) != nullptr;
        if (looksAhead) add("!sme::kLooksAhead");
        for (const std::uint32_t slot : loop_.common)
            add(fmt::format("!sme::areEqual({} + begin, {})", variable(slot), count));
        if (looksAhead) add(call(WalkKind::Ahead, count));
        return condition;
    }

    /// The plane of a variable.
    std::string variable(std::uint32_t slot) const {
        const ir::Design& design = cpp_.program.design;
        const ir::PlaneId plane = design.classes[loop_.cls.index].state[slot];
        return fmt::format("sme::at<{}>(slots.state, {})",
                           nameOf(storedWord(design.planes[plane.index].type.scalar)),
                           cpp_.program.plan.placements[plane.index].offset);
    }

    const CppDesign& cpp_;
    const std::uint32_t kernel_;
    const LoopPlan& loop_;
    const Segments& segments_;
    std::vector<WalkPrinter> walks_;
    Writer& out_;
};

}  // namespace

void printLoop(const CppDesign& cpp, std::uint32_t kernel, Writer& out) {
    LoopPrinter(cpp, kernel, out).print();
}

}  // namespace smec::codegen::cpp
