#include "sema/constant_pool.h"

#include <bit>

#include "source/overloaded.h"

namespace smec::sema {

namespace {

std::size_t mix(std::size_t seed, std::size_t value) {
    return (seed ^ value) * 0x9E37'79B9'7F4A'7C15u + (seed >> 29);
}

std::size_t hashOf(const hir::Value& value) {
    return smec::visit(
        Overloaded{
            [](std::monostate) -> std::size_t { return 0; },
            [](const hir::Integer& n) {
                std::size_t seed = n < 0 ? 3 : 1;
                const auto& limbs = n.backend();
                for (unsigned i = 0; i < limbs.size(); ++i)
                    seed = mix(seed, static_cast<std::size_t>(limbs.limbs()[i]));
                return seed;
            },
            [](bool b) -> std::size_t { return b ? 5 : 7; },
            [](float f) -> std::size_t { return mix(11, std::bit_cast<std::uint32_t>(f)); },
            [](double d) -> std::size_t { return mix(13, std::bit_cast<std::uint64_t>(d)); },
            [](const std::string& s) -> std::size_t { return std::hash<std::string>()(s); },
            [](const hir::Value::List& list) { return mix(17, list.hash(hashOf)); },
        },
        value.data);
}

}  // namespace

std::uint32_t ConstantPool::intern(const hir::Value& value) {
    std::size_t hash = hashOf(value);
    auto [begin, end] = values_.equal_range(hash);
    for (auto at = begin; at != end; ++at)
        if (design_.values[at->second] == value) return at->second;
    auto index = static_cast<std::uint32_t>(design_.values.size());
    design_.values.push_back(value);
    values_.emplace(hash, index);
    return index;
}

std::uint32_t ConstantPool::intern(std::string_view text) {
    auto [at, isNew] =
        strings_.try_emplace(std::string(text), static_cast<std::uint32_t>(design_.strings.size()));
    if (isNew) design_.strings.emplace_back(text);
    return at->second;
}

}  // namespace smec::sema
