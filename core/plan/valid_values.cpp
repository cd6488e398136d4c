// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/valid_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

std::vector<std::int64_t> nearest(std::vector<std::int64_t> values, std::int64_t to, std::size_t most) {
    const auto distance = [to](std::int64_t value) {
        return std::abs(std::log(static_cast<double>(value) / static_cast<double>(std::max<std::int64_t>(1, to))));
    };
    std::erase(values, to);
    std::stable_sort(values.begin(), values.end(),
                     [&](std::int64_t a, std::int64_t b) { return distance(a) < distance(b); });
    values.resize(std::min(values.size(), most));
    return values;
}

/// Values of a degree whose product with the other degrees divides the number of accelerators per site. If the
/// other degrees alone do not divide it, returns all divisors of that number. @param others  product of the other
/// degrees
std::vector<std::int64_t> site_divisors(const Plan &plan, double others) {
    const auto site = static_cast<double>(plan.site_accelerators());
    if (others > site || std::fmod(site, others) != 0)
        return divisors(plan.site_accelerators());
    return divisors(static_cast<std::int64_t>(site / others));
}

std::string head_problem(std::int64_t heads, std::int64_t kv_heads, std::int64_t tensor) {
    if (heads % tensor != 0)
        return fmt::format("{} heads are not divisible by tensor {}", heads, tensor);
    if (kv_heads % tensor != 0 && tensor % kv_heads != 0)
        return fmt::format("{} KV heads can be neither divided nor replicated across tensor {}", kv_heads, tensor);
    return {};
}

std::string mixer_problem(const Mixer &mixer, std::int64_t tensor) {
    if (const auto *attention = std::get_if<Attention>(&mixer))
        return head_problem(attention->heads, attention->kv_heads, tensor);
    if (const auto *latent = std::get_if<LatentAttention>(&mixer))
        return head_problem(latent->heads, latent->heads, tensor);
    if (const auto *recurrent = std::get_if<RecurrentMixer>(&mixer))
        return head_problem(recurrent->value_heads, recurrent->key_heads, tensor);
    return {};
}

std::string transform_problem(const Transform &transform, std::int64_t tensor) {
    const auto *dense = std::get_if<FeedForward>(&transform);
    if (dense != nullptr && dense->hidden % tensor != 0)
        return fmt::format("a feed-forward size of {} is not divisible by tensor {}", dense->hidden, tensor);
    return {};
}

} // namespace

