#include "formats/checkpoint_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "formats/shard_manifest.h"
#include "outputs_text.h"
#include "sme/state_format.h"

namespace sme {
namespace {

constexpr std::string_view kCheckpointMark = "smecheck";
constexpr std::uint32_t kCheckpointVersion = 2;

}  // namespace

std::string toText(const CheckpointFile& file) {
    StateWriter content;
    writeOutputs(content, file.outputs, file.traces);
    content.raw(file.state.data(), file.state.size());
    return sealed(kCheckpointMark, kCheckpointVersion, content.take());
}

CheckpointFile checkpointOf(std::span<const std::byte> bytes) {
    const std::vector<std::byte> all = unsealed(kCheckpointMark, kCheckpointVersion, bytes);
    StateReader content(all);
    KeptOutputs kept = readOutputs(content);
    const std::span<const std::byte> state = content.rest();
    return {std::move(kept.outputs), std::move(kept.traces), {state.begin(), state.end()}};
}

std::string textOfCheckpoint(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file || errno != 0)
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category());
    return text;
}

CheckpointFile readCheckpoint(const std::string& path) {
    const std::string text = textOfCheckpoint(path);
    const auto bytes = std::as_bytes(std::span(text));
    if (isManifest(bytes)) return assembled(manifestOf(bytes), folderOfShards(path));
    return checkpointOf(bytes);
}

std::vector<WrittenOutput> markStandardOutput(int descriptor) {
    struct stat file {};
    if (fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode)) return {};
    if (fsync(descriptor) != 0) return {};
    const off_t at = lseek(descriptor, 0, SEEK_CUR);
    const off_t length = at < 0 ? file.st_size : at;
    return {{"-", file.st_dev, file.st_ino, static_cast<std::uint64_t>(length)}};
}

int cutStandardOutput(int descriptor, const CheckpointFile& file) {
    const auto mark = std::find_if(file.outputs.begin(), file.outputs.end(),
                                   [](const WrittenOutput& each) { return each.path == "-"; });
    struct stat now {};
    if (mark == file.outputs.end() || fstat(descriptor, &now) != 0) return 0;
    const bool isSame = now.st_dev == mark->device && now.st_ino == mark->inode;
    const auto length = static_cast<off_t>(mark->length);
    if (!S_ISREG(now.st_mode) || !isSame || now.st_size < length) return 0;
    const bool isCut =
        ftruncate(descriptor, length) == 0 && lseek(descriptor, length, SEEK_SET) == length;
    return isCut ? 0 : errno;
}

}  // namespace sme
