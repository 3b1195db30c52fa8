#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "hir/design.h"
#include "interp/value.h"
#include "sme/model.h"
#include "source/source_manager.h"

namespace smec::interp {

/// Types of scalars as sme/model.h describes them, as far as it takes to show values: without
/// ranges.
class ModelTypes {
public:
    explicit ModelTypes(const TypeTable& types) : types_(types) {}
    ModelTypes(const ModelTypes&) = delete;
    ModelTypes& operator=(const ModelTypes&) = delete;

    /// Neither array nor struct. What is returned lives as long as this.
    const sme::Type& of(TypeId type);
    /// Where processes of a specialisation wait: an enum with names for the numbers of hir/waits.h,
    /// which are kept in four bytes.
    const sme::Type& ofWaits(const hir::Specialisation& spec, const SourceManager& sources);

private:
    sme::Type made(TypeId type);
    sme::EnumMember memberOf(const hir::EnumMember& member, std::size_t bytes);

    const TypeTable& types_;
    std::unordered_map<std::uint32_t, sme::Type> known_;
    std::unordered_map<const hir::Specialisation*, sme::Type> waits_;
    std::deque<std::string> names_;
    std::deque<std::vector<sme::EnumMember>> members_;
    std::deque<std::vector<std::uint64_t>> limbs_;
};

}  // namespace smec::interp
