// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/model_scaling.h"

#include "catalog/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace meshwright {

namespace {

constexpr std::int64_t width_step = 128;
constexpr std::int64_t widest = 1'000'000;
constexpr std::int64_t max_layers = 10'000;

std::int64_t rounded_to(double value, std::int64_t step) {
    return std::max<std::int64_t>(1, std::llround(value / static_cast<double>(step))) * step;
}

std::int64_t scaled(std::int64_t value, double factor) {
    return std::clamp<std::int64_t>(std::llround(static_cast<double>(value) * factor), 1, widest);
}

/// Rounds to a multiple of width_step; widths below width_step are rounded to integers. Zero stays zero.
std::int64_t scaled_width(std::int64_t width, double factor) {
    return width == 0        ? 0
        : width < width_step ? scaled(width, factor)
                             : rounded_to(static_cast<double>(width) * factor, width_step);
}

/// Keeps the head dimension. With grouped-query attention the number of KV heads is constant, as in the Llama family,
/// unless it exceeds the number of heads.
void scale(Attention &attention, double factor) {
    const bool multi_head = attention.heads == attention.kv_heads;
    const std::int64_t heads = scaled(attention.heads, factor);
    attention.kv_heads = multi_head ? heads : std::min(attention.kv_heads, heads);
    attention.heads = rounded_to(static_cast<double>(heads), attention.kv_heads);
    attention.query_rank = scaled_width(attention.query_rank, factor);
    while (attention.heads % attention.output_groups != 0)
        --attention.output_groups;
}

void scale(LatentAttention &attention, double factor) {
    attention.heads = scaled(attention.heads, factor);
    attention.query_rank = scaled_width(attention.query_rank, factor);
}

void scale(RecurrentMixer &mixer, double factor) {
    const std::int64_t ratio = mixer.value_heads / mixer.key_heads;
    const std::int64_t key_heads = scaled(mixer.key_heads, factor);
    const double real = static_cast<double>(key_heads) / static_cast<double>(mixer.key_heads);
    mixer.key_heads = key_heads;
    mixer.value_heads = key_heads * ratio;
    for (std::int64_t *width : {&mixer.convolution_channels, &mixer.input_projection, &mixer.output_projection})
        *width = *width == 0 ? 0 : scaled(*width, real);
    mixer.other_parameters = std::llround(static_cast<double>(mixer.other_parameters) * real);
    mixer.low_rank_parameters = std::llround(static_cast<double>(mixer.low_rank_parameters) * real * factor);
}

void scale(FeedForward &network, double factor) {
    network.hidden = scaled_width(network.hidden, factor);
}

/// Keeps the number of experts; their hidden size grows with the model.
void scale(Experts &experts, double factor) {
    experts.hidden = scaled_width(experts.hidden, factor);
    experts.shared_hidden = scaled_width(experts.shared_hidden, factor);
    experts.latent = scaled_width(experts.latent, factor);
}

void scale(Nothing &, double) { }

/// Block index of each layer, in model order.
std::vector<std::int64_t> sequence_of(const Model &model) {
    std::vector<std::int64_t> sequence;
    for (const LayerRun &run : model.layers)
        sequence.insert(sequence.end(), static_cast<std::size_t>(run.count), run.block);
    return sequence;
}

std::vector<LayerRun> runs_of(const std::vector<std::int64_t> &sequence) {
    std::vector<LayerRun> runs;
    for (const std::int64_t block : sequence) {
        if (runs.empty() || runs.back().block != block)
            runs.push_back({.block = block, .count = 0});
        ++runs.back().count;
    }
    return runs;
}

/// Length of the shortest pattern of blocks that repeats from layer `start` to the last layer.
std::size_t period_from(const std::vector<std::int64_t> &sequence, std::size_t start) {
    for (std::size_t period = 1; start + period < sequence.size(); ++period)
        if (std::equal(sequence.begin() + static_cast<std::ptrdiff_t>(start + period), sequence.end(),
                       sequence.begin() + static_cast<std::ptrdiff_t>(start)))
            return period;
    return std::max<std::size_t>(1, sequence.size() - start);
}

/// Keeps the number of leading layers of a different type (DeepSeek's dense ones). If the remaining layers have a
/// repeating pattern, the pattern continues; otherwise their sequence is stretched.
std::vector<std::int64_t> resized(const std::vector<std::int64_t> &sequence, std::size_t layers) {
    std::size_t start = 0;
    while (start < sequence.size() && sequence[start] == sequence.front())
        ++start;
    const bool own_kind =
        std::find(sequence.begin() + static_cast<std::ptrdiff_t>(start), sequence.end(), sequence.front())
        == sequence.end();
    start = own_kind && start < sequence.size() && start < layers ? start : 0;
    const std::size_t period = period_from(sequence, start);
    const bool periodic = 2 * period <= sequence.size() - start;
    std::vector<std::int64_t> result(layers);
    for (std::size_t i = 0; i < layers; ++i)
        result[i] = i < start ? sequence[i]
            : periodic        ? sequence[start + (i - start) % period]
                              : sequence[start + (i - start) * (sequence.size() - start) / (layers - start)];
    return result;
}

Model resized_to(const Model &model, std::int64_t hidden, std::int64_t layers) {
    Model result = model;
    result.hidden = hidden;
    const double width = static_cast<double>(hidden) / static_cast<double>(model.hidden);
    for (Block &block : result.blocks) {
        std::visit([&](auto &mixer) { scale(mixer, width); }, block.mixer);
        std::visit([&](auto &transform) { scale(transform, width); }, block.transform);
        block.other_parameters = std::llround(static_cast<double>(block.other_parameters) * width);
    }
    result.other_parameters = std::llround(static_cast<double>(model.other_parameters) * width);
    result.layers = runs_of(resized(sequence_of(model), static_cast<std::size_t>(layers)));
    return result;
}

std::int64_t layers_at(const Model &model, double factor) {
    return std::clamp<std::int64_t>(std::llround(static_cast<double>(model.layer_count()) * factor), 1, max_layers);
}

std::int64_t hidden_at(const Model &model, double factor) {
    return std::min(rounded_to(static_cast<double>(model.hidden) * factor, width_step),
                    widest / width_step * width_step);
}

/// Factor for both depth and width that gives the wanted size. The size is a step function of this factor.
double common_factor(const Model &model, double parameters) {
    double low = 1.0 / 64;
    double high = 64;
    for (int i = 0; i < 40; ++i) {
        const double middle = std::sqrt(low * high);
        const Model tried = resized_to(model, hidden_at(model, middle), layers_at(model, middle));
        (parameters_of(tried).total < parameters ? low : high) = middle;
    }
    return low;
}

/// Number of layers for which the size is nearest to `parameters` at this width.
std::int64_t fitting_layers(const Model &model, std::int64_t hidden, std::int64_t guess, double parameters) {
    const auto size = [&](std::int64_t layers) { return parameters_of(resized_to(model, hidden, layers)).total; };
    const double one_layer = std::max(1.0, size(guess + 1) - size(guess));
    const double missing = std::clamp((parameters - size(guess)) / one_layer, -0.25 * static_cast<double>(guess),
                                      0.25 * static_cast<double>(guess));
    return std::clamp<std::int64_t>(guess + std::llround(missing), 1, max_layers);
}

} // namespace

Model scaled_to(const Model &model, double parameters) {
    const double factor = common_factor(model, parameters);
    Model result = model;
    double best = std::numeric_limits<double>::infinity();
    const std::int64_t middle = hidden_at(model, factor);
    for (std::int64_t step = -4; step <= 4; ++step) {
        const std::int64_t hidden =
            std::clamp(middle + step * width_step, width_step, widest / width_step * width_step);
        const std::int64_t layers = fitting_layers(model, hidden, layers_at(model, factor), parameters);
        Model candidate = resized_to(model, hidden, layers);
        // The size matters most; the ratio of width to depth decides between similar sizes.
        const double width = static_cast<double>(hidden) / static_cast<double>(model.hidden);
        const double depth = static_cast<double>(layers) / static_cast<double>(model.layer_count());
        const double cost =
            std::abs(std::log(parameters_of(candidate).total / parameters)) + 0.1 * std::abs(std::log(width / depth));
        if (cost < best) {
            best = cost;
            result = std::move(candidate);
        }
    }
    result.id.clear();
    result.name = fmt::format("{} scaled to {:.3g}B", model.name, parameters_of(result).total / 1e9);
    result.published = {};
    result.sources = {};
    return result;
}

} // namespace meshwright
