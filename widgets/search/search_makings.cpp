// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/search_makings.h"

#include <utility>

namespace meshwright {

namespace {

constexpr const char *walk = "every layout that the constraints admit, and the plan itself";

/// What is counted while the space is walked through.
Derivation counted_layouts(const char *name, const char *title, std::int64_t count, const char *source) {
    return by_procedure({name, title, Quantity::count}, static_cast<double>(count), "search", source, {});
}

std::vector<Derivation> partsOf(const Funnel &funnel) {
    return {counted_layouts("fit", "layouts that fit and were evaluated", funnel.fit, "evaluated by the whole model"),
            counted_layouts("slower", "layouts that are proved slower", funnel.slower,
                            "a bound on their step, by the model's own formulas, keeps them out of what is listed"),
            counted_layouts("too_large", "layouts that need too much memory", funnel.too_large,
                            "a bound on their memory, or their evaluation, is over what the constraints leave"),
            counted_layouts("repeats", "layouts that are another one already", funnel.repeats,
                            "recomputing the first layers of none, or of all")};
}

Derivation consideredBy(const SearchResult &found) {
    const Labelled what{"considered", "layouts considered", Quantity::count};
    std::vector<Derivation> parts = partsOf(found.funnel);
    return found.complete ? sum_of(what, walk, std::move(parts))
                          : by_procedure(what, static_cast<double>(found.considered), "search", walk, std::move(parts));
}

Derivation listedBy(const SearchAnswer &answer) {
    return by_procedure(
        {"listed", "layouts listed", Quantity::count}, static_cast<double>(answer.rows.size()), "list",
        "the best by the objective, the front's further points, and the plan where it is not among them",
        {consideredBy(answer.found)});
}

} // namespace

std::optional<Derivation> searchMaking(const QString &figure, const SearchAnswer *answer, const SearchState &state) {
    if (figure == QLatin1String("share"))
        return by_procedure({"share", "share of the layouts gone through", Quantity::share}, state.share, "search",
                            walk, {});
    if (figure == QLatin1String("best_so_far"))
        return by_procedure({"best_so_far", "shortest step found so far", Quantity::seconds}, state.bestStepSeconds,
                            "search", "evaluated by the whole model; the layout is listed when the search ends", {});
    for (const auto &[name, parameters] : {std::pair{"rule_small", 10e9}, std::pair{"rule_medium", 100e9}})
        if (figure == QLatin1String(name))
            return published({name, "size of a model from which on other rules hold", Quantity::parameters}, parameters,
                             "the Ultra-Scale Playbook (Hugging Face, 2025), Finding the best training configuration");
    if (answer == nullptr)
        return std::nullopt;
    if (figure == QLatin1String("considered"))
        return consideredBy(answer->found);
    for (Derivation &part : partsOf(answer->found.funnel))
        if (figure == QString::fromStdString(part.name))
            return std::move(part);
    if (figure == QLatin1String("search_seconds"))
        return by_procedure({"search_seconds", "time that the search took", Quantity::seconds}, answer->found.seconds,
                            "clock", "measured on this machine", {});
    if (figure == QLatin1String("listed"))
        return listedBy(*answer);
    if (figure == QLatin1String("tied_within"))
        return counted({"tied_within", "by how much predicted steps must differ to be told apart", Quantity::share},
                       answer->found.tied_within,
                       "counted in sweeps of measured runs: pairs predicted this far apart ran in the predicted order "
                       "in 80 % of all cases",
                       {});
    if (figure == QLatin1String("needed"))
        return counted({"needed", "headroom that the search keeps", Quantity::bytes}, answer->headroom_bytes,
                       "a constraint of the plan; 5 % of the capacity where the plan states none", {});
    if (figure == QLatin1String("slower_admitted"))
        return counted({"slower_admitted", "by how much the step may be longer than the fastest", Quantity::share},
                       0.25, "the leanest layouts are slow; this is what is still looked at", {});
    if (figure == QLatin1String("least_excess_bytes"))
        return by_procedure({"least_excess_bytes", "least memory that is lacking", Quantity::bytes},
                            answer->least_excess_bytes, "least",
                            "over the layouts of the front that are at most 25 % slower than the fastest", {});
    return std::nullopt;
}

} // namespace meshwright
