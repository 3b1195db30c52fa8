// One function for each kind of line, in the order of print.cpp. Bodies are in parse_body.cpp.

#include "ir_reader/parse.h"

#include <fmt/format.h>

#include "ir/text.h"
#include "ir/tidy.h"
#include "ir_reader/parser.h"

namespace smec::ir {

namespace {

class Parser {
public:
    explicit Parser(std::string_view text) : in_(text) {}

    Design run() {
        if (in_.isAtEnd()) in_.fail("expected 'design', found the end of the text");
        header();
        while (in_.acceptLine(0, "enum"))
            enumeration();
        while (in_.acceptLine(0, "shape"))
            shape();
        while (in_.acceptLine(0, "plane"))
            plane();
        while (in_.acceptLine(0, "table"))
            table();
        while (in_.acceptLine(0, "function"))
            function();
        while (in_.acceptLine(0, "class"))
            readClass();
        while (in_.acceptLine(0, "name"))
            name(design_.names);
        while (in_.acceptLine(0, "hidden")) {
            in_.expect("name");
            name(design_.hiddenNames);
        }
        if (!in_.isAtEnd()) in_.fail("a line that does not belong here");
        return std::move(design_);
    }

private:
    void header() {
        in_.expect("design");
        design_.name = in_.name();
        in_.expect(",");
        design_.processCount = in_.number<std::uint64_t>();
        in_.expect("processes");
        while (in_.accept(",")) {
            if (in_.accept("unchecked")) {
                design_.unchecked = true;
                continue;
            }
            in_.expect("up to");
            design_.uncountedRounds = in_.number<std::uint32_t>();
            in_.expect("rounds not counted");
        }
        in_.endLine();
    }

    /// The number of what comes: they are in order.
    template <typename List>
    void numbered(const List& before) {
        if (in_.isNumberNext() && in_.number<std::uint64_t>() == before.size()) return;
        in_.fail("expected number {}", before.size());
    }

    void enumeration() {
        Enum e;
        numbered(design_.enums);
        e.name = in_.name();
        in_.expect(":");
        std::tie(e.isSigned, e.width) = in_.sized(0);
        in_.endLine();
        while (in_.acceptLine(1, "member")) {
            EnumMember member{in_.name(), {}};
            in_.expect("=");
            member.value = in_.integer();
            e.members.push_back(std::move(member));
            in_.endLine();
        }
        design_.enums.push_back(std::move(e));
    }

    void shape() {
        Shape shape;
        numbered(design_.shapes);
        if (in_.accept("struct")) {
            shape.kind = Shape::Kind::Struct;
            shape.name = in_.name();
        } else if (in_.isNumberNext()) {
            shape.kind = Shape::Kind::Array;
            shape.count = in_.number<std::uint64_t>();
            in_.expect("of");
            shape.element = in_.number<std::uint32_t>();
        } else {
            shape.scalar = in_.scalar();
            shape.enumeration = in_.enumeration();
            shape.range = in_.range();
        }
        in_.endLine();
        while (in_.acceptLine(1, "member")) {
            Shape::Member member{in_.name(), 0, 0};
            in_.expect("shape");
            member.shape = in_.number<std::uint32_t>();
            in_.expect("leaf");
            member.leaf = in_.number<std::uint32_t>();
            shape.members.push_back(std::move(member));
            in_.endLine();
        }
        design_.shapes.push_back(std::move(shape));
    }

    template <typename Id>
    Id id() {
        return {in_.number<std::uint32_t>()};
    }

    void plane() {
        Plane p;
        numbered(design_.planes);
        p.kind = static_cast<PlaneKind>(in_.oneOf(text::kPlaneKinds, "a kind of plane"));
        p.name = in_.name();
        if (in_.accept("of")) p.owner = id<ClassId>();
        in_.expect(":");
        p.instances = in_.number<std::uint32_t>();
        in_.expect("x");
        p.type = in_.storage();
        if (in_.accept("by")) p.perOwner = in_.number<std::uint32_t>();
        p.enumeration = in_.enumeration();
        p.range = in_.range();
        p.hold = in_.accept("hold");
        p.combinational = in_.accept("combinational");
        p.hidden = in_.accept("hidden");
        if (in_.accept("objects")) p.objects = in_.number<std::uint32_t>();
        if (in_.accept("element of")) p.firstElement = id<PlaneId>();
        if (in_.accept("dimensions")) {
            do {
                p.dimensions.push_back(in_.number<std::uint64_t>());
            } while (in_.accept("x"));
        }
        if (in_.accept("=")) {
            p.initial.perInstance = in_.accept("each");
            p.initial.values = in_.values(p.type.scalar);
        }
        in_.endLine();
        design_.planes.push_back(std::move(p));
    }

