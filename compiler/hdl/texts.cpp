#include "hdl/texts.h"

#include "source/internal_error.h"

namespace smec::hdl {

namespace {

Shown shownAs(char radix, const ir::ArgFormat& format, const std::vector<ir::Enum>& enums) {
    Shown shown;
    shown.base = radix == 'x' ? 16 : radix == 'b' ? 2 : 10;
    if (shown.base != 10) {
        shown.type = {format.type == ir::ExprType::Bool ? 1 : format.bits, false, false};
    } else if (format.type == ir::ExprType::Bool) {
        shown.names = {{0, "false"}, {1, "true"}};
    } else if (format.enumeration) {
        for (const ir::EnumMember& member : enums[*format.enumeration].members)
            shown.names.emplace_back(member.value, member.name);
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
            i = format.find('}', i);
            if (i == std::string::npos || values.size() == site.args.size())
                throw InternalError("a text whose placeholders are not its arguments");
            values.push_back(shownAs(format[i - 1], site.args[values.size()], enums));
            pieces.emplace_back();
            continue;
        }
        pieces.back() += format[i];
    }
    return {std::move(pieces), std::move(values)};
}

}  // namespace smec::hdl
