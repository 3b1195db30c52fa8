// One class becomes
//   void add_instances(u64 count, const u32* __restrict x_v_in, u32* __restrict y_v_out) { for (u64
//   i = 0; i < count; ++i) … } void add(const sme::Context& context, u32 begin, u32 end) { for each
//   segment that meets [begin, end) add_instances(…); }
// and, where the wiring has seams, add_seams(count, seam, …), which goes through a table of
// instances. The loop stands in a function of its own with the count by value: only so do the
// restrict pointers reach the vectoriser.

#include <algorithm>
#include <map>
#include <optional>

#include "codegen/cpp/activation.h"
#include "codegen/cpp/unit.h"
#include "codegen/cpp/wiring.h"
#include "ir/lanes.h"

namespace smec::codegen::cpp {
namespace {

constexpr std::size_t kRowsInCode = 16;  // longer segment tables lie in model.bin

/// Which instances an inner function walks, and how its parameters name them.
struct Walk {
    const char* instance;  ///< of an activation, as an index
    const char* begin;     ///< what pointers to planes start at; "" for instance 0
    bool isSeam;           ///< inputs lie where the row `seam` says
    bool isStrided;        ///< strides that differ between segments are parameters
    Checks checks;
    std::string LoopNames::*name;
    const char* comment;
};
constexpr Walk kSegment = {"i", "begin", false, false, Checks::Test, &LoopNames::inner, ""};
constexpr Walk kStrided = {
    "i", "begin", false, true, Checks::Test, &LoopNames::strided, ", with other strides"};
constexpr Walk kAtSeam = {
    "seam[0]", "", true, false, Checks::Test, &LoopNames::seams, ", where segments meet"};
constexpr Walk kAhead = {
    "i", "begin", false, false, Checks::Collect, &LoopNames::checks, ", whether a check fails"};
constexpr Walk kSure = {
    "i", "begin", false, false, Checks::Skip, &LoopNames::sure, ", when no check fails"};

/// Whether the checks of many instances are looked at before these are run without them, in lanes.
bool looksAhead(const ir::Class& cls, const BodyInfo& info) {
    const ir::Block& statements = cls.body.statements;
    const auto isCheck = [](const ir::Stmt& stmt) {
        return std::holds_alternative<ir::Check>(stmt.node);
    };
    return std::any_of(statements.begin(), statements.end(), isCheck)
           && ir::fillsLanes(cls, info.intervals);
}

/// An inner function.
class InnerPrinter {
public:
    InnerPrinter(Program& program, std::uint32_t kernel, const Wiring& wiring, const Walk& walk)
        : program_(program),
          id_(program.plan.kernels[kernel].cls),
          cls_(program.design.classes[id_.index]),
          info_(program.classes[id_.index]),
          name_(program.loopNames[kernel].*walk.name),
          wiring_(wiring),
          walk_(walk),
          hasRows_(wiring.rowCount() > 1),
          touched_(touchedBy(cls_, info_)) {
        if (walk_.isSeam) names_.add("seam");
        if (walk_.checks == Checks::Collect) names_.add("failed");
        for (const Port& port : wiring_.ports)
            addPort(port);
        for (const std::uint32_t input : info_.selected)
            addSelection(input);
        for (const std::uint32_t column : info_.columns)
            addColumn(column);
        addState();
        addOutputs();
        needsContext_ = needsContext_ || needs(info_.needs.context);
    }

