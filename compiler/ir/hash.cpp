#include "ir/hash.h"

#include "ir/canonical.h"
#include "sme/fnv1a.h"

namespace smec::ir {
namespace {

class Mixer {
public:
    void word(std::uint64_t x) {
        state_ = (state_ ^ x) * 0x9fb21c651e98df25u;
        state_ ^= state_ >> 32;
    }
    void text(const std::string& text) {
        word(text.size());
        word(sme::fnv1a(text));
    }
    void integer(const Integer& x) {
        if (x >= INT64_MIN && x <= INT64_MAX)
            word(static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
        else
            text(x.str());
    }
    std::uint64_t value() const { return state_ ^ (state_ >> 29); }

private:
    std::uint64_t state_ = 0x51ed270b35ae1f83u;
};

}  // namespace

std::uint64_t hashOf(const Design& design) {
    Mixer mixer;
    Canonical(design, Contents{.order = false}, mixer).add(design);
    return mixer.value();
}

std::uint64_t hashOf(const Design& design, const Class& cls) {
    Mixer mixer;
    Canonical(design, Contents{.names = false, .instances = false, .order = false}, mixer).add(cls);
    return mixer.value();
}

std::uint64_t identityOf(const Design& design) {
    return design.hash ? *design.hash : hashOf(design);
}

}  // namespace smec::ir
