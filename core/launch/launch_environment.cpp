// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/launch_environment.h"

#include "evaluate/result.h"
#include "launch/megatron_target.h"
#include "launch/rank_order.h"
#include "quantities/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshwright {

namespace {

bool is_before_blackwell(const Accelerator &accelerator) {
    return accelerator.architecture == "hopper" || accelerator.architecture == "ampere"
        || accelerator.architecture == "volta";
}

/// Sets the number of hardware queues as the launchers require. Megatron-LM needs one queue on Hopper and earlier GPUs
/// with tensor or context parallelism, and more than one with FSDP (megatron/training/arguments.py). Megatron-DeepSpeed
/// needs one queue with sequence parallelism (megatron/arguments.py).
void add_connections(std::vector<LaunchVariable> &variables, const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    const char *const name = "CUDA_DEVICE_MAX_CONNECTIONS";
    const bool shards_work = parallelism.tensor > 1 || parallelism.context > 1;
    if (plan.stack.framework == "Megatron-DeepSpeed") {
        if (parallelism.sequence_parallel && parallelism.tensor > 1)
            variables.push_back({name, "1", "/parallelism/sequence_parallel",
                                 "One queue keeps kernels in launch order, so that communication starts before the "
                                 "GEMM that overlaps it; Megatron-DeepSpeed requires it with sequence parallelism."});
        return;
    }
    if (uses_megatron_fsdp(plan))
        variables.push_back({name, "", "/parallelism/zero_stage",
                             "FSDP gathers weights in its own queue, so more than one hardware queue is needed."});
    else if (shards_work && is_before_blackwell(plan.cluster.accelerator))
        variables.push_back(
            {name, "1", parallelism.tensor > 1 ? "/parallelism/tensor" : "/parallelism/context",
             "Before Blackwell, a single queue keeps kernels in launch order, so that communication starts "
             "before the GEMM that overlaps it; Megatron requires it with tensor or context parallelism."});
    else if (parallelism.expert > 1)
        variables.push_back({name, "32", "/parallelism/expert",
                             "Several queues let the experts' all-to-alls overlap with another microbatch's compute."});
}

/// Bytes that one rank sends to the next stage per microbatch.
double message_bytes(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    const double tokens = static_cast<double>(plan.batch.micro_sequences * plan.batch.sequence_length)
        / static_cast<double>(parallelism.context);
    const double bytes = tokens * static_cast<double>(plan.model.hidden) * 2;
    return parallelism.sequence_parallel ? bytes / static_cast<double>(parallelism.tensor) : bytes;
}

} // namespace

std::vector<LaunchVariable> program_environment(const TargetPlan &target, bool is_megatron) {
    std::vector<LaunchVariable> variables;
    if (is_megatron) {
        add_connections(variables, target.plan);
        if (target.plan.offload.activations > 0)
            variables.push_back({"NVTE_CPU_OFFLOAD_V1", "1", "/offload/activations",
                                 "Transformer Engine offloads activations and does not offload weights."});
    }
    if (!target.prediction)
        return variables;
    constexpr double little = 0.15;
    const double headroom = target.prediction->headroom_bytes;
    const std::string capacity = text_of(target.prediction->capacity_bytes, Quantity::bytes);
    if (headroom < little * target.prediction->capacity_bytes)
        variables.push_back(
            {"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True", "",
             headroom < 0 ? fmt::format("Reduces fragmentation. The memory peak exceeds the capacity of {} by "
                                        "{}.",
                                        capacity, text_of(-headroom, Quantity::bytes))
                          : fmt::format("Reduces fragmentation, because only {} of {} stay free at the memory peak.",
                                        text_of(headroom, Quantity::bytes), capacity)});
    return variables;
}

std::vector<LaunchVariable> network_environment(const TargetPlan &target, const Result &result) {
    const Plan &plan = target.plan;
    std::vector<LaunchVariable> variables;
    if (plan.cluster.accelerator.architecture == "tpu")
        return variables;
    variables.push_back(
        {"NCCL_DEBUG", "WARN", "", "Reports which link or node fails; otherwise the job hangs silently."});
    variables.push_back({"TORCH_NCCL_AVOID_RECORD_STREAMS", "1", "",
                         "The buffers of a collective are freed as soon as it ends, as the plan assumes."});
    const SiteNodes nodes = nodes_of(plan);
    if (nodes.nodes == 1)
        return variables;
    variables.push_back({"NCCL_SOCKET_IFNAME", "^lo,docker", "/cluster/tiers",
                         "NCCL's bootstrap uses any interface except these; name your network's interface here."});
    constexpr std::int64_t large = 1024;
    if (plan.site_accelerators() >= large)
        variables.push_back(
            {"NCCL_IB_TIMEOUT", "22", "/cluster/tiers",
             fmt::format("With {} accelerators, some link fails from time to time. The network adapter waits "
                         "4.096 us x 2^22 = 17 s instead of 4 s for a reply, so short failures do not stop the job.",
                         plan.site_accelerators())});
    const std::vector<RankDigit> digits = rank_digits(result.plan, plan);
    const auto line =
        std::find_if(digits.begin(), digits.end(), [](const RankDigit &digit) { return digit.name == "pipeline"; });
    constexpr double chunk = 2 << 20;
    if (line != digits.end() && line->slot_stride * line->size > nodes.per_node && message_bytes(plan) >= chunk)
        variables.push_back(
            {"NCCL_P2P_NET_CHUNKSIZE", "2097152", "/parallelism/pipeline",
             fmt::format("Stages on different nodes send messages of {}; NCCL splits them into chunks of "
                         "2 MiB instead of 128 KiB.",
                         text_of(message_bytes(plan), Quantity::bytes))});
    return variables;
}

void add_variables(ExportText &text, const std::vector<LaunchVariable> &variables) {
    for (const LaunchVariable &variable : variables) {
        text.comment(variable.why);
        if (variable.value.empty())
            text.add("unset " + variable.name, variable.field, variable.why);
        else
            text.add(fmt::format("export {0}=\"${{{0}:-{1}}}\"", variable.name, variable.value), variable.field,
                     variable.why);
    }
}

} // namespace meshwright