    /// Nothing when the unit has such a function already.
    void print(LoopFunctions& known, Writer& out) {
        std::string head;
        if (needsContext_) head += "const sme::Context& context, ";
        if (needs(info_.needs.instance)) head += "const u32 first, ";
        head += "const u64 count";
        if (walk_.isSeam) head += ", const u32* seam";
        Writer body;
        body.setDepth(2);
        Site site;
        site.instance = "first + u32(i)";
        site.checks = walk_.checks;
        site.usesMasks =
            program_.options.lanes && mayBeVectorCode() && ir::fillsLanes(cls_, info_.intervals);
        Names labels;
        printActivation(program_, id_, storage_, site, names_, labels, body);

        const bool isLook = walk_.checks == Checks::Collect;
        const auto [it, isNew] = known.try_emplace(fmt::format("{} {} {}{}\n{}", isLook,
                                                               walk_.isSeam ? wiring_.rowWidth : 0,
                                                               head, parameters_, body.text()),
                                                   name_);
        name_ = it->second;
        if (!isNew) return;
        out.line("// {}{}", locationComment(program_, cls_.range, cls_.name), walk_.comment);
        const char* kind = isLook           ? "SME_CHECKS bool"
                           : site.usesMasks ? "SME_LANES void"
                                            : "SME_LOOP void";
        out.open("{} {}({}{})", kind, name_, head, parameters_);
        if (isLook) out.line("u8 failed = 0;");
        if (!needs(info_.needs.context)) out.margin("#pragma GCC ivdep");
        if (walk_.isSeam)
            out.open("for (u64 i = 0; i < count; ++i, seam += {})", wiring_.rowWidth);
        else
            out.open("for (u64 i = 0; i < count; ++i)");
        out.append(body.text());
        out.close();
        if (isLook) out.line("return failed != 0;");
        out.close();
        out.blank();
    }

    /// A call for `count` instances.
    std::string call(const std::string& count) const {
        std::string head;
        if (needsContext_) head += "context, ";
        if (needs(info_.needs.instance)) head += "begin, ";
        return fmt::format("{}({}{}{})", name_, head, count, arguments_);
    }

private:
    /// Selects without control flow are for vector code alone, and g++ gathers no small words.
    bool mayBeVectorCode() const {
        const std::vector<ir::Expr>& exprs = cls_.body.exprs;
        return std::none_of(wiring_.ports.begin(), wiring_.ports.end(),
                            [](const Port& port) { return port.isGathered; })
               && std::any_of(exprs.begin(), exprs.end(), [](const ir::Expr& expr) {
                      return std::holds_alternative<ir::Select>(expr.node);
                  });
    }

    /// Without checks a body needs nothing: suitsLanes() lets no other statement pass that does.
    bool needs(bool whole) const { return whole && walk_.checks == Checks::Test; }

    /// A pointer parameter and what the kernel passes for it.
    void addParameter(const std::string& type, bool isConst, const std::string& name,
                      const std::string& argument) {
        parameters_ += fmt::format(", {}{}* __restrict {}", isConst ? "const " : "", type, name);
        arguments_ += ", " + argument;
    }

    static std::string region(const std::string& type, const char* base, std::uint64_t offset) {
        return fmt::format("sme::at<{}>(context.{}, {})", type, base, offset);
    }

    /// Pointer to the first instance walked of a plane.
    std::string planeArgument(const std::string& type, const char* base, std::uint64_t offset,
                              std::uint64_t length) const {
        return region(type, base, offset) + fromBegin(static_cast<std::int64_t>(length));
    }

    /// What leads from instance 0 to the first one walked.
    std::string fromBegin(std::int64_t length) const {
        return *walk_.begin == 0 ? "" : " + " + scaled(walk_.begin, length);
    }

    /// An instance's element of a column of the class.
    std::string ofInstance(const std::string& pointer) const {
        return fmt::format("{}[{}]", pointer, walk_.instance);
    }

    /// An instance's array in a row of arrays.
    std::string arrayOfInstance(const std::string& pointer, std::uint64_t length) const {
        return walk_.isSeam ? fmt::format("{} + u64({}) * {}", pointer, walk_.instance, length)
                            : fmt::format("{} + i * {}", pointer, length);
    }

    static std::string scaled(const char* count, std::int64_t factor) {
        if (factor == 1) return count;
        return factor >= 0 ? fmt::format("u64({}) * {}", count, factor)
                           : fmt::format("i64({}) * {}", count, factor);
    }

    static std::string indexed(const std::string& pointer, std::int64_t stride) {
        if (stride == 0) return pointer + "[0]";
        if (stride == 1) return pointer + "[i]";
        return fmt::format("{}[{} * {}]", pointer, stride < 0 ? "i64(i)" : "i", stride);
    }

