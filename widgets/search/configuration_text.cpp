// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_text.h"

#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "gantt/schedule_names.h"
#include "plan/plan_json.h"
#include "plan/valid_values.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"
#include "views/view_mapping.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

QString tr(const char *text) {
    return QCoreApplication::translate("LayoutText", text);
}

QString word(const std::string &text) {
    return QString::fromStdString(text);
}

QString recomputeText(const Recompute &recompute) {
    switch (recompute.mode) {
    case RecomputeMode::none:
        return tr("none");
    case RecomputeMode::selective:
        return tr("selective");
    case RecomputeMode::full:
        return tr("full");
    case RecomputeMode::layers:
        return recompute.layers == 1 ? tr("first layer") : tr("first %1").arg(recompute.layers);
    case RecomputeMode::modules:
        break;
    }
    return tr("modules");
}

QString placementText(const Parallelism &parallelism) {
    QStringList names;
    for (const Dimension dimension : parallelism.placement)
        names << word(dimension_names()[static_cast<std::size_t>(dimension)]);
    return names.join(QStringLiteral(", "));
}

QString wireText(const Wire &wire) {
    const QString bits = tr("%1-bit").arg(wire.bits);
    return wire.density < 1
        ? tr("%1, %2 density").arg(bits, QString::fromStdString(exact_text(wire.density, Quantity::share)))
        : bits;
}

QString termText(StepTerm term) {
    static const std::array<const char *, step_term_count> texts{
        QT_TRANSLATE_NOOP("LayoutText", "compute"),
        QT_TRANSLATE_NOOP("LayoutText", "recomputation"),
        QT_TRANSLATE_NOOP("LayoutText", "bubble"),
        QT_TRANSLATE_NOOP("LayoutText", "exposed TP communication"),
        QT_TRANSLATE_NOOP("LayoutText", "exposed CP communication"),
        QT_TRANSLATE_NOOP("LayoutText", "exposed EP communication"),
        QT_TRANSLATE_NOOP("LayoutText", "exposed P2P"),
        QT_TRANSLATE_NOOP("LayoutText", "exposed DP communication"),
        QT_TRANSLATE_NOOP("LayoutText", "optimizer")};
    return tr(texts[static_cast<std::size_t>(term)]);
}

Json patchBetween(const Plan &from, const Plan &to) {
    const Json before = to_json(from);
    const Json after = to_json(to);
    Json patch = Json::object();
    for (const char *key : {"parallelism", "batch", "recompute", "offload", "precision", "outer"})
        if (before.value(key, Json()) != after.value(key, Json()))
            patch[key] = mergeDifference(before.value(key, Json()), after.value(key, Json()));
    return patch;
}

struct TermChange {
    StepTerm term;
    double before;
    double after;
};

/// The step time terms in which two plans differ most, largest difference first.
std::vector<TermChange> largestChanges(const Result &from, const Result &to) {
    constexpr double minDifference = 0.004; // fraction of the step time
    constexpr std::size_t maxTerms = 3;
    std::vector<TermChange> changes;
    for (std::size_t i = 0; i < step_term_count; ++i)
        if (const TermChange change{static_cast<StepTerm>(i), from.step.terms[i], to.step.terms[i]};
            std::abs(change.after - change.before) > minDifference * from.step.seconds)
            changes.push_back(change);
    std::stable_sort(changes.begin(), changes.end(), [](const TermChange &a, const TermChange &b) {
        return std::abs(a.after - a.before) > std::abs(b.after - b.before);
    });
    if (changes.size() > maxTerms)
        changes.resize(maxTerms);
    return changes;
}

} // namespace

QString layoutFieldText(ConfigurationField field) {
    static const std::array<const char *, configuration_field_count> texts{
        QT_TRANSLATE_NOOP("LayoutText", "Tensor"),     QT_TRANSLATE_NOOP("LayoutText", "Context"),
        QT_TRANSLATE_NOOP("LayoutText", "Pipeline"),   QT_TRANSLATE_NOOP("LayoutText", "Chunks"),
        QT_TRANSLATE_NOOP("LayoutText", "Expert"),     QT_TRANSLATE_NOOP("LayoutText", "Expert TP"),
        QT_TRANSLATE_NOOP("LayoutText", "Data"),       QT_TRANSLATE_NOOP("LayoutText", "Sequence parallel"),
        QT_TRANSLATE_NOOP("LayoutText", "ZeRO"),       QT_TRANSLATE_NOOP("LayoutText", "Schedule"),
        QT_TRANSLATE_NOOP("LayoutText", "Microbatch"), QT_TRANSLATE_NOOP("LayoutText", "Recompute")};
    return tr(texts[static_cast<std::size_t>(field)]);
}

