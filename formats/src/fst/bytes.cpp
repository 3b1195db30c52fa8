#include "fst/bytes.h"

#include <zlib.h>

namespace sme::fst {

std::string zlibOf(const std::string& data) {
    constexpr int kLevel = 4;
    uLongf size = compressBound(data.size());
    std::string out(size, '\0');
    // into so much room it always goes
    compress2(reinterpret_cast<Bytef*>(out.data()), &size,
              reinterpret_cast<const Bytef*>(data.data()), data.size(), kLevel);
    out.resize(size);
    return out;
}

std::string packed(const std::string& data) {
    const std::string small = zlibOf(data);
    return small.size() < data.size() ? small : data;
}

std::string block(BlockTag tag, const std::string& content) {
    std::string out(1, static_cast<char>(tag));
    appendNumber(out, content.size() + sizeof(std::uint64_t));
    return out + content;
}

ValueShape shapeOf(const Type& type) {
    using Form = ValueShape::Form;
    if (type.kind == Kind::F32 || type.kind == Kind::F64) return {Form::Real, 64, type.bytes};
    if (type.width == 1) return {Form::Bit, 1, type.bytes};
    return {type.width <= 64 ? Form::Vector : Form::LongVector, type.width, type.bytes};
}

}  // namespace sme::fst
