#include "lower/body/switches.h"

#include <algorithm>

#include "lower/body/scalars.h"
#include "lower/body/wait_machine.h"

namespace smec::lower {

/// Comparisons choose it: a label differs between the instances, or a range is too long to be
/// listed.
bool Switches::isCompared(const hir::SwitchCase& choice) const {
    static constexpr int kListed = 32;
    if (std::ranges::any_of(choice.ranges, [](const hir::LabelRange& range) {
            return range.high - range.low >= kListed;
        }))
        return true;
    for (hir::ExprId label : choice.instanceLabels) {
        const auto* constant = std::get_if<hir::InstanceConstant>(&source_[label].node);
        if (constant && !shape_.constants[constant->index].uniform) return true;
    }
    return false;
}

ir::ExprId Switches::matches(const hir::SwitchCase& choice, ir::ExprId subject) {
    ir::ExprId any = builder_.constant(false);
    auto add = [&](ir::ExprId label) {
        any = builder_.binary(ir::BinaryOp::BoolOr, any,
                              builder_.binary(ir::BinaryOp::Eq, subject, label));
    };
    for (const hir::Value& label : choice.labels) {
        if (label.valid())
            add(numbers_.integer(
                std::get<ir::Integer>(lower::constantOf(label).value)));  // 'U matches nothing
    }
    for (hir::ExprId label : choice.instanceLabels)
        add(scalars_.scalar(label));
    for (const hir::LabelRange& range : choice.ranges)
        any = builder_.binary(ir::BinaryOp::BoolOr, any,
                              numbers_.within(subject, range.low, range.high));
    return any;
}

/// Cases exclude one another, so that those which comparisons choose, from `next` on, can be asked
/// for in front of the others.
void Switches::switchOnComparisons(const hir::Switch& node, ir::ExprId subject, SourceRange range,
                                   std::size_t next) {
    while (next < node.cases.size() && !isCompared(node.cases[next]))
        ++next;
    if (next == node.cases.size()) return switchOnLabels(node, subject, range);
    ir::If choice{matches(node.cases[next], subject), {}, {}};
    choice.yes = writer_.capture([&] { waits_.branch(node.cases[next].body, range); });
    choice.no = writer_.capture([&] { switchOnComparisons(node, subject, range, next + 1); });
    writer_.emit(range, std::move(choice));
}

std::vector<ir::Integer> Switches::listed(const hir::SwitchCase& choice) const {
    std::vector<ir::Integer> labels;
    auto add = [&](const hir::Value& label) {
        if (label.valid()) labels.push_back(std::get<ir::Integer>(lower::constantOf(label).value));
    };
    for (const hir::Value& label : choice.labels)
        add(label);
    for (hir::ExprId label : choice.instanceLabels) {
        if (const auto* constant = std::get_if<hir::InstanceConstant>(&source_[label].node))
            add(*shape_.constants[constant->index].uniform);
    }
    for (const hir::LabelRange& range : choice.ranges) {
        for (ir::Integer label = range.low; label <= range.high; ++label)
            labels.push_back(label);
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    return labels;
}

void Switches::lower(const hir::Switch& node, SourceRange range) {
    ir::ExprId subject = scalars_.scalar(node.subject);
    if (body_[subject].type == ir::ExprType::Bool)
        subject = builder_.convert(ir::ConvertOp::BoolToInt, subject, ir::ExprType::Int);
    switchOnComparisons(node, subject, range, 0);
}

void Switches::switchOnLabels(const hir::Switch& node, ir::ExprId subject, SourceRange range) {
    ir::Switch result{subject, {}, {}};
    for (const hir::SwitchCase& choice : node.cases) {
        if (isCompared(choice)) continue;
        ir::SwitchCase out{listed(choice), {}};
        if (out.labels.empty()) continue;  // never chosen
        out.body = writer_.capture([&] { waits_.branch(choice.body, range); });
        result.cases.push_back(std::move(out));
    }
    if (result.cases.empty()) {
        if (node.otherwise) waits_.branch(*node.otherwise, range);
        return;
    }
    if (node.otherwise)
        result.otherwise = writer_.capture([&] { waits_.branch(*node.otherwise, range); });
    writer_.emit(range, std::move(result));
}

}  // namespace smec::lower
