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

/// An accelerator as programs see it: a GPU, a TPU chip, or two dies that form one device. Peaks are dense (no
/// sparsity), bandwidths are per direction, and memory is the usable capacity.
struct Accelerator {
    std::string id;
    std::string name;
    std::string vendor;
    std::int64_t year = 0;
    /// Kernel generation, such as "ampere" or "blackwell-ultra": a row of catalog/architectures.cpp.
    std::string architecture;

    std::map<DataType, double> peak_flops_per_second; ///< dense matrix peak by format; unsupported formats are absent
    double memory_bytes = 0; ///< memory that programs can allocate
    double memory_marketing_bytes = 0; ///< memory size in the product's name
    double memory_bandwidth_bytes_per_second = 0;
    double multiprocessors = 0; ///< streaming multiprocessors, compute units or cores; 0 if unknown

    double link_bandwidth_bytes_per_second =
        0; ///< scale-up bandwidth (such as NVLink) of all links together, per direction
    std::int64_t link_domain_accelerators = 1;
    std::int64_t accelerators_per_node = 8;
    double nic_bandwidth_bytes_per_second = 0; ///< network bandwidth per accelerator and direction
    double host_memory_bytes = 0; ///< host memory per accelerator; 0 if unknown
    double host_bandwidth_bytes_per_second =
        0; ///< bandwidth to host memory per accelerator and direction; 0 if unknown
    double workspace_bytes = 0; ///< workspace that the GEMM library keeps allocated

    double power_watts = 0;
    double rental_dollars_per_hour = 0; ///< default rental price; 0 if unknown

    MeasuredConstants constants; ///< constants measured on this machine, which override the registry
    Sources sources; ///< source of each field's value, by JSON field name

    /// Dense peak of `type`; unsupported formats fall back to the next supported one (fp8 to bf16, bf16 to fp16).
    double peak(DataType type) const;
    bool supports(DataType type) const;

    bool operator==(const Accelerator &) const = default;
};

void read_fields(FieldReader &reader, Accelerator &accelerator);
nlohmann::ordered_json to_json(const Accelerator &accelerator);

} // namespace meshwright
