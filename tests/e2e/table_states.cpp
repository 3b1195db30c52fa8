// States that are kept in one engine and taken over by another.

#include "table_pair.h"

namespace sme::probe {
namespace {

/// A state as the other engine has it: by its bytes, or, where these cannot be written and both are
/// of one kind, as it is. Null: it does not take it, and says why.
sme_snapshot* handedOver(Simulation& from, sme_snapshot* kept, Simulation& to, std::string& why) {
    std::size_t size = 0;
    if (from.table.save(from.it, kept, nullptr, &size) != SME_OK) {
        if (&from.table == &to.table) return kept;
        why = from.table.message(from.it);
        return nullptr;
    }
    std::vector<char> bytes(size);
    from.table.save(from.it, kept, bytes.data(), &size);
    from.table.forget(kept);
    sme_snapshot* loaded = nullptr;
    if (to.table.load(to.it, bytes.data(), size, &loaded) != SME_OK) why = to.table.message(to.it);
    return loaded;
}

/// A state of one engine, taken over by the other. With `why`: it does not take it.
bool goesOn(const Engine& first, const Engine& second, std::uint64_t cycles,
            const std::string& wanted, std::string& why) {
    Simulation half(first), rest(second);
    half.table.step(half.it, cycles / 2, nullptr);
    sme_snapshot* kept = nullptr;
    if (half.table.snapshot(half.it, &kept) != SME_OK) {
        why = half.table.message(half.it);
        return true;
    }
    kept = handedOver(half, kept, rest, why);
    if (!kept) return true;
    rest.table.restore(rest.it, kept);
    rest.table.forget(kept);
    stepped(rest, cycles - cycles / 2);
    return half.text + rest.text + std::to_string(rest.table.checksum(rest.it)) == wanted;
}

}  // namespace

void compareStates(const std::vector<Engine>& engines, std::uint64_t cycles) {
    std::string wanted;
    {
        Simulation whole(engines.front());
        whole.table.step(whole.it, cycles, nullptr);
        cycles = whole.table.cycle(whole.it);
        wanted = whole.text + std::to_string(whole.table.checksum(whole.it));
    }
    for (const Engine& first : engines) {
        for (const Engine& second : engines) {
            std::string why;
            const bool isSameKind = &first.table == &second.table;
            const bool isGood = goesOn(first, second, cycles, wanted, why);
            // objects of other classes are in no bytes
            const bool mustGo = isSameKind || why.find("save()") == std::string::npos;
            if (!isGood || (!why.empty() && mustGo)) {
                ++differences;
                std::printf("  kept in %s, gone on in %s: %s\n", first.name.c_str(),
                            second.name.c_str(), why.empty() ? "another end" : why.c_str());
            } else if (!why.empty() && &first == &engines.front()) {
                std::printf("  to the interpreter: %s\n", why.c_str());
            }
        }
    }
}

}  // namespace sme::probe
