#include "codegen/cpp/tables/rows.h"

namespace smec::codegen::cpp {
namespace {

static_assert(static_cast<int>(ir::FailureKind::WaitCount)
              == static_cast<int>(sme::Failure::WaitCount));

class ClassRows {
public:
    ClassRows(const Program& program, ImageBuilder& image) : program_(program), image_(image) {}

    sme::Class of(std::size_t index) {
        const ir::Class& cls = program_.design.classes[index];
        sme::Class row{};
        row.name = image_.text(cls.isDelayLine ? "delay line" : cls.name);
        row.location = locationOf(program_, cls.range, image_);
        row.instances = cls.instances;
        const sme::SiteTable sites{0, traces(index), fails(index)};
        row.sites = image_.add(std::span(&sites, 1));
        row.siteCount = 1;
        return row;
    }

private:
    sme::TraceSite site(const char* format, const std::vector<ArgumentRow>& arguments) {
        std::vector<sme::ArgFormat> formats;
        for (const ArgumentRow& argument : arguments)
            formats.push_back({argument.kind, argument.bits, argument.type});
        return {format, image_.add(formats), narrow(formats.size())};
    }

    const sme::TraceSite* traces(std::size_t cls) {
        const std::vector<ir::TraceSite>& sites = program_.design.classes[cls].body.traces;
        std::vector<sme::TraceSite> rows;
        for (std::size_t i = 0; i < sites.size(); ++i)
            rows.push_back(site(image_.text(sites[i].format), program_.model.sites[cls].traces[i]));
        return image_.add(rows);
    }

    const sme::FailSite* fails(std::size_t cls) {
        const std::vector<ir::FailSite>& sites = program_.design.classes[cls].body.fails;
        std::vector<sme::FailSite> rows;
        for (std::size_t i = 0; i < sites.size(); ++i) {
            const ir::FailSite& from = sites[i];
            sme::FailSite row{};
            row.kind = static_cast<sme::Failure>(from.kind);
            row.location = locationOf(program_, from.range, image_);
            row.text = site(from.hasText ? image_.text(from.text.format) : nullptr,
                            program_.model.sites[cls].fails[i]);
            row.subject = from.subject.empty() ? nullptr : image_.text(from.subject);
            rows.push_back(row);
        }
        return image_.add(rows);
    }

    const Program& program_;
    ImageBuilder& image_;
};

}  // namespace

void addClasses(const Program& program, ImageBuilder& image, sme::Model& model) {
    ClassRows rows(program, image);
    std::vector<sme::Class> classes;
    for (std::size_t i = 0; i < program.design.classes.size(); ++i)
        classes.push_back(rows.of(i));
    model.classes = image.add(classes);
    model.classCount = narrow(classes.size());
}

}  // namespace smec::codegen::cpp
