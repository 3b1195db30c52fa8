#include "lower/lower.h"

#include "lower/body/body.h"
#include "lower/names.h"
#include "lower/storage.h"
#include "lower/support.h"
#include "rewrite/aliases.h"
#include "rewrite/levels.h"

namespace smec::lower {

namespace {

ir::Design lowerPlain(const hir::Design& design, const Options& options, Diagnostics& diagnostics) {
    Context context(design, options, diagnostics);
    context.out.name = design.topName;
    context.out.unchecked = options.unchecked;
    if (!checkSupport(context)) return std::move(context.out);

    const std::vector<ClassShape> shapes = makeClasses(context);
    std::vector<std::uint32_t> classes(design.specs.size(), UINT32_MAX);  // by specialisation
    for (const ClassShape& shape : shapes)
        classes[static_cast<std::size_t>(shape.spec - design.specs.data())] = shape.id.index;
    options.ledger.renumberClasses(classes);
    const Wiring wiring = connect(context, shapes);
    if (diagnostics.hasErrors()) return std::move(context.out);

    for (const ClassShape& shape : shapes) {
        ir::Class& cls = context.out.classes[shape.id.index];
        const ir::Leaves leaves{&cls.columns, &cls.inputs, &context.out.tables, nullptr};
        BodyLowering(context, shape, shape.spec->body, cls.body, cls.body, nullptr, leaves).run();
    }
    nameInstances(context, shapes);
    nameFields(context, shapes, wiring);
    return std::move(context.out);
}

}  // namespace

ir::Design lower(const hir::Design& design, const Options& options, Diagnostics& diagnostics) {
    std::optional<hir::Design> plain = rewrite::withoutAliases(design);
    if (options.levels)
        if (auto levelled = rewrite::withLevels(plain ? *plain : design, options.ledger))
            plain = std::move(levelled);
    return lowerPlain(plain ? *plain : design, options, diagnostics);
}

}  // namespace smec::lower
