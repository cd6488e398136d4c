// SPDX-License-Identifier: GPL-3.0-or-later
#include "sites/answers.h"

#include "evaluate/evaluate.h"
#include "figures/figure_ref.h"
#include "figures/figure_text.h"
#include "outer/traffic.h"
#include "plan/outer_symmetry.h"
#include "plan/plan_json.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

using Json = nlohmann::ordered_json;

constexpr double DaySeconds = 86400;

QString tr(const char *text) {
    return QCoreApplication::translate("Answers", text);
}

TableCell cell(const QString &text, const char *figure, const Json &patch) {
    return {.text = text,
            .figure = patch.empty()
                ? FigureRef(figure)
                : FigureRef::ofChanged(QLatin1String(figure), QString::fromStdString(patch.dump()))};
}

QString days(double seconds) {
    return tr("%1 days").arg(countText(std::round(seconds / DaySeconds)));
}

/// The plan's step time, and round numbers from 10% below it to 20% above it.
std::vector<double> stepsOf(const SitesQuestion &question) {
    const double low = 0.9 * question.stepSeconds;
    const double high = 1.2 * question.stepSeconds;
    std::vector<double> steps{question.stepSeconds};
    constexpr double most = 8;
    double width = std::pow(10, std::floor(std::log10((high - low) / most)));
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if ((high - low) / (width * factor) <= most) {
            width *= factor;
            break;
        }
    for (double step = std::ceil(low / width) * width; step <= high && steps.size() < 12; step += width)
        if (std::abs(step - question.stepSeconds) > 1e-3 * width)
            steps.push_back(step);
    std::sort(steps.begin(), steps.end());
    return steps;
}

TableRows daysByStep(const SitesQuestion &question, const std::stop_token &stop) {
    TableRows rows{{{tr("step")}, {tr("MFU")}, {tr("no stalls")}, {tr("utilization")}, {tr("run time")}}};
    for (const double step : stepsOf(question)) {
        if (stop.stop_requested())
            return {};
        const bool present = step == question.stepSeconds;
        Plan plan = question.plan;
        Json patch = Json::object();
        if (!present) {
            plan.outer.step_seconds = step;
            patch = {{"outer", {{"step_seconds", step}}}};
        }
        const Result result = evaluate(plan, Depth::numbers);
        TableRow row{{figureText(step, Quantity::seconds)},
                     cell(shareText(result.step.mfu * result.step.seconds / step), "run.mfu", patch),
                     cell(days(result.run.steps * step), "run.computing_seconds", patch),
                     cell(shareText(result.outer->utilisation), "outer.utilisation", patch),
                     cell(days(result.run.seconds), "run.seconds", patch)};
        for (TableCell &each : row)
            each.isPresent = present;
        rows.push_back(std::move(row));
    }
    return rows;
}

Json jsonOf(const Wire &wire) {
    return {{"bits", wire.bits},
            {"density", wire.density},
            {"index", index_encoding_names()[static_cast<std::size_t>(wire.index)]},
            {"scale_bits", wire.scale_bits}};
}

struct Format {
    QString name;
    Wire up, down;
};

/// The plan's formats, the same formats without the cost of indices, and the same sparsity in both directions with each
/// index encoding.
std::vector<Format> formatsOf(const Outer &outer) {
    std::vector<Format> formats{{tr("as written"), outer.up, outer.down}};
    const auto add = [&](const QString &name, const Wire &up, const Wire &down) {
        formats.push_back({name, up, down});
    };
    const auto with = [](Wire wire, IndexEncoding index) {
        wire.index = wire.density < 1 ? index : IndexEncoding::none;
        return wire;
    };
    const auto dense = [](Wire wire) {
        wire.density = 1;
        wire.index = IndexEncoding::none;
        return wire;
    };
    if (outer.up.density >= 1 && outer.down.density >= 1) {
        for (const double bits : {16.0, 8.0, 4.0})
            add(tr("%1 bits in both directions").arg(bits), {.bits = bits}, {.bits = bits});
        return formats;
    }
    using enum IndexEncoding;
    add(tr("uplink: values only"), with(outer.up, none), outer.down);
    add(tr("both directions: values only"), with(outer.up, none), with(outer.up, none));
    add(tr("both directions: entropy bound"), with(outer.up, entropy), with(outer.up, entropy));
    add(tr("both directions: bitmap"), with(outer.up, bitmap), with(outer.up, bitmap));
    add(tr("both directions: 12-bit index"), with(outer.up, fixed_width), with(outer.up, fixed_width));
    add(tr("both directions: dense"), dense(outer.up), dense(outer.down));
    return formats;
}

