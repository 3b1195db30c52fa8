#pragma once

#include "sme/model.h"

namespace sme {

/// What a thread looks after between units of work.
class Between {
public:
    virtual ~Between() = default;
    virtual void look() = 0;
    /// Else units run in one piece, and nobody looks.
    bool isWanted() const { return isWanted_; }
    const Work& work(std::uint32_t number) const { return work_[number]; }

protected:
    const Work* work_ = nullptr;  ///< that units are of
    bool isWanted_ = false;
};

}  // namespace sme
