#include "ir/bits.h"

#include "ir/arithmetic.h"

// The builder puts constants on the right, and makes  wrap u8(x)  of  x & 0xFF.

namespace smec::ir {

namespace {

const Binary* operation(const Body& body, ExprId id, BinaryOp op) {
    const auto* node = std::get_if<Binary>(&body[id].node);
    return node && node->op == op ? node : nullptr;
}

const Integer* known(const Body& body, ExprId id) {
    const auto* node = std::get_if<ConstInt>(&body[id].node);
    return node ? &node->value : nullptr;
}

std::uint32_t lowestOne(const Integer& value) {
    return static_cast<std::uint32_t>(boost::multiprecision::lsb(value));
}

/// A count of a shift by a constant.
std::optional<std::uint32_t> countOf(const Body& body, const Binary& shift) {
    const Integer* count = known(body, shift.right);
    if (!count || *count <= 0 || *count > kIntegerBits) return std::nullopt;
    return static_cast<std::uint32_t>(*count);
}

bool fits(const Interval& x, std::uint32_t width) {
    return x.low >= 0 && !isUnbounded(x) && bitsOf(x, false) <= width;
}

/// Ones in one row.
struct Hole {
    std::uint32_t low, width;
};
std::optional<Hole> holeOf(const Integer& ones) {
    if (ones <= 0) return std::nullopt;
    const std::uint32_t low = lowestOne(ones);
    const Integer row = ones >> low;
    if ((row & (row + 1)) != 0) return std::nullopt;
    return Hole{low, bitLength(row)};
}

class Finder {
public:
    Finder(const Body& body, const std::vector<Interval>& values, std::uint32_t bits)
        : body_(body), values_(values), bits_(bits) {}

    /// `rest` is what stays of a number, with 0 in the hole.
    std::optional<Inserted> run(ExprId id) const {
        const auto* wrapped = std::get_if<Wrap>(&body_[id].node);
        if (wrapped && wrapped->width == bits_) id = wrapped->operand;
        if (const auto cleared = kept(id)) return cleared;
        const Binary* both = operation(body_, id, BinaryOp::Or);
        if (!both) return std::nullopt;
        for (const auto& [rest, part] :
             {std::pair{both->left, both->right}, std::pair{both->right, both->left}}) {
            auto result = kept(rest);
            if (result && fill(*result, part)) return result;
        }
        return std::nullopt;
    }

private:
    /// x & ~mask
    std::optional<Inserted> kept(ExprId id) const {
        const auto* wrapped = std::get_if<Wrap>(&body_[id].node);
        if (wrapped && !wrapped->isSigned && wrapped->width < bits_)
            return Inserted{wrapped->operand, {}, bits_ - wrapped->width, wrapped->width};
        const Binary* mask = operation(body_, id, BinaryOp::And);
        if (!mask) return std::nullopt;
        if (const Integer* ones = known(body_, mask->right)) {
            const auto hole = holeOf(wrapInteger(-1 - *ones, bits_, false));
            if (!hole) return std::nullopt;
            return Inserted{mask->left, {}, hole->width, hole->low};
        }
        for (const auto& [number, other] :
             {std::pair{mask->left, mask->right}, std::pair{mask->right, mask->left}})
            if (auto result = keptAround(number, other)) return result;
        return std::nullopt;
    }

    /// x & ~(mask << place)
    std::optional<Inserted> keptAround(ExprId number, ExprId mask) const {
        const auto* inverse = std::get_if<Unary>(&body_[mask].node);
        if (!inverse || inverse->op != UnaryOp::BitNot) return std::nullopt;
        const Binary* shift = operation(body_, inverse->operand, BinaryOp::Shl);
        const Integer* ones = shift ? known(body_, shift->left) : nullptr;
        const auto hole = ones ? holeOf(*ones) : std::nullopt;
        if (!hole || hole->low != 0) return std::nullopt;
        return Inserted{number, {}, hole->width, 0, shift->right};
    }

    /// Whether `part` lies in the hole.
    bool fill(Inserted& result, ExprId part) const {
        const Binary* shift = operation(body_, part, BinaryOp::Shl);
        if (result.place.valid()) {
            if (!shift || shift->right != result.place) return false;
            result.value = shift->left;
        } else if (const Integer* number = known(body_, part)) {
            result.value = part;
            result.isPlaced = true;
            return *number > 0 && lowestOne(*number) >= result.low
                   && bitLength(*number) <= result.low + result.width;
        } else if (result.low == 0) {
            result.value = part;
        } else {
            if (!shift || countOf(body_, *shift) != result.low) return false;
            result.value = shift->left;
        }
        return fits(values_[result.value.index], result.width);
    }

    const Body& body_;
    const std::vector<Interval>& values_;
    const std::uint32_t bits_;
};

}  // namespace

std::optional<Beside> beside(const Body& body, const std::vector<Interval>& values, ExprId id) {
    const Binary* both = operation(body, id, BinaryOp::Or);
    if (!both) return std::nullopt;
    for (const auto& [high, low] :
         {std::pair{both->left, both->right}, std::pair{both->right, both->left}}) {
        const Binary* shift = operation(body, high, BinaryOp::Shl);
        const auto count = shift ? countOf(body, *shift) : std::nullopt;
        if (count && fits(values[low.index], *count))
            return Beside{shift->left, low, *count, false};
    }
    const Integer* high = known(body, both->right);
    if (!high || *high <= 0) return std::nullopt;
    const std::uint32_t count = lowestOne(*high);
    if (count == 0 || !fits(values[both->left.index], count)) return std::nullopt;
    return Beside{both->right, both->left, count, true};
}

std::optional<Repeated> repeated(const Body& body, const std::vector<Interval>& values, ExprId id) {
    const Binary* product = operation(body, id, BinaryOp::Mul);
    const Integer* ones = product ? known(body, product->right) : nullptr;
    if (!ones || *ones <= 2 || *ones % 2 == 0) return std::nullopt;
    const std::uint32_t width = lowestOne(*ones - 1);
    const std::uint32_t count = (bitLength(*ones) - 1) / width + 1;
    const Integer row = powerOfTwo(width * count) - 1;
    if (*ones * (powerOfTwo(width) - 1) != row || !fits(values[product->left.index], width))
        return std::nullopt;
    return Repeated{product->left, width, count};
}

std::optional<Inserted> inserted(const Body& body, const std::vector<Interval>& values, ExprId id,
                                 std::uint32_t bits) {
    return Finder(body, values, bits).run(id);
}

}  // namespace smec::ir
