#include "elab/drivers.h"

// Every field of every bus counts for its declaration: one element driven, or one instance of the
// network in which it is read, is enough. A field of a bus type is there for all buses of the type:
// it is read where it is read in any of them.

namespace smec::elab {

namespace {

struct Usage {
    bool isRead = false;
    bool isDriven = false;
};
struct Declared {
    std::uint32_t group;  ///< the first one
    std::vector<Usage> fields;
};

std::vector<bool> readFields(const hir::Design& design) {
    std::vector<bool> read(design.fields.size(), false);
    for (std::uint32_t i = 0; i < design.instances.size(); ++i) {
        if (!design.instances[i].spec.valid()) continue;
        forEachField(design, {i}, false,
                     [&](const hir::Port&, std::uint32_t, hir::BusId, std::uint32_t field) {
                         read[field] = true;
                     });
    }
    return read;
}

/// A default was chosen for the field: it may be meant as a constant.
bool hasDefault(const Tree& tree, const Declared& declared, std::size_t field) {
    const GroupInfo& info = tree.groups[declared.group];
    if (!info.decl->type && field < info.decl->fields.size()
        && info.decl->fields[field].init.valid())
        return true;
    const hir::TypeId type = tree.design.shapes[info.shape.index].fields[field].type;
    const hir::Value& value =
        tree.design.defaultSets[tree.design.busGroups[declared.group].defaults][field];
    return !(value == hir::defaultValue(tree.design.types, type));
}

/// Of each shape, whether a field is read in some bus that has it by the name of a type.
class TypeReads {
public:
    void add(const hir::Design& design, const hir::BusGroup& group, std::uint32_t shape,
             const std::vector<bool>& read) {
        std::vector<bool>& fields = byShape_[shape];
        const std::size_t width = design.shapes[shape].fields.size();
        fields.resize(width);
        std::uint32_t field = design.buses[group.first.index].firstField;
        for (std::uint64_t element = 0; element < group.count; ++element)
            for (std::size_t k = 0; k < width; ++k, ++field)
                fields[k] = fields[k] || read[field];
    }

    bool has(std::uint32_t shape, std::size_t field) const {
        const auto found = byShape_.find(shape);
        return found != byShape_.end() && found->second[field];
    }

private:
    std::unordered_map<std::uint32_t, std::vector<bool>> byShape_;
};

void report(Tree& tree, const Declared& declared, const TypeReads& typeReads) {
    const GroupInfo& info = tree.groups[declared.group];
    const hir::BusGroup& group = tree.design.busGroups[declared.group];
    const auto& fields = tree.design.shapes[info.shape.index].fields;
    for (std::size_t i = 0; i < declared.fields.size(); ++i) {
        const Usage usage = declared.fields[i];
        const SourceRange range = info.decl->type || i >= info.decl->fields.size()
                                      ? group.range
                                      : info.decl->fields[i].name.range;
        if (!usage.isRead && info.decl->type && typeReads.has(info.shape.index, i)) continue;
        if (!usage.isRead) {
            tree.diagnostics.report(DiagId::Unread, range, fields[i].name, group.name);
        } else if (!usage.isDriven && !hasDefault(tree, declared, i)) {
            tree.diagnostics.report(DiagId::Undriven, range, fields[i].name, group.name);
        }
    }
}

}  // namespace

void warnAboutFields(Tree& tree) {
    const hir::Design& design = tree.design;
    const std::vector<bool> read = readFields(design);
    std::vector<Declared> declared;
    TypeReads typeReads;
    std::unordered_map<const ast::BusDecl*, std::size_t> byDecl;
    for (std::uint32_t i = 0; i < design.busGroups.size(); ++i) {
        const hir::BusGroup& group = design.busGroups[i];
        const GroupInfo& info = tree.groups[i];
        const bool isTyped = !info.decl || info.decl->type;  // without: a port of the top network
        if (isTyped && group.count != 0) typeReads.add(design, group, info.shape.index, read);
        const bool isSilent =
            !info.decl || group.exposed || !group.range.valid()  // in no text: made by smec
            || tree.context.program().modules[info.module.index].fromStandardLibrary;
        if (isSilent || group.count == 0) continue;
        const std::size_t width = design.shapes[info.shape.index].fields.size();
        const auto [at, isNew] = byDecl.try_emplace(info.decl, declared.size());
        if (isNew) declared.push_back({i, std::vector<Usage>(width)});
        std::vector<Usage>& usages = declared[at->second].fields;
        std::uint32_t field = design.buses[group.first.index].firstField;
        for (std::uint32_t element = 0; element < group.count; ++element) {
            for (std::size_t k = 0; k < width; ++k, ++field) {
                usages[k].isRead = usages[k].isRead || read[field];
                usages[k].isDriven = usages[k].isDriven || design.fields[field].driver.valid();
            }
        }
    }
    for (const Declared& entry : declared)
        report(tree, entry, typeReads);
}

}  // namespace smec::elab
