#include "rtl/equal_modules.h"

#include <catch2/catch.hpp>

using namespace smec;
using namespace smec::rtl;

namespace {

using netlist::Bit;

/// A register of a few bits and what its cell and nets are called.
netlist::Module registers(const std::string& name, std::size_t width, Bit first,
                          const std::string& hidden) {
    netlist::Module module{name, {}, {}, {}, {}};
    netlist::Bits in, out;
    for (Bit i = 0; i < width; ++i) {
        in.push_back(first + i);
        out.push_back(first + 100 + i);
    }
    module.ports = {{"clk", netlist::Direction::Input, {first + 200}},
                    {"d", netlist::Direction::Input, in},
                    {"q", netlist::Direction::Output, out}};
    module.cells = {{hidden,
                     "$dff",
                     {{"WIDTH", "1"}},
                     {{"src", hidden}},
                     {{"CLK", {first + 200}}, {"D", in}, {"Q", out}}}};
    module.nets = {{"state", false, out, {}}};
    return module;
}

netlist::Cell instance(const std::string& name, const std::string& of) {
    return {name, of, {}, {}, {}};
}

using List = std::vector<std::string>;

List names(const netlist::Design& design) {
    List result;
    for (const netlist::Module& module : design.modules)
        result.push_back(module.name);
    return result;
}

}  // namespace

TEST_CASE("equal modules: become one whatever their nets are numbered") {
    netlist::Design design{{registers("r$top.a", 4, 2, "$1"),
                            registers("r$top.b", 4, 700, "$9"),
                            {"top", {}, {}, {}, {}}}};
    design.modules[2].cells = {instance("a", "r$top.a"), instance("b", "r$top.b")};
    joinEqualModules(design, "top");
    CHECK(names(design) == List{"r", "top"});
    CHECK(design.modules[1].cells[0].type == "r");
    CHECK(design.modules[1].cells[1].type == "r");
}

TEST_CASE("equal modules: stay apart where they differ") {
    netlist::Design design{{registers("r$top.a", 4, 2, "$1"), registers("r$top.b", 5, 2, "$1"),
                            registers("r$top.c", 4, 2, "$1"), registers("r$top.d", 4, 2, "$1"),
                            registers("other$top.e", 4, 2, "$1")}};
    design.modules[2].cells[0].parameters["ARST_VALUE"] = "1";
    design.modules[3].nets[0].attributes["init"] = "0001";
    joinEqualModules(design, "top");
    CHECK(names(design) == List{"r", "r_2", "r_3", "r_4", "other"});
}

TEST_CASE("equal modules: are equal with children that are") {
    netlist::Design design{{{"pair$top.x", {}, {}, {instance("r", "r$top.x.r")}, {}},
                            registers("r$top.x.r", 4, 2, "$1"),
                            {"pair$top.y", {}, {}, {instance("r", "r$top.y.r")}, {}},
                            registers("r$top.y.r", 4, 30, "$2"),
                            {"pair$top.z", {}, {}, {instance("r", "r$top.z.r")}, {}},
                            registers("r$top.z.r", 5, 30, "$2")}};
    joinEqualModules(design, "top");
    CHECK(names(design) == List{"pair", "r", "pair_2", "r_2"});
    CHECK(design.modules[0].cells[0].type == "r");
    CHECK(design.modules[2].cells[0].type == "r_2");
}

TEST_CASE("equal modules: keep names that others have") {
    netlist::Design design{{registers("r", 4, 2, "$1"), registers("r$top.a", 4, 2, "$1"),
                            registers("a$b", 4, 2, "$1")}};
    joinEqualModules(design, "top");
    CHECK(names(design) == List{"r", "r_2", "a$b"});
}
