#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sme/model.h"

namespace sme {

/// From (class, number within the class) to the run of paths it belongs to. Read only after
/// construction.
class InstanceIndex {
public:
    explicit InstanceIndex(const Model& model);

    /// The run that holds the instance; null when the model names none. `hint` is the caller's own
    /// memory of the last answer.
    const InstanceRun* find(std::uint32_t cls, std::uint32_t instance,
                            const InstanceRun*& hint) const;
    const InstanceRun* find(std::uint32_t cls, std::uint32_t instance) const;

private:
    std::vector<const InstanceRun*> runs_;  ///< by class, then first instance
    std::vector<std::uint32_t> starts_;     ///< of each class in runs_; one more at the end
};

/// Place of an instance in the output order. Unknown instances come last.
inline std::uint64_t orderOf(const InstanceRun* run, std::uint32_t instance) {
    return run ? run->order + (instance - run->first) * run->orderStride : ~std::uint64_t{0};
}
std::string pathOf(const InstanceRun* run, std::uint32_t instance);

/// The path of the instance that writes an element of a plane; empty where none does.
std::string writerOf(const Model& model, std::uint32_t plane, std::uint64_t element);

/// The texts of the source process that an instance comes from.
const SiteTable& sitesOf(const Class& cls, std::uint32_t instance);

/// prefix + number + suffix, or prefix alone (see InstanceRun and NameRun).
void appendRunName(std::string& out, const char* prefix, const char* suffix, std::uint64_t number);

}  // namespace sme
