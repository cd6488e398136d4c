// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/aggregation_reading.h"

#include "input/field_reader.h"

#include <fmt/format.h>

namespace meshwright {

namespace {

constexpr Range rate_range{1, 1e18};

void read_optional(FieldReader &reader, const char *key, std::optional<double> &value, Range range) {
    double given = 0;
    if (reader.number(key, given, range))
        value = given;
}

} // namespace

void read_aggregation(FieldReader &reader, Plan &plan) {
    Aggregation &aggregation = plan.aggregation;
    reader.object("aggregation", [&](FieldReader &inner) {
        inner.choice("topology", aggregation.topology, topology_names());
        inner.count("aggregators", aggregation.aggregators, 1, 1'000);
        inner.choice("arrangement", aggregation.arrangement, arrangement_names());
        read_optional(inner, "ingress_bits_per_second", aggregation.ingress_bits_per_second, rate_range);
        read_optional(inner, "egress_bits_per_second", aggregation.egress_bits_per_second, rate_range);
        read_optional(inner, "quantise_parameters_per_second", aggregation.quantise_parameters_per_second, rate_range);
        read_optional(inner, "average_parameters_per_second", aggregation.average_parameters_per_second, rate_range);
        inner.number("grace_share", aggregation.grace_share, fraction);
        inner.number("grace_limit_seconds", aggregation.grace_limit_seconds, Range{0, 1e9});
        read_optional(inner, "quorum_wait_seconds", aggregation.quorum_wait_seconds, Range{0, 1e9});
        inner.count("least_quorum", aggregation.least_quorum, 1);
        inner.count("latest_rounds", aggregation.latest_rounds, 0, 1'000'000);
        inner.choice("late_weight", aggregation.late_weight, late_weight_names());
        inner.number("late_decay", aggregation.late_decay, fraction);
        read_optional(inner, "egress_dollars_per_gigabyte", aggregation.egress_dollars_per_gigabyte, Range{0, 1e6});
        if (aggregation.topology != Topology::star
            && (inner.has("aggregators") || inner.has("ingress_bits_per_second")
                || inner.has("egress_bits_per_second")))
            inner.problem("topology",
                          fmt::format("the {} topology has no aggregators",
                                      topology_names()[static_cast<std::size_t>(aggregation.topology)]),
                          "expected topology star, or no values for aggregators, ingress and egress rate");
    });
}

void read_site_faults(FieldReader &reader, Faults &faults) {
    read_optional(reader, "site_mtbf_seconds", faults.site_mtbf_seconds, Range{1, 1e15});
    reader.number("site_recovery_seconds", faults.site_recovery_seconds, Range{0, 1e12});
    reader.number("site_recovery_shape", faults.site_recovery_shape, Range{0.2, 20});
    reader.number("rejoin_bytes_per_parameter", faults.rejoin_bytes_per_parameter, Range{0, 1000});
    reader.boolean("in_flight_lost", faults.in_flight_lost);
    reader.number("site_speed_variation", faults.site_speed_variation, Range{0, 10});
    reader.number("step_variation", faults.step_variation, Range{0, 10});
}

} // namespace meshwright