QString layoutValueText(const Plan &plan, ConfigurationField field) {
    switch (field) {
    case ConfigurationField::sequence_parallel:
        return plan.parallelism.sequence_parallel ? tr("on") : tr("off");
    case ConfigurationField::schedule:
        return scheduleText(plan.parallelism.schedule);
    case ConfigurationField::recompute:
        return recomputeText(plan.recompute);
    default:
        return QString::number(value_of(plan, field));
    }
}

QString searchOptionText(SearchOption option) {
    static const std::array<const char *, search_option_count> texts{
        QT_TRANSLATE_NOOP("LayoutText", "Offloading to host memory"),
        QT_TRANSLATE_NOOP("LayoutText", "Placement on network tiers"),
        QT_TRANSLATE_NOOP("LayoutText", "Pipeline layouts (layers per stage)"),
        QT_TRANSLATE_NOOP("LayoutText", "Sharding groups (HSDP)"),
        QT_TRANSLATE_NOOP("LayoutText", "Interleaving groups"),
        QT_TRANSLATE_NOOP("LayoutText", "Number formats"),
        QT_TRANSLATE_NOOP("LayoutText", "DiLoCo settings (inner steps, fragments, overlap, compression)")};
    return tr(texts[static_cast<std::size_t>(option)]);
}

QString objectiveText(Objective objective) {
    switch (objective) {
    case Objective::time:
        return tr("Step time");
    case Objective::cost:
        return tr("Cost");
    case Objective::accelerators:
        return tr("Fewest GPUs");
    case Objective::tokens_per_dollar:
        return tr("Tokens per $");
    case Objective::energy:
        break;
    }
    return tr("Energy");
}

QVector<ConfigurationDifference> layoutDifferences(const Plan &from, const Plan &to) {
    QVector<ConfigurationDifference> differences;
    const auto add = [&](const QString &name, const QString &before, const QString &after) {
        if (before != after)
            differences.append({name, before, after});
    };
    for (std::size_t i = 0; i < configuration_field_count; ++i) {
        const auto field = static_cast<ConfigurationField>(i);
        add(layoutFieldText(field), layoutValueText(from, field), layoutValueText(to, field));
    }
    const auto group = [](const Plan &plan) { return interleaving_group(plan); };
    if (from.parallelism.group || to.parallelism.group)
        add(tr("Interleaving group"), QString::number(group(from)), QString::number(group(to)));
    const auto shards = [](const Plan &plan) {
        return plan.parallelism.shard_group ? QString::number(*plan.parallelism.shard_group) : tr("all ranks");
    };
    add(tr("Sharding group"), shards(from), shards(to));
    const auto layers = [](const Plan &plan) { return plan.parallelism.layout.empty() ? tr("even") : tr("uneven"); };
    add(tr("Pipeline layout"), layers(from), layers(to));
    add(tr("Placement"), placementText(from.parallelism), placementText(to.parallelism));
    add(tr("Compute format"), word(name_of(from.precision.compute)), word(name_of(to.precision.compute)));
    add(tr("Gradient format"), word(name_of(from.precision.gradients)), word(name_of(to.precision.gradients)));
    add(tr("Adam state format"), word(name_of(from.precision.moments)), word(name_of(to.precision.moments)));
    add(tr("Optimizer offload"), shareText(from.offload.optimizer), shareText(to.offload.optimizer));
    add(tr("Activation offload"), shareText(from.offload.activations), shareText(to.offload.activations));
    add(tr("Inner steps"), QString::number(from.outer.inner_steps), QString::number(to.outer.inner_steps));
    add(tr("Fragments"), QString::number(from.outer.fragments), QString::number(to.outer.fragments));
    add(tr("Overlap"), QString::number(from.outer.overlap_steps), QString::number(to.outer.overlap_steps));
    add(tr("Upload format"), wireText(from.outer.up), wireText(to.outer.up));
    add(tr("Download format"), wireText(from.outer.down), wireText(to.outer.down));
    add(tr("Sequences per step"), QString::number(from.batch.global_sequences),
        QString::number(to.batch.global_sequences));
    add(tr("Accelerator"), word(from.cluster.accelerator.name), word(to.cluster.accelerator.name));
    add(tr("Accelerators"), QString::number(from.cluster.accelerators()), QString::number(to.cluster.accelerators()));
    return differences;
}

QString differencesText(const QVector<ConfigurationDifference> &differences) {
    QStringList parts;
    for (const ConfigurationDifference &difference : differences) {
        QString name = difference.name;
        const QString rest = name.mid(1);
        if (!rest.isEmpty() && rest == rest.toLower()) // names such as ZeRO keep their case
            name[0] = name[0].toLower();
        parts << QStringLiteral("%1 %2 → %3").arg(name, difference.from, difference.to);
    }
    return parts.join(QStringLiteral(", "));
}

