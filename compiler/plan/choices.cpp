#include "plan/choices.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "plan/steps.h"

namespace smec::plan {
namespace {

constexpr std::size_t kMostTold = 3;

}  // namespace

void forEachPath(const ir::Class& cls, FunctionRef<bool(const std::string& path)> f) {
    for (const ir::InstanceRun& run : cls.runs) {
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const bool goesOn = f(
                run.suffix ? run.prefix + std::to_string(run.index + i) + *run.suffix : run.prefix);
            if (!goesOn) return;
        }
    }
}

std::optional<ToldSubject> ChoiceTeller::ofClass(std::uint32_t index, Matches matches) const {
    const ir::Class& cls = design_.classes[index];
    std::string name;
    if (cls.isDelayLine && matches(cls.name)) name = cls.name;
    forEachPath(cls, [&](const std::string& path) {
        if (matches(path)) name = path;
        return name.empty();
    });
    if (name.empty()) return std::nullopt;
    return ToldSubject{"process", std::move(name), cls.instances, cls.range};
}

std::vector<std::uint32_t> ChoiceTeller::classesOf(const Kernel& kernel) const {
    std::vector<std::uint32_t> classes;
    if (kernel.kind == KernelKind::Loop) classes.push_back(kernel.cls.index);
    for (const InstanceRef& step : kernel.steps)
        classes.push_back(step.cls.index);
    for (const OrderedRow& row : kernel.rows)
        classes.push_back(row.cls.index);
    for (const ir::ClassId part : kernel.parts)
        classes.push_back(part.index);
    return classes;
}

std::vector<std::uint32_t> ChoiceTeller::classesOf(const TranslationUnit& unit) const {
    std::vector<std::uint32_t> classes;
    for (const std::uint32_t kernel : unit.kernels)
        if (plan_->kernels[kernel].kind != KernelKind::Block)
            std::ranges::copy(classesOf(plan_->kernels[kernel]), std::back_inserter(classes));
    forEachStepIn(*plan_, unit,
                  [&](const InstanceRef& step) { classes.push_back(step.cls.index); });
    return classes;
}

std::optional<ToldSubject> ChoiceTeller::ofFirst(const std::vector<std::uint32_t>& classes,
                                                 Matches matches) const {
    for (const std::uint32_t cls : classes)
        if (auto subject = ofClass(cls, matches)) return subject;
    return std::nullopt;
}

std::optional<ToldSubject> ChoiceTeller::subject(const rules::Choice& choice,
                                                 Matches matches) const {
    using Kind = rules::Subject::Kind;
    const std::uint32_t index = choice.subject.index;
    switch (choice.subject.kind) {
    case Kind::Design: return ToldSubject{"design", design_.name};
    case Kind::Class: return ofClass(index, matches);
    case Kind::Function: {
        const ir::Function& function = design_.functions[index];
        if (!matches(function.name)) return std::nullopt;
        return ToldSubject{"function", function.name};
    }
    case Kind::Kernel: {
        if (plan_ == nullptr) return std::nullopt;
        auto part = ofFirst(classesOf(plan_->kernels[index]), matches);
        if (part) part->kind = "kernel";
        return part;
    }
    case Kind::Unit: {
        if (plan_ == nullptr) return std::nullopt;
        const TranslationUnit& unit = plan_->units[index];
        auto part = ofFirst(classesOf(unit), matches);
        if (!part) return std::nullopt;
        return ToldSubject{"unit", unit.name, 1, part->range};
    }
    case Kind::Plane: {
        const ir::Plane& plane = design_.planes[index];
        if (!plane.owner.valid()) return std::nullopt;
        auto field = ofClass(plane.owner.index, matches);
        if (field) field->kind = "field";
        if (field) field->name += "." + plane.name;
        return field;
    }
    }
    return std::nullopt;
}

double ChoiceTeller::workOfClass(std::uint32_t index, const Facts& facts) const {
    return facts.classes[index].cost * design_.classes[index].instances;
}

