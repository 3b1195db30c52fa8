#include "lower/layout.h"

#include "source/internal_error.h"
#include "source/overloaded.h"

namespace smec::lower {

ir::Scalar scalarOf(const hir::TypeTable& types, hir::TypeId type) {
    return smec::visit(
        Overloaded{
            [](const AnyOf<hir::IntType, hir::EnumType> auto& t) {
                return ir::Scalar{ir::ScalarKind::Int, t.isSigned, t.width};
            },
            [](const hir::FloatType& t) {
                return ir::Scalar{t.width == 32 ? ir::ScalarKind::F32 : ir::ScalarKind::F64, true,
                                  t.width};
            },
            [](const hir::BoolType&) {
                return ir::Scalar{ir::ScalarKind::Bool, false, 1};
            },
            [](const AnyOf<hir::ErrorType, hir::StringType, hir::ArrayType, hir::StructType> auto&)
                -> ir::Scalar { throw InternalError("not a scalar type"); },
        },
        types[type]);
}

ir::ExprType exprTypeOf(const hir::TypeTable& types, hir::TypeId type) {
    return exprTypeOf(scalarOf(types, type));
}

bool isAggregate(const hir::TypeTable& types, hir::TypeId type) {
    return smec::visit(Overloaded{
                           [](const AnyOf<hir::ArrayType, hir::StructType> auto&) { return true; },
                           [](const hir::WholeType auto&) { return false; },
                       },
                       types[type]);
}

std::optional<ir::Interval> rangeOf(const hir::TypeTable& types, hir::TypeId type) {
    const auto* t = types.as<hir::IntType>(type);
    if (!t || t->flavour != hir::IntFlavour::Ranged) return std::nullopt;
    return ir::Interval{t->low, t->high};
}

ir::StorageType storageOf(const Leaf& leaf) {
    return {leaf.scalar, leaf.dimensions.empty() ? 0 : static_cast<std::uint32_t>(leaf.elements)};
}

ir::Constant constantOf(const hir::Value& value) {
    if (const auto* x = std::get_if<bool>(&value.data)) return {ir::Integer(*x ? 1 : 0)};
    if (const auto* x = std::get_if<float>(&value.data)) return {static_cast<double>(*x)};
    if (const auto* x = std::get_if<double>(&value.data)) return {*x};
    const auto* x = std::get_if<hir::Integer>(&value.data);
    require(x != nullptr, "a constant without a scalar value");
    return {*x};
}

namespace {

std::uint32_t leavesOf(const hir::TypeTable& types, hir::TypeId type) {
    return static_cast<std::uint32_t>(types.leafKinds(type));
}

/// The constants of the leaves from `leaf` on are appended to `out`.
void flatten(const hir::TypeTable& types, hir::TypeId type, const hir::Value& value,
             std::uint32_t leaf, std::vector<ir::Constants>& out);

/// What is one page in the list is flattened once.
void flattenElements(const hir::TypeTable& types, hir::TypeId element, const hir::Value::List& list,
                     std::uint32_t leaf, std::vector<ir::Constants>& out) {
    const hir::Value::List::Page* last = nullptr;
    std::vector<ir::Constants> made;
    for (const auto& page : list.pages()) {
        if (page.get() != last) {
            last = page.get();
            made.assign(out.size(), {});
            for (const hir::Value& value : *page)
                flatten(types, element, value, leaf, made);
        }
        for (std::size_t i = leaf; i < out.size(); ++i)
            out[i].append(made[i]);
    }
}

void flatten(const hir::TypeTable& types, hir::TypeId type, const hir::Value& value,
             std::uint32_t leaf, std::vector<ir::Constants>& out) {
    const hir::Value filled =
        value.valid() ? hir::Value{} : hir::defaultValue(types, type);  // 'U is the default
    const hir::Value& v = value.valid() ? value : filled;
    smec::visit(Overloaded{
                    [&](const hir::ArrayType& array) {
                        flattenElements(types, array.element, v.list(), leaf, out);
                    },
                    [&](const hir::StructType& structure) {
                        for (std::size_t i = 0; i < structure.members.size(); ++i) {
                            flatten(types, structure.members[i].type, v.list()[i], leaf, out);
                            leaf += leavesOf(types, structure.members[i].type);
                        }
                    },
                    [&](const hir::WholeType auto&) { out[leaf].push_back(constantOf(v)); },
                },
                types[type]);
}

}  // namespace

std::vector<ir::Constants> constantsOf(const hir::TypeTable& types, hir::TypeId type,
                                       const hir::Value& value) {
    std::vector<ir::Constants> out(leavesOf(types, type));
    flatten(types, type, value, 0, out);
    return out;
}

const Layout& Layouts::of(hir::TypeId type) {
    auto [it, added] = layouts_.try_emplace(type.index);
    if (!added) return it->second;
    Layout layout;
    std::vector<std::uint64_t> dimensions;
    collect(type, "", dimensions, layout);
    return layouts_[type.index] = std::move(layout);
}

std::uint32_t Layouts::firstLeaf(hir::TypeId structure, std::uint32_t member) {
    const auto* type = types_.as<hir::StructType>(structure);
    require(type != nullptr, "a member of no struct");
    std::vector<std::uint32_t>& firsts = firstLeaves_[structure.index];
    if (firsts.empty()) {
        std::uint32_t next = 0;
        for (const hir::StructMember& one : type->members) {
            firsts.push_back(next);
            next += leavesOf(types_, one.type);
        }
    }
    return firsts[member];
}

void Layouts::collect(hir::TypeId type, const std::string& path,
                      std::vector<std::uint64_t>& dimensions, Layout& out) {
    smec::visit(Overloaded{
                    [&](const hir::ArrayType& array) {
                        dimensions.push_back(array.count);
                        collect(array.element, path, dimensions, out);
                        dimensions.pop_back();
                    },
                    [&](const hir::StructType& structure) {
                        for (const auto& member : structure.members)
                            collect(member.type, path + "." + member.name, dimensions, out);
                    },
                    [&](const hir::WholeType auto&) {
                        Leaf leaf{path, type, scalarOf(types_, type), dimensions, 1};
                        for (const std::uint64_t d : dimensions)
                            leaf.elements *= d;
                        out.push_back(std::move(leaf));
                    },
                },
                types_[type]);
}

}  // namespace smec::lower
