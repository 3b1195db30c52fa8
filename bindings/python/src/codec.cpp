#include "codec.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "sme/number_text.h"

namespace smepy {
namespace {

PyTypeObject* codecType = nullptr;

// ---------------------------------------------------------------- integers

/// The low `bytes` bytes of a stored value, extended to 64 bits.
std::uint64_t word(const Codec& codec, const std::byte* bytes, bool isSigned) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, codec.bytes);
    const unsigned unused = 64 - 8 * static_cast<unsigned>(codec.bytes);
    if (!isSigned || unused == 0) return value;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

bool isSignedKind(const Codec& codec) { return codec.kind == SME_SIGNED; }

/// Of `count` bytes.
PyObject* longOf(const std::byte* bytes, std::size_t count, bool isSigned) {
    static PyObject* fromBytes = nullptr;
    if (!fromBytes)
        fromBytes = PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyLong_Type), "from_bytes");
    if (!fromBytes) return nullptr;
    const Owned arguments(Py_BuildValue("(y#s)", reinterpret_cast<const char*>(bytes),
                                        static_cast<Py_ssize_t>(count), "little"));
    const Owned words(Py_BuildValue("{s:O}", "signed", isSigned ? Py_True : Py_False));
    if (!arguments || !words) return nullptr;
    return PyObject_Call(fromBytes, arguments.get(), words.get());
}

PyObject* decodeInteger(const Codec& codec, const std::byte* bytes) {
    if (codec.bytes > 8) return longOf(bytes, codec.bytes, isSignedKind(codec));
    if (isSignedKind(codec))
        return PyLong_FromLongLong(static_cast<long long>(word(codec, bytes, true)));
    return PyLong_FromUnsignedLongLong(word(codec, bytes, false));
}

/// Members go by the bits that are stored, whose sign the design alone knows.
PyObject* decodeEnum(const Codec& codec, const std::byte* bytes) {
    Owned bits(decodeInteger(codec, bytes));
    if (!bits) return nullptr;
    PyObject* member = PyDict_GetItemWithError(codec.byBits, bits.get());
    if (member) return shared(member).release();
    return PyErr_Occurred() ? nullptr : bits.release();
}

bool refuse(const Codec& codec, PyObject* value, const char* why) {
    PyErr_Format(PyExc_ValueError, "%R does not fit %U%s", value, codec.name, why);
    return false;
}

bool encodeShort(const Codec& codec, PyObject* value, PyObject* number, std::byte* bytes) {
    const bool isSigned = codec.kind == SME_SIGNED;
    std::uint64_t bits = 0;
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) {
        bits = static_cast<std::uint64_t>(small);
        const bool fits = isSigned
                              ? codec.width == 64 || (small >> (codec.width - 1)) == 0
                                    || (small >> (codec.width - 1)) == -1
                              : small >= 0 && (codec.width == 64 || (bits >> codec.width) == 0);
        if (!fits) return refuse(codec, value, "");
    } else {
        if (isSigned || codec.width < 64 || overflow < 0) return refuse(codec, value, "");
        bits = PyLong_AsUnsignedLongLong(number);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            return refuse(codec, value, "");
        }
    }
    std::memcpy(bytes, &bits, codec.bytes);
    return true;
}

bool encodeLong(const Codec& codec, PyObject* value, PyObject* number, std::byte* bytes) {
    const Owned bits(PyObject_CallMethod(number, "bit_length", nullptr));
    if (!bits) return false;
    const Owned zero(PyLong_FromLong(0));
    const int isNegative = PyObject_RichCompareBool(number, zero.get(), Py_LT);
    if (isNegative < 0) return false;
    // -2^(n-1) has as many bits as 2^(n-1); to_bytes tells them apart
    const bool isSigned = codec.kind == SME_SIGNED;
    if (!isSigned && (isNegative || PyLong_AsUnsignedLong(bits.get()) > codec.width))
        return refuse(codec, value, "");
    if (isSigned) {
        const Owned top(PyLong_FromUnsignedLong(codec.width - 1));
        const Owned rest(PyNumber_Rshift(number, top.get()));
        if (!rest) return false;
        const long sign = PyLong_AsLong(rest.get());
        if (PyErr_Occurred()) PyErr_Clear();
        if (sign != (isNegative ? -1 : 0)) return refuse(codec, value, "");
    }
    const Owned method(PyObject_GetAttrString(number, "to_bytes"));
    const Owned arguments(
        Py_BuildValue("(Ks)", static_cast<unsigned long long>(codec.bytes), "little"));
    const Owned words(Py_BuildValue("{s:O}", "signed", Py_True));
    const Owned unsignedWords(Py_BuildValue("{s:O}", "signed", Py_False));
    if (!method || !arguments || !words || !unsignedWords) return false;
    const Owned made(
        PyObject_Call(method.get(), arguments.get(), isSigned ? words.get() : unsignedWords.get()));
    if (!made) return false;
    std::memcpy(bytes, PyBytes_AS_STRING(made.get()), codec.bytes);
    return true;
}

