// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace meshwright {

enum class Provenance {
    physics, ///< follows from a definition
    published, ///< stated in a source
    fitted, ///< chosen so that predictions match measured runs
    assumed ///< a default without a measurement; users should edit it
};

/// The constants of the cost model that are not properties of an accelerator, a stack or a plan.
enum class ConstantId {
    matrix_efficiency_ampere,
    matrix_efficiency_hopper,
    matrix_efficiency_blackwell,
    matrix_efficiency_blackwell_ultra,
    matrix_efficiency_cdna3,
    matrix_efficiency_fp8_cdna3,
    matrix_efficiency_tpu,
    matrix_efficiency_other,
    matrix_efficiency_fp8_hopper,
    matrix_efficiency_fp8_blackwell,
    matrix_efficiency_fp4_blackwell,
    block_scaled_fp8_factor,
    grouped_matrix_factor,
    matrix_tile_seconds,
    expert_load_variation,
    memory_bandwidth_efficiency,
    kernel_gap_seconds,
    host_time_factor,
    unfused_attention_efficiency,
    unaligned_attention_factor,
    unfused_softmax_factor,
    power_exponent,
    link_efficiency,
    network_efficiency,
    all_to_all_efficiency,
    collective_base_seconds,
    ll_bandwidth_share,
    ll_link_latency_share,
    ll_network_latency_share,
    ll128_bandwidth_share,
    ll128_link_latency_share,
    ll128_network_latency_share,
    tree_bandwidth_share,
    switch_sum_efficiency_hopper,
    switch_sum_efficiency_blackwell,
    switch_sum_seconds,
    measured_latency_factor,
    measured_collective_seconds,
    measured_launch_seconds,
    degraded_latency_factor,
    pipeline_send_factor,
    pipeline_send_seconds,
    optimizer_bytes_per_parameter,
    host_link_efficiency,
    host_update_share,
    gradient_window_share,
    straggler_per_doubling,
    data_bucket_elements,
    activation_slack,
    min_allocator_reserve,
    power_usage_effectiveness,
    energy_dollars_per_kilowatt_hour,
    power_share,
    rental_dollars_per_hour,
    accelerator_mtbf_seconds,
    recovery_seconds,
    checkpoint_bandwidth,
    h100_equivalent_flops,
    compute_cluster_threshold,
    replica_loss_slope,
    replica_loss_exponent,
    replica_loss_offset,
    inner_steps_loss_low,
    inner_steps_loss_high,
    tight_headroom_share,
    count
};
inline constexpr std::size_t constant_count = static_cast<std::size_t>(ConstantId::count);

struct Constant {
    ConstantId id;
    std::string_view name; ///< key in a plan's `assumptions`
    double value;
    std::string_view unit; ///< "1" for a ratio
    double low; ///< smallest sensible value
    double high;
    Provenance provenance;
    std::string_view meaning;
    std::string_view source;
};

const std::array<Constant, constant_count> &constants();
const Constant *find_constant(std::string_view name);

/// The constants of the cost model, with the overrides of a plan.
class Assumptions {
public:
    Assumptions();
    explicit Assumptions(const std::map<std::string, double> &overrides);
    double operator[](ConstantId id) const { return m_values[static_cast<std::size_t>(id)]; }
    void set(ConstantId id, double value) { m_values[static_cast<std::size_t>(id)] = value; }

private:
    std::array<double, constant_count> m_values;
};

} // namespace meshwright
