// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pipeline/stages.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace meshwright {

/// What ranks compute, send and hold, as sums over their layers, embeddings, LM heads and MTP modules.
class TracedRankCosts {
public:
    TracedRankCosts(const Plan &plan, const BasicLayerCosts<Traced> &layers, const LayerCosts &plain,
                    const PipelineCosts &costs);

    /// A microbatch's costs on a rank.
    const BasicLayerCost<Traced> &of_rank(std::size_t rank) const { return m_passed[rank]; }
    /// A microbatch's costs on all ranks but one; those of the rank itself if it is the only one.
    BasicLayerCost<Traced> of_others(std::size_t rank) const;
    /// What a rank holds: parameters, and activations saved per microbatch by all its stages.
    const BasicLayerCost<Traced> &held_by(std::size_t rank) const { return m_held[rank]; }
    const Traced &sharded_unit(std::size_t rank) const { return m_sharded_units[rank]; }
    /// Costs of each part of the model, to which the costs of ranks refer.
    const std::vector<Derivation> &figures() const { return m_figures; }
    /// Parameters of one virtual stage.
    Traced parameters_of_stage(std::int64_t stage) const;

private:
    struct Words {
        std::string name; ///< "moe_layer"
        std::string title; ///< "MoE layer"
        std::string count_name; ///< "moe_layers"
        std::string count_title; ///< "MoE layers"
    };
    struct Part {
        Words words;
        BasicLayerCost<Traced> cost; ///< its values are references to figures
    };
    Part labelled(const Words &words, BasicLayerCost<Traced> cost);
    Words words_of(const PartLayers &layers) const;
    void add_kind(const PartLayers &layers);
    BasicLayerCost<Traced> sum(const ModelParts &parts, const char *where) const;
    Traced largest_unit(const ModelParts &parts) const;

    const Plan &m_plan;
    const BasicLayerCosts<Traced> &m_layers;
    const LayerCosts &m_plain;
    const PipelineCosts &m_costs;
    std::vector<Derivation> m_figures;
    std::map<std::pair<std::size_t, bool>, Part> m_kinds; ///< by block and recomputation
    Part m_embedding;
    Part m_tied_copy;
    Part m_head;
    Part m_head_again; ///< LM head after an MTP module, which shares the head's parameters
    Part m_module;
    std::vector<BasicLayerCost<Traced>> m_passed;
    std::vector<BasicLayerCost<Traced>> m_held;
    std::vector<Traced> m_sharded_units;
};

} // namespace meshwright