    void addPort(const Port& port) {
        const ir::Input& input = cls_.inputs[port.input];
        const std::string type = nameOf(storedWord(input.type.scalar));
        const std::string base =
            input.name + (input.elements.size() > 1 ? "_" + std::to_string(port.element) : "");
        const std::string pointer = port.isGathered && port.isMixed ? "" : names_.add(base + "_in");
        std::string place;
        if (port.isGathered)
            place = gathered(port, type, pointer, names_.add(base + "_index"));
        else
            place = port.isDynamic && walk_.isStrided
                        ? dynamic(port, type, pointer, names_.add(base + "_step"))
                        : strided(port, type, pointer);
        if (port.border) place = behindBorder(port, type, place);
        if (input.type.isArray() && place.ends_with("[0]"))
            place.resize(place.size() - 3);
        else if (input.type.isArray())
            place = "&" + place;
        storage_.inputs[{port.input, port.element}] = place;
    }

    /// A port's place, or what is read there without a driver.
    std::string behindBorder(const Port& port, const std::string& type, const std::string& place) {
        std::string& column = borders_[port.borderOffset];
        if (column.empty()) {
            column = names_.add("border");
            addParameter("u8", true, column,
                         region("u8", "constants", port.borderOffset) + fromBegin(1));
        }
        const ir::Scalar& scalar = cls_.inputs[port.input].type.scalar;
        const ir::Constant& value = port.border->value;
        const std::string other = scalar.kind == ir::ScalarKind::Bool
                                      ? literal(std::get<ir::Integer>(value.value), kInt)
                                      : literal(value, scalar);
        return fmt::format("sme::choose<{}>({} != 0, {}, {})", type, ofInstance(column), other,
                           place);
    }

    std::string gathered(const Port& port, const std::string& type, const std::string& pointer,
                         const std::string& index) {
        addParameter("u32", true, index,
                     region("u32", "constants", port.indexOffset) + fromBegin(1));
        if (port.isMixed) {
            needsContext_ = true;
            return fmt::format("sme::pick<{}>(context, {})[0]", type, ofInstance(index));
        }
        addParameter(type, true, pointer, region(type, port.inWriteSlot ? "write" : "read", 0));
        return fmt::format("{}[{}]", pointer, ofInstance(index));
    }

    /// The element of the segment's first instance, as C++.
    std::string rowElement(const Port& port) const {
        return hasRows_ ? fmt::format("row[{}]", port.column)
                        : std::to_string(wiring_.rows[port.column]);
    }
    const char* skipped() const { return hasRows_ ? "skip" : "begin"; }

    std::string strided(const Port& port, const std::string& type, const std::string& pointer) {
        if (walk_.isSeam) {
            addParameter(type, true, pointer, region(type, port.inWriteSlot ? "write" : "read", 0));
            return fmt::format("{}[seam[{}]]", pointer, port.column);
        }
        const std::string skip =
            port.stride == 0 ? "" : " + " + scaled(skipped(), port.stride * (port.isMixed ? 2 : 1));
        if (port.isMixed)
            addParameter(
                type, true, pointer,
                fmt::format("sme::pick<{}>(context, u64({}){})", type, rowElement(port), skip));
        else
            addParameter(type, true, pointer,
                         region(type, port.inWriteSlot ? "write" : "read", 0) + " + "
                             + rowElement(port) + skip);
        return indexed(pointer, port.stride);
    }

    std::string dynamic(const Port& port, const std::string& type, const std::string& pointer,
                        const std::string& step) {
        const std::string stride = fmt::format("i32(row[{}])", port.column + 1);
        const std::string skip =
            fmt::format("i64(skip) * {}{}", stride, port.isMixed ? " * 2" : "");
        if (port.isMixed)
            addParameter(
                type, true, pointer,
                fmt::format("sme::pick<{}>(context, row[{}] + {})", type, port.column, skip));
        else
            addParameter(type, true, pointer,
                         fmt::format("{} + row[{}] + {}",
                                     region(type, port.inWriteSlot ? "write" : "read", 0),
                                     port.column, skip));
        parameters_ += ", const i64 " + step;
        arguments_ += ", " + stride;
        return fmt::format("{}[i64(i) * {}]", pointer, step);
    }

