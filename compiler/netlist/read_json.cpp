#include "netlist/read_json.h"

#include <algorithm>
#include <istream>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "netlist/long_texts.h"

namespace smec::netlist {
namespace {

using Json = nlohmann::json;

/// What the object or array at hand is.
enum class Place : std::uint8_t {
    File,
    Modules,
    Module,
    ModuleAttributes,
    Ports,
    Port,
    Cells,
    Cell,
    CellParameters,
    CellAttributes,
    Connections,
    Nets,
    Net,
    NetAttributes,
    PortBits,
    ConnectionBits,
    NetBits,
    Skipped
};

/// Where the object or array under `key` in `place` leads.
Place inner(Place place, std::string_view key) {
    switch (place) {
    case Place::File: return key == "modules" ? Place::Modules : Place::Skipped;
    case Place::Modules: return Place::Module;
    case Place::Module:
        if (key == "attributes") return Place::ModuleAttributes;
        if (key == "ports") return Place::Ports;
        if (key == "cells") return Place::Cells;
        return key == "netnames" ? Place::Nets : Place::Skipped;
    case Place::Ports: return Place::Port;
    case Place::Port: return key == "bits" ? Place::PortBits : Place::Skipped;
    case Place::Cells: return Place::Cell;
    case Place::Cell:
        if (key == "parameters") return Place::CellParameters;
        if (key == "attributes") return Place::CellAttributes;
        return key == "connections" ? Place::Connections : Place::Skipped;
    case Place::Connections: return Place::ConnectionBits;
    case Place::Nets: return Place::Net;
    case Place::Net:
        if (key == "attributes") return Place::NetAttributes;
        return key == "bits" ? Place::NetBits : Place::Skipped;
    default: return Place::Skipped;
    }
}

bool isBits(Place place) {
    return place == Place::PortBits || place == Place::ConnectionBits || place == Place::NetBits;
}

/// Makes the design while the text passes by. Functions return whether to go on.
class Reader {
public:
    explicit Reader(LongTexts& texts) : texts_(texts) {}

    Design design;
    std::string problem;

    bool null() { return isSkipped() || refuse("null"); }
    bool boolean(bool) { return isSkipped() || refuse("a truth value"); }
    bool number_float(double, const std::string&) { return isSkipped() || refuse("a fraction"); }
    bool binary(Json::binary_t&) { return refuse("binary data"); }
    /// Some numbers of others may be: where the bits of a wire begin to be counted.
    bool number_integer(std::int64_t) {
        return isSkipped() || !isBits(places_.back()) || refuse("a negative number");
    }

    bool number_unsigned(std::uint64_t value) {
        if (isSkipped()) return true;
        if (isBits(places_.back())) {
            if (value <= kOne || value >= kHighImpedance)
                return refuse(fmt::format("the net {}", value));
            bits_.push_back(static_cast<Bit>(value));
            return true;
        }
        if (Values* all = values()) (*all)[key_] = fmt::format("{:b}", value);
        if (places_.back() == Place::Port && key_ == "signed")
            module().ports.back().isSigned = value != 0;
        if (places_.back() == Place::Net && key_ == "hide_name") net().isHidden = value != 0;
        return true;
    }

    bool string(std::string& text) {
        if (isSkipped()) return true;
        const Place place = places_.back();
        if (isBits(place)) return constant(text);
        if (place == Place::Cell && key_ == "type") cell().type = text;
        if (place == Place::Port && key_ == "direction") return direction(text);
        texts_.restore(text);
        if (Values* all = values()) (*all)[key_] = std::move(text);
        return true;
    }

    bool key(std::string& text) {
        key_ = std::move(text);
        return true;
    }

    bool start_object(std::size_t) {
        if (places_.empty()) {
            places_.push_back(Place::File);
            return true;
        }
        const Place next = inner(places_.back(), key_);
        if (isBits(next)) return refuse("an object in place of bits");
        switch (next) {
        case Place::Module: design.modules.emplace_back().name = key_; break;
        case Place::Port: module().ports.emplace_back().name = key_; break;
        case Place::Cell: module().cells.emplace_back().name = key_; break;
        case Place::Net: module().nets.emplace_back().name = key_; break;
        default: break;
        }
        places_.push_back(next);
        return true;
    }

