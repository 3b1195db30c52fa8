#include "rtl/places.h"

#include <algorithm>
#include <charconv>

#include "source/read_text.h"

namespace smec::rtl {
namespace {

constexpr std::size_t kLongestHead = 1000;  // of an always block

/// Takes a number off the front; 0 where there is none.
std::uint32_t takeNumber(std::string_view& text) {
    std::uint32_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty()) text.remove_prefix(1);  // what parts it from the next one
    return number;
}

}  // namespace

FileId Places::file(const std::string& path) {
    const auto [known, isNew] = files_.try_emplace(path);
    if (!isNew) return known->second;
    ReadText read = readText(path);
    if (read.problem.empty()) known->second = sources_.add(path, std::move(read.text));
    return known->second;
}

SourceRange Places::of(const netlist::Values& attributes) {
    std::string_view text = netlist::valueOf(attributes, "src");
    text = text.substr(0, text.find('|'));
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return {};
    const FileId id = file(std::string(text.substr(0, colon)));
    if (!id.valid()) return {};
    text.remove_prefix(colon + 1);
    const std::string_view content = sources_.text(id);
    const auto offset = [&] {
        const std::uint32_t line = takeNumber(text);
        const std::uint32_t column = takeNumber(text);
        std::size_t at = 0;
        for (std::uint32_t i = 1; i < line && at < content.size(); ++i)
            at = std::min(content.find('\n', at), content.size() - 1) + 1;
        return static_cast<std::uint32_t>(
            std::min(content.size(), at + (column == 0 ? 0 : column - 1)));
    };
    const std::uint32_t begin = offset();
    return {id, begin, std::max(begin, offset())};
}

bool Places::waitsForEdge(SourceRange range) const {
    if (!range.valid()) return false;
    std::string_view text = sources_.text(range.file).substr(range.begin, kLongestHead);
    text = text.substr(0, text.find(')'));
    return text.starts_with("always")
           && (text.find("posedge") != text.npos || text.find("negedge") != text.npos);
}

}  // namespace smec::rtl
