#include "values/format.h"

#include <algorithm>
#include <cstring>

#include "values/value.h"

namespace sme {
namespace {

void appendArray(std::string& out, const Model& model, const Type& type, const std::byte* at,
                 const FormatSpec& spec) {
    const std::size_t size = model.types[type.element].bytes;
    out.push_back('[');
    for (std::uint32_t i = 0; i < type.count; ++i) {
        if (i > 0) out.append(", ");
        appendValue(out, model, type.element, at + i * size, spec);
    }
    out.push_back(']');
}

void appendStruct(std::string& out, const Model& model, const Type& type, const std::byte* at,
                  const FormatSpec& spec) {
    out.push_back('(');
    for (std::uint32_t i = 0; i < type.count; ++i) {
        const StructMember& member = type.fields[i];
        if (i > 0) out.append(", ");
        out.append(member.name).append(": ");
        appendValue(out, model, member.type, at + member.offset, spec);
    }
    out.push_back(')');
}

/// Reads a placeholder after its '{'; returns the place after its '}'. The compiler checked the
/// text.
const char* parseSpec(const char* text, FormatSpec& spec) {
    if (*text == ':') ++text;
    if (*text == '0') spec.zero = true;
    while (*text >= '0' && *text <= '9') {
        spec.width =
            std::min(spec.width * 10 + static_cast<std::uint32_t>(*text++ - '0'), kMostWidth);
    }
    if (*text == 'd' || *text == 'x' || *text == 'b' || *text == 'c') spec.radix = *text++;
    while (*text != 0 && *text != '}')
        ++text;
    return *text == '}' ? text + 1 : text;
}

}  // namespace

void appendValue(std::string& out, const Model& model, std::uint32_t typeIndex, const std::byte* at,
                 const FormatSpec& spec) {
    const Type& type = model.types[typeIndex];
    if (type.kind == Kind::Array) return appendArray(out, model, type, at, spec);
    if (type.kind == Kind::Struct) return appendStruct(out, model, type, at, spec);
    appendScalar(out, type, at, spec);
}

void appendArgument(std::string& out, const Model& model, const ArgFormat& format, const Arg& arg,
                    const FormatSpec& spec) {
    const std::uint64_t limbs[2] = {arg.lo, arg.hi};
    switch (format.kind) {
    case ArgKind::Unsigned: return appendInteger(out, limbs, 2, false, format.bits, spec);
    case ArgKind::Signed: return appendInteger(out, limbs, 2, true, format.bits, spec);
    case ArgKind::Bool: out.append(arg.lo != 0 ? "true" : "false"); return;
    case ArgKind::F32: {
        float value;
        std::memcpy(&value, &arg.lo, sizeof value);  // little-endian, as all targets are
        return appendFloat(out, value, spec);
    }
    case ArgKind::F64: {
        double value;
        std::memcpy(&value, &arg.lo, sizeof value);
        return appendFloat(out, value, spec);
    }
    case ArgKind::Typed: {
        const Type& type = model.types[format.type];
        const auto* at = reinterpret_cast<const std::byte*>(arg.lo);
        if (type.kind == Kind::Unsigned || type.kind == Kind::Signed)
            return appendStoredInteger(out, type, at, format.bits ? format.bits : type.width, spec);
        return appendValue(out, model, format.type, at, spec);
    }
    }
}

void appendText(std::string& out, const Model& model, const TraceSite& site, const Arg* args) {
    std::uint32_t next = 0;
    const char* text = site.format;
    while (*text != 0) {
        const std::size_t plain = std::strcspn(text, "{}");
        out.append(text, plain);
        text += plain;
        if (*text == 0) return;
        if (text[1] == text[0]) {  // {{ or }}
            out.push_back(*text);
            text += 2;
            continue;
        }
        if (*text == '}') {
            out.push_back(*text++);
            continue;
        }
        FormatSpec spec;
        text = parseSpec(text + 1, spec);
        if (next < site.argCount) {
            appendArgument(out, model, site.args[next], args[next], spec);
            ++next;
        }
    }
}

}  // namespace sme
