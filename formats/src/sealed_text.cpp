#include "sealed_text.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "packing.h"

namespace sme {
namespace {

void write(StateWriter& out, const KeptTrace& trace) {
    out.text(trace.path);
    out.number(trace.inode);
    out.number(trace.length);
    out.number(trace.shown);
    out.number(trace.ending);
    out.number<std::uint8_t>(trace.writer.length.has_value());
    out.number(trace.writer.length.value_or(0));
    out.number<std::uint64_t>(trace.writer.bytes.size());
    out.raw(trace.writer.bytes.data(), trace.writer.bytes.size());
}

KeptTrace readTrace(StateReader& in) {
    KeptTrace trace;
    trace.path = in.text();
    trace.inode = in.number<std::uint64_t>();
    trace.length = in.number<std::uint64_t>();
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

void writeTraces(StateWriter& out, const std::vector<KeptTrace>& traces) {
    out.number(static_cast<std::uint32_t>(traces.size()));
    for (const KeptTrace& trace : traces)
        write(out, trace);
}

std::vector<KeptTrace> readTraces(StateReader& in) {
    std::vector<KeptTrace> traces;
    for (auto count = in.number<std::uint32_t>(); count > 0; --count)
        traces.push_back(readTrace(in));
    return traces;
}

std::string sealed(std::string_view mark, std::uint32_t version, std::span<const std::byte> bytes) {
    const std::vector<std::byte> rest = packed(bytes);
    StateWriter head;
    head.raw(reinterpret_cast<const std::byte*>(mark.data()), mark.size());
    head.number(version);
    head.number<std::uint64_t>(XXH3_64bits(rest.data(), rest.size()));
    std::string text;
    for (const std::vector<std::byte>& part : {head.take(), rest})
        text.append(reinterpret_cast<const char*>(part.data()), part.size());
    return text;
}

bool startsWith(std::span<const std::byte> bytes, std::string_view mark) {
    return bytes.size() >= mark.size() && std::memcmp(bytes.data(), mark.data(), mark.size()) == 0;
}

std::vector<std::byte> unsealed(std::string_view mark, std::uint32_t version,
                                std::span<const std::byte> bytes) {
    if (!startsWith(bytes, mark)) throw BadState("is none: it does not start like one");
    StateReader in(bytes.subspan(mark.size()));
    const auto its = in.number<std::uint32_t>();
    if (its != version)
        throw BadState("has version " + std::to_string(its) + "; this program reads "
                       + std::to_string(version));
    const auto hash = in.number<std::uint64_t>();
    const std::span<const std::byte> rest = in.rest();
    if (XXH3_64bits(rest.data(), rest.size()) != hash)
        throw BadState("is damaged or cut off: what stands from byte "
                       + std::to_string(bytes.size() - rest.size()) + " on has another hash");
    return unpacked(rest, bytes.size() - rest.size());
}

}  // namespace sme
