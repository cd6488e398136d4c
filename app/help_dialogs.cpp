// SPDX-License-Identifier: GPL-3.0-or-later
#include "help_dialogs.h"

#include "controls/fact_list.h"
#include "controls/text_label.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright::help {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("Help", text);
}

QDialog *newDialog(QWidget *parent, const QString &name, const QString &title) {
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto *column = new QVBoxLayout(dialog);
    column->setContentsMargins(24, 24, 24, 16);
    column->setSpacing(12);
    return dialog;
}

void finish(QDialog *dialog) {
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    dialog->layout()->addWidget(buttons);
    dialog->open();
}

TextLabel *paragraph(const QString &text, QWidget *parent) {
    auto *label = new TextLabel(text, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, parent);
    label->setWordWrap(true);
    label->setMinimumWidth(420);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString plain(QString text) {
    text.remove(QLatin1Char('&'));
    return text.remove(QStringLiteral(" …"));
}

} // namespace

void showAbout(QWidget *parent) {
    QDialog *dialog = newDialog(parent, QStringLiteral("about"), tr("About Meshwright"));
    auto *column = static_cast<QVBoxLayout *>(dialog->layout());
    column->addWidget(new TextLabel(tr("Meshwright %1").arg(QCoreApplication::applicationVersion()), TypeRole::Title,
                                    ColourRole::Text, TextWeight::SemiBold, dialog));
    column->addWidget(paragraph(tr("A planner for distributed training runs: whether a run fits in memory, how fast it "
                                   "is, how long it takes, what it costs, and what limits it."),
                                dialog));
    column->addWidget(paragraph(tr("Free software under the GNU General Public License, version 3 or later. It comes "
                                   "with no warranty."),
                                dialog));
    auto *parts = new FactList(dialog);
    parts->setFacts({{tr("Qt %1").arg(QLatin1String(qVersion())), tr("LGPL-3.0")},
                     {QStringLiteral("nlohmann/json"), tr("MIT")},
                     {QStringLiteral("{fmt}"), tr("MIT")},
                     {QStringLiteral("oneTBB"), tr("Apache-2.0")},
                     {QStringLiteral("CLI11"), tr("BSD-3-Clause")},
                     {tr("Inter, the typeface"), tr("OFL-1.1")}});
    column->addWidget(parts);
    finish(dialog);
}

void showShortcuts(QWidget *parent) {
    QDialog *dialog = newDialog(parent, QStringLiteral("shortcuts"), tr("Keyboard shortcuts"));
    std::vector<Fact> facts;
    const QList<QAction *> actions = parent->findChildren<QAction *>();
    for (const QAction *action : actions) {
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        const Fact fact{plain(action->text()), keys};
        if (!keys.isEmpty() && std::find(facts.begin(), facts.end(), fact) == facts.end())
            facts.push_back(fact);
    }
    facts.push_back({tr("Next valid divisor"), tr("Right, Up")});
    facts.push_back({tr("Accept a typed value, or restore the old one"), tr("Enter, Esc")});
    facts.push_back({tr("Move along the bars, explain a segment"), tr("Arrows, Enter")});
    facts.push_back({tr("Collapse or expand a section"), tr("Left, Right, Space")});
    facts.push_back({tr("Apply a configuration, pin it, explain its figure"), tr("Enter, Space, F1")});
    facts.push_back({tr("Filter configurations, clear the selection"), tr("/, Esc")});
    facts.push_back({tr("Zoom or pan a timeline"), tr("W S, A D, wheel")});
    facts.push_back({tr("Measure on a timeline, find a microbatch"), tr("Shift+drag, /")});
    auto *list = new FactList(dialog);
    list->setFacts(facts);
    list->setMinimumWidth(420);
    static_cast<QVBoxLayout *>(dialog->layout())->addWidget(list);
    finish(dialog);
}

} // namespace meshwright::help
