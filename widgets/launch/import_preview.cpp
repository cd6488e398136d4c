// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/import_preview.h"

#include "evaluate/evaluate.h"
#include "figures/figure_text.h"
#include "input/diagnostic.h"
#include "plan/plan_json.h"
#include "views/view_mapping.h"

#include <QCoreApplication>

namespace meshwright {

namespace {

struct ImportPreviews {
    Q_DECLARE_TR_FUNCTIONS(ImportPreviews)
};

QString planSentence(const Plan &plan) {
    const QString model =
        QString::fromStdString(plan.model.name.empty() ? plan.model_id : plan.model.name).simplified();
    return ImportPreviews::tr("%1 on %2 × %3, %4, %5 sequences of %6 tokens per step")
        .arg(model.isEmpty() ? ImportPreviews::tr("Unnamed model") : model,
             countText(static_cast<double>(plan.cluster.accelerators())),
             QString::fromStdString(plan.cluster.accelerator.name).simplified(), degreesText(plan.parallelism),
             countText(static_cast<double>(plan.batch.global_sequences)),
             countText(static_cast<double>(plan.batch.sequence_length)));
}

ImportPreview planPreview(const nlohmann::ordered_json &document, const Library &library) {
    const PlanReading reading = read_plan(document, library);
    ImportPreview preview{.plan = planSentence(reading.plan), .verdict = {}, .valid = reading.valid()};
    const auto problem = [&preview](const Diagnostic &diagnostic) {
        preview.valid = false;
        preview.verdict =
            ImportPreviews::tr("Cannot be evaluated yet: %1").arg(QString::fromStdString(diagnostic.message.text));
    };
    if (!preview.valid) {
        for (const Diagnostic &diagnostic : reading.diagnostics)
            if (diagnostic.severity == Severity::error) {
                problem(diagnostic);
                break;
            }
        return preview;
    }
    try {
        const Result result = evaluate(reading.plan, Depth::numbers);
        preview.fits = result.verdict.fits;
        const QString bytes = figureText(std::abs(result.verdict.headroom_bytes), Quantity::bytes);
        preview.verdict =
            (preview.fits ? ImportPreviews::tr("Fits with %1 free; step time %2, MFU %3")
                          : ImportPreviews::tr("Does not fit: %1 over capacity; step time %2, MFU %3"))
                .arg(bytes, figureText(result.step.seconds, Quantity::seconds), shareText(result.step.mfu));
    } catch (const InputError &error) {
        problem(error.diagnostics().front());
    }
    return preview;
}

} // namespace

ImportPreview previewOf(const std::string &what, const nlohmann::ordered_json &document, const Library &library) {
    if (what == "plan")
        return planPreview(document, library);
    ImportPreview preview{.plan = {}, .verdict = {}, .valid = true, .fits = true};
    const auto text = [&document](const char *key) {
        return document.is_object() && document.contains(key) && document[key].is_string()
            ? QString::fromStdString(document[key].get<std::string>()).simplified()
            : QString();
    };
    if (what == "tier") {
        const auto lines =
            document.is_object() && document.contains("bus_bandwidth") ? document["bus_bandwidth"].size() : 0;
        preview.plan = ImportPreviews::tr("Measured bus bandwidth of a network tier, %1 measurements").arg(lines);
    } else if (what == "node") {
        preview.plan = ImportPreviews::tr("A node with %1")
                           .arg(text("accelerator_name").isEmpty() ? text("accelerator") : text("accelerator_name"));
    } else if (what == "run") {
        preview.plan = ImportPreviews::tr("A measured run: %1").arg(text("id"));
    } else {
        preview.plan = text("name");
    }
    return preview;
}

} // namespace meshwright