    void table() {
        Table table;
        numbered(design_.tables);
        if (!in_.isNext(":")) table.name = in_.name();
        in_.expect(":");
        table.type = in_.storage();
        in_.expect("=");
        table.values = in_.values(table.type.scalar);
        in_.endLine();
        design_.tables.push_back(std::move(table));
    }

    void function() {
        Function f;
        numbered(design_.functions);
        f.name = in_.name();
        in_.expect(":");
        if (in_.isNext("[") || isTypeNext()) {
            do {
                f.results.push_back(in_.storage());
            } while (in_.accept(","));
        }
        if (in_.accept("of class")) f.owner = id<ClassId>();
        f.mayFail = in_.accept("fails");
        f.mayTrace = in_.accept("traces");
        f.callsForeign = in_.accept("foreign");
        in_.endLine();
        if (in_.acceptLine(1, "extern")) f.external = foreign();
        parseBody(in_, design_, nullptr, f.body);
        for (const Local& local : f.body.locals)
            f.paramCount += local.kind == LocalKind::Param;
        tidy(design_, f.body);
        design_.functions.push_back(std::move(f));
    }

    bool isTypeNext() {
        return !in_.isLineDone() && !in_.isNext("of") && !in_.isNext("fails")
               && !in_.isNext("traces") && !in_.isNext("foreign");
    }

    Foreign foreign() {
        Foreign f;
        f.isProcess = in_.accept("process");
        if (!f.isProcess) in_.expect("function");
        f.isSerial = in_.accept("serial");
        f.name = in_.name();
        in_.expect("in");
        f.header = in_.quoted();
        f.isFile = in_.accept("file");
        in_.expect("id");
        f.id = in_.number<std::uint32_t>();
        in_.expect("constants");
        f.constants = in_.number<std::uint32_t>();
        in_.endLine();
        while (in_.acceptLine(2, "port")) {
            Foreign::Port port{in_.name(), false, 1, {}};
            in_.expect("x");
            port.elements = in_.number<std::uint32_t>();
            port.isArray = in_.accept("array");
            in_.endLine();
            while (in_.acceptLine(3, "field")) {
                Foreign::Field field{in_.name(), 0};
                in_.expect("shape");
                field.shape = in_.number<std::uint32_t>();
                field.written = in_.accept("written");
                port.fields.push_back(std::move(field));
                in_.endLine();
            }
            f.ports.push_back(std::move(port));
        }
        return f;
    }

    void readClass() {
        Class cls;
        numbered(design_.classes);
        cls.name = in_.name();
        in_.expect(":");
        cls.instances = in_.number<std::uint32_t>();
        in_.expect("instances");
        cls.combinational = in_.accept("combinational");
        cls.isDelayLine = in_.accept("delay");
        in_.endLine();
        while (in_.acceptLine(1, "instance"))
            instances(cls);
        while (in_.acceptLine(1, "input"))
            input(cls);
        while (isOutput())
            output(cls);
        while (in_.acceptLine(1, "variable"))
            variable(cls);
        while (in_.acceptLine(1, "column"))
            column(cls);
        while (in_.acceptLine(1, "cover"))
            cover(cls);
        while (isTraceSite())
            traceSite(cls.body);
        while (in_.acceptLine(1, "fail site"))
            failSite(cls.body);
        parseBody(in_, design_, &cls, cls.body);
        tidy(design_, cls.body);
        design_.classes.push_back(std::move(cls));
    }