double ChoiceTeller::workOfKernel(const Kernel& kernel, const Facts& facts) const {
    double work = 0;
    for (const InstanceRef& step : kernel.steps)
        work += facts.classes[step.cls.index].cost;
    if (kernel.kind == KernelKind::Loop) work += workOfClass(kernel.cls.index, facts);
    for (const OrderedRow& row : kernel.rows)
        work += facts.classes[row.cls.index].cost * (row.end - row.begin);
    for (const ir::ClassId part : kernel.parts)
        work += workOfClass(part.index, facts);
    return work;
}

double ChoiceTeller::workOfUnit(const TranslationUnit& unit, const Facts& facts) const {
    double work = 0;
    for (const std::uint32_t kernel :
         unit.kernels)  // loops of ordered and merged ones are here, too
        if (plan_->kernels[kernel].kind == KernelKind::Loop)
            work += workOfKernel(plan_->kernels[kernel], facts);
    forEachStepIn(*plan_, unit,
                  [&](const InstanceRef& step) { work += facts.classes[step.cls.index].cost; });
    return work;
}

double ChoiceTeller::workInAll(const Facts& facts) const {
    double work = 0;
    for (std::uint32_t i = 0; i < design_.classes.size(); ++i)
        work += workOfClass(i, facts);
    return work;
}

double ChoiceTeller::work(const rules::Choice& choice, const Facts& facts) const {
    using Kind = rules::Subject::Kind;
    const std::uint32_t index = choice.subject.index;
    switch (choice.subject.kind) {
    case Kind::Design: return workInAll(facts);
    case Kind::Class: return workOfClass(index, facts);
    case Kind::Function: return 0;  // it is a part of who calls it
    case Kind::Kernel: return plan_ == nullptr ? 0 : workOfKernel(plan_->kernels[index], facts);
    case Kind::Unit: return plan_ == nullptr ? 0 : workOfUnit(plan_->units[index], facts);
    case Kind::Plane: {
        const ir::ClassId owner = design_.planes[index].owner;
        return owner.valid() ? workOfClass(owner.index, facts) : 0;
    }
    }
    return 0;
}

std::string dearestRefusals(const ir::Design& design, const Plan& plan, const Facts& facts,
                            const SourceManager& sources,
                            const std::vector<rules::Choice>& choices) {
    const ChoiceTeller teller(design, &plan);
    std::vector<std::pair<double, const rules::Choice*>> dear;
    for (const rules::Choice& choice : choices) {
        const bool isLost = !choice.isTaken && rules::leavesOf(choice.rule) == rules::Leaves::Work
                            && choice.because.condition != rules::Condition::SwitchedOff;
        if (!isLost) continue;
        if (const double work = teller.work(choice, facts); work > 0)
            dear.emplace_back(work, &choice);
    }
    std::ranges::stable_sort(dear, std::ranges::greater(),
                             [](const auto& one) { return one.first; });
    if (dear.size() > kMostTold) dear.resize(kMostTold);
    const double all = teller.workInAll(facts);
    std::string text;
    for (const auto& [work, choice] : dear) {
        const auto subject = teller.subject(*choice, [](std::string_view) { return true; });
        if (!subject) continue;
        text += fmt::format("{:5.1f} %  {}", 100 * work / all, sentence(*subject, *choice));
        if (const SourceRange& range = subject->range; range.valid())
            text += fmt::format(" ({}:{})", sources.path(range.file),
                                sources.lineNumber(range.file, range.begin));
        text += "\n";
    }
    return text;
}

std::string sentence(const ToldSubject& subject, const rules::Choice& choice) {
    std::string text = subject.kind == "design" ? "the design"
                       : subject.kind == "process" || subject.kind == "field"
                           ? "'" + subject.name + "'"
                           : subject.kind + " '" + subject.name + "'";
    if (subject.alike > 1)
        text += " (one of " + rules::numberText(static_cast<double>(subject.alike)) + ")";
    text += " " + std::string(rules::outcomeOf(choice.rule, choice.isTaken));
    if (choice.count > 1) text += " (" + rules::numberText(choice.count) + " times)";
    const std::string reason = rules::reasonOf(choice);
    return reason.empty() ? text : text + ": " + reason;
}

}  // namespace smec::plan
