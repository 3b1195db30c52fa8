#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codegen/cpp/decide/body_info.h"
#include "codegen/cpp/decide/kernel_plan.h"
#include "codegen/cpp/decide/sites.h"
#include "codegen/cpp/print/names.h"
#include "codegen/cpp/print/text.h"
#include "source/source_manager.h"

namespace smec::codegen::cpp {

/// Where a body stands: what its statements call the class, the instance, and the way out.
struct Site {
    std::string cls;       ///< the class's number, as C++
    std::string instance;  ///< the instance's number, as C++
    std::string leave;     ///< statement that ends the activation: "goto leave;", "return false;"
    std::string rounds;    ///< variable that counts rounds of loops
    Checks checks = Checks::Test;
    /// Of a template over isUnobserved: where that holds, the function returns false instead of saying
    /// something.
    bool mayBeUnobserved = false;
    bool mayLeave = false;  ///< Activation::mayLeave, or a function fails
    Selects selects = Selects::Branches;
    const SiteArguments* arguments = nullptr;
    Names* labels = nullptr;  ///< of the C++ function around it
    /// Lines in front of the first statement of some blocks of the body.
    std::map<ir::StmtId, std::vector<std::string>> inFront{};
    const SourceManager* lines = nullptr;  ///< not null: #line in front of each statement
};

/// How the statements of a body end its activation early.
class WayOut {
public:
    WayOut(const Site& site, Writer& out) : site_(site), out_(out) {}

    void leave();
    /// Behind a call that has failed.
    void fail();
    /// Around what says something: an unobserved cycle ends there.
    void openReport();
    void closeReport();
    /// An unobserved cycle ends there where that holds.
    void endIf(const std::string& condition);
    /// True when some statement went to the leave label.
    bool isTaken() const { return isTaken_; }
    /// From here on in a part, with a variable that says whether the activation goes on.
    void enterPart(std::string goes) { partGoes_ = std::move(goes); }
    void leavePart() { partGoes_.clear(); }

private:
    void end();

    const Site& site_;
    Writer& out_;
    std::string partGoes_;  ///< empty: in no part
    bool isTaken_ = false;
};

}  // namespace smec::codegen::cpp
