// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search_derivations.h"

#include <utility>

namespace meshwright {

std::optional<Derivation> searchDerivation(const QString &figure, const SearchAnswer *answer) {
    for (const auto &[name, parameters] : {std::pair{"rule_small", 10e9}, std::pair{"rule_medium", 100e9}})
        if (figure == QLatin1String(name))
            return published({name, "model size at which different rules begin to apply", Quantity::parameters},
                             parameters,
                             "the Ultra-Scale Playbook (Hugging Face, 2025), Finding the best training configuration");
    if (answer == nullptr)
        return std::nullopt;
    if (figure == QLatin1String("tied_within"))
        return counted(
            {"tied_within", "smallest difference in predicted step time that the model resolves", Quantity::share},
            answer->found.tied_within,
            "from sweeps of measured runs: pairs predicted this far apart ran in the predicted order "
            "in 80% of all cases",
            {});
    if (figure == QLatin1String("needed"))
        return counted({"needed", "headroom that the search requires", Quantity::bytes}, answer->headroom_bytes,
                       "constraint of the plan, or 5% of the capacity if the plan has none", {});
    if (figure == QLatin1String("slower_admitted"))
        return counted({"slower_admitted", "maximum slowdown relative to the fastest configuration", Quantity::share},
                       0.25, "limit set by the search, because the configurations that need the least memory are slow",
                       {});
    if (figure == QLatin1String("least_excess_bytes"))
        return counted(
            {"least_excess_bytes", "smallest memory shortfall", Quantity::bytes}, answer->least_excess_bytes,
            "minimum over the configurations of the Pareto front that are at most 25% slower than the fastest", {});
    return std::nullopt;
}

} // namespace meshwright