    void addSelection(std::uint32_t input) {
        const ir::Input& in = cls_.inputs[input];
        const std::string type = nameOf(storedWord(in.type.scalar));
        const auto count = static_cast<std::uint32_t>(in.elements.size());
        Selection selection;
        bool inWriteSlot = false;
        const auto index =
            selectionIndex(program_, in, 0, cls_.instances, selection.isMixed, inWriteSlot);
        const std::uint64_t offset = program_.data.add(wordsAsBytes(index), 64);
        const std::string column = names_.add(in.name + "_index");
        addParameter("u32", true, column,
                     region("u32", "constants", offset) + " + " + scaled("begin", count));
        selection.index = fmt::format("({} + i * {})", column, count);
        selection.type = storedWord(in.type.scalar);
        selection.elements = count;
        if (selection.isMixed) {
            needsContext_ = true;
        } else {
            selection.base = names_.add(in.name + "_base");
            addParameter(type, true, selection.base,
                         region(type, inWriteSlot ? "write" : "read", 0));
        }
        storage_.selections[input] = selection;
    }

    void addColumn(std::uint32_t column) {
        const ir::Column& c = cls_.columns[column];
        const std::string pointer = names_.add(c.name + "_column");
        const std::uint64_t offset = program_.data.add(storedBytes(c.values, c.type), 64);
        addParameter(nameOf(storedWord(c.type)), true, pointer,
                     region(nameOf(storedWord(c.type)), "constants", offset) + fromBegin(1));
        storage_.columns[column] = ofInstance(pointer);
    }

    void addState() {
        storage_.state.resize(cls_.state.size());
        for (std::size_t slot = 0; slot < cls_.state.size(); ++slot) {
            if (touched_.state[slot] == UINT32_MAX) continue;
            storage_.state[slot] = addPlane(cls_.state[slot], "_state", "state", false);
        }
        if (!walk_.isSeam) return;
        for (const std::uint32_t slot : wiring_.saved) {
            const ir::Plane& plane = program_.design.planes[cls_.state[slot].index];
            const std::string name = names_.add(plane.name + "_saved");
            addParameter(nameOf(storedWord(plane.type.scalar)), true, name,
                         fmt::format("saved_{}", slot));
            storage_.saved[slot] = name + "[i]";
        }
    }

    /// A parameter for a plane of the class's own; returns an instance's place.
    std::string addPlane(ir::PlaneId id, const char* suffix, const char* base, bool isConst) {
        const ir::Plane& plane = program_.design.planes[id.index];
        const std::string type = nameOf(storedWord(plane.type.scalar));
        const std::string pointer = names_.add(plane.name + suffix);
        const ir::StorageType own = plane.ownType();
        const std::uint64_t length = own.elements();
        addParameter(type, isConst, pointer,
                     planeArgument(type, base, program_.plan.placements[id.index].offset, length));
        return own.isArray() ? arrayOfInstance(pointer, length) : ofInstance(pointer);
    }

    void addOutputs() {
        storage_.outputs.resize(cls_.outputs.size());
        storage_.last.resize(cls_.outputs.size());
        storage_.defaults.resize(cls_.outputs.size());
        for (std::size_t slot = 0; slot < cls_.outputs.size(); ++slot) {
            if (touched_.outputs[slot] == UINT32_MAX) continue;
            const ir::Output& output = cls_.outputs[slot];
            const bool needsInitial = !info_.locals[touched_.outputs[slot]].isOverwritten;
            storage_.outputs[slot] = addPlane(output.plane, "_out", "write", false);
            if (!needsInitial) continue;
            if (output.hold)
                storage_.last[slot] = addPlane(output.plane, "_last", "read", true);
            else
                storage_.defaults[slot] = defaultOf(program_.design.planes[output.plane.index]);
        }
    }

