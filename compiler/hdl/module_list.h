#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hdl/hdl.h"

namespace smec::hdl {

/// The modules of a design while they are made, those inside first.
class ModuleList {
public:
    ModuleId add(Module module) {
        modules_.push_back(std::move(module));
        return {static_cast<std::uint32_t>(modules_.size() - 1)};
    }
    /// The one equal to this, of those that came here; or itself.
    ModuleId share(Module module) {
        std::vector<ModuleId>& equal = byTitle_[module.title];
        for (const ModuleId id : equal)
            if (modules_[id.index] == module) return id;
        equal.push_back(add(std::move(module)));
        return equal.back();
    }
    const Module& operator[](ModuleId id) const { return modules_[id.index]; }
    std::vector<Module> take() { return std::move(modules_); }

private:
    std::vector<Module> modules_;
    std::map<std::string, std::vector<ModuleId>> byTitle_;
};

}  // namespace smec::hdl
