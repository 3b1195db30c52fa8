#pragma once

// Values between Python and the bytes of sme/simulation.h.

#include <cstddef>
#include <cstdint>

#include "python.h"

namespace smepy {

/// How values of one type of a design look on both sides. Immutable.
struct Codec {
    PyObject_HEAD sme_kind kind;
    std::uint32_t width;  ///< bits
    std::uint32_t count;  ///< elements of an array, members of a struct
    std::uint64_t bytes;
    PyObject* name;    ///< as in the language
    PyObject* parts;   ///< tuple of Codec: an array's element, a struct's members
    PyObject* shown;   ///< of an enum its IntEnum, of a struct its namedtuple; else null
    PyObject* byBits;  ///< of an enum: dict of stored bits to members
};

PyTypeObject* addCodecType(PyObject* module);
bool isCodec(PyObject* object);

/// The value that these bytes are; null after an error.
PyObject* decode(const Codec& codec, const std::byte* bytes);
/// Writes codec.bytes bytes. False with ValueError or TypeError set where the object is no value of
/// the type.
bool encode(const Codec& codec, PyObject* value, std::byte* bytes);

/// The letter of the struct module for an element of this type, null where it has none.
const char* letterOf(const Codec& codec);

inline bool isScalar(const Codec& codec) {
    return codec.kind != SME_ARRAY && codec.kind != SME_STRUCT;
}
inline const Codec& partOf(const Codec& codec, std::uint32_t index) {
    return *reinterpret_cast<const Codec*>(PyTuple_GET_ITEM(codec.parts, index));
}

}  // namespace smepy
