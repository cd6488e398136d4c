// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/accelerator.h"

#include "catalog/json_values.h"
#include "input/field_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace meshwright {

using Json = nlohmann::ordered_json;

namespace {

constexpr Range flops_range{1e6, 1e21};
constexpr Range bytes_range{1e6, 1e18};
constexpr Range bandwidth_range{1, 1e18};
constexpr Range optional_bandwidth_range{0, 1e18};
constexpr Range optional_bytes_range{0, 1e18};

/// Fallback formats if the accelerator has no matrix units for a format: first formats of the same width, then the next
/// wider formats. FP32 falls back to 16-bit units only if there are no others, as XLA does by default.
const std::vector<DataType> &formats_to_try(DataType type) {
    using enum DataType;
    static const std::vector<DataType> four_bits{nvfp4, mxfp4, fp8, mxfp8, bf16, fp16, tf32, fp32};
    static const std::vector<DataType> eight_bits{fp8, mxfp8, bf16, fp16, tf32, fp32};
    static const std::vector<DataType> integers{int8, bf16, fp16, tf32, fp32};
    static const std::vector<DataType> sixteen_bits{bf16, fp16, tf32, fp32};
    static const std::vector<DataType> tensor_float{tf32, fp32, bf16, fp16};
    static const std::vector<DataType> single{fp32, tf32, bf16, fp16};
    switch (type) {
    case nvfp4:
    case mxfp4:
        return four_bits;
    case fp8:
    case mxfp8:
        return eight_bits;
    case int8:
        return integers;
    case bf16:
    case fp16:
        return sixteen_bits;
    case tf32:
        return tensor_float;
    case fp32:
    case none:
        break;
    }
    return single;
}

void read_peaks(FieldReader &reader, std::map<DataType, double> &peaks) {
    const std::string expected = "expected the dense peak of at least one number format";
    reader.require("peak_flops_per_second", expected);
    std::map<DataType, double> read;
    const bool found = reader.object("peak_flops_per_second", [&](FieldReader &inner) {
        const std::vector<std::string> &names = data_type_names();
        for (std::size_t i = 0; i < static_cast<std::size_t>(DataType::none); ++i) {
            double rate = 0;
            if (inner.number(names[i], rate, flops_range))
                read[static_cast<DataType>(i)] = rate;
        }
    });
    if (found && read.empty())
        reader.problem("peak_flops_per_second", "has no entries", expected);
    peaks = std::move(read);
}

void read_memory(FieldReader &reader, Accelerator &accelerator) {
    reader.require("memory_bytes", "expected the memory that a program can allocate, in bytes");
    reader.require("memory_bandwidth_bytes_per_second", "expected the device memory bandwidth");
    reader.number("memory_bytes", accelerator.memory_bytes, bytes_range);
    accelerator.memory_marketing_bytes = accelerator.memory_bytes;
    reader.number("memory_marketing_bytes", accelerator.memory_marketing_bytes, bytes_range);
    reader.number("memory_bandwidth_bytes_per_second", accelerator.memory_bandwidth_bytes_per_second, bandwidth_range);
}

} // namespace

double Accelerator::peak(DataType type) const {
    const auto own = peak_flops_per_second.find(type);
    if (own != peak_flops_per_second.end())
        return own->second;
    for (const DataType other : formats_to_try(type)) {
        const auto found = peak_flops_per_second.find(other);
        if (found != peak_flops_per_second.end())
            return found->second;
    }
    return peak_flops_per_second.empty() ? 0 : peak_flops_per_second.begin()->second;
}

bool Accelerator::supports(DataType type) const {
    return peak_flops_per_second.contains(type);
}

void read_fields(FieldReader &reader, Accelerator &accelerator) {
    read_schema(reader, "meshwright.accelerator/1");
    reader.text("id", accelerator.id);
    accelerator.name = accelerator.id;
    reader.text("name", accelerator.name);
    reader.text("vendor", accelerator.vendor);
    reader.count("year", accelerator.year, 1900, 2200);
    reader.text("architecture", accelerator.architecture);
    read_peaks(reader, accelerator.peak_flops_per_second);
    read_memory(reader, accelerator);
    if (reader.number("multiprocessors", accelerator.multiprocessors, {0, 1e6}) && accelerator.multiprocessors > 0
        && accelerator.multiprocessors < 1)
        reader.problem("multiprocessors", "is less than 1", "expected 0 (unknown) or at least 1");
    reader.number("link_bandwidth_bytes_per_second", accelerator.link_bandwidth_bytes_per_second,
                  optional_bandwidth_range);
    reader.count("link_domain_accelerators", accelerator.link_domain_accelerators, 1, 1'000'000);
    reader.count("accelerators_per_node", accelerator.accelerators_per_node, 1, 1'000'000);
    reader.number("nic_bandwidth_bytes_per_second", accelerator.nic_bandwidth_bytes_per_second,
                  optional_bandwidth_range);
    reader.number("host_memory_bytes", accelerator.host_memory_bytes, optional_bytes_range);
    reader.number("host_bandwidth_bytes_per_second", accelerator.host_bandwidth_bytes_per_second,
                  optional_bandwidth_range);
    reader.number("workspace_bytes", accelerator.workspace_bytes, optional_bytes_range);
    reader.number("power_watts", accelerator.power_watts, {0, 1e6});
    reader.number("rental_dollars_per_hour", accelerator.rental_dollars_per_hour, {0, 1e6});
    read_measured_constants(reader, accelerator.constants);
    read_sources(reader, accelerator.sources);
}

Json to_json(const Accelerator &accelerator) {
    Json json = Json::object();
    if (!accelerator.id.empty())
        json["id"] = accelerator.id;
    if (!accelerator.name.empty())
        json["name"] = accelerator.name;
    if (!accelerator.vendor.empty())
        json["vendor"] = accelerator.vendor;
    if (accelerator.year != 0)
        json["year"] = accelerator.year;
    if (!accelerator.architecture.empty())
        json["architecture"] = accelerator.architecture;
    Json &peaks = json["peak_flops_per_second"] = Json::object();
    for (const auto &[type, rate] : accelerator.peak_flops_per_second)
        peaks[name_of(type)] = number_to_json(rate);
    json["memory_bytes"] = number_to_json(accelerator.memory_bytes);
    json["memory_marketing_bytes"] = number_to_json(accelerator.memory_marketing_bytes);
    json["memory_bandwidth_bytes_per_second"] = number_to_json(accelerator.memory_bandwidth_bytes_per_second);
    json["multiprocessors"] = number_to_json(accelerator.multiprocessors);
    json["link_bandwidth_bytes_per_second"] = number_to_json(accelerator.link_bandwidth_bytes_per_second);
    json["link_domain_accelerators"] = accelerator.link_domain_accelerators;
    json["accelerators_per_node"] = accelerator.accelerators_per_node;
    json["nic_bandwidth_bytes_per_second"] = number_to_json(accelerator.nic_bandwidth_bytes_per_second);
    json["host_memory_bytes"] = number_to_json(accelerator.host_memory_bytes);
    json["host_bandwidth_bytes_per_second"] = number_to_json(accelerator.host_bandwidth_bytes_per_second);
    json["workspace_bytes"] = number_to_json(accelerator.workspace_bytes);
    json["power_watts"] = number_to_json(accelerator.power_watts);
    json["rental_dollars_per_hour"] = number_to_json(accelerator.rental_dollars_per_hour);
    write_measured_constants(json, accelerator.constants);
    write_sources(json, accelerator.sources);
    return json;
}

} // namespace meshwright
