#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <sme/code.h>

namespace sme {

/// Whether a file is as it was written is for files a question, not for what was linked.
enum class ImageCheck : bool { Places, PlacesAndHash };

/// What messages call the two parts of a design.
struct ImageNames {
    std::string image;  ///< is quoted there
    std::string code;
};

/// Makes the model of a model.bin, in the place where it lies (at a multiple of kImageAlignment), with
/// the functions of `code`. Throws Error with the offset where the file is damaged, and where it is for
/// other code; looks at every offset and number before it uses it, and takes no memory. Once only.
/// O(rows).
const Model& loadImage(std::span<std::byte> image, const Code& code, const ImageNames& names,
                       ImageCheck check);

}  // namespace sme
