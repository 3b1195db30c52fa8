#include "formats/scalar.h"

namespace sme {

const std::uint64_t* storedValue(const EnumMember& member) {
    return member.limbs ? member.limbs : &member.value;
}

bool enumIsSigned(const Type& type) {
    if (type.low < 0) return true;
    if (type.width >= 64) return false;
    for (std::uint32_t i = 0; i < type.count; ++i) {
        if (type.members[i].value >> 63 != 0) return true;
    }
    return false;
}

const EnumMember* memberOf(const Type& type, const std::byte* at) {
    // compared as stored, so that it does not matter how the value was extended
    for (std::uint32_t i = 0; i < type.count; ++i) {
        if (std::memcmp(storedValue(type.members[i]), at, type.bytes) == 0) return &type.members[i];
    }
    return nullptr;
}

}  // namespace sme
