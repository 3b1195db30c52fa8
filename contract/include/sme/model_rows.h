#pragma once

// What the structs of sme/model.h are made of, once for who writes model.bin and who loads it: a
// member that is added there needs one line here, without which this does not compile. The format is
// in docs/model-format.md.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

#include <sme/code.h>
#include <sme/model.h>

namespace sme::rows {

// ---------------------------------------------------------------- kinds of members

/// Any number.
template <auto Member>
struct Number {};
/// A bool.
template <auto Member>
struct Flag {};
/// An enum, whose last enumerator is `Last`.
template <auto Member, auto Last>
struct Choice {};
/// Ends with a zero; always there.
template <auto Member>
struct Text {};
/// The same, or null.
template <auto Member>
struct MaybeText {};
/// As many rows as `Count`, a member of the same struct, says.
template <auto Member, auto Count>
struct Rows {};
/// Null, or rows of which something else says how many: one at least.
template <auto Member>
struct SomeRows {};
/// The number of a row of a table, of which `Count`, a member of Model, says how many it has.
template <auto Member, auto Count>
struct Index {};
/// The same, or ~0.
template <auto Member, auto Count>
struct MaybeIndex {};
/// Null, or bytes among the constants.
template <auto Member>
struct Bytes {};
/// A function: the place in `Table`, a member of Code that has `Count` of them, and 1.
template <auto Member, auto Table, auto Count>
struct Function {};
/// The same, or null.
template <auto Member, auto Table, auto Count>
struct MaybeFunction {};
/// A struct in the struct.
template <auto Member>
struct Nested {};
/// Not in the file: who loads it says what it is.
template <auto Member>
struct Given {};

// ---------------------------------------------------------------- what each struct has

template <typename... Kinds>
struct Members {
    static constexpr std::size_t kCount = sizeof...(Kinds);
    /// `visit(kind, row)` for each member.
    template <typename Row, typename Visit>
    static void forEach(Row& row, Visit&& visit) {
        (visit(Kinds(), row), ...);
    }
};

template <typename Row>
struct Of;

template <>
struct Of<EnumMember>
    : Members<Text<&EnumMember::name>, Number<&EnumMember::value>, SomeRows<&EnumMember::limbs>> {};

template <>
struct Of<StructMember>
    : Members<Text<&StructMember::name>, Index<&StructMember::type, &Model::typeCount>,
              Number<&StructMember::offset>, Number<&StructMember::leaf>> {};

template <>
struct Of<Type> : Members<Choice<&Type::kind, Kind::Struct>, Number<&Type::width>,
                          Number<&Type::bytes>, Text<&Type::name>, Number<&Type::element>,
                          Number<&Type::count>, SomeRows<&Type::members>, SomeRows<&Type::fields>,
                          Number<&Type::low>, Number<&Type::high>, SomeRows<&Type::limits>> {};

template <>
struct Of<Plane>
    : Members<Index<&Plane::type, &Model::typeCount>, Choice<&Plane::home, Home::Constant>,
              Number<&Plane::group>, Flag<&Plane::hold>, Number<&Plane::instances>,
              Number<&Plane::offset>, Choice<&Plane::initial, Initial::Elements>,
              Bytes<&Plane::initialData>, MaybeIndex<&Plane::owner, &Model::classCount>,
              Flag<&Plane::isLog>, MaybeIndex<&Plane::firstElement, &Model::planeCount>> {};

template <>
struct Of<WorkPart> : Members<Index<&WorkPart::cls, &Model::classCount>, Number<&WorkPart::first>,
                              Number<&WorkPart::count>> {};

template <>
struct Of<Entry>
    : Members<MaybeFunction<&Entry::instances, &Code::instances, &Code::instancesCount>,
              MaybeFunction<&Entry::block, &Code::blocks, &Code::blockCount>> {};

template <>
struct Of<Unobserved>
    : Members<MaybeFunction<&Unobserved::cycles, &Code::cycles, &Code::unobservedCount>,
              MaybeFunction<&Unobserved::settle, &Code::settles, &Code::unobservedCount>,
              Flag<&Unobserved::mayEnd>> {};

template <>
struct Of<Work>
    : Members<Text<&Work::name>, Nested<&Work::entry>, Number<&Work::count>,
              Number<&Work::granularity>, Number<&Work::steps>, Number<&Work::cost>,
              Number<&Work::level>, Rows<&Work::parts, &Work::partCount>, Number<&Work::partCount>,
              Number<&Work::first>, Nested<&Work::unobserved>> {};

template <>
struct Of<Stage> : Members<Number<&Stage::group>, Number<&Stage::first>, Number<&Stage::clocked>> {
};

template <>
struct Of<Flow>
    : Members<Index<&Flow::reader, &Model::workCount>, Number<&Flow::readerFirst>,
              Number<&Flow::readerCount>, Index<&Flow::writer, &Model::workCount>,
              Number<&Flow::writerFirst>, Number<&Flow::writerCount>, Number<&Flow::bytes>> {};

template <>
struct Of<Location>
    : Members<Text<&Location::file>, Number<&Location::line>, Number<&Location::column>> {};

template <>
struct Of<WaitPlaces>
    : Members<Index<&WaitPlaces::plane, &Model::planeCount>, Nested<&WaitPlaces::type>> {};

template <>
struct Of<InstanceRun> : Members<Index<&InstanceRun::cls, &Model::classCount>,
                                 Number<&InstanceRun::first>, Number<&InstanceRun::count>,
                                 Text<&InstanceRun::prefix>, MaybeText<&InstanceRun::suffix>,
                                 Number<&InstanceRun::index>, Number<&InstanceRun::order>,
                                 Number<&InstanceRun::orderStride>, Nested<&InstanceRun::location>,
                                 SomeRows<&InstanceRun::waits>, Number<&InstanceRun::body>> {};

template <>
struct Of<LeafPlace>
    : Members<Index<&LeafPlace::plane, &Model::planeCount>, Number<&LeafPlace::start>,
              Number<&LeafPlace::stride>, SomeRows<&LeafPlace::elements>> {};

template <>
struct Of<NameRun>
    : Members<Text<&NameRun::prefix>, MaybeText<&NameRun::suffix>, Number<&NameRun::index>,
              Number<&NameRun::count>, Index<&NameRun::plane, &Model::planeCount>,
              Number<&NameRun::start>, Number<&NameRun::stride>, Number<&NameRun::flags>,
              Nested<&NameRun::location>, Index<&NameRun::type, &Model::typeCount>,
              SomeRows<&NameRun::leaves>> {};

template <>
struct Of<Cover> : Members<Text<&Cover::name>, Index<&Cover::cls, &Model::classCount>,
                           Index<&Cover::plane, &Model::planeCount>> {};

template <>
struct Of<Objects>
    : Members<Index<&Objects::plane, &Model::planeCount>,
              Function<&Objects::release, &Code::releases, &Code::objectCount>,
              Function<&Objects::copy, &Code::copies, &Code::objectCount>, Text<&Objects::process>,
              Function<&Objects::save, &Code::saves, &Code::objectCount>> {};

template <>
struct Of<ArgFormat> : Members<Choice<&ArgFormat::kind, ArgKind::Typed>, Number<&ArgFormat::bits>,
                               Number<&ArgFormat::type>> {};

template <>
struct Of<TraceSite>
    : Members<MaybeText<&TraceSite::format>, Rows<&TraceSite::args, &TraceSite::argCount>,
              Number<&TraceSite::argCount>> {};

template <>
struct Of<FailSite>
    : Members<Choice<&FailSite::kind, Failure::WaitCount>, Nested<&FailSite::location>,
              Nested<&FailSite::text>, MaybeText<&FailSite::subject>> {};

template <>
struct Of<SiteTable> : Members<Number<&SiteTable::firstInstance>, SomeRows<&SiteTable::traces>,
                               SomeRows<&SiteTable::fails>> {};

template <>
struct Of<Class> : Members<Text<&Class::name>, Nested<&Class::location>, Number<&Class::instances>,
                           Rows<&Class::sites, &Class::siteCount>, Number<&Class::siteCount>> {};

template <>
struct Of<Model>
    : Members<Number<&Model::version>, Text<&Model::name>, Number<&Model::hash>,
              Number<&Model::flags>, Number<&Model::levels>,
              Rows<&Model::stages, &Model::stageCount>, Number<&Model::stageCount>,
              Number<&Model::clockedBytes>, Number<&Model::stateBytes>, Bytes<&Model::constants>,
              Rows<&Model::types, &Model::typeCount>, Number<&Model::typeCount>,
              Rows<&Model::planes, &Model::planeCount>, Number<&Model::planeCount>,
              Rows<&Model::classes, &Model::classCount>, Number<&Model::classCount>,
              Rows<&Model::work, &Model::workCount>, Number<&Model::workCount>,
              Rows<&Model::instances, &Model::instanceRunCount>, Number<&Model::instanceRunCount>,
              Rows<&Model::names, &Model::nameRunCount>, Number<&Model::nameRunCount>,
              Rows<&Model::hiddenNames, &Model::hiddenNameCount>, Number<&Model::hiddenNameCount>,
              Rows<&Model::covers, &Model::coverCount>, Number<&Model::coverCount>,
              Rows<&Model::objects, &Model::objectCount>, Number<&Model::objectCount>,
              Number<&Model::processCount>, Number<&Model::uncountedRounds>,
              Rows<&Model::flows, &Model::flowCount>, Number<&Model::flowCount>,
              Bytes<&Model::reads>, Number<&Model::readCount>, Text<&Model::compiler>,
              Given<&Model::processor>, MaybeText<&Model::refusals>> {};

// ---------------------------------------------------------------- what is in no table

template <>
struct Of<Read> : Members<Number<&Read::cls>, Number<&Read::first>, Number<&Read::count>,
                          Number<&Read::plane>, Number<&Read::start>, Number<&Read::stride>> {};

template <>
struct Of<Setup> : Members<Given<&Setup::model>, Given<&Setup::seed>, Given<&Setup::loopLimit>> {};

template <>
struct Of<Thread> : Members<Given<&Thread::setup>, Given<&Thread::constants>, Given<&Thread::log>,
                            Given<&Thread::outside>> {};

template <>
struct Of<Slots> : Members<Given<&Slots::read>, Given<&Slots::write>, Given<&Slots::state>,
                           Given<&Slots::cycle>> {};

template <>
struct Of<Arg> : Members<Given<&Arg::lo>, Given<&Arg::hi>> {};

template <>
struct Of<Code>
    : Members<Given<&Code::version>, Given<&Code::name>, Given<&Code::processor>,
              Given<&Code::identity>, Given<&Code::instances>, Given<&Code::instancesCount>,
              Given<&Code::blocks>, Given<&Code::blockCount>, Given<&Code::cycles>,
              Given<&Code::settles>, Given<&Code::unobservedCount>, Given<&Code::releases>,
              Given<&Code::copies>, Given<&Code::saves>, Given<&Code::objectCount>,
              Given<&Code::image>, Given<&Code::imageEnd>> {};

template <typename... Rows>
struct List {};

/// Parts of rows, bytes among the constants, and what code and runtime hand to one another.
using Others = List<Location, Entry, Unobserved, Read, Setup, Thread, Slots, Arg, Code>;

// ---------------------------------------------------------------- the tables of a file

/// In their order in the file, which is that in which they are loaded: what a check looks into comes
/// first. The first one has one row. Numbers are rows, too: of limbs, and of planes of elements.
using Tables = List<Model, std::uint64_t, std::uint32_t, EnumMember, StructMember, Type, Stage,
                    Plane, Class, SiteTable, TraceSite, FailSite, ArgFormat, Work, WorkPart, Flow,
                    InstanceRun, WaitPlaces, NameRun, LeafPlace, Cover, Objects>;

template <typename... Rows>
constexpr std::size_t sizeOf(List<Rows...>) {
    return sizeof...(Rows);
}
inline constexpr std::size_t kTables = sizeOf(Tables());

template <typename Row, typename... Rows>
constexpr std::size_t placeIn(List<Rows...>) {
    std::size_t place = 0, found = sizeof...(Rows);
    ((std::is_same_v<Row, Rows> ? static_cast<void>(found = place++) : static_cast<void>(place++)),
     ...);
    return found;
}
/// The number of the table whose rows are `Row`.
template <typename Row>
inline constexpr std::size_t kTable = placeIn<std::remove_const_t<Row>>(Tables());

/// `visit(std::type_identity<Row>())` for each struct of a list, in order.
template <typename Visit, typename... Rows>
void forEachOf(List<Rows...>, Visit&& visit) {
    (visit(std::type_identity<Rows>()), ...);
}
/// The same for each table.
template <typename Visit>
void forEachTable(Visit&& visit) {
    forEachOf(Tables(), visit);
}

// ---------------------------------------------------------------- members by their pointers

template <typename Pointer>
struct Parts;
template <typename Struct, typename Value>
struct Parts<Value Struct::*> {
    using Owner = Struct;
    using Type = Value;
};
/// What a member is of, its type, and what it points to.
template <auto Member>
using OwnerOf = typename Parts<decltype(Member)>::Owner;
template <auto Member>
using TypeOf = typename Parts<decltype(Member)>::Type;
template <auto Member>
using TargetOf = std::remove_const_t<std::remove_pointer_t<TypeOf<Member>>>;

/// Bytes from the start of the struct.
template <auto Member>
std::size_t offsetOf(const OwnerOf<Member>& row) {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(row.*Member))
                                    - reinterpret_cast<const std::byte*>(&row));
}

