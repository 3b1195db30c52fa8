// Names are hashed piece by piece while the walk descends (prefix, number, suffix, index, member),
// never built.

#include "trace/checksum.h"

#include <charconv>
#include <string_view>

#include <sme/fnv1a.h>

#include "trace/listing.h"
#include "values/value.h"

namespace sme {
namespace {

constexpr std::uint64_t kValueStart = 0x243F6A8885A308D3;
constexpr std::uint64_t kValuePrime = 0x9E3779B97F4A7C15;

std::uint64_t hashNumber(std::uint64_t hash, std::uint64_t number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    return fnv1a({digits, static_cast<std::size_t>(end - digits)}, hash);
}

/// The finaliser of SplitMix64.
std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

std::uint64_t hashLimb(std::uint64_t hash, std::uint64_t limb) {
    return (hash ^ limb) * kValuePrime;
}

std::uint64_t sumValue(const Model& model, std::uint32_t typeIndex, const std::byte* at,
                       std::uint64_t nameHash) {
    const Type& type = model.types[typeIndex];
    if (isScalar(type)) return mix(nameHash ^ mix(hashScalar(type, at)));
    std::uint64_t sum = 0;
    if (type.kind == Kind::Struct) {
        const std::uint64_t dot = fnv1a(".", nameHash);
        for (std::uint32_t i = 0; i < type.count; ++i) {
            const StructMember& member = type.fields[i];
            sum += sumValue(model, member.type, at + member.offset, fnv1a(member.name, dot));
        }
        return sum;
    }
    const std::uint64_t open = fnv1a("[", nameHash);
    const std::size_t size = model.types[type.element].bytes;
    for (std::uint32_t i = 0; i < type.count; ++i) {
        sum += sumValue(model, type.element, at + i * size, fnv1a("]", hashNumber(open, i)));
    }
    return sum;
}

std::uint64_t sumRun(const Engine& engine, const NameRun& run) {
    const Model& model = engine.model();
    const std::uint64_t prefix = fnv1a(run.prefix);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < run.count; ++i) {
        const std::uint64_t name =
            run.suffix ? fnv1a(run.suffix, hashNumber(prefix, run.index + i)) : prefix;
        const Ref ref = refOf(model, run, i);
        sum += run.leaves ? sumValue(model, ref.type, finalValue(engine, ref).data(), name)
                          : sumValue(model, ref.type, engine.final(ref.plane, ref.element), name);
    }
    return sum;
}

/// The same of what one rank writes. Of a value in several pieces each may be of another one.
std::uint64_t sumOwned(const Engine& engine, const NameRun& run, const Owners& owners,
                       unsigned rank) {
    const Model& model = engine.model();
    const std::uint64_t prefix = fnv1a(run.prefix);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < run.count; ++i) {
        const Ref ref = refOf(model, run, i);
        if (!run.leaves && owners.rankOf(ref.plane, ref.element) != rank) continue;
        std::uint64_t hash = prefix;
        if (run.suffix) hash = fnv1a(run.suffix, hashNumber(prefix, run.index + i));
        if (!run.leaves) {
            sum += sumValue(model, ref.type, engine.final(ref.plane, ref.element), hash);
            continue;
        }
        std::string name;  // from where the value's own ends
        forEachScalar(model, ref, name, [&](const Ref& part, const std::string& rest) {
            if (owners.rankOf(part.plane, part.element) != rank) return;
            sum += sumValue(model, part.type, engine.final(part.plane, part.element) + part.offset,
                            fnv1a(rest, hash));
        });
    }
    return sum;
}

}  // namespace

std::uint64_t hashScalar(const Type& type, const std::byte* at) {
    switch (type.kind) {
    case Kind::Bool: return hashLimb(kValueStart, *at != std::byte{0});
    case Kind::F32:
        return hashLimb(kValueStart, canonicalF32(static_cast<std::uint32_t>(loadRaw(at, 4))));
    case Kind::F64: return hashLimb(kValueStart, canonicalF64(loadRaw(at, 8)));
    default: break;
    }
    if (type.bytes <= 8) {
        const std::uint64_t value = loadRaw(at, type.bytes);
        return hashLimb(kValueStart,
                        isSignedNumber(type) ? signExtend(value, type.bytes * 8) : value);
    }
    std::uint64_t hash = kValueStart;
    for (std::uint32_t offset = 0; offset < type.bytes; offset += 8)
        hash = hashLimb(hash, loadRaw(at + offset, 8));
    return hash;
}

std::uint64_t checksum(const Engine& engine) {
    std::uint64_t sum = 0;
    const Model& model = engine.model();
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i)
        sum += sumRun(engine, model.names[i]);
    return sum;
}

std::uint64_t checksumOf(const Engine& engine, const Owners& owners, unsigned rank) {
    std::uint64_t sum = 0;
    const Model& model = engine.model();
    for (std::uint32_t i = 0; i < model.nameRunCount; ++i)
        sum += sumOwned(engine, model.names[i], owners, rank);
    return sum;
}

}  // namespace sme
