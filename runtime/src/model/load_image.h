#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <sme/code.h>

namespace sme {

/// Whether a file is as it was written is for files a question, not for what was linked.
enum class ImageCheck : bool { Places, PlacesAndHash };

/// Makes the model of a model.bin, in the place where it lies (at a multiple of kImageAlignment), with
/// the functions of `code`. Throws Error with `name` and the offset where the file is damaged; looks at
/// every offset and number before it uses it, and takes no memory. Once only. O(rows).
const Model& loadImage(std::span<std::byte> image, const Code& code, const std::string& name,
                       ImageCheck check);

}  // namespace sme