    DefaultText defaultOf(const ir::Plane& plane) {
        if (isUniform(plane.initial)) {
            const ir::Scalar& scalar = plane.type.scalar;
            const bool isByte = plane.ownType().isArray() && scalar.kind == ir::ScalarKind::Bool;
            return {isByte ? literal(std::get<ir::Integer>(initialOf(plane, 0, 0).value), kInt)
                           : literal(initialOf(plane, 0, 0), scalar),
                    false};
        }
        const std::string type = nameOf(storedWord(plane.type.scalar));
        const std::string pointer = names_.add(plane.name + "_default");
        const std::uint64_t length = plane.ownType().elements();
        const std::uint64_t offset = addInitial(program_.data, plane);
        const std::string base = region(type, "constants", offset);
        const bool each = plane.initial.perInstance;
        addParameter(type, true, pointer,
                     each ? base + fromBegin(static_cast<std::int64_t>(length)) : base);
        if (!plane.ownType().isArray()) return {ofInstance(pointer), true};
        return {each ? arrayOfInstance(pointer, length) : pointer, true};
    }

    Program& program_;
    const ir::ClassId id_;
    const ir::Class& cls_;
    const BodyInfo& info_;
    std::string name_;
    const Wiring& wiring_;
    const Walk& walk_;
    const bool hasRows_;
    const Touched touched_;
    Storage storage_;
    Names names_;
    std::string parameters_;
    std::string arguments_;
    std::map<std::uint64_t, std::string> borders_;  ///< columns of flags, by their place
    bool needsContext_ = false;
};

class LoopPrinter {
public:
    LoopPrinter(Program& program, std::uint32_t kernel, LoopFunctions& known, Writer& out)
        : program_(program),
          kernel_(kernel),
          known_(known),
          wiring_(wire(program, program.plan.kernels[kernel].cls)),
          out_(out),
          segment_(program, kernel, wiring_, kSegment) {}

