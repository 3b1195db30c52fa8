#include <catch2/catch.hpp>

#include "codegen/cpp/decide/body_parts.h"
#include "codegen/cpp/target.h"
#include "ir/visit.h"

using namespace smec;
using namespace smec::codegen::cpp;

namespace {

ir::Block sets(std::size_t count) { return ir::Block(count, ir::Stmt{{}, ir::Set{}}); }

ir::Block branches(std::size_t count) {
    return ir::Block(count, ir::Stmt{{}, ir::If{{}, sets(1), {}}});
}

using Parts = std::map<ir::StmtId, BodyPart>;

Parts partsOf(ir::Block& body, BodyOf kind) {
    ir::numberStatements(body);
    return bodyParts(body, kind);
}

std::size_t in(const ir::Block& block, const Parts& parts) {
    std::size_t count = 0;
    for (const ir::Stmt& stmt : block)
        count += parts.contains(stmt.id);
    return count;
}

/// Statements that parts of this block hold themselves.
std::size_t heldIn(const ir::Block& block, const Parts& parts) {
    std::size_t count = 0;
    for (const ir::Stmt& stmt : block)
        if (const auto part = parts.find(stmt.id); part != parts.end()) count += part->second.count;
    return count;
}

}  // namespace

TEST_CASE("short bodies have no parts, long ones are all parts", "[codegen][parts]") {
    ir::Block brief = sets(target::kLongBody);
    CHECK(partsOf(brief, BodyOf::Process).empty());
    ir::Block flat = sets(20'000);
    const auto parts = partsOf(flat, BodyOf::Process);
    CHECK(parts.size() == 20);
    CHECK(heldIn(flat, parts) == flat.size());
    // calls cost more
    ir::Block many(2'500, ir::Stmt{{}, ir::Trace{}});
    const auto more = partsOf(many, BodyOf::Process);
    CHECK(more.size() == 10);
    CHECK(heldIn(many, more) == many.size());
}

TEST_CASE("long blocks inside of statements have parts of their own", "[codegen][parts]") {
    ir::Block body = sets(5);
    body.push_back({{}, ir::If{{}, branches(1'000), sets(2'500)}});
    ir::Switch choice;
    choice.cases.push_back({{1}, sets(3'000)});
    choice.otherwise = sets(10);
    body.push_back({{}, std::move(choice)});
    const auto parts = partsOf(body, BodyOf::Process);
    CHECK(in(body, parts) == 0);  // five statements are not worth one
    const auto& branch = std::get<ir::If>(body[5].node);
    CHECK(heldIn(branch.yes, parts) == 1'000);
    CHECK(heldIn(branch.no, parts) == 2'500);
    const auto& states = std::get<ir::Switch>(body[6].node);
    CHECK(heldIn(states.cases[0].body, parts) == 3'000);
    CHECK(in(states.otherwise, parts) == 0);
}

TEST_CASE("what goes to the loop around it is in no part", "[codegen][parts]") {
    ir::Block round = sets(3'000);
    round.push_back({{}, ir::If{{}, {}, {}}});
    std::get<ir::If>(round.back().node).yes.push_back({{}, ir::Continue{}});
    round.push_back({{}, ir::Loop{sets(1'500), false}});
    std::get<ir::Loop>(round.back().node).body.push_back({{}, ir::Break{}});
    ir::Block body;
    body.push_back({{}, ir::Loop{round, true}});
    const auto parts = partsOf(body, BodyOf::Process);
    const ir::Block& inside = std::get<ir::Loop>(body[0].node).body;
    CHECK(heldIn(inside, parts) == 3'000);
    CHECK(heldIn(std::get<ir::Loop>(inside[3'001].node).body, parts) == 1'500);
    // a function returns values, a process its activation
    ir::Block returning = sets(4'000);
    returning.push_back({{}, ir::If{{}, {}, {}}});
    std::get<ir::If>(returning.back().node).yes.push_back({{}, ir::Return{}});
    CHECK(heldIn(returning, partsOf(returning, BodyOf::Function)) == 4'000);
    returning = sets(3'999);
    returning.push_back({{}, ir::Return{}});
    CHECK(heldIn(returning, partsOf(returning, BodyOf::Process)) == 4'000);
    CHECK(heldIn(returning, partsOf(returning, BodyOf::Function)) == 3'999);
}

TEST_CASE("chains of alternatives stay whole, but for what is long in them", "[codegen][parts]") {
    ir::Block chain = sets(3'000);
    for (int i = 0; i < 2'000; ++i) {
        ir::Block longer;
        longer.push_back({{}, ir::If{{}, sets(i == 1'000 ? 2'000 : 1), std::move(chain)}});
        chain = std::move(longer);
    }
    const auto parts = partsOf(chain, BodyOf::Process);
    std::size_t held = 0;
    const ir::Block* at = &chain;
    while (at->size() == 1) {
        const auto& branch = std::get<ir::If>(at->front().node);
        CHECK_FALSE(parts.contains(at->front().id));
        held += heldIn(branch.yes, parts);
        at = &branch.no;
    }
    CHECK(held == 2'000);
    CHECK(heldIn(*at, parts) == 3'000);
}
