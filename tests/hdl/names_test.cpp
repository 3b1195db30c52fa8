#include "hdl/names.h"

#include <catch2/catch.hpp>

using smec::hdl::isReserved;
using smec::hdl::Names;

TEST_CASE("hdl: names are identifiers of Verilog and VHDL") {
    Names names;
    CHECK(names.take("x.v") == "x_v");
    CHECK(names.take("link[2][13].v") == "link_2_13_v");
    CHECK(names.take("_a") == "n_a");
    CHECK(names.take("a_") == "a");
    CHECK(names.take("a.ping.ticks") == "a_ping_ticks");
}

TEST_CASE("hdl: reserved words get a number, in any case") {
    CHECK(isReserved("begin"));
    CHECK(isReserved("SIGNAL"));
    CHECK(isReserved("logic"));
    CHECK_FALSE(isReserved("acc"));
    CHECK(isReserved("low_9_4"));  // a function of the printers
    CHECK(isReserved("divide_signed_100"));
    CHECK_FALSE(isReserved("low_9"));
    CHECK_FALSE(isReserved("divide"));
    Names names;
    CHECK(names.take("begin") == "begin_1");
    CHECK(names.take("Entity") == "Entity_1");
    CHECK(names.take("begin") == "begin_2");
    CHECK(names.take("divide_5") == "divide_5_1");
    CHECK(names.take("divide") == "divide");
    CHECK(names.take("divide") == "divide_n1");
    CHECK(names.take("low_1") == "low_1");
    CHECK(names.take("low_1") == "low_1_n1");
}

TEST_CASE("hdl: names differ in more than the case of letters") {
    Names names;
    CHECK(names.take("Data") == "Data");
    CHECK(names.take("data") == "data_1");
    CHECK(names.take("data_1") == "data_1_1");
    CHECK(names.take("a.b") == "a_b");
    CHECK(names.take("a_b") == "a_b_1");
}
