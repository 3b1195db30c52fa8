#include "interp/hash.h"

#include <bit>

#include "interp/arithmetic.h"
#include "interp/names.h"
#include "sme/fnv1a.h"

namespace smec::interp {

namespace {

std::uint64_t limb(const Value& value, std::uint32_t index) {
    if (const auto* single = std::get_if<float>(&value.data))
        return std::bit_cast<std::uint32_t>(*single);
    if (const auto* twice = std::get_if<double>(&value.data))
        return std::bit_cast<std::uint64_t>(*twice);
    return *toUnsigned(bitsOf(value, index * 64 + 63, index * 64));
}

std::uint64_t hashOf(const Value& value, std::uint32_t width) {
    std::uint64_t hash = 0x243F6A8885A308D3;
    for (std::uint32_t i = 0; i < (width + 63) / 64; ++i)
        hash = (hash ^ limb(value, i)) * kGoldenGamma;
    return hash;
}

}  // namespace

std::uint64_t randomStart(std::string_view path, std::uint64_t seed) {
    return seed ^ sme::fnv1a(path);
}

std::uint64_t checksum(const Simulation& simulation) {
    const TypeTable& types = simulation.design().types;
    std::uint64_t sum = 0;
    for (const Root& root : allRoots(simulation.design())) {
        forEachLeaf(types, root.type, root.name, valueOf(simulation, root),
                    [&](const std::string& name, TypeId type, const Value& value) {
                        sum += splitMix64(sme::fnv1a(name)
                                          ^ splitMix64(hashOf(value, widthOf(types, type))));
                    });
    }
    return sum;
}

}  // namespace smec::interp
