#include "engine/rank_metis.h"

#include <bit>
#include <string>

#include "engine/work_cut.h"
#include "output/error.h"

namespace sme {
namespace {

constexpr std::uint64_t kHasNone = std::uint64_t{1} << 63;
constexpr std::uint64_t kKinds = 61;

const Metis* wanted(const Model& model, CutWay way) {
    const bool isWanted = way == CutWay::Metis || (way == CutWay::Cheapest && isIrregular(model));
    return isWanted ? Metis::find() : nullptr;
}

[[noreturn]] void refuse(const std::string& why) { wrongUsage("SME_RANKS_CUT=metis: " + why); }

}  // namespace

const Metis* metisOfProcess(const Model& model, CutWay way) {
    const Metis* const metis = wanted(model, way);
    if (!metis && way == CutWay::Metis) refuse(Metis::problem());
    return metis;
}

const Metis* metisOfRanks(Transport& transport, const Model& model, CutWay way) {
    const Metis* const own = wanted(model, way);
    const std::uint64_t all =
        transport.reduce(own ? std::uint64_t{1} << own->kind() % kKinds : kHasNone);
    const Metis* const common = std::popcount(all) == 1 ? own : nullptr;
    if (way != CutWay::Metis || common) return common;
    if (!own) refuse(Metis::problem());
    refuse((all & kHasNone) != 0 ? "other ranks have no METIS"
                                 : "ranks have METIS of several kinds");
}

}  // namespace sme
