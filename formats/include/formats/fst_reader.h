#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/byte_reader.h"

namespace sme {

/// What the hierarchy of an FST file tells, entry by entry.
class FstEntries {
public:
    virtual ~FstEntries() = default;
    virtual void enter(std::string_view scope) = 0;
    virtual void leave() = 0;
    /// "NAME COUNT MEMBER... BITS...", known by a number from here on.
    virtual void enumTable(std::uint64_t number, std::string_view text) = 0;
    /// The next variable is of the enum.
    virtual void enumOf(std::uint64_t number) = 0;
    /// `signal`: whose values it shows; several variables may show one.
    virtual void variable(std::string_view name, std::size_t signal) = 0;
};

/// An FST file of any writer, read from its first time to its last. One block of changes is in memory
/// at a time. A file that is damaged ends in an exception, in time and memory that the file's own size
/// bounds.
class FstReader {
public:
    enum class Form : std::uint8_t { Bits, Real, Text };
    struct Signal {
        Form form;
        std::uint32_t width;  ///< of Bits
    };
    /// A value: the letters of its bits, highest first; a text; or the eight bytes of a double.
    using Change = std::function<void(std::size_t signal, std::string_view value)>;

    virtual ~FstReader() = default;

    /// Ten to this power are the seconds of a unit of time.
    virtual int timescale() const = 0;
    virtual const std::vector<Signal>& signals() const = 0;
    /// Throws DamagedFile, also where an entry throws it.
    virtual void visit(FstEntries& entries) const = 0;

    /// Goes on to the next time; false at the end. Times never fall. Throws DamagedFile and
    /// std::system_error.
    virtual bool next() = 0;
    virtual std::uint64_t time() const = 0;
    /// What has a new value at time(); at the first one everything. Called once for each time.
    virtual void changes(const Change& change) = 0;
    /// In the file, of what is being read.
    virtual std::uint64_t offset() const = 0;
};

/// Null where this program was built without zlib and lz4. Throws DamagedFile, and std::system_error
/// where the file cannot be read.
std::unique_ptr<FstReader> openFst(const std::string& path);

}  // namespace sme
