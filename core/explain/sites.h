// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/context.h"
#include "outer/traffic.h"

#include <string>
#include <vector>

namespace meshwright {

/// Values that several derivations of the outer loop share.
struct SitesContext {
    /// @pre the result has an outer loop
    explicit SitesContext(const ExplainContext &explained);

    const ExplainContext &context;
    const Plan &plan;
    const OuterEstimate &outer;
    double parameters; ///< synchronized parameters
    Traffic traffic;

    bool is_star() const { return plan.aggregation.topology == Topology::star; }
    Derivation sites(std::string name = "sites") const;
    Derivation inner_steps() const;
    Derivation fragments() const;
    Derivation overlap_steps() const;
    Derivation full_duplex() const;
    Derivation round_trip() const;
    Derivation inner_seconds() const;
    Derivation rounds(std::string name) const;
    Derivation round_seconds(std::string name) const;
    /// @param way  direction of the link, "up" or "down"
    Derivation bytes(const char *way) const;
    Derivation bits(const char *way) const;
    /// Transfer time of a round's updates in one direction of the link.
    Derivation direction_seconds(const char *way) const;
};

Derivation count_field(const char *name, const char *title, std::int64_t number, const char *field);
Derivation by_definition(Labelled what, double value, const std::string &how);
/// Target for a derived requirement: the compute utilization for a link rate, or the quorum probability for a site's
/// availability.
Derivation asked_for(double share);

std::vector<Derivation> explain_closed_forms(const SitesContext &sites);
std::vector<Derivation> explain_upkeep(const SitesContext &sites);
std::vector<Derivation> explain_quality(const SitesContext &sites);
/// Figures of one pipeline across all sites, instead of a model replica on each site.
std::vector<Derivation> explain_stage_a_site(const ExplainContext &context);

} // namespace meshwright
