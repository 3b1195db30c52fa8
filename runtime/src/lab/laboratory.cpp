#include "schedule/laboratory.h"

#include "lab/models.h"
#include "lab/orchestrations.h"
#include "lab/target.h"

namespace sme {
namespace {

std::unique_ptr<Schedule> make(const ScheduleInput& input) {
    switch (input.scheduling.model) {
#define PLAIN_SCHEDULER(NAME, KIND, TAKES, WORDS) \
    case ModelKind::KIND: break;
#define SCHEDULER(NAME, KIND, TAKES, WORDS) \
    case ModelKind::KIND: return make##KIND(input);
#include "sme/schedulers.def"
    }
    return nullptr;
}

Deal dealAsLiterature(const Model& model, const Scheduling& scheduling,
                      const std::vector<Piece>& pieces, unsigned threads) {
    if (scheduling.orchestrate == Orchestrate::MonteCarlo)
        return dealMonteCarlo(pieces, threads, scheduling.orchestrateParameter, target::kPlanSeed);
    return dealByLocalSearch(pieces, threads, exchangesOf(model, pieces), target::kLineNs);
}

}  // namespace

const Laboratory kLaboratory{make, sliceAsLiterature, dealAsLiterature};

}  // namespace sme
