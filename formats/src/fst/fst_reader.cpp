// A file is blocks, each with its kind and length in front. First all of these are looked at, as the
// widths and the hierarchy of most writers stand at the end; then blocks of changes are read one by one.

#include "formats/fst_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>

#include "fst/change_block.h"
#include "fst/unpack.h"

namespace sme {
namespace fst::reading {
namespace {

enum Kind : std::uint8_t {
    kHeader = 0,
    kChanges = 1,
    kBlackout = 2,
    kWidths = 3,
    kHierarchyGzip = 4,
    kChangesAlias = 5,
    kHierarchyLz4 = 6,
    kHierarchyTwice = 7,
    kChangesAlias2 = 8,
    kWholePacked = 254,
    kSkip = 255
};

enum Entry : std::uint8_t { kAttribute = 252, kEndOfAttribute, kScope, kEndOfScope };
constexpr std::uint8_t kLastVariable = 29;  // a kind of variables
constexpr std::uint8_t kEnumTable = 7;      // a kind of miscellaneous attributes

constexpr std::uint64_t kRoom = std::uint64_t{448} << 20;
constexpr std::uint64_t kMostChanges = 50'000'000;
constexpr std::uint64_t kMostSignals = 4'000'000;
constexpr double kByteOrder = 2.7182818284590452354;
constexpr std::uint32_t kTextWidth = 0xFFFF'FFFF;

struct Block {
    std::uint8_t kind;
    std::uint64_t at;    ///< of its content in the file
    std::uint64_t size;  ///< of its content
};

class File {
public:
    explicit File(const std::string& path) : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        struct stat status {};
        if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) {
            const int why = errno;
            if (descriptor_ >= 0) close(descriptor_);
            throw std::system_error(why, std::generic_category());
        }
        size_ = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
        if (S_ISREG(status.st_mode)) return;
        close(descriptor_);
        throw DamagedFile(0, "an FST file is read at places, which a pipe has not");
    }
    ~File() { close(descriptor_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    std::uint64_t size() const { return size_; }
    /// Goes on as if these were the file.
    void replace(Bytes whole) {
        whole_ = std::move(whole);
        isWhole_ = true;
        size_ = whole_.size();
    }

    Bytes read(std::uint64_t at, std::uint64_t size) const {
        if (at > size_ || size > size_ - at) throw DamagedFile(at, "the file is cut off");
        const auto from = static_cast<std::ptrdiff_t>(at);
        if (isWhole_)
            return {whole_.begin() + from,
                    whole_.begin() + from + static_cast<std::ptrdiff_t>(size)};
        Bytes bytes(size);
        for (std::size_t done = 0; done < size;) {
            const ssize_t got =
                pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(at + done));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw std::system_error(errno, std::generic_category());
            if (got == 0) throw DamagedFile(at + done, "the file has become shorter");
            done += static_cast<std::size_t>(got);
        }
        return bytes;
    }

private:
    int descriptor_;
    std::uint64_t size_ = 0;
    Bytes whole_;
    bool isWhole_ = false;
};

class Reader final : public FstReader {
public:
    explicit Reader(const std::string& path) : file_(path), room_(kRoom + 2 * file_.size()) {
        unpackWhole();
        findBlocks();
        readHeader();
        readWidths();
    }

    int timescale() const override { return timescale_; }
    const std::vector<Signal>& signals() const override { return signals_; }
    void visit(FstEntries& entries) const override;

    bool next() override {
        while (!block_ || !block_->next()) {
            if (!openNext()) return false;
            if (!isFirst_) continue;
            hasFrame_ = true;  // a time of its own, at which nothing else changes
            return setTime(block_->begin());
        }
        hasFrame_ = false;
        return setTime(block_->time());
    }
    std::uint64_t time() const override { return time_; }
    void changes(const Change& change) override {
        if (!hasFrame_) return block_->changes(change);
        isFirst_ = false;
        block_->frame(change);
    }
    std::uint64_t offset() const override {
        return nextBlock_ > 0 ? blocks_[nextBlock_ - 1].at : 0;
    }

private:
    void unpackWhole();
    void findBlocks();
    void readHeader();
    void readWidths();
    bool openNext();
    bool setTime(std::uint64_t time) {
        if (time < time_) throw DamagedFile(offset(), "a time after a later one");
        time_ = time;
        return true;
    }
    const Block& only(std::string_view what, std::initializer_list<Kind> kinds) const;
    Bytes content(const Block& block) const { return file_.read(block.at, block.size); }

