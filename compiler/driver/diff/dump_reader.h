#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/diff/trace_reader.h"

namespace smec::driver {

/// What is wrong with a dump; who reads it says where.
class BadDump : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What formats of viewers say before their first time, whatever they are made of: signals within
/// scopes, arrays and structs being scopes too. Throws BadDump where that would take more memory than
/// a file of this size is worth: a few bytes of a file can stand for many names.
class DumpSignals {
public:
    /// `fileSize`: 0 where it is not known.
    explicit DumpSignals(std::uint64_t fileSize = 0);

    /// A backslash in front, as Verilog has it before names that are more than words, is no part.
    void enter(std::string_view scope);
    void leave();
    /// Members with their bits, known by `key` from here on.
    void enumTable(const std::string& key, const std::vector<std::string>& membersAndBits);
    void enumOf(const std::string& key);  ///< the next signal; one that is not known: nothing
    void add(std::string_view leaf, Spelling spelling, std::uint64_t width);

    std::vector<TracedSignal> takeSignals() { return std::move(signals_); }
    std::size_t count() const { return tableOf_.size(); }
    /// The member that bits stand for, or the bits. For signals that have such a table.
    std::string_view shown(std::size_t signal, std::string_view value) const;

    std::uint64_t most() const { return most_; }  ///< bytes of memory

private:
    void take(std::uint64_t bytes);
    std::string path(std::string_view leaf) const;

    std::vector<TracedSignal> signals_;
    std::vector<std::string> scopes_;  ///< outermost first
    std::vector<std::string> paths_;   ///< of each of them, with what is around it
    std::uint64_t bytes_ = 0;          ///< that all this takes, about
    std::uint64_t most_;
    std::vector<std::unordered_map<std::string, std::string>> tables_;  ///< members by bits
    std::unordered_map<std::string, int> tableOfKey_;
    std::vector<int> tableOf_;  ///< by signal; -1: none
    int nextTable_ = -1;
};

/// A dump, cycle by cycle: a row is what it has at the end of its cycle, so that neither a clock nor
/// what hardware does within a cycle counts.
class DumpReader : public TraceReader {
protected:
    /// `period`: of a cycle, in nanoseconds; `unit`: of times, in femtoseconds.
    void begin(DumpSignals signals, std::uint64_t period, std::uint64_t unit);
    void startCycle();
    /// Whether it is one of a later cycle, and the one at hand has news. Throws BadDump.
    bool takeTime(std::uint64_t time);
    void set(std::size_t signal, std::string_view value);
    /// After the last time. Whether the cycle at hand has news.
    bool finish();

private:
    DumpSignals dump_;
    std::vector<bool> isChanged_;
    std::uint64_t period_ = 1;  ///< in femtoseconds, as the times are kept
    std::uint64_t unit_ = 1;
    std::uint64_t time_ = 0;
    std::uint64_t nextCycle_ = 0;
    std::uint64_t letters_ = 0;  ///< of all values
    bool sinceTime_ = false;     ///< something changed since time_ was said
};

}  // namespace smec::driver
