#include "codegen/cpp/print/site.h"

namespace smec::codegen::cpp {

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
