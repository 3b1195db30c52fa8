#include "formats/names.h"

namespace sme {
namespace {

constexpr std::size_t kNamesListed = 5;

}  // namespace

bool naturalLess(std::string_view a, std::string_view b) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            ++i;
            ++j;
            continue;
        }
        while (i < a.size() && a[i] == '0')
            ++i;
        while (j < b.size() && b[j] == '0')
            ++j;
        const std::size_t startA = i;
        const std::size_t startB = j;
        while (i < a.size() && isDigit(a[i]))
            ++i;
        while (j < b.size() && isDigit(b[j]))
            ++j;
        const std::string_view numberA = a.substr(startA, i - startA);
        const std::string_view numberB = b.substr(startB, j - startB);
        if (numberA.size() != numberB.size()) return numberA.size() < numberB.size();
        if (numberA != numberB) return numberA < numberB;
    }
    if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
    return a < b;
}

bool globMatches(std::string_view glob, std::string_view name) {
    std::size_t g = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;  // the last * and where the text it stands for ends
    std::size_t starEnd = 0;
    while (n < name.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            starEnd = n;
        } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
            ++g;
            ++n;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++starEnd;
        } else {
            return false;
        }
    }
    return glob.find_first_not_of('*', g) == std::string_view::npos;
}

void NamesBelow::consider(std::string_view name) {
    if (path_.empty() || name.size() <= path_.size() || !name.starts_with(path_)) return;
    if (name[path_.size()] != '.' && name[path_.size()] != '[') return;
    if (++count_ > kNamesListed) return;
    listed_.append(listed_.empty() ? "'" : ", '").append(name).append("'");
}

std::vector<std::string> withField(std::string_view name) {
    std::vector<std::string> names{std::string(name) + ".v"};
    const std::size_t bracket = name.ends_with(']') ? name.rfind('[') : std::string_view::npos;
    if (bracket != std::string_view::npos)
        names.push_back(
            std::string(name.substr(0, bracket)).append(".v").append(name.substr(bracket)));
    return names;
}

std::string NamesBelow::text() const {
    if (count_ == 0) return {};
    return "; it has " + listed_
           + (count_ > kNamesListed ? " and " + std::to_string(count_ - kNamesListed) + " more"
                                    : "");
}

}  // namespace sme
