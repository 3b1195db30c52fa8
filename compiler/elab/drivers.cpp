#include "elab/drivers.h"

#include <set>

namespace smec::elab {

namespace {

class DriverFinder {
public:
    DriverFinder(Tree& tree, const std::vector<NodeId>& nodes)
        : tree_(tree), design_(tree.design), nodes_(nodes) {}

    void run() {
        for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
            const hir::Instance& instance = design_.instances[i];
            if (instance.kind != hir::InstanceKind::Process || !instance.spec.valid()) continue;
            const bool isCombinational =
                design_.specs[instance.spec.index].kind == hir::ProcKind::Combinational;
            forEachField(
                design_, {i}, true,
                [&](const hir::Port&, std::uint32_t number, hir::BusId bus, std::uint32_t field) {
                    drive({i}, isCombinational, number, bus, design_.fields[field]);
                });
        }
    }

private:
    void drive(hir::InstanceId id, bool isCombinational, std::uint32_t number, hir::BusId bus,
               hir::Field& field) {
        if (field.driver == id) return;
        if (field.driver.valid()) return reportTwo(id, number, bus, field);
        field.driver = id;
        const std::uint32_t group = design_.buses[bus.index].group;
        const bool isImmediate = isCombinational && !tree_.groups[group].isDelayed;
        field.kind = isImmediate ? hir::FieldDriver::Combinational : hir::FieldDriver::Clocked;
        const hir::FieldShape& declared =
            design_.shapes[design_.buses[bus.index].shape.index].fields[number];
        if (isImmediate && declared.hold && !declared.holdImplied)
            checkHold(id, group, number, bus);
    }

    SourceRange placeOf(hir::InstanceId id) const {
        return tree_.nodes[nodes_[id.index]].decl->name.range;
    }

    /// Once for each instance declaration and declared bus.
    void reportTwo(hir::InstanceId id, std::uint32_t number, hir::BusId bus,
                   const hir::Field& field) {
        const ast::InstanceDecl* decl = tree_.nodes[nodes_[id.index]].decl;
        if (!reported_.emplace(decl, design_.busGroups[design_.buses[bus.index].group].range.begin)
                 .second)
            return;
        tree_.diagnostics
            .report(DiagId::TwoDrivers, placeOf(id), fieldPath(design_, bus, number),
                    pathOf(design_, field.driver), pathOf(design_, id))
            .note(DiagId::AlsoDrivenHere, placeOf(field.driver), pathOf(design_, field.driver));
    }

    /// Where the bus or field that is `hold` is declared.
    SourceRange holdOf(std::uint32_t group, std::uint32_t number) const {
        const ast::BusDecl* decl = tree_.groups[group].decl;
        const bool isField =
            decl && !decl->hold && number < decl->fields.size() && decl->fields[number].hold;
        return isField ? decl->fields[number].name.range : design_.busGroups[group].range;
    }

    void checkHold(hir::InstanceId id, std::uint32_t group, std::uint32_t number, hir::BusId bus) {
        const SourceRange declared = design_.busGroups[group].range;
        if (!held_.emplace(declared.file.index, declared.begin, number).second) return;
        const hir::Specialisation& spec = design_.specs[design_.instances[id.index].spec.index];
        tree_.diagnostics
            .report(DiagId::HoldCombinational, holdOf(group, number),
                    fieldPath(design_, bus, number), pathOf(design_, id), spec.name)
            .note(DiagId::DrivenByHere, placeOf(id), pathOf(design_, id));
    }

    Tree& tree_;
    hir::Design& design_;
    const std::vector<NodeId>& nodes_;
    std::set<std::pair<const ast::InstanceDecl*, std::uint32_t>> reported_;
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> held_;
};

}  // namespace

std::string fieldPath(const hir::Design& design, hir::BusId bus, std::uint32_t field) {
    return pathOf(design, bus) + "."
           + design.shapes[design.buses[bus.index].shape.index].fields[field].name;
}

void findDrivers(Tree& tree, const std::vector<NodeId>& nodes) { DriverFinder(tree, nodes).run(); }

}  // namespace smec::elab
