// SPDX-License-Identifier: GPL-3.0-or-later
#include "published/plan_card_dialog.h"

#include "controls/text_label.h"
#include "figures/figure_event.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;
constexpr int TextWidth = 520;

QString tr(const char *text) {
    return QCoreApplication::translate("PlanCardDialog", text);
}

QString textOf(const Json &object, const char *key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

TextLabel *label(const QString &text, TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent) {
    auto *made = new TextLabel(text, type, colour, weight, parent);
    made->setWordWrap(true);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
}

QString upperFirst(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// Adds a known fact: its name and value in one row, and its source in the next.
void addKnown(QGridLayout *grid, const Json &fact, QWidget *parent) {
    const int row = grid->rowCount();
    auto *what =
        label(upperFirst(textOf(fact, "what")), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, parent);
    grid->addWidget(what, row, 0, Qt::AlignTop);
    grid->addWidget(label(textOf(fact, "value"), TypeRole::Body, ColourRole::Text, TextWeight::Regular, parent), row,
                    1);
    grid->addWidget(label(textOf(fact, "source"), TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, parent),
                    row + 1, 1);
}

} // namespace

QDialog *newPlanCardDialog(const Json &card, QWidget *parent) {
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("planCard"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(textOf(card, "name"));
    auto *content = new QWidget(dialog);
    showsNoFigures(content, NotFigures::name); // the numbers are quoted from publications
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);
    column->addWidget(label(textOf(card, "name"), TypeRole::Title, ColourRole::Text, TextWeight::SemiBold, content));
    column->addWidget(
        label(textOf(card, "description"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, content));
    const auto heading = [&](const QString &text) {
        column->addWidget(label(text, TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, content));
    };
    heading(tr("Known"));
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    if (const auto known = card.find("known"); known != card.end())
        for (const Json &fact : *known)
            addKnown(grid, fact, content);
    column->addLayout(grid);
    heading(tr("Not disclosed"));
    QStringList unknown;
    if (const auto found = card.find("unknown"); found != card.end())
        for (const Json &what : *found)
            if (what.is_string())
                unknown.append(upperFirst(QString::fromStdString(what.get<std::string>())));
    column->addWidget(
        label(unknown.join(QLatin1Char('\n')), TypeRole::Body, ColourRole::Text, TextWeight::Regular, content));
    column->addWidget(label(tr("Without these values the run cannot be evaluated."), TypeRole::Body, ColourRole::Text2,
                            TextWeight::Regular, content));
    column->addStretch(1);
    content->setMinimumWidth(TextWidth);
    auto *scroll = new QScrollArea(dialog);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto *whole = new QVBoxLayout(dialog);
    whole->setContentsMargins(24, 24, 24, 16);
    whole->setSpacing(12);
    whole->addWidget(scroll, 1);
    whole->addWidget(buttons);
    dialog->resize(TextWidth + 80, 520);
    return dialog;
}

} // namespace meshwright
