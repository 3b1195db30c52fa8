#include "formats/state_owners.h"

#include "formats/scalar_text.h"

// A value's owner is what stands before the '#'. `kept` and `here` have processes alone, so an owner
// that neither has is a field:
//
//   kept   here     the state's values
//   no     no       are what is delayed: taken where they fit
//   no     yes      a field became a process: not taken
//   yes    no       the process is gone, as its variables tell
//   yes    yes      taken where the bodies are the same

namespace sme {
namespace {

std::string ownerOf(const std::string& path) { return path.substr(0, path.rfind('#')); }

}  // namespace

std::string PathRun::path(std::uint32_t number) const {
    std::string path;
    name(path, number);
    return path;
}

void PathRun::name(std::string& path, std::uint32_t number) const {
    path = prefix;
    if (!suffix) return;
    appendUnsigned(path, index + number);
    path += *suffix;
}

PathRun readPathRun(StateReader& in) {
    PathRun run;
    run.prefix = in.text();
    const bool hasSuffix = in.number<std::uint8_t>() != 0;
    std::string suffix = in.text();
    if (hasSuffix) run.suffix = std::move(suffix);
    run.index = in.number<std::uint64_t>();
    run.count = in.number<std::uint32_t>();
    return run;
}

void StateOwners::readBodies() {
    for (auto runs = in_.number<std::uint32_t>(); runs > 0; --runs) {
        const PathRun run = readPathRun(in_);
        const auto body = in_.number<std::uint64_t>();
        // each has values, which follow
        if (run.count > in_.rest().size()) in_.failAsDamaged();
        for (std::uint32_t i = 0; !isSame_ && i < run.count; ++i)
            kept_.emplace(run.path(i), body);
    }
}

bool StateOwners::isTaken(const std::string& path) {
    if (isSame_) return true;
    const std::string owner = ownerOf(path);
    const auto here = here_.find(owner), kept = kept_.find(owner);
    if (kept == kept_.end()) return here == here_.end();
    if (here == here_.end()) return false;
    if (here->second != kept->second) startAnew(owner, true);
    return here->second == kept->second;
}

void StateOwners::refuse(const std::string& path) {
    if (isSame_) throw BadState("is damaged" + in_.place() + ", behind '" + path + "'");
    const std::string owner = ownerOf(path);
    startAnew(owner, here_.contains(owner));
}

void StateOwners::lack(const std::string& path) {
    if (isSame_) in_.failAsDamaged();
    const std::string owner = ownerOf(path);
    if (!here_.contains(owner)) startAnew(owner, false);
}

void StateOwners::startAnew(const std::string& owner, bool isProcess) {
    if (!anew_.insert(owner).second) return;
    differences_.push_back(isProcess ? "process '" + owner + "' starts from its top"
                                     : "what is delayed in '" + owner + "' starts anew");
}

}  // namespace sme
