#include "hdl/foreign.h"

#include <algorithm>
#include <optional>

#include "hdl/module_builder.h"
#include "hdl/registers.h"
#include "ir/arithmetic.h"
#include "source/internal_error.h"

namespace smec::hdl {

namespace {

bool isFloat(const ir::Scalar& type) {
    return type.kind == ir::ScalarKind::F32 || type.kind == ir::ScalarKind::F64;
}

/// What an argument of the call is in an instance: a constant or a column, as the parameter's type
/// holds it.
std::optional<Integer> valueOf(const ir::Class& cls, ir::ExprId id, std::size_t instance) {
    const auto& node = cls.body[id].node;
    if (const auto* number = std::get_if<ir::ConstInt>(&node)) return number->value;
    if (const auto* flag = std::get_if<ir::ConstBool>(&node)) return flag->value ? 1 : 0;
    if (const auto* column = std::get_if<ir::ReadColumn>(&node)) {
        const auto* number =
            std::get_if<Integer>(&cls.columns[column->column].values[instance].value);
        return number ? std::optional(*number) : std::nullopt;
    }
    if (const auto* wrap = std::get_if<ir::Wrap>(&node)) {
        const auto inner = valueOf(cls, wrap->operand, instance);
        return inner ? std::optional(ir::wrapInteger(*inner, wrap->width, wrap->isSigned))
                     : std::nullopt;
    }
    return std::nullopt;
}

const ir::Call& callOf(const ir::Class& cls) {
    for (const ir::Stmt& stmt : cls.body.statements)
        if (const auto* call = std::get_if<ir::Call>(&stmt.node)) return *call;
    throw InternalError("an extern process without a call");
}

Type typeOfAll(const std::vector<Integer>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return typeOf(ir::Interval{*low, *high});
}

class ForeignMaker {
public:
    ForeignMaker(const ir::Design& design, const ir::Class& cls, const hir::Function& function,
                 Messages& messages)
        : design_(design),
          cls_(cls),
          function_(function),
          messages_(messages),
          builder_(result_.module) {}

    Process run(const std::vector<std::int64_t>& sameAs) {
        const hir::Foreign& foreign = *function_.external;
        Module& module = result_.module;
        module.kind = Kind::Foreign;
        module.hasClock = true;
        for (const hir::Foreign::Hardware& file : foreign.hardware)
            module.files.push_back({file.language, file.file, file.isFile, file.range});
        for (const char* name : {"clk", "rst", "rst_n"})
            builder_.unique(name);
        ports(sameAs);
        // after the object
        for (std::uint32_t i = 1; i <= foreign.constants; ++i)
            parameter(function_.body.vars[i].name, callOf(cls_).args[i]);
        return std::move(result_);
    }

private:
    void ports(const std::vector<std::int64_t>& sameAs) {
        for (std::size_t i = 0; i < cls_.inputs.size(); ++i) {
            const ir::Input& input = cls_.inputs[i];
            result_.inputs.push_back({});
            if (sameAs[i] >= 0) continue;
            if (isFloat(input.type.scalar)) refuse(DiagId::HardwareExternFloat, input.name);
            result_.inputs.back() = builder_.signal(input.name, inputPort(input));
        }
        for (const ir::Output& output : cls_.outputs) {
            const ir::Plane& plane = design_.planes[output.plane.index];
            Signal signal = outputPort(design_, output);
            if (isFloat(plane.type.scalar)) refuse(DiagId::HardwareExternFloat, output.name);
            signal.initial = {0};
            result_.outputs.push_back(builder_.signal(output.name, std::move(signal)));
        }
    }

    void parameter(const std::string& name, ir::ExprId argument) {
        std::vector<Integer> values;
        for (std::size_t k = 0; k < cls_.instances; ++k) {
            const auto value = valueOf(cls_, argument, k);
            if (!value) return refuse(DiagId::HardwareExternConstant, name);
            values.push_back(*value);
        }
        Signal signal;
        signal.role = Role::Parameter;
        signal.type = cls_.body[argument].type == ir::ExprType::Bool ? Type{1, false, true}
                                                                     : typeOfAll(values);
        signal.source = name;
        result_.arguments.emplace_back(builder_.signal(name, std::move(signal)), std::move(values));
    }

    void refuse(DiagId why, const std::string& name) {
        messages_.report(why, function_.range, name, function_.name);
    }

    const ir::Design& design_;
    const ir::Class& cls_;
    const hir::Function& function_;
    Messages& messages_;
    Process result_;
    ModuleBuilder builder_;
};

}  // namespace

Process makeForeign(const ir::Design& design, const ir::Class& cls, const hir::Function& function,
                    const std::vector<std::int64_t>& sameAs, Messages& messages) {
    return ForeignMaker(design, cls, function, messages).run(sameAs);
}

}  // namespace smec::hdl
