#include "formats/checkpoint_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "formats/opened_input.h"
#include "formats/opened_output.h"
#include "formats/shard_manifest.h"
#include "sealed_text.h"
#include "sme/state_format.h"

namespace sme {
namespace {

constexpr std::string_view kCheckpointMark = "smecheck";

}  // namespace

std::string toText(const CheckpointFile& file) {
    StateWriter content;
    writeTraces(content, file.traces);
    content.raw(file.state.data(), file.state.size());
    return sealed(kCheckpointMark, kCheckpointVersion, content.take());
}

CheckpointFile checkpointOf(std::span<const std::byte> bytes) {
    const std::vector<std::byte> all = unsealed(kCheckpointMark, kCheckpointVersion, bytes);
    StateReader content(all);
    std::vector<KeptTrace> traces = readTraces(content);
    const std::span<const std::byte> state = content.rest();
    return {std::move(traces), {state.begin(), state.end()}};
}

std::string textOfCheckpoint(const std::string& path) {
    std::string text;
    const int why = readAll(path, text);
    if (why == ENODATA) throw BadState("is a pipe, and " + reasonOf(why));
    if (why != 0) throw std::system_error(why, std::generic_category());
    return text;
}

CheckpointFile readCheckpoint(const std::string& path) {
    const std::string text = textOfCheckpoint(path);
    const auto bytes = std::as_bytes(std::span(text));
    if (isManifest(bytes)) return assembled(manifestOf(bytes), folderOfShards(path));
    return checkpointOf(bytes);
}

void syncStandardOutput(int descriptor) {
    struct stat file {};
    // what cannot be written is said where it is written
    if (fstat(descriptor, &file) == 0 && S_ISREG(file.st_mode)) fsync(descriptor);
}

}  // namespace sme
