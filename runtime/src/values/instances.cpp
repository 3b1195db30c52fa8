#include "values/instances.h"

#include <algorithm>

#include "values/format.h"

namespace sme {
namespace {

bool holds(const InstanceRun* run, std::uint32_t cls, std::uint32_t instance) {
    return run->cls == cls && instance >= run->first && instance - run->first < run->count;
}

}  // namespace

InstanceIndex::InstanceIndex(const Model& model) : starts_(model.classCount + 1) {
    for (std::uint32_t i = 0; i < model.instanceRunCount; ++i) {
        if (model.instances[i].cls < model.classCount) runs_.push_back(&model.instances[i]);
    }
    const auto before = [](const InstanceRun* a, const InstanceRun* b) {
        return a->cls != b->cls ? a->cls < b->cls : a->first < b->first;
    };
    if (!std::is_sorted(runs_.begin(), runs_.end(), before))
        std::sort(runs_.begin(), runs_.end(), before);
    for (const InstanceRun* run : runs_)
        ++starts_[run->cls + 1];
    for (std::uint32_t cls = 0; cls < model.classCount; ++cls)
        starts_[cls + 1] += starts_[cls];
}

const InstanceRun* InstanceIndex::find(std::uint32_t cls, std::uint32_t instance,
                                       const InstanceRun*& hint) const {
    if (hint && holds(hint, cls, instance)) return hint;
    if (cls + 1 >= starts_.size()) return nullptr;
    const auto begin = runs_.begin() + starts_[cls];
    const auto end = runs_.begin() + starts_[cls + 1];
    const auto after =
        std::upper_bound(begin, end, instance, [](std::uint32_t wanted, const InstanceRun* run) {
            return wanted < run->first;
        });
    if (after == begin || !holds(*(after - 1), cls, instance)) return nullptr;
    return hint = *(after - 1);
}

const InstanceRun* InstanceIndex::find(std::uint32_t cls, std::uint32_t instance) const {
    const InstanceRun* hint = nullptr;
    return find(cls, instance, hint);
}

std::string pathOf(const InstanceRun* run, std::uint32_t instance) {
    if (!run) return "?";
    std::string path;
    appendRunName(path, run->prefix, run->suffix, run->index + (instance - run->first));
    return path;
}

std::string writerOf(const Model& model, std::uint32_t plane, std::uint64_t element) {
    const Plane& written = model.planes[plane];
    if (written.owner >= model.classCount) return {};
    const std::uint32_t instances = model.classes[written.owner].instances;
    if (instances == 0 || written.instances < instances) return {};
    const auto instance = static_cast<std::uint32_t>(element / (written.instances / instances));
    const InstanceRun* end = model.instances + model.instanceRunCount;
    const InstanceRun* run = std::find_if(model.instances, end, [&](const InstanceRun& each) {
        return holds(&each, written.owner, instance);
    });
    return run == end ? std::string() : pathOf(run, instance);
}

const SiteTable& sitesOf(const Class& cls, std::uint32_t instance) {
    const SiteTable* end = cls.sites + cls.siteCount;
    const SiteTable* after = std::upper_bound(
        cls.sites, end, instance,
        [](std::uint32_t wanted, const SiteTable& table) { return wanted < table.firstInstance; });
    return after == cls.sites ? *cls.sites : *(after - 1);
}

void appendRunName(std::string& out, const char* prefix, const char* suffix, std::uint64_t number) {
    out.append(prefix);
    if (!suffix) return;
    appendUnsigned(out, number);
    out.append(suffix);
}

}  // namespace sme