TableRows wireOf(const SitesQuestion &question) {
    TableRows rows{{{tr("format")}, {tr("up")}, {tr("down")}, {tr("link limit")}}};
    constexpr double all = 1 - 1e-9;
    for (const Format &format : formatsOf(question.plan.outer)) {
        const bool present = rows.size() == 1;
        Plan plan = question.plan;
        plan.outer.up = format.up;
        plan.outer.down = format.down;
        const Json patch =
            present ? Json::object() : Json{{"outer", {{"up", jsonOf(format.up)}, {"down", jsonOf(format.down)}}}};
        const Traffic traffic = traffic_of(plan, question.parameters);
        const OuterGuards guards = outer_guards(plan, question.parameters, question.stepSeconds, nullptr);
        TableRow row{{format.name},
                     cell(figureText(traffic.up_bits / 8, Quantity::bytes), "outer.up_bytes_per_round", patch),
                     cell(figureText(traffic.down_bits / 8, Quantity::bytes), "outer.down_bytes_per_round", patch),
                     cell(shareText(guards.utilisation_bound), "outer.closed_form.utilisation_bound", patch)};
        for (TableCell &each : row)
            each.isPresent = present;
        row.back().isGood = guards.utilisation_bound >= all;
        rows.push_back(std::move(row));
    }
    return rows;
}

TableRows aggregatorsOf(const SitesQuestion &question) {
    const Plan &written = question.plan;
    if (written.aggregation.topology != Topology::star)
        return {};
    TableRows rows{{{tr("number")},
                    {tr("memory each")},
                    {tr("link each")},
                    {tr("data uploaded per site and round")},
                    {tr("egress")}}};
    struct Setup {
        std::int64_t count;
        Arrangement arrangement;
    };
    for (const Setup setup : {Setup{1, Arrangement::sharded},
                              {2, Arrangement::sharded},
                              {3, Arrangement::sharded},
                              {2, Arrangement::replicated},
                              {3, Arrangement::replicated}}) {
        Plan plan = written;
        plan.aggregation.aggregators = setup.count;
        plan.aggregation.arrangement = setup.arrangement;
        const bool present =
            plan.aggregation == written.aggregation || (setup.count == 1 && written.aggregation.aggregators == 1);
        const Json patch = present
            ? Json::object()
            : Json{{"aggregation",
                    {{"aggregators", setup.count},
                     {"arrangement", arrangement_names()[static_cast<std::size_t>(setup.arrangement)]}}}};
        const Result result = evaluate(plan, Depth::numbers);
        const OuterRequirements upkeep = outer_requirements(plan, question.parameters, question.stepSeconds,
                                                            result.outer->round_seconds, result.outer->rounds);
        const QString name = setup.count == 1           ? tr("1")
            : setup.arrangement == Arrangement::sharded ? tr("%1, sharded").arg(setup.count)
                                                        : tr("%1, replicated").arg(setup.count);
        TableRow row{
            {name},
            cell(figureText(upkeep.aggregator_memory_bytes, Quantity::bytes), "outer.upkeep.aggregator_memory_bytes",
                 patch),
            cell(figureText(upkeep.aggregator_bits_each, Quantity::bits_per_second),
                 "outer.upkeep.aggregator_rate_each", patch),
            cell(figureText(result.outer->up_bytes_per_round, Quantity::bytes), "outer.up_bytes_per_round", patch),
            cell(figureText(upkeep.egress_dollars, Quantity::dollars), "outer.upkeep.egress_dollars", patch)};
        for (TableCell &each : row)
            each.isPresent = present;
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace

AnswersPointer answersOf(const SitesQuestion &question, const std::stop_token &stop) {
    auto answers = std::make_shared<Answers>();
    answers->question = question;
    answers->wire = wireOf(question);
    if (!is_slow_to_follow(question.plan)) {
        answers->days = daysByStep(question, stop);
        answers->aggregators = aggregatorsOf(question);
    }
    return stop.stop_requested() ? nullptr : answers;
}

} // namespace meshwright
