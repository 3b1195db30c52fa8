#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schedule/graph_cut.h"

namespace sme {

/// METIS 5 where the system has its library, which nothing links: it cuts graphs as cutGraph() does,
/// and large ones much sooner.
class Metis {
public:
    /// The one of the system, loaded once; null where there is none, or none that cuts as it should.
    static const Metis* find();
    /// Why there is none.
    static const std::string& problem();

    /// Loads a library. None where it is missing or cuts a graph in another way than everybody would;
    /// `problem` says which.
    static std::optional<Metis> load(const char* library, std::string& problem);

    /// Parts that little crosses between, also improved as improveCut() does; by cutGraph() where there
    /// are too many levels, or hardly more vertices than parts. Deterministic, and leaves numbers by
    /// chance and what signals do as they were. Throws where METIS gives up.
    std::vector<unsigned> cut(const CutGraph& graph, unsigned parts) const;

    /// Of libraries that cut alike the same: how they cut a graph that leaves much to choose.
    std::uint64_t kind() const { return kind_; }

private:
    std::vector<unsigned> cutRaw(const CutGraph& graph, unsigned parts) const;
    template <typename Index>
    std::vector<unsigned> call(const CutGraph& graph, unsigned parts) const;

    void* bisect_ = nullptr;
    std::size_t width_ = 0;  ///< bytes of a number
    std::uint64_t kind_ = 0;
};

}  // namespace sme