/// A text as files of inputs have it (sme/number_text.h). Null without an error: it is none.
/// `limbs`: what a value may need, and one for the sign; what does not go into them is told by a
/// number that is larger than any that does.
Owned numberOfText(PyObject* text, std::size_t limbs, bool takesBools) {
    Py_ssize_t length = 0;
    const char* given = PyUnicode_AsUTF8AndSize(text, &length);
    if (!given) {
        PyErr_Clear();
        return {};
    }
    const std::string_view letters(given, static_cast<std::size_t>(length));
    std::vector<std::uint64_t> number(limbs);
    const sme::NumberRead read = takesBools ? sme::readNumberOrBool(letters, number.data(), limbs)
                                            : sme::readNumber(letters, number.data(), limbs);
    if (read == sme::NumberRead::NoNumber) return {};
    const bool isTooLong = read == sme::NumberRead::TooLong;
    if (isTooLong) std::fill(number.begin(), number.end(), ~std::uint64_t{0});
    return Owned(longOf(reinterpret_cast<const std::byte*>(number.data()), 8 * limbs, !isTooLong));
}

std::size_t limbsOf(const Codec& codec) { return (codec.width + 63) / 64 + 1; }

bool isTruthOfNumpy(PyObject* value) {
    PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(value));
    const Owned name(PyObject_GetAttrString(type, "__name__"));
    const Owned module(PyObject_GetAttrString(type, "__module__"));
    const auto is = [](const Owned& text, const char* word) {
        return PyUnicode_Check(text.get())
               && PyUnicode_CompareWithASCIIString(text.get(), word) == 0;
    };
    if (!name || !module) return PyErr_Clear(), false;
    return is(module, "numpy") && (is(name, "bool_") || is(name, "bool"));
}

bool encodeInteger(const Codec& codec, PyObject* value, std::byte* bytes) {
    const bool isTruth = !PyLong_Check(value) && isTruthOfNumpy(value);  // which is no number
    const Owned number(PyUnicode_Check(value) ? numberOfText(value, limbsOf(codec), true)
                       : isTruth              ? Owned(PyLong_FromLong(PyObject_IsTrue(value)))
                                              : Owned(PyNumber_Index(value)));
    if (!number && !PyErr_Occurred() && PyUnicode_Check(value)) {
        PyErr_Format(PyExc_ValueError, "%R is no value of %U", value, codec.name);
        return false;
    }
    if (!number) {
        PyErr_Format(PyExc_TypeError, "a value of %U is an integer, not %R", codec.name, value);
        return false;
    }
    return codec.bytes > 8 ? encodeLong(codec, value, number.get(), bytes)
                           : encodeShort(codec, value, number.get(), bytes);
}

// ---------------------------------------------------------------- enums, bools, floats

/// The bits of a number, as many as are stored.
Owned bitsOf(const Codec& codec, PyObject* number) {
    const Owned one(PyLong_FromLong(1));
    const Owned width(PyLong_FromUnsignedLongLong(8 * codec.bytes));
    const Owned over(PyNumber_Lshift(one.get(), width.get()));
    if (!over) return {};
    const Owned mask(PyNumber_Subtract(over.get(), one.get()));
    return Owned(PyNumber_And(number, mask.get()));
}

/// The member that is this, a member, its number, its name or its number as text; null without an
/// error: there is none.
Owned memberOf(const Codec& codec, PyObject* value) {
    if (PyUnicode_Check(value)) {
        Owned member(codec.shown ? PyObject_GetItem(codec.shown, value) : nullptr);
        PyErr_Clear();
        if (member) return member;
    }
    const Owned number(PyUnicode_Check(value) ? numberOfText(value, limbsOf(codec), false)
                                              : Owned(PyNumber_Index(value)));
    PyErr_Clear();
    if (!number) return {};
    const Owned bits = bitsOf(codec, number.get());
    PyObject* member = bits ? PyDict_GetItemWithError(codec.byBits, bits.get()) : nullptr;
    if (!member || PyObject_RichCompareBool(member, number.get(), Py_EQ) != 1) return {};
    return shared(member);
}

