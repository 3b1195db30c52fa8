// A log after the other: text, lines, text of reports, reports, each with its length in front, and
// the stop. Ranks are one program: numbers are as they are in memory.

#include "output/log_bytes.h"

#include <cstring>
#include <type_traits>

namespace sme {
namespace {

class Packer {
public:
    template <typename T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(&value, sizeof value);
    }
    template <typename List>
    void putAll(const List& list) {
        put<std::uint64_t>(list.size());
        append(list.data(), list.size() * sizeof *list.data());
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    void append(const void* data, std::size_t bytes) {
        const auto* from = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), from, from + bytes);
    }
    std::vector<std::byte> bytes_;
};

class Unpacker {
public:
    explicit Unpacker(std::span<const std::byte> bytes) : bytes_(bytes) {}
    bool isAtEnd() const { return bytes_.empty(); }
    template <typename T>
    T get() {
        T value;
        take(&value, sizeof value);
        return value;
    }
    template <typename List>
    void getAll(List& list) {
        list.resize(get<std::uint64_t>());
        take(list.data(), list.size() * sizeof *list.data());
    }

private:
    void take(void* target, std::size_t bytes) {
        if (bytes > 0) std::memcpy(target, bytes_.data(), bytes);
        bytes_ = bytes_.subspan(bytes);
    }
    std::span<const std::byte> bytes_;
};

bool saysSomething(const CycleLog& log) {
    return !log.lines.empty() || !log.reports.empty() || log.stopped;
}

}  // namespace

std::vector<std::byte> packLogs(std::span<ThreadLog* const> logs, std::uint64_t cycle) {
    Packer packer;
    for (ThreadLog* each : logs) {
        const CycleLog& log = each->at(cycle);
        if (!saysSomething(log)) continue;
        packer.putAll(log.text);
        packer.putAll(log.lines);
        packer.putAll(log.reportText);
        packer.putAll(log.reports);
        packer.put(log.stopOrder);
        packer.put(log.stopStatus);
        packer.put(log.stopped);
    }
    return packer.take();
}

std::vector<CycleLog> unpackLogs(std::span<const std::byte> bytes) {
    std::vector<CycleLog> logs;
    Unpacker unpacker(bytes);
    while (!unpacker.isAtEnd()) {
        CycleLog& log = logs.emplace_back();
        unpacker.getAll(log.text);
        unpacker.getAll(log.lines);
        unpacker.getAll(log.reportText);
        unpacker.getAll(log.reports);
        log.stopOrder = unpacker.get<std::uint64_t>();
        log.stopStatus = unpacker.get<std::uint8_t>();
        log.stopped = unpacker.get<bool>();
    }
    return logs;
}

}  // namespace sme
