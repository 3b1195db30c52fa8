#include "formats/checkpoint_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "packing.h"
#include "sme/state_format.h"

namespace sme {
namespace {

constexpr std::string_view kMark = "smecheck";
constexpr std::uint32_t kVersion = 2;

void write(StateWriter& out, const WrittenOutput& output) {
    out.text(output.path);
    out.number(output.device);
    out.number(output.inode);
    out.number(output.length);
}

WrittenOutput readOutput(StateReader& in) {
    WrittenOutput output;
    output.path = in.text();
    output.device = in.number<std::uint64_t>();
    output.inode = in.number<std::uint64_t>();
    output.length = in.number<std::uint64_t>();
    return output;
}

void write(StateWriter& out, const KeptTrace& trace) {
    write(out, trace.file);
    out.number(trace.shown);
    out.number(trace.ending);
    out.number<std::uint8_t>(trace.writer.length.has_value());
    out.number(trace.writer.length.value_or(0));
    out.number<std::uint64_t>(trace.writer.bytes.size());
    out.raw(trace.writer.bytes.data(), trace.writer.bytes.size());
}

KeptTrace readTrace(StateReader& in) {
    KeptTrace trace;
    trace.file = readOutput(in);
    trace.shown = in.number<std::uint64_t>();
    trace.ending = in.number<std::uint64_t>();
    const bool hasLength = in.number<std::uint8_t>() != 0;
    const auto length = in.number<std::uint64_t>();
    if (hasLength) trace.writer.length = length;
    const auto size = in.number<std::uint64_t>();
    const std::byte* bytes = in.raw(size);
    trace.writer.bytes.assign(bytes, bytes + size);
    return trace;
}

}  // namespace

std::string toText(const CheckpointFile& file) {
    StateWriter content;
    content.number(static_cast<std::uint32_t>(file.outputs.size()));
    for (const WrittenOutput& output : file.outputs)
        write(content, output);
    content.number(static_cast<std::uint32_t>(file.traces.size()));
    for (const KeptTrace& trace : file.traces)
        write(content, trace);
    content.raw(file.state.data(), file.state.size());
    const std::vector<std::byte> rest = packed(content.take());

    StateWriter head;
    head.raw(reinterpret_cast<const std::byte*>(kMark.data()), kMark.size());
    head.number(kVersion);
    head.number<std::uint64_t>(XXH3_64bits(rest.data(), rest.size()));
    std::string text;
    for (const std::vector<std::byte>& part : {head.take(), rest})
        text.append(reinterpret_cast<const char*>(part.data()), part.size());
    return text;
}

CheckpointFile checkpointOf(std::span<const std::byte> bytes) {
    StateReader in(bytes);
    if (bytes.size() < kMark.size()
        || std::memcmp(in.raw(kMark.size()), kMark.data(), kMark.size()) != 0)
        throw BadState("is none: it does not start like one");
    const auto version = in.number<std::uint32_t>();
    if (version != kVersion)
        throw BadState("has version " + std::to_string(version) + "; this program reads "
                       + std::to_string(kVersion));
    const auto hash = in.number<std::uint64_t>();
    const std::span<const std::byte> rest =
        bytes.subspan(kMark.size() + sizeof version + sizeof hash);
    if (XXH3_64bits(rest.data(), rest.size()) != hash) throw BadState("is damaged or cut off");

    const std::vector<std::byte> all = unpacked(rest);
    StateReader content(all);
    CheckpointFile file;
    for (auto count = content.number<std::uint32_t>(); count > 0; --count)
        file.outputs.push_back(readOutput(content));
    for (auto count = content.number<std::uint32_t>(); count > 0; --count)
        file.traces.push_back(readTrace(content));
    const std::span<const std::byte> state = content.rest();
    file.state.assign(state.begin(), state.end());
    return file;
}

CheckpointFile readCheckpoint(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file || errno != 0)
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category());
    return checkpointOf(std::as_bytes(std::span(text)));
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
