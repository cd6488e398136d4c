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

/// Runs what no formula says of a result's explanation: each procedure once more, over the values that its node's
/// inputs have. Those may be others than the plan's: then the value is what the procedure gives of them, everything
/// else as it is.
class Simulations {
public:
    /// @param result  of explain(); it outlives the procedures
    /// @param known  measured runs that its intervals are from; null: those of the plan
    explicit Simulations(const Result &result, std::shared_ptr<const KnownRuns> known = nullptr);
    ~Simulations();
    Simulations(const Simulations &) = delete;
    Simulations &operator=(const Simulations &) = delete;

    /// Nothing for a node that no procedure is known for, and where its inputs cannot be so: a part of a rank, a degree
    /// that makes no valid plan, more operations than are executed.
    /// @param node  with a procedure's formula
    std::optional<double> value_of(const Derivation &node);

private:
    std::optional<double> run(const Derivation &node);
    std::optional<Plan> plan_of(const Derivation &node) const;
    std::optional<double> stride(const Derivation &node, const std::string &group) const;
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
    std::map<std::string, std::shared_ptr<const PlanPipeline>> m_pipelines; ///< executed already, by inputs
};

} // namespace meshwright
