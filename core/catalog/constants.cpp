// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/constants.h"

namespace meshwright {

namespace {

using enum ConstantId;
using enum Provenance;

constexpr std::string_view settled =
    "near what published training runs give; left out by source, they do not tell a better value";
constexpr std::string_view tuning_tables = "NCCL, src/graph/tuning.cc: its tables of latencies and bandwidths";
constexpr std::string_view training_fit = "fitted to published training runs of 2021 to 2025 on NVIDIA parts";
constexpr std::string_view memory_fit = "fitted to memory of published training runs whose sources say what it counts";

// One row a constant: name, value, unit, range, provenance, meaning, source.
constexpr std::array<Constant, constant_count> table{{
    {matrix_efficiency_ampere, "matrix-efficiency-ampere", 0.78, "1", 0.5, 0.95, fitted,
     "sustained share of the dense BF16 peak in training matrix multiplies, A100 and kin", training_fit},
    {matrix_efficiency_hopper, "matrix-efficiency-hopper", 0.7, "1", 0.5, 0.9, fitted, "the same on H100, H200, GH200",
     training_fit},
    {matrix_efficiency_blackwell, "matrix-efficiency-blackwell", 0.53, "1", 0.35, 0.85, fitted,
     "the same on B200 and GB200", training_fit},
    {matrix_efficiency_blackwell_ultra, "matrix-efficiency-blackwell-ultra", 0.713, "1", 0.35, 0.9, fitted,
     "the same on B300 and GB300: 1.30 times the 200 series", training_fit},
    {matrix_efficiency_cdna3, "matrix-efficiency-cdna3", 0.43, "1", 0.3, 0.7, assumed,
     "the same on MI300X and kin: their best matrix rate is 51 % of the peak, of which training sustains 0.85",
     "best-shape rates in the ML Engineering book, accelerator chapter; the 0.85 as on A100"},
    {matrix_efficiency_fp8_cdna3, "matrix-efficiency-fp8-cdna3", 0.90, "1", 0.6, 1, published,
     "8-bit multiplies' share of their peak against the 16-bit ones': 1,273 of 2,615 for 708 of 1,307 TFLOP/s on "
     "MI300X",
     "AMD, Measuring Max-Achievable FLOPs, part 2 (ROCm blogs, 2025)"},
    {matrix_efficiency_tpu, "matrix-efficiency-tpu", 0.892, "1", 0.5, 1, fitted,
     "the same on TPU v4, v5e and v5p: MaxText's runs use up to 67 % of the peak for the model's own work and "
     "recompute all of it",
     training_fit},
    {matrix_efficiency_other, "matrix-efficiency-other", 0.62, "1", 0.3, 0.9, assumed,
     "the same on parts without measured runs", "between Ampere and Blackwell"},
    {matrix_efficiency_fp8_hopper, "matrix-efficiency-fp8-hopper", 0.603, "1", 0.4, 0.75, fitted,
     "sustained share of the dense FP8 peak, Hopper", training_fit},
    {matrix_efficiency_fp8_blackwell, "matrix-efficiency-fp8-blackwell", 0.665, "1", 0.4, 0.8, fitted,
     "sustained share of the dense FP8 peak, Blackwell", training_fit},
    {matrix_efficiency_fp4_blackwell, "matrix-efficiency-fp4-blackwell", 0.502, "1", 0.25, 0.75, fitted,
     "sustained share of the dense FP4 peak, Blackwell", training_fit},
    {block_scaled_fp8_factor, "block-scaled-fp8-factor", 0.90, "1", 0.6, 1, fitted,
     "MXFP8 multiplies against FP8 with one scale a tensor", training_fit},
    {grouped_matrix_factor, "grouped-matrix-factor", 0.707, "1", 0.4, 1, fitted,
     "grouped multiplies of experts against one large multiply", training_fit},
    {matrix_tile_seconds, "matrix-tile-latency", 5.12e-06, "s", 0, 3e-5, fitted,
     "start and end of one tile of a matrix multiply on its multiprocessor, in each wave of tiles",
     "fitted to published training runs; 4 microseconds meet SimuMax's 183 multiplies on A100"},
    {expert_load_variation, "expert-load-variation", 0, "1", 0, 3, assumed,
     "standard deviation of the tokens that an expert receives over their mean: 0 where routers are made to balance, "
     "as "
     "in published benchmarks; a few tenths under a loss that only asks for balance",
     settled},
    {memory_bandwidth_efficiency, "memory-bandwidth-efficiency", 0.85, "1", 0.5, 0.95, published,
     "share of the memory bandwidth that element-wise kernels reach", "measured 0.91 on A100, 0.67 to 0.75 on B200"},
    {kernel_gap_seconds, "kernel-gap", 4e-6, "s", 0, 2e-5, published, "device time between dependent kernels",
     "NVIDIA developer notes on launch gaps"},
    {host_time_factor, "host-time-factor", 1, "1", 0.25, 4, assumed,
     "host time of launches against the training software's figure: how slow this machine's processors are",
     "the software's figure is that of the machines it was published on"},
    {unfused_attention_efficiency, "unfused-attention-efficiency", 0.43, "1", 0.2, 0.8, assumed,
     "share of the peak in attention multiplies without a fused kernel", settled},
    {unaligned_attention_factor, "unaligned-attention-factor", 0.0747, "1", 0.05, 1, fitted,
     "rate of attention multiplies whose heads are no multiple of eight, without a fused kernel", training_fit},
    {unfused_softmax_factor, "unfused-softmax-factor", 2.5, "1", 1, 5, assumed,
     "traffic of scores where sequences x heads are no multiple of four, which Megatron's fused softmax asks for",
     settled},
    {power_exponent, "power-exponent", 0.5, "1", 0, 1, assumed,
     "growth of the sustained matrix rate with the power limit, below 700 W on Hopper and 1,000 W on Blackwell",
     "clocks follow the cube root to the square root of power"},
    {link_efficiency, "link-efficiency", 0.75, "1", 0.5, 1, published,
     "bus bandwidth of large collectives over scale-up links against the one-way figure",
     "all-gather and reduce-scatter on A100, H200, B200: 0.76 to 0.82"},
    {network_efficiency, "network-efficiency", 0.80, "1", 0.3, 1, published,
     "bus bandwidth of large collectives between nodes against the NICs' one-way figure",
     "B200 on 400 Gb/s: 0.73 at 4 GiB; H100 InfiniBand 0.8 to 0.9"},
    {all_to_all_efficiency, "all-to-all-efficiency", 0.5, "1", 0.2, 1, assumed,
     "share of the NIC that expert all-to-all reaches", settled},
    {collective_base_seconds, "collective-base-latency", 4e-5, "s", 0, 2e-4, published,
     "launch and handshake of one collective",
     "small-message floor of 40 to 45 microseconds measured on A100 and H200"},
    {ll_bandwidth_share, "ll-bandwidth", 0.5, "1", 0.05, 1, published,
     "what NCCL's protocol LL leaves of a collective's bandwidth: every word goes with a flag as wide as itself",
     tuning_tables},
    {ll_link_latency_share, "ll-link-latency", 0.176, "1", 0, 1, published,
     "hop over NVLink with LL against one with the protocol Simple: 0.6 of 3.4 microseconds", tuning_tables},
    {ll_network_latency_share, "ll-network-latency", 0.193, "1", 0, 1, published,
     "the same between nodes: 2.7 of 14 microseconds", tuning_tables},
    {ll128_bandwidth_share, "ll128-bandwidth", 0.9375, "1", 0.05, 1, published,
     "the same of LL128: 120 of 128 bytes are data", tuning_tables},
    {ll128_link_latency_share, "ll128-link-latency", 0.559, "1", 0, 1, published,
     "hop over NVLink with LL128 against one with Simple: 1.9 of 3.4 microseconds", tuning_tables},
    {ll128_network_latency_share, "ll128-network-latency", 0.286, "1", 0, 1, published,
     "the same between nodes: 4 of 14 microseconds", tuning_tables},
    {tree_bandwidth_share, "tree-bandwidth", 0.92, "1", 0.3, 1, published,
     "bandwidth of an all-reduce down two trees against one round a ring", tuning_tables},
    {switch_sum_efficiency_hopper, "switch-sum-efficiency-hopper", 0.68, "1", 0.3, 1, published,
     "share of NVLink's one-way figure that all-reduces reach whose sums are made in the switch (NVLS), Hopper",
     "nccl-tests on one H200 node, bus bandwidths of 5 to 8 members at 8 GiB: 414, 436, 460 and 473 GB/s"},
    {switch_sum_efficiency_blackwell, "switch-sum-efficiency-blackwell", 0.6, "1", 0.3, 1, published,
     "the same on Blackwell", "nccl-tests on one B200 node: 846 GB/s of bus bandwidth at 16 GiB"},
    {switch_sum_seconds, "switch-sum-latency", 2.5e-5, "s", 0, 2e-4, published,
     "what preparing such an all-reduce adds to its start", tuning_tables},
    {measured_latency_factor, "measured-latency-factor", 1.7, "1", 1, 20, published,
     "hop latency of a well-kept shared cluster against a quiet one",
     "all-gather on 1 to 64 H100 nodes, best runs: 24 against 14 microseconds between nodes"},
    {measured_collective_seconds, "measured-collective-latency", 0.000617, "s", 0, 0.1, fitted,
     "launch and handshake of a collective between nodes of a shared cluster, on top of the base, for each further "
     "node where kernels wait for it",
     "tensor parallelism over two and four nodes of a cluster on EFA"},
    {measured_launch_seconds, "measured-launch-delay", 0.000835, "s", 0, 0.02, fitted,
     "host: what each member of a tensor-parallel group adds to launching a layer while pipeline sends of a shared "
     "cluster leave the node",
     "tensor and pipeline parallelism together on 2 to 64 nodes of a cluster on EFA: a layer takes the same time "
     "whatever the microbatch, in proportion to the tensor-parallel degree"},
    {degraded_latency_factor, "degraded-latency-factor", 9.6, "1", 1, 100, published,
     "hop latency of a troubled cluster against a quiet one",
     "all-gather on 1 to 64 H100 nodes, mean runs: 134 against 14 microseconds between nodes"},
    {pipeline_send_factor, "pipeline-send-factor", 1.5, "1", 1, 4, fitted,
     "time of one stage-to-stage send against bytes over bandwidth", training_fit},
    {pipeline_send_seconds, "pipeline-send-latency", 2e-5, "s", 0, 2e-4, published, "fixed time of one send",
     "batched isend and irecv with a stream wait"},
    {optimizer_bytes_per_parameter, "optimizer-traffic", 34, "bytes", 20, 80, published,
     "memory traffic of AdamW per parameter: 16 read, 12 written, 2 for the BF16 copy, 4 for the gradient norm",
     "counted from the update rule, FP32 master, gradient and moments"},
    {host_link_efficiency, "host-link-efficiency", 0.85, "1", 0.4, 1, published,
     "what copies to and from host memory reach of the link's rate",
     "pinned copies: 25 to 26 of 32 GB/s on PCI Express 4.0, 55 of 64 on 5.0"},
    {host_update_share, "host-update-share", 0.6, "1", 0.1, 3, assumed,
     "bytes that a host's processors move in an optimizer's update against its link to the accelerator",
     "hosts have 1.1 to 1.6 times the link's rate in memory bandwidth for each accelerator, of which ZeRO-Offload's "
     "CPU-Adam reaches about half (arXiv 2101.06840, table 4)"},
    {gradient_window_share, "gradient-window-share", 0.8, "1", 0, 1, fitted,
     "share of the last backward pass that gradient reduction can hide behind", training_fit},
    {straggler_per_doubling, "straggler-per-doubling", 0.00788, "1", 0, 0.05, fitted,
     "loss to the slowest rank for each doubling beyond 8 accelerators", training_fit},
    {data_bucket_elements, "gradient-bucket", 4e7, "elements", 0, 1e9, published, "gradients in one reduction bucket",
     "Megatron-Core's default of max(40e6, 1e6 x data-parallel ranks)"},
    {activation_slack, "activation-slack", 1.036, "1", 1, 1.5, fitted,
     "saved activations against the sum over operations: masks, statistics, alignment", memory_fit},
    {min_allocator_reserve, "least-allocator-reserve", 0.02, "1", 0, 0.2, assumed,
     "share of activations and buffers that fragmentation costs an allocator that has to give cached memory back",
     "between none, with expandable segments, and what runs near capacity show"},
    {power_usage_effectiveness, "power-usage-effectiveness", 1.2, "1", 1, 3, assumed,
     "facility power over accelerator power", "between hyperscale (1.1) and average (1.56) data centres, Uptime 2024"},
    {energy_dollars_per_kilowatt_hour, "energy-price", 0.083, "$/kWh", 0, 2, published, "price of electric energy",
     "US industrial average of 2024, Energy Information Administration"},
    {power_share, "power-share", 1, "1", 0.1, 1.5, assumed, "mean draw over the rated power",
     "rated power as an upper bound"},
    {rental_dollars_per_hour, "rental-price", 2.5, "$/h", 0, 1000, assumed,
     "price of an accelerator-hour where its preset has none", "mid-range of 2026 list prices"},
    {accelerator_mtbf_seconds, "accelerator-mtbf", 50677.0 * 3600, "s", 1e5, 1e11, published,
     "mean time between interruptions of one accelerator",
     "Llama 3, arXiv 2407.21783, section 3.3.4: 419 in 54 days on 16,384"},
    {recovery_seconds, "recovery-time", 900, "s", 0, 1e6, assumed, "detecting a failure, restarting and reloading",
     "between minutes with hot spares and an hour by hand"},
    {checkpoint_bandwidth, "checkpoint-bandwidth", 161e6, "B/s", 1e5, 1e12, published,
     "checkpoint writing, per accelerator", "BLOOM: 2.47e12 bytes in 40 s from 384 ranks"},
    {h100_equivalent_flops, "h100-equivalent", 990e12, "FLOP/s", 1e12, 1e16, published,
     "dense FP16 rate that counts as one H100-equivalent", "arXiv 2511.10783, Article II"},
    {compute_cluster_threshold, "compute-cluster-threshold", 16, "H100-equivalents", 1, 1e9, published,
     "aggregate above which chips form a covered compute cluster", "arXiv 2511.10783, Article II"},
    {replica_loss_slope, "replica-loss-slope", 0.0103, "1", 0, 0.1, fitted,
     "growth of ln(loss) with ln(replicas) at 10^9 parameters",
     "fit to DiLoCo scaling laws, arXiv 2503.09799, 35M to 2.4B, up to 8 replicas"},
    {replica_loss_exponent, "replica-loss-exponent", -0.2136, "1", -1, 0, fitted,
     "how that growth shrinks with parameters", "the same fit"},
    {replica_loss_offset, "replica-loss-offset", -0.00756, "1", -0.05, 0.05, fitted, "its offset", "the same fit"},
    {inner_steps_loss_low, "inner-steps-loss-low", 0, "1", 0, 0.05, assumed,
     "growth of ln(loss) with ln(inner steps / 30), lower end", "no effect"},
    {inner_steps_loss_high, "inner-steps-loss-high", 0.0092, "1", 0, 0.05, fitted, "the same, upper end",
     "fit to Streaming DiLoCo, arXiv 2501.18512, table 6, four replicas"},
    {tight_headroom_share, "tight-headroom", 0.05, "1", 0, 0.5, assumed,
     "headroom under this share of the capacity is called tight", "allocator fragmentation seen in published runs"},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].id != static_cast<ConstantId>(i))
            return false;
    return true;
}
static_assert(in_order(), "the registry's rows follow ConstantId");

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
