#include "driver/cache/checked_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

namespace smec::driver {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::string_view kNoteStart = "smec note 1 ";
constexpr std::size_t kPiece = std::size_t{1} << 18;

std::string asText(XXH128_hash_t hash) {
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// A regular file that is open for reading; else nothing is open.
class PlainFile {
public:
    explicit PlainFile(const fs::path& path)  // opening a pipe must not wait
        : number_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
        isPlain_ = number_ >= 0 && fstat(number_, &status_) == 0 && S_ISREG(status_.st_mode);
    }
    ~PlainFile() {
        if (number_ >= 0) close(number_);
    }
    PlainFile(const PlainFile&) = delete;
    PlainFile& operator=(const PlainFile&) = delete;

    bool isPlain() const { return isPlain_; }
    std::uint64_t size() const { return static_cast<std::uint64_t>(status_.st_size); }

    /// Calls take(piece) until the end; false where the disk fails.
    template <typename Take>
    bool read(const Take& take) const {
        std::vector<char> buffer(kPiece);
        while (true) {
            const ssize_t got = ::read(number_, buffer.data(), buffer.size());
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return false;
            if (got == 0) return true;
            take(std::string_view(buffer.data(), static_cast<std::size_t>(got)));
        }
    }

private:
    int number_;
    struct stat status_ {};
    bool isPlain_ = false;
};

}  // namespace

std::string longHash(std::string_view content) {
    return asText(XXH3_128bits(content.data(), content.size()));
}

std::optional<Made> describe(const fs::path& folder, const std::string& name) {
    const PlainFile file(folder / name);
    if (!file.isPlain()) return std::nullopt;
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                         XXH3_freeState);
    if (!state) throw std::bad_alloc();
    XXH3_128bits_reset(state.get());
    std::uint64_t size = 0;
    const bool isRead = file.read([&](std::string_view piece) {
        XXH3_128bits_update(state.get(), piece.data(), piece.size());
        size += piece.size();
    });
    if (!isRead) return std::nullopt;
    return Made{name, size, asText(XXH3_128bits_digest(state.get()))};
}

std::string whyNotAsMade(const fs::path& folder, const Made& made) {
    {
        const PlainFile file(folder / made.name);
        if (!file.isPlain()) return fmt::format("'{}' is no file", made.name);
        if (file.size() != made.size)
            return fmt::format("'{}' has {} bytes of {}", made.name, file.size(), made.size);
    }
    if (describe(folder, made.name) != made)
        return fmt::format("'{}' has not the content that was noted", made.name);
    return {};
}

std::optional<std::string> readPlain(const fs::path& path) {
    const PlainFile file(path);
    if (!file.isPlain()) return std::nullopt;
    std::string content;
    if (!file.read([&](std::string_view piece) { content += piece; })) return std::nullopt;
    return content;
}

std::string noteText(const json& content) {
    const std::string text = content.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
    return fmt::format("{}{}\n{}", kNoteStart, longHash(text), text);
}

std::optional<json> readNote(const fs::path& path) {
    const std::optional<std::string> all = readPlain(path);
    if (!all || !all->starts_with(kNoteStart)) return std::nullopt;
    const std::size_t end = all->find('\n');
    if (end == std::string::npos) return std::nullopt;
    const std::string_view text = std::string_view(*all).substr(end + 1);
    if (all->substr(kNoteStart.size(), end - kNoteStart.size()) != longHash(text))
        return std::nullopt;
    json content = json::parse(text, nullptr, false);
    if (!content.is_object()) return std::nullopt;
    return content;
}

void clearWay(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) fs::remove_all(path, error);
}

void clearWayForFolder(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (fs::exists(status) && !fs::is_directory(status)) fs::remove(path, error);
}

}  // namespace smec::driver
