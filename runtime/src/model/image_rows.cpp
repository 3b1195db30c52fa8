#include "model/image_rows.h"

#include "output/error.h"

namespace sme {

void ImageRows::fail(const void* place, std::string_view member, const std::string& what) const {
    const auto offset = static_cast<const std::byte*>(place) - image_.data();
    throw Error(ErrorKind::Data, "'" + name_ + "' is damaged at byte " + std::to_string(offset)
                                     + ": '" + std::string(member) + "' " + what);
}

}  // namespace sme