    File file_;
    std::uint64_t room_;
    std::vector<Block> blocks_;
    std::vector<Signal> signals_;
    int timescale_ = -9;
    bool swapsReals_ = false;
    std::optional<ChangeBlock> block_;
    std::size_t nextBlock_ = 0;
    bool isFirst_ = true;  ///< no values have been told
    bool hasFrame_ = false;
    std::uint64_t time_ = 0;
};

/// A file may be one block, in which another file is packed.
void Reader::unpackWhole() {
    constexpr std::uint64_t kHead = 1 + 2 * sizeof(std::uint64_t);
    if (file_.size() < kHead || file_.read(0, 1)[0] != kWholePacked) return;
    const Bytes bytes = file_.read(0, file_.size());
    ByteReader in(bytes);
    in.byte();
    const std::uint64_t length = in.number();
    const std::uint64_t size = in.number();
    if (length < kHead - 1) in.fail("a block of " + std::to_string(length) + " bytes");
    Room room(room_);
    file_.replace(unpacked(Packing::Gzip, in.take(length - (kHead - 1)), size, room, kHead));
}

void Reader::findBlocks() {
    constexpr std::uint64_t kHead = 1 + sizeof(std::uint64_t);
    std::uint64_t at = 0;
    while (at < file_.size()) {
        const Bytes head = file_.read(at, std::min(kHead, file_.size() - at));
        ByteReader in(head, at);
        const std::uint8_t kind = in.byte();
        const bool isKnown = kind <= kChangesAlias2 || kind == kSkip;
        if (at == 0 && kind != kHeader) throw DamagedFile(0, "it does not start like an FST file");
        if (!isKnown) throw DamagedFile(at, "a block of unknown kind " + std::to_string(kind));
        const std::uint64_t length = in.number();
        const std::uint64_t left = file_.size() - at - 1;
        if (length < sizeof length || length > left)
            throw DamagedFile(at, "a block of " + std::to_string(length) + " bytes, where "
                                      + std::to_string(left) + " are left");
        blocks_.push_back({kind, at + kHead, length - sizeof length});
        at += 1 + length;
    }
    if (blocks_.empty()) throw DamagedFile(0, "the file is empty");
}

const Block& Reader::only(std::string_view what, std::initializer_list<Kind> kinds) const {
    for (const Block& block : blocks_)
        if (std::ranges::find(kinds, block.kind) != kinds.end()) return block;
    throw DamagedFile(file_.size(), "the file ends without " + std::string(what));
}

void Reader::readHeader() {
    const Block& block = only("a header", {kHeader});
    const Bytes bytes = content(block);
    ByteReader in(bytes, block.at);
    in.take(2 * sizeof(std::uint64_t));  // first and last time
    double order = 0;
    const std::uint64_t place = in.offset();
    Bytes asWritten(sizeof order);
    std::ranges::copy(in.take(sizeof order), asWritten.begin());
    for (const bool isSwapped : {false, true}) {
        std::memcpy(&order, asWritten.data(), sizeof order);
        if (order == kByteOrder) {
            swapsReals_ = isSwapped;
            break;
        }
        if (isSwapped) throw DamagedFile(place, "no order of bytes");
        std::ranges::reverse(asWritten);
    }
    in.take(5
            * sizeof(std::uint64_t));  // memory of the writer and counts, which are told elsewhere
    timescale_ = static_cast<signed char>(in.byte());
}

void Reader::readWidths() {
    const Block& block = only("the widths of its signals", {kWidths});
    const Bytes bytes = content(block);
    ByteReader in(bytes, block.at);
    const std::uint64_t size = in.number();
    const std::uint64_t count = in.number();
    const std::uint64_t place = in.offset();
    const auto rest = in.take(in.remaining());
    Room room(room_);
    const Bytes all = size == rest.size() ? Bytes(rest.begin(), rest.end())
                                          : unpacked(Packing::Zlib, rest, size, room, place);
    if (count > all.size() || count > std::max(kMostSignals, file_.size()))
        throw DamagedFile(block.at, std::to_string(count) + " signals in "
                                        + std::to_string(all.size()) + " bytes");
    room.take(count * sizeof(Signal), place);
    ByteReader widths = ByteReader::ofPacked(all, place);
    signals_.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t width = widths.varint();
        if (width == 0)
            signals_.push_back({Form::Real, 64});
        else if (width == kTextWidth)
            signals_.push_back({Form::Text, 0});
        else if (width < kTextWidth)
            signals_.push_back({Form::Bits, static_cast<std::uint32_t>(width)});
        else
            widths.fail("a signal of " + std::to_string(width) + " bits");
    }
}

bool Reader::openNext() {
    constexpr std::uint64_t kChangesOfByte = 1'000;
    block_.reset();
    for (; nextBlock_ < blocks_.size(); ++nextBlock_) {
        const Block& block = blocks_[nextBlock_];
        const bool isPlain = block.kind == kChanges || block.kind == kChangesAlias;
        if (!isPlain && block.kind != kChangesAlias2) continue;
        ++nextBlock_;
        block_.emplace(BlockContext{signals_, swapsReals_, room_,
                                    kMostChanges + file_.size() * kChangesOfByte},
                       isPlain ? IndexForm::Plain : IndexForm::Aliases, content(block), block.at);
        return true;
    }
    return false;
}

/// The entries, packed out.
Bytes entriesOf(const Block& block, const Bytes& content, Room& room) {
    ByteReader in(content, block.at);
    const std::uint64_t size = in.number();
    const std::uint64_t place = in.offset();
    if (block.kind == kHierarchyGzip)
        return unpacked(Packing::Gzip, in.take(in.remaining()), size, room, place);
    if (block.kind == kHierarchyLz4)
        return unpacked(Packing::Lz4, in.take(in.remaining()), size, room, place);
    const std::uint64_t once = in.varint();
    const Bytes first = unpacked(Packing::Lz4, in.take(in.remaining()), once, room, place);
    return unpacked(Packing::Lz4, first, size, room, place);
}

/// Goes through the entries. `signals`: that there are.
class EntryReader {
public:
    EntryReader(ByteReader in, std::size_t signals, FstEntries& to)
        : in_(in), signals_(signals), to_(to) {}

