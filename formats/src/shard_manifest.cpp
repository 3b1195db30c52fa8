#include "formats/shard_manifest.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "sealed_text.h"
#include "sme/state_format.h"

namespace sme {
namespace {

constexpr std::string_view kManifestMark = "smeparts";

void writeBytes(StateWriter& out, std::span<const std::byte> bytes) {
    out.number<std::uint64_t>(bytes.size());
    out.raw(bytes.data(), bytes.size());
}

std::vector<std::byte> readBytes(StateReader& in) {
    const auto size = in.number<std::uint64_t>();
    const std::byte* bytes = in.raw(size);
    return {bytes, bytes + size};
}

void write(StateWriter& out, const std::vector<StatePiece>& pieces) {
    out.number<std::uint64_t>(pieces.size());
    for (const StatePiece& piece : pieces) {
        writeBytes(out, piece.text);
        out.number(piece.values);
    }
}

/// `values`: of all pieces so far.
std::vector<StatePiece> readPieces(StateReader& in, std::uint64_t& values) {
    std::vector<StatePiece> pieces;
    for (auto count = in.number<std::uint64_t>(); count > 0; --count) {
        StatePiece& piece = pieces.emplace_back();
        piece.text = readBytes(in);
        piece.values = in.number<std::uint64_t>();
        if (__builtin_add_overflow(values, piece.values, &values)) in.failAsDamaged();
    }
    return pieces;
}

/// What all shards have.
struct Parts {
    std::vector<std::byte> values;
    std::uint32_t objects = 0;
    std::vector<std::byte> bytesOfObjects;
};

Parts readShards(const ShardManifest& manifest, const std::string& folder) {
    Parts parts;
    std::vector<ShardStretch> all;
    // before there is memory for them
    const auto open = [&](unsigned rank) {
        return std::make_unique<ShardReader>(folder, manifest.shards[rank], manifest.checkpoint,
                                             rank);
    };
    for (unsigned rank = 0; rank < manifest.shards.size(); ++rank) {
        const auto shard = open(rank);
        all.insert(all.end(), shard->stretches().begin(), shard->stretches().end());
    }
    checkCover(std::move(all), manifest.skeleton.values());
    parts.values.resize(manifest.skeleton.values());
    for (unsigned rank = 0; rank < manifest.shards.size(); ++rank) {
        const auto shard = open(rank);
        std::uint64_t at = 0;
        for (const ShardStretch& stretch : shard->stretches()) {
            shard->read(at, std::span(parts.values).subspan(stretch.first, stretch.bytes));
            at += stretch.bytes;
        }
        parts.objects += shard->objects();
        const std::span<const std::byte> objects = shard->bytesOfObjects();
        parts.bytesOfObjects.insert(parts.bytesOfObjects.end(), objects.begin(), objects.end());
    }
    return parts;
}

}  // namespace

std::uint64_t StateSkeleton::values() const {
    std::uint64_t bytes = 0;
    for (const auto* pieces : {&named, &hidden})
        for (const StatePiece& piece : *pieces)
            bytes += piece.values;
    return bytes;
}

void checkCover(std::vector<ShardStretch> all, std::uint64_t values) {
    std::ranges::sort(all, {}, &ShardStretch::first);
    std::uint64_t end = 0;
    for (const ShardStretch& stretch : all) {
        if (stretch.first < end)
            throw BadState("is damaged: two shards have its value at byte "
                           + std::to_string(stretch.first));
        if (stretch.first > end) break;
        end = stretch.end();
    }
    if (end < values)
        throw BadState("is damaged: no shard has its value at byte " + std::to_string(end));
    if (end > values)
        throw BadState("is damaged: its shards have values beyond byte " + std::to_string(values));
}

std::string toText(const ShardManifest& manifest) {
    StateWriter out;
    out.number(manifest.checkpoint);
    writeTraces(out, manifest.traces);
    writeBytes(out, manifest.head);
    write(out, manifest.skeleton.named);
    write(out, manifest.skeleton.hidden);
    out.number(static_cast<std::uint32_t>(manifest.shards.size()));
    for (const ShardMark& shard : manifest.shards) {
        out.text(shard.name);
        out.number(shard.bytes);
        out.number(shard.footer);
        out.number(shard.hash);
    }
    return sealed(kManifestMark, kCheckpointVersion, out.take());
}

bool isManifest(std::span<const std::byte> bytes) { return startsWith(bytes, kManifestMark); }

/// What a pipe has comes once, and perhaps never: it is not looked at.
bool standsForShards(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string start(kManifestMark.size(), 0);
    return file.read(start.data(), static_cast<std::streamsize>(start.size()))
           && start == kManifestMark;
}

ShardManifest manifestOf(std::span<const std::byte> bytes) {
    const std::vector<std::byte> all = unsealed(kManifestMark, kCheckpointVersion, bytes);
    StateReader in(all);
    ShardManifest manifest;
    manifest.checkpoint = in.number<std::uint64_t>();
    manifest.traces = readTraces(in);
    manifest.head = readBytes(in);
    std::uint64_t values = 0;
    manifest.skeleton.named = readPieces(in, values);
    manifest.skeleton.hidden = readPieces(in, values);
    for (auto count = in.number<std::uint32_t>(); count > 0; --count) {
        ShardMark& shard = manifest.shards.emplace_back();
        shard.name = in.text();
        if (shard.name.find('/') != std::string::npos) in.failAsDamaged();
        shard.bytes = in.number<std::uint64_t>();
        shard.footer = in.number<std::uint64_t>();
        shard.hash = in.number<std::uint64_t>();
    }
    if (!in.isAtEnd()) throw BadState("goes on after its end" + in.place());
    return manifest;
}

std::string folderOfShards(const std::string& path) {
    std::error_code error;
    const auto real = std::filesystem::canonical(path, error);
    return error ? "." : real.parent_path().string();
}

CheckpointFile assembled(const ShardManifest& manifest, const std::string& folder) {
    const Parts parts = readShards(manifest, folder);
    StateWriter out;
    out.reserve(parts.values.size() + parts.bytesOfObjects.size());
    const std::byte* next = parts.values.data();
    const auto add = [&](const std::vector<StatePiece>& pieces) {
        for (const StatePiece& piece : pieces) {
            out.raw(piece.text.data(), piece.text.size());
            out.raw(next, piece.values);
            next += piece.values;
        }
    };
    out.raw(manifest.head.data(), manifest.head.size());
    add(manifest.skeleton.named);
    out.number(parts.objects);
    out.raw(parts.bytesOfObjects.data(), parts.bytesOfObjects.size());
    add(manifest.skeleton.hidden);
    return {manifest.traces, out.take()};
}

}  // namespace sme
