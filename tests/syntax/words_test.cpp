#include <catch2/catch.hpp>

#include "syntax/support.h"

// Words added to SMEIL stay names. The corpus has each of them in each place; here are the
// decisions between a statement and an assignment.

using namespace smec;
using test::statement;

TEST_CASE("statement or assignment") {
    CHECK(statement("wait;") == "Wait");
    CHECK(statement("wait 3;") == "Wait 3");
    CHECK(statement("wait (x);") == "Wait (paren x)");
    CHECK(statement("wait -1;") == "Wait (- 1)");
    CHECK(statement("wait = stop * 2;") == "Assign = wait (* stop 2)");
    CHECK(statement("wait -= 1;") == "Assign -= wait 1");
    CHECK(statement("wait[0] = true;") == "Assign = (index wait 0) true");
    CHECK(statement("wait[3:0] = 1;") == "Assign = (slice wait 3 0) 1");
    CHECK(statement("wait.x = 1;") == "Assign = (member wait x) 1");
    CHECK(statement("stop;") == "Stop");
    CHECK(statement("stop(5);") == "Stop 5");
    CHECK(statement("stop += 1;") == "Assign += stop 1");
    CHECK(statement("continue;") == "Continue");
    CHECK(statement("continue = 1;") == "Assign = continue 1");
    CHECK(statement("cover(a, \"b\");") == "Cover a \"b\"");
    CHECK(statement("cover = 1;") == "Assign = cover 1");
    CHECK(statement("assume(a);") == "Assume a");
    CHECK(statement("assume[1] = a;") == "Assign = (index assume 1) a");
}

TEST_CASE("wait until, or wait for a number called until") {
    CHECK(statement("wait until (x);") == "WaitUntil x");
    CHECK(statement("wait until ((x) && y);") == "WaitUntil (&& (paren x) y)");
    CHECK(statement("wait until;") == "Wait until");
    CHECK(statement("wait until + 1;") == "Wait (+ until 1)");
    CHECK(statement("wait until.x;") == "Wait (member until x)");
    CHECK(statement("wait until[1];") == "Wait (index until 1)");
    CHECK(statement("wait until (x) + 1;") == "Wait (+ (call until x) 1)");
    CHECK(statement("wait until x.go;")
          == "1:23 unexpected 'x'; expected '(' after 'wait until' [syntax]");
}

TEST_CASE("directions of loops") {
    CHECK(statement("for i = 0 to 3 { }") == "For i = 0 to 3\n        Block");
    CHECK(statement("for until = until until until { }")
          == "For until = until until until\n        Block");
    CHECK(statement("for downto = to_ downto downto { }")
          == "For downto = to_ downto downto\n        Block");
}

TEST_CASE("modifiers or names of fields") {
    test::Parsed parsed(
        "type t: bus { hold: u8; flip: u8; hold hold: u8; flip hold: u8; hold flip flip: u8; };");
    REQUIRE(parsed.messages().empty());
    CHECK(
        ast::dump(parsed.module)
        == "Module\n  BusType t\n    Field hold: u8\n    Field flip: u8\n    Field hold hold: u8\n"
           "    Field flip hold: u8\n    Field hold flip flip: u8\n");
}
