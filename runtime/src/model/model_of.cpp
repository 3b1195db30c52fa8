#include <mutex>

#include "model/image_rows.h"
#include "model/load_image.h"

namespace sme {

const Model& modelOf(const Code& code) {
    static std::mutex loading;
    const std::lock_guard lock(loading);
    const std::span image(code.image, static_cast<std::size_t>(code.imageEnd - code.image));
    const auto* header = reinterpret_cast<const ImageHeader*>(code.image);
    const std::string name = std::string("model of ") + code.name;
    if (image.size() >= sizeof *header && header->isLoaded == 1)
        return ImageRows(image, name).model();
    return loadImage(image, code, {name, "the code that it is linked with"}, ImageCheck::Places);
}

}  // namespace sme
