#pragma once

#include "model/image_rows.h"

namespace sme {

// What must hold of a row beyond its members, whose pointers are pointers by then. Types and planes come
// before all that names them. Throw what is wrong.

template <typename Row>
void checkRow(const Row&, const ImageRows&) {}

void checkRow(const Type& type, const ImageRows& image);
void checkRow(const WaitPlaces& waits, const ImageRows& image);
void checkRow(const Plane& plane, const ImageRows& image);
void checkRow(const Class& cls, const ImageRows& image);
void checkRow(const ArgFormat& format, const ImageRows& image);
void checkRow(const Work& work, const ImageRows& image);
void checkRow(const NameRun& name, const ImageRows& image);

}  // namespace sme
