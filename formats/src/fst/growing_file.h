#pragma once

#include <cstdint>
#include <string>

#include "formats/text_sink.h"

namespace sme::fst {

/// A file that readers may look into at any moment, also when its writer was killed. Blocks stay where
/// they are put; after them is at most one provisional block, for which a later one stands in.
class GrowingFile {
public:
    /// `geometry`: Hierarchy::gap; a block of that name is harmless twice. `reserve`: how long a block
    /// can get, at least.
    GrowingFile(TextSink& sink, std::string geometry, std::uint64_t reserve)
        : sink_(sink), geometry_(std::move(geometry)), reserve_(reserve) {}

    /// What comes before the blocks: the header first, which may be written again.
    void begin(const std::string& text);
    /// Goes on in a file of so many bytes: what size() said.
    void resume(std::uint64_t size) { end_ = fileEnd_ = size; }
    /// Without what is provisional.
    std::uint64_t size() const { return end_; }
    void setHeader(const std::string& header) { sink_.overwrite(0, header); }
    /// A block that stays. The provisional one is gone.
    void append(const std::string& block);
    /// A provisional block, in place of the one before.
    void show(const std::string& block);
    /// Cuts off what is after the blocks.
    void end();

private:
    std::string gap(std::uint64_t from, std::uint64_t to) const;
    void hideUntil(std::uint64_t newEnd);
    std::uint64_t placeFor(std::uint64_t size) const;

    TextSink& sink_;
    std::string geometry_;
    std::uint64_t reserve_;
    std::uint64_t end_ = 0;  ///< of the blocks that stay
    std::uint64_t fileEnd_ =
        0;  ///< more than that: a gap follows, and after it what is provisional
    std::uint64_t shownFrom_ = 0;  ///< the provisional block; none: 0
    std::uint64_t shownTo_ = 0;
};

}  // namespace sme::fst