    void run() {
        while (!in_.isAtEnd()) {
            const std::uint8_t kind = in_.byte();
            if (kind == kScope)
                scope();
            else if (kind == kEndOfScope)
                to_.leave();
            else if (kind == kAttribute)
                attribute();
            else if (kind <= kLastVariable)
                variable();
            else if (kind != kEndOfAttribute)
                in_.fail("an entry of unknown kind " + std::to_string(kind) + " in the hierarchy");
        }
    }

private:
    void scope() {
        in_.byte();  // its kind
        const std::string_view name = in_.text();
        in_.text();  // of what it is an instance
        to_.enter(name);
    }
    void attribute() {
        const bool isMiscellaneous = in_.byte() == 0;
        const bool isTable = in_.byte() == kEnumTable && isMiscellaneous;
        const std::string_view text = in_.text();
        const std::uint64_t number = in_.varint();
        if (!isTable) return;
        if (text.empty())
            to_.enumOf(number);
        else
            to_.enumTable(number, text);
    }
    void variable() {
        in_.byte();  // its direction
        const std::string_view name = in_.text();
        in_.varint();  // its length, which the widths tell
        const std::uint64_t alias = in_.varint();
        const std::uint64_t signal = alias == 0 ? next_++ : alias - 1;
        if (signal >= signals_)
            in_.fail("a variable of signal " + std::to_string(signal + 1) + ", where there are "
                     + std::to_string(signals_));
        to_.variable(name, signal);
    }

    ByteReader in_;
    std::uint64_t signals_;
    FstEntries& to_;
    std::uint64_t next_ = 0;
};

void Reader::visit(FstEntries& entries) const {
    const Block& block = only("a hierarchy", {kHierarchyGzip, kHierarchyLz4, kHierarchyTwice});
    Room room(room_);
    const Bytes packed = content(block);
    const Bytes all = entriesOf(block, packed, room);
    EntryReader(ByteReader::ofPacked(all, block.at), signals_.size(), entries).run();
}

}  // namespace
}  // namespace fst::reading

std::unique_ptr<FstReader> openFst(const std::string& path) {
    return std::make_unique<fst::reading::Reader>(path);
}

}  // namespace sme
