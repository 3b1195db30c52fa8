#include "lower/support.h"

#include <fmt/format.h>

namespace smec::lower {

namespace {

constexpr std::uint64_t kArrayElements = 0x7FFF'FFFF;

class Support {
public:
    explicit Support(Context& context) : context_(context), design_(context.hir) {}

    bool run() {
        for (const hir::Specialisation& spec : design_.specs) {
            if (!spec.instances.empty()) body(spec.body);
        }
        for (const hir::BusGroup& group : design_.busGroups) {
            if (group.count != 0) bus(group);
        }
        for (const hir::Function& function : design_.functions) {
            type(function.result, function.range, "the result of '" + function.name + "'");
            body(function.body);
        }
        return sound_;
    }

private:
    void no(SourceRange range, const std::string& what) {
        sound_ = false;
        context_.notSupported(range, what);
    }

    void bus(const hir::BusGroup& group) {
        const std::uint32_t index = design_.buses[group.first.index].shape.index;
        const hir::BusShape& shape = design_.shapes[index];
        if (index >= seenShapes_.size()) seenShapes_.resize(index + 1);
        if (seenShapes_[index]) return;
        seenShapes_[index] = true;
        for (const hir::FieldShape& field : shape.fields) {
            type(field.type, field.range, fmt::format("the field '{}'", field.name));
        }
    }

    void type(hir::TypeId id, SourceRange range, const std::string& what) {
        if (design_.types.isError(id)) return;
        for (const Leaf& leaf : context_.layouts.of(id)) {
            if (leaf.elements > kArrayElements)
                return no(range, fmt::format("{} of {} elements", what, leaf.elements));
        }
    }

    void body(const hir::Body& source) {
        for (const hir::Variable& variable : source.vars)
            type(variable.type, variable.range, fmt::format("the variable '{}'", variable.name));
    }

    Context& context_;
    const hir::Design& design_;
    std::vector<bool> seenShapes_;
    bool sound_ = true;
};

}  // namespace

bool checkSupport(Context& context) { return Support(context).run(); }

}  // namespace smec::lower