    /// `run`: with a prefix, an index, a count and a suffix.
    template <typename T>
    void path(T& run) {
        const bool isQuoted = in_.isQuotedNext();
        run.prefix = in_.name();
        run.index = 0;
        run.count = 1;
        if (!isQuoted || !in_.isNumberNext()) return;
        const std::size_t begin = in_.start();
        run.index = in_.number<std::uint64_t>();
        in_.expect("..");
        const auto last = in_.number<std::uint64_t>();
        if (last < run.index || last - run.index >= UINT32_MAX)
            in_.failAt(begin, "a range of names that cannot be");
        run.count = static_cast<std::uint32_t>(last - run.index + 1);
        run.suffix = in_.quoted();
    }

    void instances(Class& cls) {
        InstanceRun run{};
        run.first = in_.number<std::uint32_t>();
        path(run);
        in_.expect("order");
        run.order = in_.number<std::uint64_t>();
        in_.expect("by");
        run.orderStride = in_.number<std::uint64_t>();
        if (in_.accept("waits")) {
            const std::size_t begin = in_.start();
            const auto places = in_.number<std::uint32_t>();
            if (places > kMostPlaces) in_.failAt(begin, "a number of places out of range");
            in_.expect("at");
            run.waits = WaitPlaces{ownPlane(), std::vector<SourceRange>(places)};
        }
        in_.endLine();
        cls.runs.push_back(std::move(run));
    }

    /// Of one that there is.
    PlaneId ownPlane() {
        const std::size_t begin = in_.start();
        const auto plane = id<PlaneId>();
        if (plane.index >= design_.planes.size())
            in_.failAt(begin, fmt::format("there is no plane {}", plane.index));
        return plane;
    }

    /// "x.v", or "x.v@1" where there are others; `known` of them are there already.
    std::string numberedName(std::size_t known) {
        const NumberedName name = in_.numberedName();
        if (name.mark != 0 && (name.mark != '@' || name.number != known))
            in_.fail("expected '@{}' behind the name", known);
        return name.name;
    }

    void input(Class& cls) {
        Input input{numberedName(cls.inputs.size()), {}, {}};
        in_.expect(":");
        input.type = in_.storage();
        input.range = in_.range();
        in_.endLine();
        if (!in_.isAtEnd() && in_.depth() == 2 && in_.isNext("element")) {
            while (in_.acceptLine(2, "element")) {
                numbered(input.elements);
                in_.endLine();
                input.elements.push_back(connection());
            }
        } else {
            input.elements.push_back(connection());
        }
        cls.inputs.push_back(std::move(input));
    }

    Connection connection() {
        Connection result;
        while (!in_.isAtEnd() && in_.depth() == 2 && in_.isNumberNext()) {
            Run run{};
            run.first = in_.number<std::uint32_t>();
            in_.expect("+");
            run.count = in_.number<std::uint32_t>();
            in_.expect(":");
            in_.expect("plane");
            run.plane = ownPlane();
            in_.expect("from");
            run.start = in_.number<std::uint32_t>();
            in_.expect("by");
            run.stride = in_.number<std::int32_t>();
            in_.endLine();
            result.runs.push_back(run);
        }
        return result;
    }

    /// "output y.v: plane 0", and not the local "output y.v: u8".
    bool isOutput() {
        const std::size_t begin = in_.start();
        if (!in_.acceptLine(1, "output")) return false;
        in_.numberedName();
        const bool result = in_.accept(":") && in_.isNext("plane");
        in_.goBack(begin);
        return result;
    }

    void output(Class& cls) {
        in_.expect("output");
        Output output{in_.name(), {}};
        in_.expect(":");
        in_.expect("plane");
        output.plane = ownPlane();
        output.hold = in_.accept("hold");
        if (in_.accept("log")) output.log = log();
        in_.endLine();
        cls.outputs.push_back(std::move(output));
    }

    Log log() {
        Log result{ownPlane(), {}};
        in_.expect("of");
        result.form.entries = in_.number<std::uint32_t>();
        result.form.isCounted = in_.accept("counted");
        return result;
    }

    void variable(Class& cls) {
        const std::size_t begin = in_.start();
        const std::string name = in_.name();
        in_.expect(":");
        in_.expect("plane");
        const PlaneId plane = ownPlane();
        const std::string& own = design_.planes[plane.index].name;
        if (name != own)
            in_.failAt(begin, fmt::format("plane {} is called {}", plane.index, text::name(own)));
        in_.endLine();
        cls.state.push_back(plane);
    }

