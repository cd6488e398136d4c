// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/constants.h"

namespace meshwright {

namespace {

using enum ConstantId;
using enum Provenance;

constexpr std::string_view settled = "predictions with this value are close to published training runs; "
                                     "leave-one-source-out cross-validation finds no better value";
constexpr std::string_view tuning_tables = "NCCL, src/graph/tuning.cc: tables of latencies and bandwidths";
constexpr std::string_view training_fit = "fitted to published training runs of 2021 to 2025 on NVIDIA GPUs";
constexpr std::string_view memory_fit = "fitted to published training runs whose sources define the memory figure";

// One row per constant: name, value, unit, range, provenance, meaning, source.
constexpr std::array<Constant, constant_count> table{{
    {matrix_efficiency_ampere, "matrix-efficiency-ampere", 0.78, "1", 0.5, 0.95, fitted,
     "fraction of the dense BF16 peak that training GEMMs sustain, A100 and similar", training_fit},
    {matrix_efficiency_hopper, "matrix-efficiency-hopper", 0.7, "1", 0.5, 0.9, fitted,
     "fraction of the dense BF16 peak that training GEMMs sustain, H100, H200, GH200", training_fit},
    {matrix_efficiency_blackwell, "matrix-efficiency-blackwell", 0.53, "1", 0.35, 0.85, fitted,
     "fraction of the dense BF16 peak that training GEMMs sustain, B200 and GB200", training_fit},
    {matrix_efficiency_blackwell_ultra, "matrix-efficiency-blackwell-ultra", 0.713, "1", 0.35, 0.9, fitted,
     "fraction of the dense BF16 peak that training GEMMs sustain, B300 and GB300", training_fit},
    {matrix_efficiency_cdna3, "matrix-efficiency-cdna3", 0.43, "1", 0.3, 0.7, assumed,
     "fraction of the dense BF16 peak that training GEMMs sustain, MI300X and similar; the best GEMM shape reaches 51% "
     "of the peak, of which training sustains 0.85",
     "best-shape rates in the ML Engineering book, accelerator chapter; the factor 0.85 is from A100"},
    {matrix_efficiency_fp8_cdna3, "matrix-efficiency-fp8-cdna3", 0.90, "1", 0.6, 1, published,
     "efficiency of 8-bit GEMMs relative to 16-bit GEMMs: 1,273 of 2,615 vs. 708 of 1,307 TFLOP/s on MI300X",
     "AMD, Measuring Max-Achievable FLOPs, part 2 (ROCm blogs, 2025)"},
    {matrix_efficiency_tpu, "matrix-efficiency-tpu", 0.892, "1", 0.5, 1, fitted,
     "fraction of the dense BF16 peak that training GEMMs sustain, TPU v4, v5e and v5p; MaxText runs reach up to 67% "
     "MFU with full recomputation",
     training_fit},
    {matrix_efficiency_other, "matrix-efficiency-other", 0.62, "1", 0.3, 0.9, assumed,
     "fraction of the dense BF16 peak that training GEMMs sustain, accelerators without measured runs",
     "between the values for Ampere and Blackwell"},
    {matrix_efficiency_fp8_hopper, "matrix-efficiency-fp8-hopper", 0.603, "1", 0.4, 0.75, fitted,
     "fraction of the dense FP8 peak that training GEMMs sustain, Hopper", training_fit},
    {matrix_efficiency_fp8_blackwell, "matrix-efficiency-fp8-blackwell", 0.665, "1", 0.4, 0.8, fitted,
     "fraction of the dense FP8 peak that training GEMMs sustain, Blackwell", training_fit},
    {matrix_efficiency_fp4_blackwell, "matrix-efficiency-fp4-blackwell", 0.502, "1", 0.25, 0.75, fitted,
     "fraction of the dense FP4 peak that training GEMMs sustain, Blackwell", training_fit},
    {block_scaled_fp8_factor, "block-scaled-fp8-factor", 0.90, "1", 0.6, 1, fitted,
     "rate of MXFP8 GEMMs relative to FP8 with per-tensor scaling", training_fit},
    {grouped_matrix_factor, "grouped-matrix-factor", 0.707, "1", 0.4, 1, fitted,
     "rate of the experts' grouped GEMM relative to one large GEMM", training_fit},
    {matrix_tile_seconds, "matrix-tile-latency", 5.12e-06, "s", 0, 3e-5, fitted,
     "overhead per wave of GEMM tiles: prologue and epilogue of a tile on its multiprocessor",
     "fitted to published training runs; 4 microseconds match SimuMax's 183 GEMMs on A100"},
    {expert_load_variation, "expert-load-variation", 0, "1", 0, 3, assumed,
     "coefficient of variation of tokens per expert: 0 with forced balanced routing, as in published benchmarks; a few "
     "tenths with an auxiliary balancing loss",
     settled},
    {memory_bandwidth_efficiency, "memory-bandwidth-efficiency", 0.85, "1", 0.5, 0.95, published,
     "fraction of the memory bandwidth that element-wise kernels reach", "measured 0.91 on A100, 0.67 to 0.75 on B200"},
    {kernel_gap_seconds, "kernel-gap", 4e-6, "s", 0, 2e-5, published, "device idle time between dependent kernels",
     "NVIDIA developer notes on launch gaps"},
    {host_time_factor, "host-time-factor", 1, "1", 0.25, 4, assumed,
     "kernel launch time on the host relative to the launch time in the software preset; larger on slower CPUs",
     "the software preset's launch time was measured on the hosts of its published runs, so the factor is 1 there"},
    {unfused_attention_efficiency, "unfused-attention-efficiency", 0.43, "1", 0.2, 0.8, assumed,
     "fraction of the peak that attention GEMMs sustain without a fused kernel", settled},
    {unaligned_attention_factor, "unaligned-attention-factor", 0.0747, "1", 0.05, 1, fitted,
     "rate factor of attention GEMMs whose head dimension is not a multiple of 8, without a fused kernel",
     training_fit},
    {unfused_softmax_factor, "unfused-softmax-factor", 2.5, "1", 1, 5, assumed,
     "memory traffic factor of attention scores without Megatron's fused softmax, which requires that sequences x "
     "heads is a multiple of 4",
     settled},
    {power_exponent, "power-exponent", 0.5, "1", 0, 1, assumed,
     "exponent of the sustained GEMM rate as a function of the power limit, below 700 W on Hopper and 1,000 W on "
     "Blackwell",
     "the clock rate is proportional to power^x with x between 1/3 and 1/2"},
    {link_efficiency, "link-efficiency", 0.75, "1", 0.5, 1, published,
     "bus bandwidth of large collectives over scale-up links relative to the one-way bandwidth",
     "all-gather and reduce-scatter on A100, H200, B200: 0.76 to 0.82"},
    {network_efficiency, "network-efficiency", 0.80, "1", 0.3, 1, published,
     "bus bandwidth of large collectives between nodes relative to the NICs' one-way bandwidth",
     "B200 on 400 Gb/s: 0.73 at 4 GiB; H100 InfiniBand 0.8 to 0.9"},
    {all_to_all_efficiency, "all-to-all-efficiency", 0.5, "1", 0.2, 1, assumed,
     "fraction of the NIC bandwidth that expert all-to-all reaches", settled},
    {collective_base_seconds, "collective-base-latency", 4e-5, "s", 0, 2e-4, published,
     "launch and handshake time of one collective",
     "small-message floor of 40 to 45 microseconds measured on A100 and H200"},
    {ll_bandwidth_share, "ll-bandwidth", 0.5, "1", 0.05, 1, published,
     "fraction of a collective's bandwidth with NCCL's LL protocol, which sends a flag of equal size with every word",
     tuning_tables},
    {ll_link_latency_share, "ll-link-latency", 0.176, "1", 0, 1, published,
     "latency of an NVLink hop with LL relative to the Simple protocol: 0.6 vs. 3.4 microseconds", tuning_tables},
    {ll_network_latency_share, "ll-network-latency", 0.193, "1", 0, 1, published,
     "latency of a hop between nodes with LL relative to Simple: 2.7 vs. 14 microseconds", tuning_tables},
    {ll128_bandwidth_share, "ll128-bandwidth", 0.9375, "1", 0.05, 1, published,
     "fraction of a collective's bandwidth with LL128: 120 of 128 bytes are data", tuning_tables},
    {ll128_link_latency_share, "ll128-link-latency", 0.559, "1", 0, 1, published,
     "latency of an NVLink hop with LL128 relative to Simple: 1.9 vs. 3.4 microseconds", tuning_tables},
    {ll128_network_latency_share, "ll128-network-latency", 0.286, "1", 0, 1, published,
     "latency of a hop between nodes with LL128 relative to Simple: 4 vs. 14 microseconds", tuning_tables},
    {tree_bandwidth_share, "tree-bandwidth", 0.92, "1", 0.3, 1, published,
     "bandwidth of a double binary tree all-reduce relative to a ring", tuning_tables},
    {switch_sum_efficiency_hopper, "switch-sum-efficiency-hopper", 0.68, "1", 0.3, 1, published,
     "fraction of NVLink's one-way bandwidth that in-switch (NVLS) all-reduces reach, Hopper",
     "nccl-tests on one H200 node, bus bandwidths with 5 to 8 GPUs at 8 GiB: 414, 436, 460 and 473 GB/s"},
    {switch_sum_efficiency_blackwell, "switch-sum-efficiency-blackwell", 0.6, "1", 0.3, 1, published,
     "fraction of NVLink's one-way bandwidth that in-switch (NVLS) all-reduces reach, Blackwell",
     "nccl-tests on one B200 node: 846 GB/s of bus bandwidth at 16 GiB"},
    {switch_sum_seconds, "switch-sum-latency", 2.5e-5, "s", 0, 2e-4, published,
     "additional launch time of an in-switch (NVLS) all-reduce", tuning_tables},
    {measured_latency_factor, "measured-latency-factor", 1.7, "1", 1, 20, published,
     "hop latency on a well-maintained shared cluster relative to an idle one",
     "all-gather on 1 to 64 H100 nodes, best run: 24 vs. 14 microseconds per hop between nodes"},
    {measured_collective_seconds, "measured-collective-latency", 0.000617, "s", 0, 0.1, fitted,
     "additional launch and handshake time of a collective on a shared cluster, per additional node, if kernels wait "
     "for the collective",
     "runs with tensor parallelism across two and four nodes of a cluster on EFA"},
    {measured_launch_seconds, "measured-launch-delay", 0.000835, "s", 0, 0.02, fitted,
     "additional host time to launch a layer, per tensor-parallel rank, if pipeline sends cross nodes on a shared "
     "cluster",
     "runs with tensor and pipeline parallelism on 2 to 64 nodes of a cluster on EFA: layer time is independent "
     "of the microbatch size and proportional to the tensor-parallel degree"},
    {degraded_latency_factor, "degraded-latency-factor", 9.6, "1", 1, 100, published,
     "hop latency on a degraded cluster relative to an idle one",
     "all-gather on 1 to 64 H100 nodes, average over runs: 134 vs. 14 microseconds per hop between nodes"},
    {pipeline_send_factor, "pipeline-send-factor", 1.5, "1", 1, 4, fitted,
     "time of one pipeline send relative to bytes / bandwidth", training_fit},
    {pipeline_send_seconds, "pipeline-send-latency", 2e-5, "s", 0, 2e-4, published, "fixed time of one pipeline send",
     "time of batched isend and irecv with a stream wait"},
    {optimizer_bytes_per_parameter, "optimizer-traffic", 34, "bytes", 20, 80, published,
     "memory traffic of AdamW per parameter: 16 bytes read, 12 written, 2 for the BF16 weights, 4 for the gradient "
     "norm",
     "counted from the update rule with FP32 master weights, gradients and moments"},
    {host_link_efficiency, "host-link-efficiency", 0.85, "1", 0.4, 1, published,
     "fraction of the host link's bandwidth that copies reach",
     "pinned copies: 25 to 26 of 32 GB/s on PCI Express 4.0, and 55 of 64 GB/s on 5.0"},
    {host_update_share, "host-update-share", 0.6, "1", 0.1, 3, assumed,
     "memory bandwidth of the host's optimizer update relative to the host link's bandwidth",
     "host memory bandwidth per accelerator is 1.1 to 1.6 times the link's; ZeRO-Offload's CPU-Adam reaches about half "
     "of the memory bandwidth (arXiv 2101.06840, table 4)"},
    {gradient_window_share, "gradient-window-share", 0.8, "1", 0, 1, fitted,
     "fraction of the last microbatch's backward pass that can overlap with gradient reduction", training_fit},
    {straggler_per_doubling, "straggler-per-doubling", 0.00788, "1", 0, 0.05, fitted,
     "slowdown due to the slowest rank, for each doubling of the number of accelerators above 8", training_fit},
    {data_bucket_elements, "gradient-bucket", 4e7, "elements", 0, 1e9, published, "gradients per reduction bucket",
     "Megatron-Core's default of max(40e6, 1e6 x data-parallel ranks)"},
    {activation_slack, "activation-slack", 1.036, "1", 1, 1.5, fitted,
     "memory of saved activations, including masks, statistics and alignment, relative to the saved tensors alone",
     memory_fit},
    {min_allocator_reserve, "least-allocator-reserve", 0.02, "1", 0, 0.2, assumed,
     "minimum fragmentation of the caching allocator, as a fraction of activations and buffers",
     "between zero (expandable segments) and the fragmentation of runs near capacity"},
    {power_usage_effectiveness, "power-usage-effectiveness", 1.2, "1", 1, 3, assumed,
     "facility power relative to accelerator power",
     "between hyperscale (1.1) and average (1.56) data centers, Uptime 2024"},
    {energy_dollars_per_kilowatt_hour, "energy-price", 0.083, "$/kWh", 0, 2, published, "price of electricity",
     "US industrial average of 2024, Energy Information Administration"},
    {power_share, "power-share", 1, "1", 0.1, 1.5, assumed, "mean power draw as a fraction of rated power",
     "rated power as an upper bound"},
    {rental_dollars_per_hour, "rental-price", 2.5, "$/h", 0, 1000, assumed,
     "price per accelerator-hour if the preset has none", "mid-range of 2026 list prices"},
    {accelerator_mtbf_seconds, "accelerator-mtbf", 50677.0 * 3600, "s", 1e5, 1e11, published,
     "mean time between interruptions of one accelerator",
     "Llama 3, arXiv 2407.21783, section 3.3.4: 419 interruptions in 54 days on 16,384 GPUs"},
    {recovery_seconds, "recovery-time", 900, "s", 0, 1e6, assumed, "time to detect a failure, restart and reload",
     "between minutes with hot spares and an hour with manual recovery"},
    {checkpoint_bandwidth, "checkpoint-bandwidth", 161e6, "B/s", 1e5, 1e12, published,
     "checkpoint write bandwidth per accelerator",
     "BLOOM's checkpoint of 2.47e12 bytes, which 384 ranks write in 40 s"},
    {h100_equivalent_flops, "h100-equivalent", 990e12, "FLOP/s", 1e12, 1e16, published,
     "dense FP16 rate that counts as one H100-equivalent", "arXiv 2511.10783, Article II"},
    {compute_cluster_threshold, "compute-cluster-threshold", 16, "H100-equivalents", 1, 1e9, published,
     "total compute above which AI chips form a covered chip cluster", "arXiv 2511.10783, Article II"},
    {replica_loss_slope, "replica-loss-slope", 0.0103, "1", 0, 0.1, fitted,
     "slope of ln(loss) vs. ln(replicas) at 10^9 parameters",
     "fit to DiLoCo scaling laws, arXiv 2503.09799, 35M to 2.4B, up to 8 replicas"},
    {replica_loss_exponent, "replica-loss-exponent", -0.2136, "1", -1, 0, fitted,
     "exponent x: the slope of ln(loss) vs. ln(replicas) scales as (parameters / 10^9)^x",
     "from the same fit as replica-loss-slope"},
    {replica_loss_offset, "replica-loss-offset", -0.00756, "1", -0.05, 0.05, fitted,
     "constant term of the increase in ln(loss) due to multiple replicas", "from the same fit as replica-loss-slope"},
    {inner_steps_loss_low, "inner-steps-loss-low", 0, "1", 0, 0.05, assumed,
     "slope of ln(loss) vs. ln(inner steps / 30), lower bound", "no effect"},
    {inner_steps_loss_high, "inner-steps-loss-high", 0.0092, "1", 0, 0.05, fitted,
     "slope of ln(loss) vs. ln(inner steps / 30), upper bound",
     "fit to Streaming DiLoCo, arXiv 2501.18512, table 6, four replicas"},
    {tight_headroom_share, "tight-headroom", 0.05, "1", 0, 0.5, assumed,
     "headroom below this fraction of the capacity is reported as tight", "allocator fragmentation in published runs"},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].id != static_cast<ConstantId>(i))
            return false;
    return true;
}
static_assert(in_order(), "the rows are in the order of ConstantId");

} // namespace

const std::array<Constant, constant_count> &constants() {
    return table;
}

const Constant *find_constant(std::string_view name) {
    for (const Constant &constant : table)
        if (constant.name == name)
            return &constant;
    return nullptr;
}

Assumptions::Assumptions() {
    for (std::size_t i = 0; i < constant_count; ++i)
        m_values[i] = table[i].value;
}

Assumptions::Assumptions(const std::map<std::string, double> &overrides)
    : Assumptions() {
    for (const auto &[name, value] : overrides)
        if (const Constant *constant = find_constant(name))
            m_values[static_cast<std::size_t>(constant->id)] = value;
}

} // namespace meshwright
