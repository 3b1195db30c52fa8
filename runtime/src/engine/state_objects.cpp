#include "engine/state_objects.h"

#include <unordered_map>

#include "output/error.h"
#include "values/instances.h"

namespace sme {
namespace {

[[noreturn]] void refuseToWrite(const Objects& list) {
    throw Error(ErrorKind::Usage, std::string("the state has objects of the extern process '")
                                      + list.process + "', whose class has no save() and load()");
}

class ObjectReader {
public:
    ObjectReader(const Model& model, StateReader& in, std::vector<Snapshot::Object>& objects)
        : model_(model), in_(in), objects_(objects) {}

    std::vector<std::string> read(std::uint32_t count) {
        if (count > 0) findPlaces();
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::string path = in_.text();
            const auto size = in_.number<std::uint64_t>();
            put(path, {reinterpret_cast<const char*>(in_.raw(size)), size});
        }
        return std::move(differences_);
    }

private:
    struct Where {
        std::uint32_t list, instance;
    };

    void findPlaces() {
        for (std::uint32_t list = 0; list < model_.objectCount; ++list) {
            const std::uint32_t owner = model_.planes[model_.objects[list].plane].owner;
            for (std::uint32_t i = 0; i < model_.instanceRunCount; ++i) {
                const InstanceRun& run = model_.instances[i];
                for (std::uint32_t number = 0; run.cls == owner && number < run.count; ++number)
                    places_.emplace(pathOf(&run, run.first + number),
                                    Where{list, run.first + number});
            }
        }
    }

    void put(const std::string& path, std::string_view bytes) {
        const auto place = places_.find(path);
        if (place == places_.end())
            return differences_.push_back("the object of '" + path + "' is gone");
        const auto [list, instance] = place->second;
        const Objects& objects = model_.objects[list];
        if (objects.save(0) == 0)
            return differences_.push_back("the object of '" + path
                                          + "' is made anew: its class has no save() and load()");
        objects_.push_back({list, instance, ForeignObject::ofSaved(bytes, functionsOf(objects))});
    }

    const Model& model_;
    StateReader& in_;
    std::vector<Snapshot::Object>& objects_;
    std::unordered_map<std::string, Where> places_;
    std::vector<std::string> differences_;
};

}  // namespace

void writeObjects(StateWriter& out, const Model& model,
                  const std::vector<Snapshot::Object>& objects) {
    const InstanceIndex instances(model);
    for (const Objects& list : std::span(model.objects, model.objectCount))
        if (ForeignObject::areOutside(functionsOf(list))) refuseToWrite(list);
    for (const Snapshot::Object& kept : objects) {
        const Objects& list = model.objects[kept.list];
        const std::uint32_t owner = model.planes[list.plane].owner;
        const InstanceRun* run =
            owner < model.classCount ? instances.find(owner, kept.instance) : nullptr;
        out.text(pathOf(run, kept.instance));
        const bool isSaved = kept.object.visitSaved([&](std::string_view bytes) {
            out.number<std::uint64_t>(bytes.size());
            out.raw(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
        });
        if (!isSaved) refuseToWrite(list);
    }
}

std::vector<std::string> readObjects(StateReader& in, const Model& model, std::uint32_t count,
                                     std::vector<Snapshot::Object>& objects) {
    return ObjectReader(model, in, objects).read(count);
}

}  // namespace sme
