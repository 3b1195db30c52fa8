#include "trace/csv.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace sme {

FileProblem CsvReader::open() {
    FILE* file = std::fopen(path_.c_str(), "rbe");
    bool good = file != nullptr;
    while (good) {
        const std::size_t size = content_.size();
        content_.resize(size + 256 * 1024);
        const std::size_t read =
            std::fread(content_.data() + size, 1, content_.size() - size, file);
        content_.resize(size + read);
        good = std::ferror(file) == 0;
        if (read == 0) break;
    }
    const int why = errno;
    if (file) std::fclose(file);
    if (!good) return problem_ = {3, "cannot read '" + path_ + "': " + std::strerror(why)};
    if (content_.starts_with("\xEF\xBB\xBF")) at_ = lineStart_ = 3;
    return {};
}

FileProblem CsvReader::error(std::uint32_t column, const std::string& message) const {
    return {1, path_ + ":" + std::to_string(line_) + ":" + std::to_string(column)
                   + ": error: " + message};
}

bool CsvReader::onlyEmptyLinesLeft() const {
    return content_.find_first_not_of(" \t\r\n", at_) == std::string::npos;
}

void CsvReader::skipBlanks() {
    while (at_ < content_.size() && (content_[at_] == ' ' || content_[at_] == '\t'))
        ++at_;
}

bool CsvReader::next(std::vector<Cell>& cells) {
    cells.clear();
    if (problem_ || onlyEmptyLinesLeft()) return false;
    line_ += 1 + linesInRow_;
    linesInRow_ = 0;
    for (;;) {
        skipBlanks();
        cells.push_back(at_ < content_.size() && content_[at_] == '"' ? quoted() : plain());
        if (problem_) return false;
        skipBlanks();
        if (at_ < content_.size() && content_[at_] == ',') {
            ++at_;
            continue;
        }
        if (at_ < content_.size() && content_[at_] == '\r') ++at_;
        if (at_ < content_.size() && content_[at_] != '\n') {
            problem_ = error(columnOf(at_), "expected ',' or the end of the line");
            return false;
        }
        if (at_ < content_.size()) ++at_;
        lineStart_ = at_;
        return true;
    }
}

CsvReader::Cell CsvReader::plain() {
    const std::size_t start = at_;
    at_ = std::min(content_.find_first_of(",\r\n", start), content_.size());
    std::size_t end = at_;
    while (end > start && (content_[end - 1] == ' ' || content_[end - 1] == '\t'))
        --end;
    return {std::string_view(content_).substr(start, end - start), columnOf(start)};
}

CsvReader::Cell CsvReader::quoted() {
    const std::size_t start = at_;
    std::size_t target = start + 1;  // the text without doubled quotes replaces the original
    for (at_ = start + 1; at_ < content_.size(); ++at_) {
        if (content_[at_] == '"') {
            const bool doubled = at_ + 1 < content_.size() && content_[at_ + 1] == '"';
            ++at_;
            if (!doubled)
                return {std::string_view(content_).substr(start + 1, target - start - 1),
                        columnOf(start)};
        } else if (content_[at_] == '\n') {
            ++linesInRow_;
        }
        content_[target++] = content_[at_];
    }
    problem_ = error(columnOf(start), "this quotation mark is not closed");
    return {{}, 0};
}

}  // namespace sme
