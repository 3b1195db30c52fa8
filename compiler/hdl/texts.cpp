#include "hdl/texts.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "ir/arithmetic.h"
#include "source/internal_error.h"

namespace smec::hdl {

namespace {

/// What `{:[0][width][d|x|b]}` or `{:c}` asks for; `spec` is what stands between the braces.
Shown shownAs(std::string_view spec, const ir::ArgFormat& format,
              const std::vector<ir::Enum>& enums) {
    Shown shown;
    if (spec.starts_with(':')) spec.remove_prefix(1);
    shown.zero = spec.starts_with('0');
    shown.base = spec.ends_with('x') ? 16 : spec.ends_with('b') ? 2 : 10;
    std::from_chars(spec.data(), spec.data() + spec.size(), shown.width);
    if (format.type == ir::ExprType::Bool) {
        shown.names = {{0, "false"}, {1, "true"}};
    } else if (format.enumeration) {
        for (const ir::EnumMember& member : enums[*format.enumeration].members)
            shown.names.emplace_back(member.value, member.name);
    } else if (spec.ends_with('c')) {
        shown.isCharacter = true;
    } else if (shown.base != 10) {
        shown.bits = format.bits;
    }
    return shown;
}

}  // namespace

std::pair<std::vector<std::string>, std::vector<Shown>> textOf(const ir::TraceSite& site,
                                                               const std::vector<ir::Enum>& enums) {
    const std::string& format = site.format;
    std::vector<std::string> pieces(1);
    std::vector<Shown> values;
    for (std::size_t i = 0; i < format.size(); ++i) {
        const bool isBrace = format[i] == '{' || format[i] == '}';
        if (isBrace && i + 1 < format.size() && format[i + 1] == format[i])
            ++i;
        else if (isBrace) {
            const std::size_t end = format.find('}', i);
            if (end == std::string::npos || values.size() == site.args.size())
                throw InternalError("a text whose placeholders are not its arguments");
            const std::string_view spec = std::string_view(format).substr(i + 1, end - i - 1);
            values.push_back(shownAs(spec, site.args[values.size()], enums));
            pieces.emplace_back();
            i = end;
            continue;
        }
        pieces.back() += format[i];
    }
    return {std::move(pieces), std::move(values)};
}

ExprId pattern(ModuleBuilder& builder, ExprId value, std::uint32_t bits) {
    const Type own = builder.type(value);
    if (!own.isSigned) return value;
    const Type shown{std::max(own.width, bits), false, false};
    const auto modulo = [&](std::uint32_t width) {
        return builder.resize(builder.resize(value, {width, false, false}), shown);
    };
    if (own.width <= bits) return modulo(bits);
    const auto isBelow = [&](const Integer& bound) {
        return builder.make(Op::Lt, Type{1, false, true}, value, builder.constant(bound, own));
    };
    ExprId result = modulo(own.width);
    for (std::uint32_t width = own.width - 1; width >= bits; --width)
        result = builder.make(Op::Choose, shown, isBelow(-ir::powerOfTwo(width - 1)), result,
                              modulo(width));
    return builder.make(Op::Choose, shown, isBelow(0), result, modulo(own.width));
}

}  // namespace smec::hdl
