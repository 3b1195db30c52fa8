#include "trace/traced_memory.h"

namespace sme {

TracedMemory::TracedMemory(const Engine& engine, const std::vector<Ref>& refs)
    : TracedMemory(engine, scalarsOf(engine.model(), refs)) {}

TracedMemory::TracedMemory(const Engine& engine, Scalars scalars)
    : engine_(engine),
      needsPause_(!scalars.combinational.empty() || !scalars.single.empty()
                  || !scalars.variables.empty()),
      clocked_(std::move(scalars.clocked)),
      combinational_(std::move(scalars.combinational)),
      single_(std::move(scalars.single)),
      variables_(std::move(scalars.variables)) {}

TracedMemory::Scalars TracedMemory::scalarsOf(const Model& model, const std::vector<Ref>& refs) {
    Scalars scalars;
    for (std::uint32_t i = 0; i < refs.size(); ++i) {
        const Plane& plane = model.planes[refs[i].plane];
        const bool isSingle = plane.region == Region::State;
        const bool isVariable = isSingle && (refs[i].flags & kVariable) != 0;
        auto& region = isVariable              ? scalars.variables
                       : isSingle              ? scalars.single
                       : plane.isCombinational ? scalars.combinational
                                               : scalars.clocked;
        const std::uint64_t element = refs[i].element * model.types[plane.type].bytes;
        region.push_back(
            {plane.offset + element + refs[i].offset, model.types[refs[i].type].bytes, i});
    }
    return scalars;
}

}  // namespace sme
