// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/outer_reading.h"

#include "input/field_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

void read_wire(FieldReader &reader, std::string_view key, Wire &wire) {
    bool given_index = false;
    reader.object(key, [&](FieldReader &inner) {
        inner.number("bits", wire.bits, Range{0.01, 64});
        inner.number("density", wire.density, Range{1e-9, 1});
        given_index = inner.choice("index", wire.index, index_encoding_names());
        inner.number("scale_bits", wire.scale_bits, Range{0, 32});
    });
    if (!given_index)
        wire.index = wire.density < 1 ? IndexEncoding::bitmap : IndexEncoding::none;
}

} // namespace

void read_outer(FieldReader &reader, Plan &plan) {
    Outer &outer = plan.outer;
    bool given_feedback = false;
    outer.method = plan.cluster.sites > 1 ? OuterMethod::data_parallel : OuterMethod::none;
    outer.quorum = plan.cluster.sites;
    const auto read = [&](FieldReader &inner) {
        inner.choice("method", outer.method, outer_method_names());
        const bool streaming = outer.method == OuterMethod::streaming_diloco;
        outer.inner_steps = outer.method == OuterMethod::data_parallel || outer.method == OuterMethod::none ? 1 : 100;
        // Default: three layers per fragment (Streaming DiLoCo, arXiv 2501.18512, section 3.1).
        outer.fragments = streaming ? std::max<std::int64_t>(1, (plan.model.layer_count() + 2) / 3) : 1;
        outer.overlap_steps = streaming ? 1 : 0;
        outer.up.bits = outer.down.bits = streaming ? 4 : 32;
        inner.count("inner_steps", outer.inner_steps, 1, 100'000'000);
        inner.count("fragments", outer.fragments, 1, 1'000'000);
        inner.count("overlap_steps", outer.overlap_steps, 0, 100'000'000);
        read_wire(inner, "up", outer.up);
        read_wire(inner, "down", outer.down);
        given_feedback = inner.boolean("error_feedback", outer.error_feedback);
        inner.count("quorum", outer.quorum, 1);
        double step = 0;
        if (inner.number("step_seconds", step, Range{1e-9, 1e9}))
            outer.step_seconds = step;
        inner.choice("pattern", outer.pattern, fragment_pattern_names());
        inner.choice("late_updates", outer.late_updates, late_update_names());
        inner.choice("release", outer.release, release_names());
        inner.boolean("steps_by_speed", outer.steps_by_speed);
    };
    if (!reader.object("outer", read) && !reader.has("outer") && plan.cluster.sites > 1) {
        const Json nothing = Json::object();
        FieldReader empty(nothing, "/outer", reader.problems());
        read(empty);
    }
    if (!given_feedback)
        outer.error_feedback = outer.up.density < 1;
    if (outer.method == OuterMethod::none) {
        outer = Outer{}; // the settings have no effect without an outer loop
        outer.quorum = plan.cluster.sites;
    }
}

} // namespace meshwright
