// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/measured_constants.h"
#include "catalog/precision.h"
#include "catalog/sources.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace meshwright {

class FieldReader;

/// One accelerator as a program sees it: a GPU, a TPU chip, a pair of dies that present themselves as one device.
/// Peaks are dense, bandwidths per direction, memory what the device really offers.
struct Accelerator {
    std::string id;
    std::string name;
    std::string vendor;
    std::int64_t year = 0;
    std::string
        architecture; ///< kernel generation: "volta", "ampere", "hopper", "blackwell", "cdna2", "cdna3", "tpu", "other"

    std::map<DataType, double> peak_flops_per_second; ///< dense matrix rate by format; a format it lacks is absent
    double memory_bytes = 0; ///< what a program can allocate in all
    double memory_marketing_bytes = 0; ///< the figure in its name
    double memory_bandwidth_bytes_per_second = 0;
    double multiprocessors = 0; ///< streaming multiprocessors, compute units or cores; 0 where unknown

    double link_bandwidth_bytes_per_second = 0; ///< to its scale-up peers, per direction, all links together
    std::int64_t link_domain_accelerators = 1; ///< how many one scale-up domain joins
    std::int64_t accelerators_per_node = 8; ///< the usual server
    double nic_bandwidth_bytes_per_second = 0; ///< its share of the node's network, per direction
    double host_memory_bytes = 0; ///< host memory per accelerator, 0 where neither the product nor a source says it
    double host_bandwidth_bytes_per_second = 0; ///< to host memory, its share, per direction; 0 where unknown
    double workspace_bytes = 0; ///< that matrix-multiply libraries allocate on it and keep

    double power_watts = 0;
    double rental_dollars_per_hour = 0; ///< a default to edit; 0 where no price is known

    MeasuredConstants constants; ///< what measured runs of this machine say in place of the registry
    Sources sources; ///< field (as in the JSON) to where its number comes from

    /// Dense peak of `type`; formats that the part lacks fall back to the next one it has (fp8 to bf16, bf16 to fp16).
    double peak(DataType type) const;
    bool supports(DataType type) const;

    bool operator==(const Accelerator &) const = default;
};

void read_fields(FieldReader &reader, Accelerator &accelerator);
nlohmann::ordered_json to_json(const Accelerator &accelerator);

} // namespace meshwright