/// smec._errors knows which members look like it.
bool refuseMember(const Codec& codec, PyObject* value) {
    const Owned errors(PyImport_ImportModule("smec._errors"));
    if (errors)
        Owned(PyObject_CallMethod(errors.get(), "raise_no_member", "OOO", value, codec.name,
                                  codec.shown ? codec.shown : Py_None));
    return false;
}

bool encodeEnum(const Codec& codec, PyObject* value, std::byte* bytes) {
    const Owned member = memberOf(codec, value);
    if (PyErr_Occurred()) return false;
    if (!member) return refuseMember(codec, value);
    const Owned bits = bitsOf(codec, member.get());
    if (!bits) return false;
    Codec stored = codec;
    stored.kind = SME_UNSIGNED;
    stored.width = static_cast<std::uint32_t>(8 * codec.bytes);
    return encodeInteger(stored, bits.get(), bytes);
}

bool encodeBool(const Codec& codec, PyObject* value, std::byte* bytes) {
    if (PyUnicode_Check(value)) {
        const Owned number = numberOfText(value, 1, true);
        const long truth = number ? PyLong_AsLong(number.get()) : -1;
        PyErr_Clear();
        if (truth != 0 && truth != 1) return refuse(codec, value, "");
        bytes[0] = static_cast<std::byte>(truth);
        return true;
    }
    // numpy.bool_ is no number
    const bool isPlain = PyLong_Check(value) || !PyObject_HasAttrString(value, "dtype");
    const Owned plain(isPlain ? shared(value) : Owned(PyObject_CallMethod(value, "item", nullptr)));
    const Owned number(plain ? PyNumber_Index(plain.get()) : nullptr);
    long bit = -1;
    if (number) bit = PyLong_AsLong(number.get());
    PyErr_Clear();
    if (bit != 0 && bit != 1) return refuse(codec, value, "");
    bytes[0] = static_cast<std::byte>(bit);
    return true;
}

/// There is one NaN.
bool encodeFloat(const Codec& codec, PyObject* value, std::byte* bytes) {
    const double number = PyFloat_AsDouble(value);
    if (PyErr_Occurred()) return false;
    if (codec.kind == SME_F32) {
        const float narrow = static_cast<float>(number);
        if (std::isinf(narrow) && !std::isinf(number)) return refuse(codec, value, "");
        const std::uint32_t nan = 0x7fc00000;
        std::memcpy(bytes, &narrow, sizeof narrow);
        if (std::isnan(number)) std::memcpy(bytes, &nan, sizeof nan);
        return true;
    }
    const std::uint64_t nan = 0x7ff8000000000000;
    std::memcpy(bytes, &number, sizeof number);
    if (std::isnan(number)) std::memcpy(bytes, &nan, sizeof nan);
    return true;
}

// ---------------------------------------------------------------- arrays and structs

PyObject* decodeArray(const Codec& codec, const std::byte* bytes) {
    const Codec& element = partOf(codec, 0);
    Owned list(PyList_New(codec.count));
    if (!list) return nullptr;
    for (std::uint32_t i = 0; i < codec.count; ++i) {
        PyObject* value = decode(element, bytes + i * element.bytes);
        if (!value) return nullptr;
        PyList_SET_ITEM(list.get(), i, value);
    }
    return list.release();
}

PyObject* decodeStruct(const Codec& codec, const std::byte* bytes) {
    Owned members(PyTuple_New(codec.count));
    if (!members) return nullptr;
    for (std::uint32_t i = 0; i < codec.count; ++i) {
        PyObject* value = decode(partOf(codec, i), bytes);
        if (!value) return nullptr;
        PyTuple_SET_ITEM(members.get(), i, value);
        bytes += partOf(codec, i).bytes;
    }
    return PyObject_Call(codec.shown, members.get(), nullptr);
}

