// Verilog's names as names of .sme.

#include "rtl/names.h"

#include <catch2/catch.hpp>

using namespace smec::rtl;

TEST_CASE("rtl names: letters, digits and single underscores") {
    CHECK(spelled("mem_addr") == "mem_addr");
    CHECK(spelled("a__b") == "a_b");
    CHECK(spelled("odd.name[3]") == "odd_name_3");
    CHECK(spelled("3state") == "n3state");
    CHECK(spelled("$add$cpu.v:12$3") == "add_cpu_v_12_3");
    CHECK(spelled("___") == "n");
    CHECK(spelled("") == "n");
    CHECK(spelled("q_") == "q");
    CHECK(spelled("_q") == "_q");
}

TEST_CASE("rtl names: words of the language and types are none") {
    CHECK(spelled("u8") == "u8_v");
    CHECK(spelled("i3") == "i3_v");
    CHECK(spelled("u8x") == "u8x");
    CHECK(spelled("bus") == "bus_v");
    CHECK(spelled("cat") == "cat_v");
    CHECK(spelled("wire32") == "wire32_v");
    CHECK(spelled("wired") == "wired");
    CHECK(spelled("wait") == "wait");  // a word that may be a name
}

TEST_CASE("rtl names: modules with parameters can be read") {
    CHECK(spelled("$paramod\\fifo\\DEPTH=s32'00000000000000000000000000000100") == "fifo_DEPTH_4");
    CHECK(spelled("$paramod\\m\\A=1'1\\B=8'00001111") == "m_A_1_B_15");
    CHECK(spelled("$paramod$0123456789abcdef\\cpu") == "cpu_01234567");
}

TEST_CASE("rtl names: a name is given once") {
    Names names;
    CHECK(names.take("a") == "a");
    CHECK(names.take("a") == "a_2");
    CHECK(names.take("a_2") == "a_2_2");
    CHECK(names.take("a") == "a_3");
}
