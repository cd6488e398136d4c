// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/placement.h"
#include "evaluate/explain_context.h"

namespace meshwright {

/// The memory of one pipeline rank, kind by kind.
class RankExplanation {
public:
    RankExplanation(const ExplainContext &context, std::size_t rank);

    /// Parameters, total, then the kinds: named as in the result's JSON.
    std::vector<Derivation> figures() const;
    /// What the driver shows of it once the allocator's pool has grown.
    Derivation reserved(std::string to) const;
    /// What it keeps in host memory.
    Derivation host(Labelled what) const;

private:
    /// One state of the training, of dense and of expert weights, sharded from a ZeRO stage on.
    struct State {
        const char *result; ///< of the catalogue's zero-memory
        const char *symbol; ///< of its bytes a parameter
        Derivation (*bytes_each)(const ExplainContext &, std::string);
        const char *why_whole = nullptr; ///< on every rank, whatever the stage
    };
    Derivation state(Labelled what, const State &one, bool is_shared_by_copies) const;
    Derivation on_device(Labelled what, Derivation whole) const;
    Derivation gradients() const;
    Derivation master(std::string to) const;
    Derivation moments(std::string to) const;
    Derivation parameters(const char *kind) const;
    Derivation stage_parameters() const;
    Derivation held(std::string to, Derivation share, const char *title, bool at_peak) const;
    Derivation activations() const;
    Derivation logits() const;
    Derivation buffers() const;
    Derivation sharding_buffers() const;
    Derivation head_gradient() const;
    bool runs_backward() const; ///< at the moment at which its memory stands highest
    Derivation communication_buffers() const;
    Derivation bucket() const;
    Derivation temporaries() const;
    Derivation bytes_per_logit(std::string to) const;
    /// What executing the pipeline gives of this rank's memory.
    Derivation executed(Labelled what, double value) const;
    Derivation outer() const;
    Derivation outer_parameters() const;
    Derivation runtime() const;
    Derivation reserve() const;
    Derivation transient() const;
    Derivation reference(const char *kind, const char *title, double value) const;
    std::string name(const char *kind) const;
    bool holds_head() const;
    /// That a microbatch comes in: Seq1F1B cuts the sequence where other schedules cut the model.
    Derivation slices() const;

    enum class Moment { pass, backward, loss, optimizer };
    Moment m_moment; ///< at which its memory stands highest
    const ExplainContext &m_context;
    const Plan &m_plan;
    const StageMemory &m_stage;
    const RankCost &m_rank;
    const RankMemory &m_memory;
    std::size_t m_index;
    ShardGroups m_shards;
};

/// What the driver shows beside the allocator's memory, on every rank alike.
Derivation explain_outside_allocator(const ExplainContext &context, std::string to);

} // namespace meshwright
