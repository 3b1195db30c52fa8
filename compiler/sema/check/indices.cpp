#include "sema/check/indices.h"

#include "sema/check/constants.h"
#include "sema/check/expressions.h"
#include "sema/check/judgements.h"

namespace smec::sema {

/// An integer, as an index has to be.
std::optional<Operand> Indices::value(ast::ExprId expr) {
    Operand index = expressions_.check(expr);
    if (index.isError() || !operandsAreValues(reporter_, index, index)) return std::nullopt;
    if (types_.isInteger(index.type)) return index;
    reporter_.report(DiagId::IndexType, index.range, typeName(types_, index));
    return std::nullopt;
}

/// An index below `count`, tested when it is constant.
std::optional<Operand> Indices::checked(ast::ExprId expr, std::uint64_t count,
                                        const std::string& what, std::string_view unit) {
    const std::size_t mark = uses_.named();
    auto index = value(expr);
    if (!index) return std::nullopt;
    if (index->isConstant() && (index->integer() < 0 || index->integer() >= count)) {
        if (!nesting_.unevaluated)
            reporter_.report(DiagId::IndexRange, index->range, index->integer().str(), what, count,
                             std::string(unit) + (count == 1 ? "" : "s"));
        return std::nullopt;
    }
    judgements_.index(*index, count, mark);
    return index;
}

hir::ExprId Indices::use(Operand& index, std::uint64_t count) {
    SiteNeeds needs;
    needs.use = index.unsized ? SiteUse::Width : SiteUse::Free;
    needs.nonNegative = true;
    needs.below = count;
    build_.demand(index, kAllBits);
    bool isSafe =
        !index.interval.unbounded && index.interval.low >= 0 && index.interval.high < count;
    build_.body().canFail |= !index.isConstant() && !isSafe;
    return build_.use(index, std::move(needs));
}

std::optional<BitRange> Indices::sliceBounds(const ast::Slice& node, std::uint32_t width,
                                             const std::string& what) {
    auto high = constants_.integer(node.high, "a slice bound");
    auto low = constants_.integer(node.low, "a slice bound");
    if (!high || !low) return std::nullopt;
    SourceRange range = smec::cover(module_[node.high].range, module_[node.low].range);
    if (*high >= width || *low < 0 || *high < 0 || *low >= width) {
        reporter_.report(DiagId::SliceRange, range, high->str() + ":" + low->str(), what, width);
        return std::nullopt;
    }
    if (*high < *low) {
        reporter_.report(DiagId::SliceOrder, range, high->str(), low->str());
        return std::nullopt;
    }
    return BitRange{high->convert_to<std::uint32_t>(), low->convert_to<std::uint32_t>()};
}

std::optional<BitRange> IndexedBits::known() const {
    if (!low.isConstant() || low.perInstance) return std::nullopt;
    const auto first = low.integer().convert_to<std::uint32_t>();
    return BitRange{first + width - 1, first};
}

std::optional<IndexedBits> Indices::indexedBits(const ast::IndexedSlice& node, std::uint32_t width,
                                                const std::string& what) {
    const std::size_t mark = uses_.named();
    auto low = value(node.low);
    auto wanted = constants_.integer(node.width, "the width of a slice");
    if (!low || !wanted) return std::nullopt;
    if (*wanted < 1) {
        reporter_.report(DiagId::SliceWidth, module_[node.width].range, wanted->str());
        return std::nullopt;
    }
    const bool isAfter = *wanted > width;
    const bool isKnown = low->isConstant();
    if (isAfter || (isKnown && (low->integer() < 0 || low->integer() + *wanted > width))) {
        SourceRange range = smec::cover(low->range, module_[node.width].range);
        const std::string first = isKnown ? low->integer().str() : reporter_.text(low->range);
        if (!nesting_.unevaluated)
            reporter_.report(DiagId::SliceRange, range, first + " +: " + wanted->str(), what,
                             width);
        return std::nullopt;
    }
    const auto count = wanted->convert_to<std::uint32_t>();
    judgements_.index(*low, width - count + 1, mark);
    return IndexedBits{std::move(*low), count};
}

}  // namespace smec::sema