    bool start_array(std::size_t) {
        if (places_.empty()) return refuse("a list in place of a netlist");
        const Place next = inner(places_.back(), key_);
        if (next != Place::Skipped && !isBits(next)) return refuse("a list in place of an object");
        places_.push_back(next);
        bits_.clear();
        return true;
    }

    bool end_object() {
        const Place place = places_.back();
        if (place == Place::CellParameters) cell().parameters.shrink();
        if (place == Place::Connections) cell().connections.shrink();
        // Yosys has one for each of its own, of which only those count that say what is there first
        if (place == Place::Net && net().isHidden && net().attributes.empty())
            module().nets.pop_back();
        return leave();
    }
    bool end_array() {
        if (isBits(places_.back())) takeBits();
        return leave();
    }

    bool parse_error(std::size_t position, const std::string&, const Json::exception&) {
        problem = fmt::format("the text ends or is broken at byte {}", position + texts_.missing());
        return false;
    }

private:
    bool isSkipped() const { return places_.empty() || places_.back() == Place::Skipped; }
    Module& module() { return design.modules.back(); }
    Cell& cell() { return module().cells.back(); }
    Net& net() { return module().nets.back(); }

    bool leave() {
        places_.pop_back();
        return true;
    }

    bool refuse(const std::string& what) {
        problem = fmt::format("{} at '{}'", what, key_);
        return false;
    }

    /// Widths are those of the ports, and of attributes only some are looked at.
    bool isOfUse() const {
        switch (places_.back()) {
        case Place::CellParameters: return key_.size() != 7 || !key_.ends_with("_WIDTH");
        case Place::CellAttributes: return key_ == "src";
        case Place::NetAttributes: return key_ == "init";
        default: return true;
        }
    }

    Values* values() {
        if (!isOfUse()) return nullptr;
        switch (places_.back()) {
        case Place::ModuleAttributes: return &module().attributes;
        case Place::CellParameters: return &cell().parameters;
        case Place::CellAttributes: return &cell().attributes;
        case Place::NetAttributes: return &net().attributes;
        default: return nullptr;
        }
    }

    void takeBits() {
        Bits exact(bits_.begin(), bits_.end());
        switch (places_.back()) {
        case Place::PortBits: module().ports.back().bits = std::move(exact); break;
        case Place::NetBits: net().bits = std::move(exact); break;
        default: cell().connections[key_] = std::move(exact);
        }
    }

    bool constant(const std::string& text) {
        if (text.size() == 1) {
            switch (text[0]) {
            case '0': bits_.push_back(kZero); return true;
            case '1': bits_.push_back(kOne); return true;
            case 'x': bits_.push_back(kUnknown); return true;
            case 'z': bits_.push_back(kHighImpedance); return true;
            default: break;
            }
        }
        return refuse(fmt::format("the bit '{}'", text));
    }

    bool direction(const std::string& text) {
        Direction& direction = module().ports.back().direction;
        if (text == "input")
            direction = Direction::Input;
        else if (text == "output")
            direction = Direction::Output;
        else if (text == "inout")
            direction = Direction::Inout;
        else
            return refuse(fmt::format("the direction '{}'", text));
        return true;
    }

    LongTexts& texts_;
    std::vector<Place> places_;  ///< the objects and arrays around what is read
    std::string key_;
    Bits bits_;  ///< of the list at hand
};

/// Bytes that are still to come; 0: nobody knows.
std::size_t sizeOf(std::istream& in) {
    std::streambuf& all = *in.rdbuf();
    const std::streamoff here = all.pubseekoff(0, std::ios::cur, std::ios::in);
    if (here < 0) return 0;
    const std::streamoff end = all.pubseekoff(0, std::ios::end, std::ios::in);
    all.pubseekpos(here, std::ios::in);
    return static_cast<std::size_t>(std::max(end - here, std::streamoff{0}));
}

}  // namespace

Design readJson(std::istream& in) {
    LongTexts texts(*in.rdbuf(), sizeOf(in));
    std::istream shortened(&texts);
    Reader reader(texts);
    if (!Json::sax_parse(shortened, &reader)) throw BadNetlist(reader.problem);
    if (reader.design.modules.empty()) throw BadNetlist("it has no modules");
    return std::move(reader.design);
}

}  // namespace smec::netlist