std::vector<std::int64_t> divisors(std::int64_t n) {
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    for (std::int64_t d = 1; d * d <= n; ++d) {
        if (n % d != 0)
            continue;
        low.push_back(d);
        if (d != n / d)
            high.push_back(n / d);
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

std::vector<std::int64_t> nearest_divisors(std::int64_t n, std::int64_t value, std::size_t most) {
    return nearest(divisors(n), value, most);
}

std::string tensor_problem(const Model &model, const Block &block, std::int64_t tensor) {
    (void)model;
    const std::string problem = mixer_problem(block.mixer, tensor);
    return problem.empty() ? transform_problem(block.transform, tensor) : problem;
}

std::int64_t routed_experts(const Model &model) {
    std::int64_t most = 0;
    for (const Block &block : model.blocks)
        if (const auto *experts = std::get_if<Experts>(&block.transform))
            most = std::max(most, experts->experts);
    return most;
}

std::int64_t expert_width(const Model &model) {
    for (const Block &block : model.blocks)
        if (const auto *experts = std::get_if<Experts>(&block.transform))
            return experts->hidden;
    return 1;
}

std::vector<std::int64_t> tensor_stops(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    std::vector<std::int64_t> stops =
        site_divisors(plan, static_cast<double>(parallelism.context) * static_cast<double>(parallelism.pipeline));
    std::erase_if(stops, [&](std::int64_t tensor) {
        return std::any_of(plan.model.blocks.begin(), plan.model.blocks.end(),
                           [&](const Block &block) { return !tensor_problem(plan.model, block, tensor).empty(); });
    });
    return stops;
}

std::vector<std::int64_t> context_stops(const Plan &plan) {
    std::vector<std::int64_t> stops = site_divisors(
        plan, static_cast<double>(plan.parallelism.tensor) * static_cast<double>(plan.parallelism.pipeline));
    const std::int64_t tensor = plan.parallelism.sequence_parallel ? plan.parallelism.tensor : 1;
    if (!plan.stack.pads_uneven_shards)
        std::erase_if(stops,
                      [&](std::int64_t context) { return plan.batch.sequence_length % (context * tensor) != 0; });
    return stops;
}

std::vector<std::int64_t> pipeline_stops(const Plan &plan) {
    std::vector<std::int64_t> stops = site_divisors(
        plan, static_cast<double>(plan.parallelism.tensor) * static_cast<double>(plan.parallelism.context));
    std::erase_if(stops, [&](std::int64_t pipeline) {
        const bool laid_out = !plan.parallelism.layout.empty() && pipeline == plan.parallelism.pipeline;
        return pipeline * plan.layer_chunks() > plan.model.layer_count() && !laid_out;
    });
    return stops;
}

std::vector<std::int64_t> chunk_stops(const Plan &plan) {
    std::vector<std::int64_t> stops;
    if (plan.cuts_sequences()) { // each chunk is a slice of the sequence
        for (std::int64_t slices = 1; slices <= 16; ++slices)
            if (plan.batch.sequence_length % slices == 0)
                stops.push_back(slices);
        return stops;
    }
    // If the number of ranks does not divide the number of layers, no number of chunks gives equal chunks, so all are
    // offered.
    const std::int64_t layers = plan.model.layer_count();
    const std::int64_t pipeline = plan.parallelism.pipeline;
    const bool divides = layers % pipeline == 0;
    for (std::int64_t chunks = 1; chunks <= std::max<std::int64_t>(1, layers / pipeline); ++chunks)
        if (!divides || layers % (chunks * pipeline) == 0)
            stops.push_back(chunks);
    const std::int64_t present = plan.parallelism.chunks;
    if (!plan.parallelism.layout.empty() && !std::binary_search(stops.begin(), stops.end(), present))
        stops.insert(std::upper_bound(stops.begin(), stops.end(), present), present);
    return stops;
}

std::vector<std::int64_t> expert_stops(const Plan &plan) {
    const std::int64_t experts = routed_experts(plan.model);
    if (experts == 0)
        return {1};
    const double ranks = static_cast<double>(plan.parallelism.tensor) * static_cast<double>(plan.parallelism.context)
        * static_cast<double>(plan.parallelism.data);
    std::vector<std::int64_t> stops = divisors(experts);
    std::erase_if(stops, [&](std::int64_t expert) {
        const double degree = static_cast<double>(expert) * static_cast<double>(plan.parallelism.expert_tensor);
        return degree > ranks || std::fmod(ranks, degree) != 0;
    });
    return stops;
}

std::vector<std::int64_t> micro_sequence_stops(const Plan &plan) {
    const std::int64_t data = std::max<std::int64_t>(1, plan.parallelism.data);
    if (plan.batch.global_sequences % data != 0)
        return {1};
    return divisors(plan.batch.global_sequences / data);
}

std::vector<std::int64_t> valid_tensor(const Plan &plan, std::size_t most) {
    return nearest(tensor_stops(plan), plan.parallelism.tensor, most);
}

std::vector<std::int64_t> valid_pipeline(const Plan &plan, std::size_t most) {
    return nearest(pipeline_stops(plan), plan.parallelism.pipeline, most);
}

std::vector<std::int64_t> valid_expert(const Plan &plan, std::size_t most) {
    return nearest(expert_stops(plan), plan.parallelism.expert, most);
}

} // namespace meshwright
