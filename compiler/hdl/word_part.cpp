#include "hdl/word_part.h"

#include "hdl/target.h"

//   mem[a][15:8] = v;        mem[a] = (mem[a] & ~0xFF00) | (v << 8)          one place
//   mem[a][8 * i +: 8] = v;  mem[a] = (mem[a] & ~(0xFF << i * 8)) | (v << i * 8)    lanes 0 … 3

namespace smec::hdl {

using namespace ir;

namespace {

const Integer* known(const Body& body, ir::ExprId id) {
    const auto* constant = std::get_if<ConstInt>(&body[id].node);
    return constant ? &constant->value : nullptr;
}

/// The place is the number of the lane times `step`, and never lies after `most`; it may be cut to
/// that of the last lane.
bool findLanes(const Body& body, const std::vector<Interval>& values, std::uint32_t most,
               WordPart& part) {
    const ir::ExprId place = part.bits.place;
    if (values[place.index].low < 0 || values[place.index].high > most) return false;
    const auto* product = std::get_if<Binary>(&body[place].node);
    const Integer* last = nullptr;
    if (product && product->op == BinaryOp::Min) {
        last = known(body, product->right);
        product = std::get_if<Binary>(&body[product->left].node);
    }
    const Integer* by = product ? known(body, product->right) : nullptr;
    if (!by || *by <= 0 || *by > most) return false;
    if (product->op != BinaryOp::Mul && product->op != BinaryOp::Shl) return false;
    if (product->op == BinaryOp::Shl && *by > 15) return false;
    const auto number = static_cast<std::uint32_t>(*by);
    part.lane = product->left;
    part.step = product->op == BinaryOp::Mul ? number : 1U << number;
    part.lanes = most / part.step + 1;
    return part.lanes <= target::kMostParts && (!last || *last == (part.lanes - 1) * part.step);
}

}  // namespace

std::optional<WordPart> wordPart(const Body& body, const std::vector<Interval>& values,
                                 const Set& set) {
    const Local& local = body.locals[set.local.index];
    if (local.kind != LocalKind::State || local.type.length <= target::kMostReset)
        return std::nullopt;
    if (body[set.value].type != ExprType::Int) return std::nullopt;
    const std::uint32_t width = local.type.scalar.width;
    const auto bits = inserted(body, values, set.value, width);
    const auto* read = bits ? std::get_if<ReadLocal>(&body[bits->operand].node) : nullptr;
    if (!read || read->local != set.local || read->index != set.index || bits->width > width)
        return std::nullopt;
    WordPart part{*bits};
    if (bits->place.valid() && !findLanes(body, values, width - bits->width, part))
        return std::nullopt;
    return part;
}

}  // namespace smec::hdl
