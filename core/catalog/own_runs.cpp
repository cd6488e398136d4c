// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/own_runs.h"

#include "catalog/json_values.h"
#include "input/field_reader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::array shape_counts{
    std::pair{"hidden", &RunShape::hidden},
    std::pair{"layers", &RunShape::layers},
    std::pair{"microbatch_tokens", &RunShape::microbatch_tokens},
    std::pair{"accelerators", &RunShape::accelerators},
    std::pair{"tensor", &RunShape::tensor},
    std::pair{"pipeline", &RunShape::pipeline},
    std::pair{"context", &RunShape::context},
    std::pair{"expert", &RunShape::expert},
    std::pair{"microbatches", &RunShape::microbatches},
};
constexpr std::array shape_flags{
    std::pair{"experts", &RunShape::experts},
    std::pair{"low_precision", &RunShape::low_precision},
    std::pair{"fully_sharded", &RunShape::fully_sharded},
    std::pair{"recomputed", &RunShape::recomputed},
};
constexpr std::array figures{
    std::pair{"step_seconds", &OwnRun::step},
    std::pair{"peak_bytes", &OwnRun::memory},
};

void read_run(FieldReader &reader, OwnRun &run) {
    reader.text("name", run.name);
    reader.text("stack", run.shape.stack);
    reader.text("architecture", run.shape.architecture);
    for (const auto &[key, place] : shape_counts)
        reader.count(key, run.shape.*place, 1);
    for (const auto &[key, place] : shape_flags)
        reader.boolean(key, run.shape.*place);
    for (const auto &[key, place] : figures)
        reader.object(key, [&, place = place](FieldReader &inner) {
            CheckedFigure figure;
            for (const char *const part : {"measured", "predicted"})
                inner.require(part, "expected a number above 0");
            const bool read = inner.number("measured", figure.measured, positive);
            if (inner.number("predicted", figure.predicted, positive) && read)
                run.*place = figure;
        });
    reader.choice("memory_kind", run.memory_kind, measured_memory_names());
}

Json run_to_json(const OwnRun &run) {
    Json json{{"name", run.name}, {"stack", run.shape.stack}, {"architecture", run.shape.architecture}};
    for (const auto &[key, place] : shape_counts)
        json[key] = run.shape.*place;
    for (const auto &[key, place] : shape_flags)
        json[key] = run.shape.*place;
    for (const auto &[key, place] : figures)
        if (const std::optional<CheckedFigure> &figure = run.*place)
            json[key] = {{"measured", number_to_json(figure->measured)},
                         {"predicted", number_to_json(figure->predicted)}};
    if (run.memory)
        json["memory_kind"] = measured_memory_names()[static_cast<std::size_t>(run.memory_kind)];
    return json;
}

} // namespace

const std::vector<std::string> &measured_memory_names() {
    static const std::vector<std::string> names{"allocated", "allocated-on-last-rank", "reserved", "device", "unknown"};
    return names;
}

void read_own_runs(FieldReader &reader, std::vector<OwnRun> &runs) {
    std::vector<OwnRun> read;
    std::size_t count = 0;
    reader.objects("measured_runs", [&](FieldReader &inner) {
        if (++count > max_own_runs)
            return;
        OwnRun run;
        read_run(inner, run);
        read.push_back(std::move(run));
    });
    if (count > max_own_runs)
        reader.problem("measured_runs", fmt::format("has {} runs", count),
                       fmt::format("expected at most {}", max_own_runs));
    runs = std::move(read);
}

void write_own_runs(Json &value, const std::vector<OwnRun> &runs) {
    for (const OwnRun &run : runs)
        value["measured_runs"].push_back(run_to_json(run));
}

} // namespace meshwright
