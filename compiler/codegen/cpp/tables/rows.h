#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codegen/cpp/decide/program.h"
#include "codegen/cpp/tables/image_builder.h"

/// Rows of sme::Model from what was decided. What they point to goes to the image.
namespace smec::codegen::cpp {

/// A number that a row has 32 bits for.
std::uint32_t narrow(std::uint64_t number);

sme::Location locationOf(const Program& program, const SourceRange& range, ImageBuilder& image);
const char* textOrNull(const std::optional<std::string>& text, ImageBuilder& image);

/// Each sets its table and the number of its rows in the model.
void addTypes(const Program& program, ImageBuilder& image, sme::Model& model);
void addClasses(const Program& program, ImageBuilder& image, sme::Model& model);
void addInstances(const Program& program, ImageBuilder& image, sme::Model& model);
void addNames(const Program& program, ImageBuilder& image, sme::Model& model);

}  // namespace smec::codegen::cpp