    void print() {
        Writer inner;
        segment_.print(known_, inner);
        if (hasSeveralStrides())
            strided_.emplace(program_, kernel_, wiring_, kStrided).print(known_, inner);
        if (program_.options.lanes
            && looksAhead(program_.design.classes[cls().index], program_.classes[cls().index])) {
            ahead_.emplace(program_, kernel_, wiring_, kAhead).print(known_, inner);
            sure_.emplace(program_, kernel_, wiring_, kSure).print(known_, inner);
        }
        if (!wiring_.seams.empty())
            seam_.emplace(program_, kernel_, wiring_, kAtSeam).print(known_, inner);
        if (hasRows() && inCode()) printRows(inner);
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
    ir::ClassId cls() const { return program_.plan.kernels[kernel_].cls; }
    bool hasSeveralStrides() const {
        return std::any_of(wiring_.ports.begin(), wiring_.ports.end(),
                           [](const Port& port) { return !port.isGathered && port.isDynamic; });
    }
    bool hasRows() const { return wiring_.rowCount() > 1; }
    bool inCode() const { return wiring_.rowCount() <= kRowsInCode; }

    void printRows(Writer& out) const {
        out.line("// first instance, count, where the inputs begin");
        out.open("constexpr u32 {}[] =", program_.loopNames[kernel_].rows);
        for (std::size_t row = 0; row < wiring_.rowCount(); ++row) {
            std::string text;
            for (std::size_t i = 0; i < wiring_.rowWidth; ++i)
                text += fmt::format("{}, ", wiring_.rows[row * wiring_.rowWidth + i]);
            out.line("{}", text.substr(0, text.size() - 1));
        }
        out.close(";");
        out.blank();
    }

    /// The name or place of a table of rows.
    std::string inData(const std::vector<std::uint32_t>& rows) {
        return fmt::format("sme::at<u32>(context.constants, {})",
                           program_.data.add(wordsAsBytes(rows), 64));
    }

    void printKernel() {
        out_.open("void {}(const sme::Context& context, u32 begin, u32 end)",
                  program_.kernelNames[kernel_]);
        if (seam_)
            printAcrossSeams();
        else
            printSegments("end");
        out_.close();
        out_.blank();
    }

    void printAcrossSeams() {
        out_.line("const u32* const seams = {};", inData(wiring_.seams));
        const std::string calls =
            fmt::format("lastSeam - firstSeam, seams + u64(firstSeam) * {}", wiring_.rowWidth);
        if (wiring_.saved.empty()) {
            printSeamsBetween("end");
            printSegments("end");
            out_.line("{};", seam_->call(calls));
            return;
        }
        out_.open("while (begin < end)");
        out_.line("const u32 stop = sme::minimum(begin + {}, end);", kSeamSpan);
        printSeamsBetween("stop");
        for (const std::uint32_t slot : wiring_.saved)
            printSaving(slot);
        printSegments("stop");
        out_.line("{};", seam_->call(calls));
        out_.close();
    }

    void printSeamsBetween(const char* stop) {
        const auto before = [&](const char* bound) {
            return fmt::format("sme::rowsBefore(seams, {}, {}, {})", wiring_.seamCount(),
                               wiring_.rowWidth, bound);
        };
        out_.line("const u32 firstSeam = {}, lastSeam = {};", before("begin"), before(stop));
    }

    void printSaving(std::uint32_t slot) {
        const ir::PlaneId plane = program_.design.classes[cls().index].state[slot];
        const std::string type =
            nameOf(storedWord(program_.design.planes[plane.index].type.scalar));
        out_.line("{} saved_{}[{}];", type, slot, wiring_.seamsInSpan);
        out_.line("for (u32 i = firstSeam; i < lastSeam; ++i)");
        out_.line(
            "    saved_{}[i - firstSeam] = sme::at<{}>(context.state, {})[seams[u64(i) * {}]];",
            slot, type, program_.plan.placements[plane.index].offset, wiring_.rowWidth);
    }

    /// Runs [begin, bound); begin becomes a bound that is not the last.
    void printSegments(const std::string& bound) {
        if (!hasRows() && !ahead_) {
            printRun(bound + " - begin");
            if (bound != "end") out_.line("begin = {};", bound);
            return;
        }
        if (hasRows())
            out_.line("const u32* row = sme::firstSegment({}, {}, {}, begin);",
                      inCode() ? program_.loopNames[kernel_].rows : inData(wiring_.rows),
                      wiring_.rowCount(), wiring_.rowWidth);
        out_.open("while (begin < {})", bound);
        std::string next = bound;
        if (hasRows()) {
            out_.line("const u32 skip = begin - row[0];");
            next = fmt::format("sme::minimum(row[0] + row[1], {})", next);
        }
        if (ahead_) next = fmt::format("sme::minimum(begin + sme::kAhead, {})", next);
        out_.line("const u32 next = {};", next);
        if (strided_) {
            out_.open("if ({})", hasUsualStrides());
            printRun("next - begin");
            out_.reopen("else");
            out_.line("{};", strided_->call("next - begin"));
            out_.close();
        } else {
            printRun("next - begin");
        }
        out_.line("begin = next;");
        if (hasRows()) out_.line("if (begin == row[0] + row[1]) row += {};", wiring_.rowWidth);
        out_.close();
    }

    std::string hasUsualStrides() const {
        std::string condition;
        for (const Port& port : wiring_.ports) {
            if (port.isGathered || !port.isDynamic) continue;
            condition += fmt::format("{}i32(row[{}]) == {}", condition.empty() ? "" : " && ",
                                     port.column + 1, port.stride);
        }
        return condition;
    }

    /// Runs that many instances from begin, within a segment.
    void printRun(const std::string& count) {
        if (!ahead_) {
            out_.line("{};", segment_.call(count));
            return;
        }
        out_.line("if (!sme::kLooksAhead || {})", ahead_->call(count));
        out_.line("    {};", segment_.call(count));
        out_.line("else");
        out_.line("    {};", sure_->call(count));
    }

    Program& program_;
    const std::uint32_t kernel_;
    LoopFunctions& known_;
    const Wiring wiring_;
    Writer& out_;
    InnerPrinter segment_;
    std::optional<InnerPrinter> strided_;
    std::optional<InnerPrinter> ahead_, sure_;  ///< both or neither
    std::optional<InnerPrinter> seam_;
};

}  // namespace

void printLoop(Program& program, std::uint32_t kernel, LoopFunctions& known, Writer& out) {
    LoopPrinter(program, kernel, known, out).print();
}

}  // namespace smec::codegen::cpp
