#pragma once

#include "engine/rank_choices.h"
#include "engine/transport.h"
#include "schedule/metis.h"
#include "sme/model.h"

namespace sme {

/// METIS for ranks that are cut in one place; null where there is none, or nothing for it to do.
/// Throws Error (Usage) where it is asked for and there is none.
const Metis* metisOfProcess(const Model& model, CutWay way);

/// The same for ranks that each cut the design: null also where one of them has none, or another one.
/// All call it at the same time.
const Metis* metisOfRanks(Transport& transport, const Model& model, CutWay way);

}  // namespace sme