QString shortDifferencesText(const QVector<ConfigurationDifference> &differences) {
    constexpr qsizetype named = 2;
    const QString first = differencesText(differences.first(std::min(named, differences.size())));
    return differences.size() > named ? tr("%1 and %2 more").arg(first).arg(differences.size() - named) : first;
}

SentenceText whyText(const Result &from, const Result &to, const QString &patch) {
    std::vector<SentenceText> parts;
    for (const TermChange &change : largestChanges(from, to)) {
        const QString path =
            figurePathOf(QString::fromStdString(std::string(step_term_names()[static_cast<std::size_t>(change.term)])));
        parts.push_back(filled(QStringLiteral("%1 %2 → %3"), termText(change.term),
                               said(figureText(change.before, Quantity::seconds), path),
                               said(figureText(change.after, Quantity::seconds), FigureRef::ofChanged(path, patch))));
    }
    return capitalised(joined(parts, QStringLiteral(" · ")));
}

QString gainText(double gain, Objective objective) {
    const QString share = shareText(std::abs(gain));
    constexpr double same = 5e-4;
    const bool better = gain > 0;
    switch (objective) {
    case Objective::time:
        return std::abs(gain) < same ? tr("as fast") : better ? tr("%1 faster").arg(share) : tr("%1 slower").arg(share);
    case Objective::accelerators:
        return std::abs(gain) < same ? tr("same number of GPUs")
            : better                 ? tr("%1 fewer GPUs").arg(share)
                                     : tr("%1 more GPUs").arg(share);
    case Objective::energy:
        return std::abs(gain) < same ? tr("same energy")
            : better                 ? tr("%1 less energy").arg(share)
                                     : tr("%1 more energy").arg(share);
    default:
        break;
    }
    return std::abs(gain) < same ? tr("same cost")
        : better                 ? tr("%1 cheaper").arg(share)
                                 : tr("%1 more expensive").arg(share);
}

GainWords gainWords(double gain, Objective objective) {
    const QString words = gainText(gain, objective);
    const QString share = shareText(std::abs(gain));
    return words.startsWith(share) ? GainWords{share, words.mid(share.size() + 1)} : GainWords{{}, words};
}

PlanEdit editHolding(const PlanView &view, ConfigurationField field, bool held) {
    auto marks = constraints_of(view.plan).fixed;
    marks[static_cast<std::size_t>(field)] = held;
    Json names = Json::array();
    for (std::size_t i = 0; i < configuration_field_count; ++i)
        if (marks[i])
            names.push_back(configuration_field_names()[i]);
    const QString pointer = QStringLiteral("/constraints/fixed");
    const QString subject = held ? tr("Fix %1 in the search") : tr("Vary %1 in the search");
    return {.field = pointer,
            .subject = subject.arg(layoutFieldText(field)),
            .from = {},
            .to = {},
            .patch = patchSetting(view, pointer, names),
            .pace = EditPace::Settled};
}

std::string patchApplying(const PlanView &view, const SearchEntry &entry, const Library &library) {
    Json patch = patchBetween(view.plan, entry.plan);
    const Json &document = *view.document;
    const auto written = document.find("parallelism");
    const bool derivesData = written == document.end() || !written->is_object() || !written->contains("data");
    if (derivesData && patch.contains("parallelism"))
        patch["parallelism"].erase("data");
    const auto makes = [&](const Json &candidate) {
        Json changed = document;
        merge_patch(changed, candidate);
        const PlanReading reading = read_plan(changed, library);
        return reading.valid() && reading.plan.parallelism == entry.plan.parallelism
            && reading.plan.batch == entry.plan.batch && reading.plan.recompute == entry.plan.recompute
            && reading.plan.offload == entry.plan.offload && reading.plan.precision == entry.plan.precision
            && reading.plan.cluster == entry.plan.cluster;
    };
    if (makes(patch))
        return patch.dump();
    // The short patch is not enough if some defaults depend on other fields, or if the cluster differs. This patch sets
    // every field.
    Json whole = to_json(entry).at("patch");
    if (!(entry.plan.cluster == view.plan.cluster)) {
        whole["cluster"] = mergeDifference(document.value("cluster", Json()), to_json(entry.plan).at("cluster"));
        whole["run"]["rental_dollars_per_accelerator_hour"] = entry.plan.run.rental_dollars_per_accelerator_hour;
    }
    return whole.dump();
}

} // namespace meshwright
