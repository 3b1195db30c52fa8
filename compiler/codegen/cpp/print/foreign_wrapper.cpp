#include "codegen/cpp/print/foreign_wrapper.h"

#include <algorithm>

#include <fmt/format.h>

#include "codegen/cpp/print/calls.h"

namespace smec::codegen::cpp {

std::string plainType(const ir::Scalar& scalar) {
    switch (scalar.kind) {
    case ir::ScalarKind::Bool: return "bool";
    case ir::ScalarKind::F32: return "float";
    case ir::ScalarKind::F64: return "double";
    case ir::ScalarKind::Int: break;
    }
    if (scalar.width > 64) return fmt::format("sme::foreign::Limbs<{}>", scalar.width);
    const int bits = scalar.width <= 8 ? 8 : scalar.width <= 16 ? 16 : scalar.width <= 32 ? 32 : 64;
    return fmt::format("std::{}int{}_t", scalar.isSigned ? "" : "u", bits);
}

std::string outward(const ir::Scalar& scalar, const std::string& value) {
    if (scalar.kind == ir::ScalarKind::Int && scalar.width > 64)
        return fmt::format("sme::foreign::limbsOf<{}>({})", scalar.width, value);
    return fmt::format("static_cast<{}>({})", plainType(scalar), value);
}

std::string inward(const ir::Scalar& scalar, const Word& word, const std::string& value) {
    const std::string name = nameOf(word);
    if (scalar.kind != ir::ScalarKind::Int) return fmt::format("static_cast<{}>({})", name, value);
    if (scalar.width > 64)
        return fmt::format("sme::foreign::fromLimbs<{}, {}, {}>({})", scalar.width, scalar.isSigned,
                           name, value);
    return fmt::format("sme::foreign::wrapped<{}, {}>({})", scalar.width, name, value);
}

std::string sourceLine(const Program& program, const SourceRange& range) {
    return fmt::format("#line {} {}", program.sources.position(range.file, range.begin).line,
                       stringLiteral(program.sources.path(range.file)));
}

ForeignWrapper::ForeignWrapper(const CppDesign& cpp, std::uint32_t id, Writer& out)
    : program_(cpp.program),
      function_(program_.design.functions[id]),
      foreign_(*function_.external),
      returns_(program_.returns[id]),
      name_(cpp.names.functions[id]),
      out_(out) {
    for (const char* name : {"self", "object", "thread", "slots", "cls", "instance"})
        names_.add(name);
    for (std::uint32_t i = 0; i < function_.paramCount; ++i) {
        const ir::Local& local = function_.body.locals[i];
        parameters_.push_back({names_.add(local.name), local.type});
    }
    for (std::size_t i = 0; i < function_.results.size(); ++i)
        results_.push_back({resultName(function_, i), function_.results[i]});
}

bool ForeignWrapper::givesValue() const { return returns_ == Returns::Value; }

void ForeignWrapper::enterDeclaration() {
    out_.lineDirective(sourceLine(program_, foreign_.range), LongLines::Keep);
}
void ForeignWrapper::leaveDeclaration() {
    const auto lines = std::count(out_.text().begin(), out_.text().end(), '\n');
    out_.lineDirective(fmt::format("#line {} \"foreign.cpp\"", lines + 2), LongLines::Break);
}
void ForeignWrapper::demand(const std::string& condition, const std::string& message) {
    enterDeclaration();
    out_.margin(fmt::format("static_assert({}, {});", condition, stringLiteral(message)));
}

std::string ForeignWrapper::signature() const {
    std::string list;
    const auto add = [&](const std::string& text) { list += (list.empty() ? "" : ", ") + text; };
    if (ir::isCalledOnce(function_))
        add("const sme::Thread& thread, const sme::Slots& slots, u32 cls, u32 instance");
    for (const Passed& slot : parameters_)
        add((slot.type.isArray() ? "const " + nameOf(slot.word()) + "* "
                                 : nameOf(slot.word()) + " ")
            + slot.name);
    if (!givesValue()) {
        for (const Passed& slot : results_)
            add(nameOf(slot.word()) + (slot.type.isArray() ? "* " : "& ") + slot.name);
    }
    return fmt::format("{} {}({})", givesValue() ? nameOf(results_[0].word()) : "void", name_,
                       list);
}

std::string ForeignWrapper::caller() const {
    return fmt::format("{{{}, {}, cls, instance}}", stringLiteral(foreign_.name), foreign_.id);
}

void ForeignWrapper::closeTry() {
    const SourceRange& range = function_.range;
    const LineColumn at = program_.sources.position(range.file, range.begin);
    const std::string what =
        stringLiteral(fmt::format("{}:{}:{}: error: extern '{}'", program_.sources.path(range.file),
                                  at.line, at.column, foreign_.name));
    out_.close();
    out_.open("catch (const std::exception& error)");
    out_.line("sme::foreign::threw({}, error.what());", what);
    out_.close();
    out_.open("catch (...)");
    out_.line("sme::foreign::threw({}, \"\");", what);
    out_.close();
}

void ForeignWrapper::printThunk() {
    std::string list = ir::isCalledOnce(function_) ? "sme::Thread{}, sme::Slots{}, 0, 0" : "";
    std::size_t next = 0;
    const auto add = [&](const Passed& slot, const char* qualifier) {
        const std::string pointer =
            fmt::format("static_cast<{}{}*>(slots[{}])", qualifier, nameOf(slot.word()), next++);
        list += (list.empty() ? "" : ", ") + (slot.type.isArray() ? pointer : "*" + pointer);
    };
    for (const Passed& slot : parameters_)
        add(slot, "const ");
    if (!givesValue()) {
        for (const Passed& slot : results_)
            add(slot, "");
    }
    const std::string call = fmt::format("{}({})", name_, list);
    out_.line("extern \"C\" void smec_foreign_{}([[maybe_unused]] void* const* slots) {{ {}{}; }}",
              foreign_.id,
              givesValue()
                  ? fmt::format("*static_cast<{}*>(slots[{}]) = ", nameOf(results_[0].word()), next)
                  : "",
              call);
    out_.blank();
}

}  // namespace smec::codegen::cpp
