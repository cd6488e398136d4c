// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_data.h"

#include "catalog/library.h"
#include "explain/explain.h"
#include "input/diagnostic.h"
#include "input/stop_scope.h"
#include "report/report_parts.h"
#include "sites/sites_question.h"

#include <algorithm>
#include <array>
#include <stop_token>
#include <string_view>
#include <utility>

namespace meshwright {
namespace {

ReportPipeline pipelineOf(const Result &result) {
    ReportPipeline pipeline;
    pipeline.run = std::make_shared<const ScheduleRun>(runSchedule({.plan = result.plan, .patch = {}}));
    pipeline.problem = pipeline.run->problem;
    if (pipeline.run->pipeline == nullptr)
        return pipeline;
    pipeline.held.plan = result.plan;
    pipeline.held.rank = static_cast<int>(pipeline.run->peakRank());
    try {
        pipeline.held.trace = std::make_shared<const MemoryTrace>(
            step_memory(result.plan, *pipeline.run->pipeline, static_cast<std::int64_t>(pipeline.run->peakRank())));
        pipeline.timeline = timelineOf(*pipeline.run->pipeline, {});
    } catch (const InputError &error) {
        pipeline.problem = QString::fromStdString(error.diagnostics().front().message.text);
    }
    return pipeline;
}

/// The export target of a framework. If the framework is based on another, its name has both, and the first match
/// counts: "Megatron-Bridge / Megatron-Core".
const ExportTarget *targetFor(const std::string &framework) {
    struct Fit {
        std::string_view framework; ///< text to find in the name of the stack's framework
        std::string_view target;
    };
    static constexpr std::array fits{Fit{"Megatron-Bridge", "megatron-bridge"},
                                     Fit{"NeMo", "megatron-bridge"},
                                     Fit{"Megatron-DeepSpeed", "deepspeed"},
                                     Fit{"Megatron", "megatron"},
                                     Fit{"torchtitan", "torchtitan"},
                                     Fit{"DeepSpeed", "deepspeed"},
                                     Fit{"nanotron", "nanotron"},
                                     Fit{"PyTorch", "accelerate"}};
    for (const Fit &fit : fits)
        if (framework.starts_with(fit.framework))
            return export_target(fit.target);
    return nullptr;
}

std::optional<ReportLaunch> launchOf(const Result &result) {
    const ExportTarget *const target = targetFor(result.plan.stack.framework);
    if (target == nullptr || target->write == nullptr)
        return std::nullopt;
    try {
        ReportLaunch launch{QString::fromUtf8(target->title.data(), qsizetype(target->title.size())),
                            target->write(result, Library::standard())};
        return launch.files.files.empty() ? std::nullopt : std::optional(std::move(launch));
    } catch (const InputError &) { // the target cannot express one of the plan's degrees
        return std::nullopt;
    }
}

} // namespace

QString ReportData::title() const {
    const QString name = shownName(QString::fromStdString(plan().name));
    return name.isEmpty() ? QStringLiteral("Training plan") : name;
}

ReportDataPointer gatherReport(const ReportInput &input, const ReportChapters &chapters, const std::stop_token &stop) {
    auto data = std::make_shared<ReportData>();
    data->input = input;
    data->gathered = chapters;
    const Result &result = *input.result;
    data->pipeline = pipelineOf(result);
    const std::optional<SitesQuestion> question =
        chapters.has(ReportChapter::sites) ? sitesQuestionOf(result) : std::nullopt;
    if (question) {
        data->sites = runSites(*question, stop);
        end_if_stopped();
        data->sweeps = sweepsOf(*question, stop);
        end_if_stopped();
    }
    if (chapters.has(ReportChapter::comparison) && !input.compared.empty()) {
        ComparisonQuestion asked{{{result.plan.name, result.plan}}};
        asked.plans.insert(asked.plans.end(), input.compared.begin(), input.compared.end());
        data->comparison = runComparison(asked, Library::standard(), stop);
        end_if_stopped();
    }
    if (chapters.has(ReportChapter::run))
        data->curves = run_curves(result);
    if (chapters.has(ReportChapter::launch))
        data->launch = launchOf(result);
    if (chapters.has(ReportChapter::derivations))
        data->derivations =
            data->pipeline.run->pipeline != nullptr ? explain(result, *data->pipeline.run->pipeline) : explain(result);
    return data;
}

SearchAnswerPointer searchForReport(const Result &result, const std::stop_token &stop) {
    SearchAnswerPointer answer;
    const SearchQuestion question{.plan = result.plan, .objective = Objective::time, .firstOnly = true};
    answerQuestion(question, Library::standard(), stop, {},
                   [&](SearchAnswerPointer next) { answer = std::move(next); });
    if (stop.stop_requested())
        throw Stopped();
    return answer != nullptr && answer->problem.empty() ? answer : nullptr;
}

} // namespace meshwright
