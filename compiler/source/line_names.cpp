#include "source/line_names.h"

#include <map>
#include <utility>

namespace smec {

std::vector<std::string> lineNames(const SourceManager& sources,
                                   const std::vector<SourceRange>& ranges) {
    std::map<std::uint32_t, unsigned> seen;
    std::vector<std::string> names;
    for (const SourceRange& range : ranges) {
        const std::uint32_t line = sources.lineNumber(range.file, range.begin);
        names.push_back("line_" + std::to_string(line));
        if (const unsigned number = ++seen[line]; number > 1)
            names.back() += "_" + std::to_string(number);
    }
    return names;
}

}  // namespace smec
