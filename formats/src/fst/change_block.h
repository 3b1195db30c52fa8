#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "formats/fst_reader.h"
#include "fst/unpack.h"

namespace sme::fst {

/// How the lists of a block are found: the format has had three ways.
enum class IndexForm : std::uint8_t { Plain, Aliases };

/// What a file says of all its blocks.
struct BlockContext {
    std::span<const FstReader::Signal> signals;
    bool swapsReals = false;  ///< written by a machine of the other byte order
    std::uint64_t room = 0;   ///< that a block may take unpacked
    std::uint64_t most = 0;   ///< changes that it may have
};

/// The values before a block of changes and the changes in it, time by time. Throws DamagedFile.
class ChangeBlock {
public:
    /// `content`: what follows the length of the block; `offset`: its place in the file.
    ChangeBlock(BlockContext context, IndexForm form, Bytes content, std::uint64_t offset);

    std::uint64_t begin() const { return begin_; }
    /// The values before the first change.
    void frame(const FstReader::Change& change) const;
    /// Goes on to the next time; false at the end.
    bool next();
    std::uint64_t time() const { return times_[now_ - 1]; }
    void changes(const FstReader::Change& change);

private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// The changes of signals of one shape that change alike, as far as they are read. Those of other
    /// shapes may share its bytes, which mean something else for them: the source's.
    struct List {
        std::uint32_t source;
        std::uint64_t at = 0;  ///< from the letter of the packing on
        std::uint64_t size = 0;
        std::uint64_t offset = 0;  ///< in the file
        Bytes unpacked{};
        std::span<const std::uint8_t> bytes{};
        std::size_t read = 0;
        std::uint32_t now = 0;                 ///< number of the time at hand
        std::vector<std::uint32_t> signals{};  ///< that share it
        std::uint32_t after = kNone;           ///< another list with a change at the same time
    };
    void readFrame(ByteReader& in);
    void readTimes(std::span<const std::uint8_t> tail);
    void readIndex(ByteReader in, IndexForm form, std::uint64_t end);
    void addList(std::uint64_t step);
    void addShared(std::uint64_t signal, const ByteReader& in);
    std::uint32_t listLike(std::uint32_t source, FstReader::Signal shape, const ByteReader& in);
    void takeList(const ByteReader& in);
    void addWithout(std::uint64_t count, const ByteReader& in);
    void unpack(List& list, std::span<const std::uint8_t> lists);
    void schedule(std::uint32_t list);
    void readChange(List& list, const FstReader::Change& change);
    std::string_view valueOf(ByteReader& in, FstReader::Signal signal);
    static std::string_view bitOf(std::uint64_t head);
    std::string_view vectorOf(ByteReader& in, std::uint32_t width, bool isPacked);

    BlockContext context_;
    Bytes content_;
    std::uint64_t offset_;
    std::uint64_t begin_ = 0;
    Room room_;
    Bytes frame_;
    std::uint64_t frameSignals_ = 0;
    std::vector<std::uint64_t> times_;
    std::vector<List> lists_;
    std::vector<std::uint32_t> listOf_;  ///< by signal, as far as the index is read
    std::uint32_t last_ = kNone;         ///< list that has bytes of its own
    /// By source, form and width: lists that share the bytes of one.
    std::map<std::tuple<std::uint32_t, FstReader::Form, std::uint32_t>, std::uint32_t> others_;
    std::uint64_t signalsOfIndex_ = 0;
    std::vector<std::uint32_t> first_;  ///< by time: a list with a change then
    std::size_t now_ = 0;               ///< times that have come
    std::uint64_t changes_ = 0;
    std::string value_;
};

}  // namespace sme::fst
