// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "evaluate/result.h"
#include "evidence/similar_runs.h"
#include "formulas/derivation.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace meshwright {

struct PlanPipeline;

/// Calculates the nodes of a result's derivation that have no formula, by running their simulations with the values of
/// their inputs. These inputs may differ from the plan's; everything else is as in the plan.
class Simulations {
public:
    /// @param result  result of explain(); must outlive this object
    /// @param known  measured runs for the plan's intervals; null for the plan's own
    explicit Simulations(const Result &result, std::shared_ptr<const KnownRuns> known = nullptr);
    ~Simulations();
    Simulations(const Simulations &) = delete;
    Simulations &operator=(const Simulations &) = delete;

    /// Simulates a node with other inputs. Empty for a node without a known simulation, and for impossible inputs: a
    /// fraction of a rank, degrees that make an invalid plan, too many operations to simulate.
    /// @param node  node whose formula is a simulation
    std::optional<double> value_of(const Derivation &node);

private:
    std::optional<double> run(const Derivation &node);
    std::optional<Plan> plan_of(const Derivation &node) const;
    std::optional<double> even_spread(const Derivation &node) const;
    std::optional<double> outer_loop(const Derivation &node) const;
    std::optional<double> payload_on_the_wire(const Derivation &node) const;
    std::optional<double> schedule(const Derivation &node);
    std::optional<double> executed_pipeline(const Derivation &node, const Plan &plan);
    std::optional<double> span_bubble(const Derivation &node) const;
    std::optional<double> nearest_runs(const Derivation &node);
    std::optional<double> cut(const Derivation &node, bool best) const;

    const Result &m_result;
    std::shared_ptr<const KnownRuns> m_known;
    std::map<std::string, std::shared_ptr<const PlanPipeline>> m_pipelines;
};

} // namespace meshwright
