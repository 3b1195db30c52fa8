// Scopes are those of the instances, of which the outermost is the top network and belongs to no
// name; arrays and structs are scopes, too (docs/waveforms.md):
//
//   top / unit[2] / pixel / r / r[3]        unit[2].pixel.r[3]

#include "driver/diff/dump_reader.h"

#include <fmt/format.h>

namespace smec::driver {
namespace {

constexpr std::size_t kMostScopes = 10'000;  // within one another
constexpr std::uint64_t kWidest = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;  // whatever the file's size
constexpr std::uint64_t kGrowth = 16;
constexpr std::uint64_t kBytesOfName = 128;
constexpr std::uint64_t kFemtoseconds = 1'000'000;  // in a nanosecond

std::string_view bare(std::string_view name) {
    return name.starts_with('\\') ? name.substr(1) : name;
}

}  // namespace

DumpSignals::DumpSignals(std::uint64_t fileSize) : most_(kMostBytes + kGrowth * fileSize) {}

void DumpSignals::take(std::uint64_t bytes) {
    bytes_ += bytes;
    if (bytes_ > most_)
        throw BadDump(fmt::format("its names take more than {} MiB of memory", most_ >> 20));
}

void DumpSignals::enter(std::string_view scope) {
    if (scopes_.size() >= kMostScopes)
        throw BadDump(fmt::format("more than {} scopes within one another", kMostScopes));
    std::string its = scopes_.empty() ? std::string() : path(bare(scope));
    take(its.size());
    paths_.push_back(std::move(its));
    scopes_.emplace_back(bare(scope));
}

void DumpSignals::leave() {
    if (scopes_.empty()) return;
    bytes_ -= paths_.back().size();
    scopes_.pop_back();
    paths_.pop_back();
}

/// Of what is called so in the innermost scope. An element stands in a scope of the array's name.
std::string DumpSignals::path(std::string_view leaf) const {
    if (scopes_.size() <= 1) return std::string(leaf);
    const std::string& scope = scopes_.back();
    std::string text = paths_.back();
    const bool isElement =
        leaf.size() > scope.size() && leaf.starts_with(scope) && leaf[scope.size()] == '[';
    if (isElement)
        text.resize(text.size() - scope.size());
    else if (!text.empty())
        text += '.';
    return text.append(leaf);
}

void DumpSignals::enumTable(const std::string& key, const std::vector<std::string>& words) {
    auto& table = tables_.emplace_back();
    const std::size_t count = words.size() / 2;
    for (const std::string& word : words)
        take(word.size() + kBytesOfName);
    for (std::size_t i = 0; i < count; ++i)
        table.emplace(withoutZeros(words[count + i]), words[i]);
    tableOfKey_[key] = static_cast<int>(tables_.size() - 1);
}

void DumpSignals::enumOf(const std::string& key) {
    const auto known = tableOfKey_.find(key);
    nextTable_ = known == tableOfKey_.end() ? -1 : known->second;
}

void DumpSignals::add(std::string_view leaf, Spelling spelling, std::uint64_t width) {
    if (width > kWidest)
        throw BadDump(fmt::format("a signal of {} bits; {} are the most", width, kWidest));
    TracedSignal signal{path(bare(leaf)), spelling, static_cast<std::uint32_t>(width)};
    take(signal.name.size() + kBytesOfName);
    if (nextTable_ >= 0) signal.spelling = Spelling::Text;
    signals_.push_back(std::move(signal));
    tableOf_.push_back(std::exchange(nextTable_, -1));
}

std::string_view DumpSignals::shown(std::size_t signal, std::string_view value) const {
    const int table = tableOf_[signal];
    if (table < 0) return value;
    const auto& members = tables_[static_cast<std::size_t>(table)];
    const auto known = members.find(std::string(withoutZeros(value)));
    return known == members.end() ? value : std::string_view(known->second);
}

void DumpReader::begin(DumpSignals signals, std::uint64_t period, std::uint64_t unit) {
    dump_ = std::move(signals);
    signals_ = dump_.takeSignals();
    period_ = period * kFemtoseconds;
    unit_ = unit;
    values_.resize(signals_.size());
    isChanged_.resize(signals_.size());
}

void DumpReader::startCycle() {
    for (const std::size_t signal : changed_)
        isChanged_[signal] = false;
    changed_.clear();
    cycle_ = nextCycle_;
}

bool DumpReader::takeTime(std::uint64_t time) {
    if (time > ~std::uint64_t{0} / unit_) throw BadDump(fmt::format("'#{}' is no time", time));
    if (time * unit_ < time_) throw BadDump(fmt::format("time #{} after a later one", time));
    time_ = time * unit_;
    nextCycle_ = time_ / period_;
    sinceTime_ = false;
    const bool isOver = nextCycle_ > cycle_ && !changed_.empty();
    if (!isOver) cycle_ = nextCycle_;
    return isOver;
}

void DumpReader::set(std::size_t signal, std::string_view value) {
    const std::string_view text = dump_.shown(signal, value);
    letters_ += text.size();
    letters_ -= values_[signal].size();
    if (letters_ > dump_.most())
        throw BadDump(fmt::format("values of more than {} MiB at once", dump_.most() >> 20));
    values_[signal] = text;
    if (!isChanged_[signal]) changed_.push_back(signal);
    isChanged_[signal] = true;
    sinceTime_ = true;
}

bool DumpReader::finish() {
    end_ = sinceTime_ || time_ % period_ != 0 ? time_ / period_ + 1 : time_ / period_;
    return !changed_.empty();
}

}  // namespace smec::driver