/// The same of a kind's member.
template <template <auto...> typename Kind, auto Member, auto... Rest>
std::size_t placeOf(Kind<Member, Rest...>, const OwnerOf<Member>& row) {
    return offsetOf<Member>(row);
}

/// "Plane::type", for messages.
template <auto Member>
constexpr std::string_view nameOf() {
    const std::string_view all = __PRETTY_FUNCTION__;
    const std::size_t start = all.find("&sme::") + 6;
    return all.substr(start, all.find_first_of("];,", start) - start);
}

// ---------------------------------------------------------------- nothing is left out

/// Converts to whatever a member is.
struct Anything {
    template <typename T>
    operator T() const;
};
template <typename Row, typename... Known>
constexpr std::size_t memberCount() {
    if constexpr (requires { Row{Known()..., Anything()}; })
        return memberCount<Row, Known..., Anything>();
    else
        return sizeof...(Known);
}
template <typename Row>
constexpr bool isWhole() {
    if constexpr (std::is_integral_v<Row>)
        return true;
    else
        return Of<Row>::kCount == memberCount<Row>();
}
template <typename... Rows>
constexpr bool areWhole(List<Rows...>) {
    return (isWhole<Rows>() && ...);
}
static_assert(areWhole(Tables()) && areWhole(Others()),
              "a member of a struct of sme/model.h has no line in sme/model_rows.h");

}  // namespace sme::rows
