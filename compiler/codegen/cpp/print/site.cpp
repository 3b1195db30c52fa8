#include "codegen/cpp/print/site.h"

namespace smec::codegen::cpp {

void WayOut::openReport() {
    if (!site_.mayBeUnobserved) return;
    out_.open("if constexpr (isUnobserved)");
    end();
    out_.reopen("else");
}

void WayOut::closeReport() {
    if (site_.mayBeUnobserved) out_.close();
}

void WayOut::endIf(const std::string& condition) {
    out_.open("if constexpr (isUnobserved)");
    out_.open("if ({}) [[unlikely]]", condition);
    end();
    out_.close();
    out_.close();
}

/// Nobody may see anything of this cycle.
void WayOut::end() {
    if (partGoes_.empty()) return out_.line("return false;");
    out_.line("{} = false;", partGoes_);
    out_.line("goto part_end;");
}

void WayOut::fail() {
    openReport();
    leave();
    closeReport();
}

void WayOut::leave() {
    if (!partGoes_.empty()) {
        out_.line("{} = false;", partGoes_);
        out_.line("goto part_end;");
        return;
    }
    isTaken_ = true;
    out_.line("{}", site_.leave);
}

}  // namespace smec::codegen::cpp
