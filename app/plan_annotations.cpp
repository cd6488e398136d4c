// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_annotations.h"

#include "controls/text_undo.h"
#include "plan_document.h"
#include "prompts.h"

#include <QWidget>

#include <nlohmann/json.hpp>

namespace meshwright {

using nlohmann::ordered_json;

PlanAnnotations::PlanAnnotations(PlanDocument &document, Prompts &prompts, QWidget *window)
    : QObject(window)
    , m_document(document)
    , m_prompts(prompts)
    , m_window(window) { }

void PlanAnnotations::set(const char *key, const QString &subject, const QString &text, const QString &to) {
    const ordered_json value = text.isEmpty() ? ordered_json() : ordered_json(text.toStdString());
    m_document.apply({.field = QLatin1Char('/') + QLatin1String(key),
                      .subject = subject,
                      .from = {},
                      .to = to,
                      .patch = ordered_json{{key, value}}.dump(),
                      .pace = EditPace::Settled});
}

void PlanAnnotations::rename(const QString &name) {
    set("name", name.isEmpty() ? tr("No name") : tr("Name"), name, name);
}

void PlanAnnotations::editNotes() {
    commitTyping(*m_window);
    const QString before = m_document.notes();
    const std::optional<QString> text =
        m_prompts.askForText(m_window,
                             {.title = tr("Notes on the plan"),
                              .label = tr("Stored in the plan's file; they do not affect results."),
                              .text = before,
                              .lines = TextQuestion::Lines::Many});
    if (text && *text != before)
        set("notes", tr("Notes"), *text, {});
}

void PlanAnnotations::saveSnapshot() {
    commitTyping(*m_window);
    const QString suggestion = tr("Snapshot %1").arg(m_document.snapshots().size() + 1);
    const std::optional<QString> name = m_prompts.askForText(
        m_window,
        {.title = tr("Save a snapshot"), .label = tr("Name"), .text = suggestion, .lines = TextQuestion::Lines::One});
    if (name && !name->simplified().isEmpty())
        m_document.addSnapshot(name->simplified());
}

} // namespace meshwright