bool encodeParts(const Codec& codec, PyObject* given, std::byte* bytes) {
    const bool isNamed = codec.kind == SME_STRUCT && PyDict_Check(given);
    const Owned none(isNamed ? PyTuple_New(0) : nullptr);
    const Owned named(isNamed ? PyObject_Call(codec.shown, none.get(), given) : nullptr);
    if (isNamed && !named) return false;
    PyObject* value = isNamed ? named.get() : given;
    const Owned parts(PySequence_Fast(value, "a value of an array or a struct is a sequence"));
    if (!parts) return false;
    if (PySequence_Fast_GET_SIZE(parts.get()) != static_cast<Py_ssize_t>(codec.count)) {
        PyErr_Format(PyExc_ValueError, "%zd values where %U has %u",
                     PySequence_Fast_GET_SIZE(parts.get()), codec.name, codec.count);
        return false;
    }
    for (std::uint32_t i = 0; i < codec.count; ++i) {
        const Codec& part = partOf(codec, codec.kind == SME_ARRAY ? 0 : i);
        const Owned item = shared(PySequence_Fast_GET_ITEM(parts.get(), i));
        if (!encode(part, item.get(), bytes)) return false;
        bytes += part.bytes;
    }
    return true;
}

}  // namespace

PyObject* decode(const Codec& codec, const std::byte* bytes) {
    switch (codec.kind) {
    case SME_BOOL: return PyBool_FromLong(bytes[0] != std::byte{0});
    case SME_UNSIGNED:
    case SME_SIGNED: return decodeInteger(codec, bytes);
    case SME_ENUM: return decodeEnum(codec, bytes);
    case SME_F32: {
        float value = 0;
        std::memcpy(&value, bytes, sizeof value);
        return PyFloat_FromDouble(value);
    }
    case SME_F64: {
        double value = 0;
        std::memcpy(&value, bytes, sizeof value);
        return PyFloat_FromDouble(value);
    }
    case SME_ARRAY: return decodeArray(codec, bytes);
    case SME_STRUCT: return decodeStruct(codec, bytes);
    }
    PyErr_SetString(PyExc_SystemError, "a type of no kind");
    return nullptr;
}

bool encode(const Codec& codec, PyObject* value, std::byte* bytes) {
    switch (codec.kind) {
    case SME_BOOL: return encodeBool(codec, value, bytes);
    case SME_UNSIGNED:
    case SME_SIGNED: return encodeInteger(codec, value, bytes);
    case SME_ENUM: return encodeEnum(codec, value, bytes);
    case SME_F32:
    case SME_F64: return encodeFloat(codec, value, bytes);
    case SME_ARRAY:
    case SME_STRUCT: return encodeParts(codec, value, bytes);
    }
    PyErr_SetString(PyExc_SystemError, "a type of no kind");
    return false;
}

const char* letterOf(const Codec& codec) {
    if (codec.kind == SME_BOOL) return "?";
    if (codec.kind == SME_F32) return "f";
    if (codec.kind == SME_F64) return "d";
    if (!isScalar(codec)) return nullptr;
    const bool isSigned = isSignedKind(codec);
    switch (codec.bytes) {
    case 1: return isSigned ? "b" : "B";
    case 2: return isSigned ? "h" : "H";
    case 4: return isSigned ? "i" : "I";
    case 8: return isSigned ? "q" : "Q";
    }
    return nullptr;
}

// ---------------------------------------------------------------- the Python type

namespace {

Codec& codecOf(PyObject* object) { return *reinterpret_cast<Codec*>(object); }

bool areCodecs(PyObject* parts) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parts); ++i)
        if (!isCodec(PyTuple_GET_ITEM(parts, i))) return false;
    return true;
}

PyObject* codecNew(PyTypeObject* type, PyObject* arguments, PyObject*) {
    int kind = 0;
    unsigned width = 0, count = 0;
    unsigned long long bytes = 0;
    PyObject *name = nullptr, *parts = nullptr, *shown = Py_None, *byBits = Py_None;
    if (!PyArg_ParseTuple(arguments, "iIIKUO!|OO", &kind, &width, &count, &bytes, &name,
                          &PyTuple_Type, &parts, &shown, &byBits))
        return nullptr;
    const bool hasParts = kind == SME_ARRAY    ? PyTuple_GET_SIZE(parts) == 1
                          : kind == SME_STRUCT ? PyTuple_GET_SIZE(parts) == Py_ssize_t{count}
                                               : PyTuple_GET_SIZE(parts) == 0;
    if (kind < SME_BOOL || kind > SME_STRUCT || !hasParts || !areCodecs(parts)
        || (kind == SME_ENUM ? !PyDict_Check(byBits) : byBits != Py_None)
        || (kind == SME_STRUCT && shown == Py_None)) {
        PyErr_SetString(PyExc_ValueError, "no type of a design");
        return nullptr;
    }
    PyObject* object = newObject(type);
    if (!object) return nullptr;
    Codec& codec = codecOf(object);
    codec.kind = static_cast<sme_kind>(kind);
    codec.width = width;
    codec.count = count;
    codec.bytes = bytes;
    codec.name = shared(name).release();
    codec.parts = shared(parts).release();
    codec.shown = shown == Py_None ? nullptr : shared(shown).release();
    codec.byBits = byBits == Py_None ? nullptr : shared(byBits).release();
    return object;
}