    void column(Class& cls) {
        in_.expect("$");
        Column column{numberedName(cls.columns.size()), {}, {}, {}};
        in_.expect(":");
        column.type = in_.scalar();
        if (const auto range = in_.range()) column.range = *range;
        if (in_.accept("=")) {
            const Constants values = in_.values(column.type);
            column.values.assign(values.begin(), values.end());
        }
        in_.endLine();
        cls.columns.push_back(std::move(column));
    }

    void cover(Class& cls) {
        Cover cover{in_.quoted(), {}};
        in_.expect(":");
        in_.expect("plane");
        cover.counter = ownPlane();
        in_.endLine();
        cls.covers.push_back(std::move(cover));
    }

    /// "trace site 0 "…" ()", and not the statement "trace site 0 ()".
    bool isTraceSite() {
        const std::size_t begin = in_.start();
        if (!in_.acceptLine(1, "trace site")) return false;
        const bool result = in_.isNumberNext() && (in_.number<std::uint32_t>(), in_.isQuotedNext());
        in_.goBack(begin);
        return result;
    }

    void traceSite(Body& body) {
        in_.expect("trace site");
        numbered(body.traces);
        body.traces.push_back(site());
        in_.endLine();
    }

    TraceSite site() {
        TraceSite site{in_.quoted(), {}};
        site.args = arguments();
        return site;
    }

    std::vector<ArgFormat> arguments() {
        std::vector<ArgFormat> args;
        in_.expect("(");
        if (in_.accept(")")) return args;
        do {
            ArgFormat arg{};
            arg.type = static_cast<ExprType>(in_.oneOf(text::kTypes, "a type"));
            std::tie(arg.isSigned, arg.bits) = in_.sized(0);
            arg.enumeration = in_.enumeration();
            args.push_back(arg);
        } while (in_.accept(","));
        in_.expect(")");
        return args;
    }

    void failSite(Body& body) {
        FailSite site{};
        numbered(body.fails);
        site.kind = static_cast<FailureKind>(in_.oneOf(text::kFailures, "a kind of failure"));
        if (in_.accept("of")) site.subject = in_.name();
        const bool isUnsaid = in_.accept("unsaid");
        if (isUnsaid || in_.isQuotedNext()) {
            site.hasText = !isUnsaid;
            site.text = this->site();
        } else if (in_.isNext("(")) {
            site.text.args = arguments();
        }
        if (in_.accept("at")) {
            site.range.file = FileId{in_.number<std::uint32_t>()};
            in_.expect(":");
            site.range.begin = in_.number<std::uint32_t>();
            in_.expect("..");
            site.range.end = in_.number<std::uint32_t>();
        }
        in_.endLine();
        body.fails.push_back(std::move(site));
    }

    void name(std::vector<NameRun>& names) {
        NameRun run{};
        path(run);
        in_.expect(":");
        in_.expect("plane");
        run.plane = ownPlane();
        in_.expect("from");
        run.start = in_.number<std::uint32_t>();
        in_.expect("by");
        run.stride = in_.number<std::int32_t>();
        run.exposed = in_.accept("exposed");
        run.variable = in_.accept("variable");
        if (in_.accept("shape")) run.shape = in_.number<std::uint32_t>();
        in_.endLine();
        while (in_.acceptLine(1, "leaf"))
            run.leaves.push_back(leaf());
        names.push_back(std::move(run));
    }

    NameRun::Place leaf() {
        NameRun::Place place{};
        in_.expect("plane");
        place.plane = ownPlane();
        in_.expect("from");
        place.start = in_.number<std::uint32_t>();
        in_.expect("by");
        place.stride = in_.number<std::int32_t>();
        if (in_.accept("elements")) {
            do {
                place.elements.push_back(ownPlane());
            } while (in_.accept(","));
        }
        in_.endLine();
        return place;
    }

    static constexpr std::uint32_t kMostPlaces = 1'000'000;

    TextReader in_;
    Design design_;
};

}  // namespace

Parsed parse(std::string_view text) {
    try {
        return {Parser(text).run(), {}};
    } catch (const Problem& problem) {
        return {std::nullopt, problem.error};
    }
}

}  // namespace smec::ir
