// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cost/placement.h"
#include "explain/context.h"

namespace meshwright {

/// Derives the memory of one pipeline rank, by kind.
class RankExplanation {
public:
    RankExplanation(const ExplainContext &context, std::size_t rank);

    /// The rank's parameters, its total memory, then each kind, named as in the result's JSON.
    std::vector<Derivation> figures() const;
    /// Memory that the driver reports once the allocator's pool has its full size.
    Derivation reserved(std::string to) const;
    Derivation host(Labelled what) const;

private:
    BasicStateBytes<Traced> states() const;
    Derivation state(Labelled what, const Traced &bytes_on_rank) const;
    Derivation gradients() const;
    Derivation parameters(const char *kind) const;
    Derivation held_parameters(const char *figure, const char *title, Traced BasicRankParameters<Traced>::*kind) const;
    Derivation stage_parameters() const;
    Traced parts() const; ///< chunks on the rank, or slices of a microbatch
    /// Chunks (or slices) in flight at the rank's memory peak, or at most during the step.
    Traced in_flight(bool at_peak) const;
    BasicInFlight<Traced> live(bool at_peak) const;
    /// Activations, logits and buffers at the rank's memory peak.
    std::vector<Derivation> transient_kinds() const;
    /// The rank's buffers, with their derivations.
    BasicRankBuffers<Traced> traced_buffers() const;
    Traced operation_bytes() const; ///< working set of the operation that runs at the peak
    Derivation executed(Labelled what, double value) const;
    BasicOuterBytes<Traced> outer_state() const;
    Derivation outer() const;
    Derivation runtime() const;
    Traced transient() const; ///< memory that is allocated and freed within the step
    Derivation reference(const char *kind, const char *title, double value) const;
    std::string name(const char *kind) const;
    bool holds_head() const;

    const ExplainContext &m_context;
    const Plan &m_plan;
    const StageMemory &m_stage;
    const RankCost &m_rank;
    const RankMemory &m_memory;
    std::size_t m_index;
    BasicShardGroups<Traced> m_shards;
};

/// Memory outside the allocator as reported by the driver; it is the same on every rank.
Derivation explain_outside_allocator(const ExplainContext &context, std::string to);

} // namespace meshwright
