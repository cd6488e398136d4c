// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/peak_tensors.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace meshwright {

namespace {

/// Adds up the tensors of operations with the same name.
class Inventory {
public:
    explicit Inventory(const TensorSource &source)
        : m_source(source) { }

    PeakTensors &add(const std::string &name, StepMemoryKind kind, double bytes) {
        PeakTensors &tensors = m_tensors[name];
        tensors.name = name;
        tensors.kind = kind;
        tensors.bytes += bytes;
        return tensors;
    }

    /// @returns total bytes of the named tensors
    double add_layer(const StageLayer &layer, double microbatches) {
        if (!(microbatches * m_source.saved_factor > 0) || layer.cost->saved_bytes <= 0)
            return 0;
        if (layer.cost == &m_source.layers.of_block(layer.block).recomputed)
            return add_saved({"inputs of recomputed layers", layer.cost->saved_bytes}, microbatches);
        double named = 0;
        for (const SavedTensor &tensor : saved_by_layer(layer.block))
            named += add_saved(tensor, microbatches);
        return named;
    }

    std::vector<PeakTensors> sorted() const {
        std::vector<PeakTensors> tensors;
        for (const auto &[name, tensor] : m_tensors)
            if (std::abs(tensor.bytes) >= 0.5) // ignores rounding errors of large sums
                tensors.push_back(tensor);
        std::stable_sort(tensors.begin(), tensors.end(),
                         [](const PeakTensors &a, const PeakTensors &b) { return a.bytes > b.bytes; });
        return tensors;
    }

private:
    double add_saved(const SavedTensor &tensor, double microbatches) {
        const double bytes = microbatches * m_source.saved_factor * tensor.bytes;
        std::vector<PeakLayers> &all = add(std::string(tensor.name), StepMemoryKind::activations, bytes).layers;
        const auto same = std::find_if(all.begin(), all.end(), [&](const PeakLayers &each) {
            return each.microbatches == microbatches && each.bytes == tensor.bytes;
        });
        if (same != all.end())
            ++same->layers;
        else
            all.push_back({.microbatches = microbatches, .layers = 1, .bytes = tensor.bytes});
        return bytes;
    }

    const std::vector<SavedTensor> &saved_by_layer(std::size_t block) {
        auto found = m_saved.find(block);
        if (found == m_saved.end())
            found = m_saved.emplace(block, saved_tensors(m_source.plan, m_source.layers, block)).first;
        return found->second;
    }

    const TensorSource &m_source;
    std::map<std::string, PeakTensors> m_tensors;
    std::map<std::size_t, std::vector<SavedTensor>> m_saved; ///< saved tensors by block
};

} // namespace

std::vector<PeakTensors> peak_tensors_of(const TensorSource &source, const RankCost &rank, const RankMemory &memory,
                                         const PeakState &highest) {
    using enum StepMemoryKind;
    Inventory inventory(source);
    const MemoryPoint &point = highest.point;
    double named = 0;
    for (const std::int64_t s : rank.stages) {
        const auto at = static_cast<std::size_t>(s);
        for (std::size_t i = 0; i < source.stages[at].size(); ++i) {
            const bool is_without = at == highest.stage && highest.frees && i >= highest.without_from;
            named += inventory.add_layer(source.stages[at][i],
                                         static_cast<double>(highest.in_flight[at] - (is_without ? 1 : 0)));
        }
    }
    inventory.add("embedding, head, layer inputs", activations, point.of(activations) - named);
    inventory.add("weights", weights, point.of(weights));
    inventory.add("gradients", gradients, point.of(gradients));
    inventory.add("optimizer: master weights", optimizer, memory.master_bytes);
    inventory.add("optimizer: moments", optimizer, memory.moments_bytes);
    inventory.add("logits", logits, point.of(logits));
    inventory.add("outer state", runtime, memory.outer_bytes);
    inventory.add("CUDA context, NCCL buffers, fragmentation", runtime, memory.runtime_bytes);
    inventory.add("communication buffers", buffers, highest.buffers.communication);
    inventory.add("gathered weights", buffers, highest.buffers.gathered);
    inventory.add("unreduced gradients", buffers, highest.buffers.unreduced);
    inventory.add("LM head gradient", buffers, highest.buffers.head_gradient);
    inventory.add("working set of " + highest.working, buffers, highest.buffers.working);
    inventory.add("bucket of updated weights", buffers, highest.buffers.bucket);
    inventory.add("optimizer: temporaries", buffers, highest.buffers.temporaries);
    return inventory.sorted();
}

} // namespace meshwright
