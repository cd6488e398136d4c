// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/measured_constants.h"

#include "catalog/cluster.h"
#include "catalog/constants.h"
#include "catalog/json_values.h"
#include "input/field_reader.h"

#include <nlohmann/json.hpp>

namespace meshwright {

void read_measured_constants(FieldReader &reader, MeasuredConstants &measured) {
    MeasuredConstants read;
    reader.object("constants", [&](FieldReader &inner) {
        for (const Constant &constant : constants()) {
            double value = 0;
            if (inner.number(constant.name, value, Range{constant.low, constant.high}))
                read[std::string(constant.name)] = value;
        }
    });
    measured = std::move(read);
}

void write_measured_constants(nlohmann::ordered_json &value, const MeasuredConstants &measured) {
    for (const auto &[name, number] : measured)
        value["constants"][name] = number_to_json(number);
}

MeasuredConstants measured_constants(const Cluster &cluster) {
    MeasuredConstants all = cluster.constants;
    all.insert(cluster.accelerator.constants.begin(), cluster.accelerator.constants.end());
    return all;
}

} // namespace meshwright