void codecFree(PyObject* object) {
    Codec& codec = codecOf(object);
    Py_XDECREF(codec.name);
    Py_XDECREF(codec.parts);
    Py_XDECREF(codec.shown);
    Py_XDECREF(codec.byBits);
    freeObject(object);
}

PyObject* codecDecode(PyObject* self, PyObject* bytes) {
    const Codec& codec = codecOf(self);
    Py_buffer buffer;
    if (PyObject_GetBuffer(bytes, &buffer, PyBUF_SIMPLE) != 0) return nullptr;
    PyObject* value = nullptr;
    if (static_cast<std::uint64_t>(buffer.len) == codec.bytes)
        value = decode(codec, static_cast<const std::byte*>(buffer.buf));
    else
        PyErr_Format(PyExc_ValueError, "a value of %U has %llu bytes", codec.name,
                     static_cast<unsigned long long>(codec.bytes));
    PyBuffer_Release(&buffer);
    return value;
}

PyObject* codecEncode(PyObject* self, PyObject* value) {
    const Codec& codec = codecOf(self);
    Owned bytes(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(codec.bytes)));
    if (!bytes
        || !encode(codec, value, reinterpret_cast<std::byte*>(PyBytes_AS_STRING(bytes.get()))))
        return nullptr;
    return bytes.release();
}

PyObject* codecName(PyObject* self, void*) { return shared(codecOf(self).name).release(); }
PyObject* codecKind(PyObject* self, void*) { return PyLong_FromLong(codecOf(self).kind); }
PyObject* codecWidth(PyObject* self, void*) { return PyLong_FromUnsignedLong(codecOf(self).width); }
PyObject* codecBytes(PyObject* self, void*) {
    return PyLong_FromUnsignedLongLong(codecOf(self).bytes);
}
PyObject* codecParts(PyObject* self, void*) { return shared(codecOf(self).parts).release(); }
PyObject* codecShown(PyObject* self, void*) { return sharedOrNone(codecOf(self).shown); }
PyObject* codecLetter(PyObject* self, void*) {
    const char* letter = letterOf(codecOf(self));
    if (!letter) Py_RETURN_NONE;
    return PyUnicode_FromString(letter);
}

PyMethodDef codecMethods[] = {
    {"decode", codecDecode, METH_O, "The value that these bytes are."},
    {"encode", codecEncode, METH_O, "The bytes of a value."},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef codecMembers[] = {
    {"name", codecName, nullptr, "The type as in the language.", nullptr},
    {"kind", codecKind, nullptr, "sme_kind.", nullptr},
    {"width", codecWidth, nullptr, "Bits of an integer or an enum.", nullptr},
    {"bytes", codecBytes, nullptr, "Bytes of a value.", nullptr},
    {"parts", codecParts, nullptr, "An array's element, a struct's members.", nullptr},
    {"shown", codecShown, nullptr, "The class of its values: of enums and structs.", nullptr},
    {"letter", codecLetter, nullptr, "As in the struct module; None where it has none.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot codecSlots[] = {
    {Py_tp_doc, const_cast<char*>("A type of a design.")},
    {Py_tp_new, asSlot(codecNew)},
    {Py_tp_dealloc, asSlot(codecFree)},
    {Py_tp_methods, codecMethods},
    {Py_tp_getset, codecMembers},
    {0, nullptr},
};
PyType_Spec codecSpec = {"smec._core.Codec", sizeof(Codec), 0, Py_TPFLAGS_DEFAULT, codecSlots};

}  // namespace

PyTypeObject* addCodecType(PyObject* module) { return codecType = addType(module, codecSpec); }

bool isCodec(PyObject* object) { return Py_TYPE(object) == codecType; }

}  // namespace smepy
