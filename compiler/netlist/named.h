#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smec::netlist {

/// A few values by name, in the order of names: a third of the memory of a map. Adding one moves the
/// others.
template <typename T>
class Named {
public:
    using Entry = std::pair<std::string, T>;
    using iterator = typename std::vector<Entry>::iterator;
    using const_iterator = typename std::vector<Entry>::const_iterator;

    Named() = default;
    Named(std::initializer_list<Entry> entries) {
        entries_.reserve(entries.size());
        for (const Entry& entry : entries)
            (*this)[entry.first] = entry.second;
    }

    iterator begin() { return entries_.begin(); }
    iterator end() { return entries_.end(); }
    const_iterator begin() const { return entries_.begin(); }
    const_iterator end() const { return entries_.end(); }
    bool empty() const { return entries_.empty(); }
    std::size_t size() const { return entries_.size(); }

    const_iterator find(std::string_view name) const {
        const auto at = std::ranges::lower_bound(entries_, name, {}, &Entry::first);
        return at != entries_.end() && at->first == name ? at : entries_.end();
    }
    iterator find(std::string_view name) {
        return entries_.begin() + (std::as_const(*this).find(name) - entries_.cbegin());
    }
    bool contains(std::string_view name) const { return find(name) != end(); }

    /// Adds it where there is none.
    T& operator[](std::string_view name) {
        const auto at = std::ranges::lower_bound(entries_, name, {}, &Entry::first);
        if (at != entries_.end() && at->first == name) return at->second;
        return entries_.insert(at, Entry{std::string(name), T()})->second;
    }
    void erase(std::string_view name) {
        if (const iterator at = find(name); at != end()) entries_.erase(at);
    }
    /// Returns whether it was there.
    bool rename(std::string_view from, std::string_view to) {
        const iterator at = find(from);
        if (at == end()) return false;
        T value = std::move(at->second);
        entries_.erase(at);
        (*this)[to] = std::move(value);
        return true;
    }
    void clear() { entries_.clear(); }
    void shrink() { entries_.shrink_to_fit(); }

private:
    std::vector<Entry> entries_;
};

}  // namespace smec::netlist
