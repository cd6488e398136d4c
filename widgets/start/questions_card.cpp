// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/questions_card.h"

#include "catalog/accelerator.h"
#include "catalog/library.h"
#include "catalog/model.h"
#include "controls/integer_box.h"
#include "controls/optional_quantity_box.h"
#include "controls/plain_numbers.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "figures/figure_text.h"
#include "theme/control_states.h"
#include "views/preset_items.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace meshwright {

namespace {

constexpr qint64 maxAccelerators = 10'000'000;
constexpr qint64 usualSites = 4;
constexpr int nameWidth = 104;

} // namespace

QuestionsCard::QuestionsCard(const Library &library, QWidget *parent)
    : Card(tr("Six questions"), tr("every question has a default"), parent)
    , m_library(library)
    , m_grid(new QGridLayout) {
    setObjectName(QStringLiteral("startQuestions"));
    m_grid->setHorizontalSpacing(12);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnMinimumWidth(0, nameWidth);
    m_grid->setColumnStretch(1, 1);
    contentLayout()->addLayout(m_grid);
    addMachines(library);
    addSites();
    addModel(library);
    addLength();
    addSoftware(library);
    m_find = new QPushButton(tr("Find the best plan"), this);
    m_find->setObjectName(QStringLiteral("findFirstPlan"));
    m_find->setToolTip(tr("Finds the best configuration that leaves 5% of memory free (Enter)"));
    m_find->setAutoDefault(true);
    showsNoFigures(m_find, NotFigures::setting);
    setButtonRole(m_find, ButtonRole::Default);
    contentLayout()->addWidget(m_find);
    connect(m_find, &QPushButton::clicked, this, &QuestionsCard::submitted);
    showRequest({});
    setSitesAsked(false);
}

int QuestionsCard::addRow(const QString &name, QWidget *field, QWidget *second) {
    const int row = m_grid->rowCount();
    auto *label = new TextLabel(name, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    label->setBuddy(field);
    m_grid->addWidget(label, row, 0);
    for (QWidget *each : {field, second}) {
        if (each == nullptr)
            continue;
        if (each->accessibleName().isEmpty())
            each->setAccessibleName(name);
        each->installEventFilter(this);
    }
    if (second == nullptr) {
        m_grid->addWidget(field, row, 1);
        return row;
    }
    auto *both = new QHBoxLayout;
    both->setContentsMargins(0, 0, 0, 0);
    both->setSpacing(8);
    both->addWidget(field, 1);
    both->addWidget(second);
    m_grid->addLayout(both, row, 1);
    return row;
}

TextLabel *QuestionsCard::addNote() {
    auto *note = new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this);
    note->setElided(true);
    showsNoFigures(note, NotFigures::setting); // the note explains the field above it and has no derivation
    m_grid->addWidget(note, m_grid->rowCount(), 1);
    return note;
}

void QuestionsCard::addMachines(const Library &library) {
    m_accelerator = new SearchableCombo(this);
    m_accelerator->setObjectName(QStringLiteral("startAccelerator"));
    m_accelerator->setItems(presetItems(library, PresetKind::accelerator));
    m_count = new IntegerBox(this);
    m_count->setObjectName(QStringLiteral("startCount"));
    m_count->setAccessibleName(tr("Number of GPUs"));
    m_count->setToolTip(
        tr("A number of GPUs, or of nodes as in \"64 nodes\"; numbers above one node are rounded up to whole nodes"));
    m_count->setRange(1, maxAccelerators);
    m_count->setVisibleDigits(8);
    m_count->setParser([this](const QString &text) -> std::optional<qint64> {
        const auto accelerator = chosenAccelerator();
        const QString typed = text.trimmed();
        const bool nodes = typed.endsWith(tr("nodes")) || typed.endsWith(tr("node"));
        const std::optional<qint64> number = nodes
            ? plain_numbers::parseInteger(typed.section(QLatin1Char(' '), 0, 0), {})
            : plain_numbers::parseInteger(typed, QStringLiteral("GPUs"));
        if (!number || !accelerator || *number < 1 || *number > maxAccelerators)
            return number;
        return whole_nodes(*accelerator, nodes ? *number * accelerator->accelerators_per_node : *number);
    });
    // Doubles or halves up to one node, steps by one node up to eight nodes, then doubles or halves again. With 8
    // accelerators per node: 1, 2, 4, 8, 16, 24, ..., 64, 128, 256 accelerators.
    m_count->setStepper([this](qint64 value, int steps) {
        const auto accelerator = chosenAccelerator();
        const qint64 node = accelerator ? std::max<qint64>(1, accelerator->accelerators_per_node) : 1;
        for (; steps > 0; --steps)
            value = value < node ? std::min(node, 2 * value) : value < 8 * node ? value + node : 2 * value;
        for (; steps < 0; ++steps)
            value = value <= node ? (value + 1) / 2 : value <= 8 * node ? value - node : value / 2;
        value = std::clamp<qint64>(value, 1, maxAccelerators);
        return accelerator ? qint64(whole_nodes(*accelerator, value)) : value;
    });
    addRow(tr("GPU, count"), m_accelerator, m_count);
    m_nodes = addNote();
    connect(m_accelerator, &SearchableCombo::chosen, this, [this] {
        followAccelerator();
        Q_EMIT changed();
    });
    connect(m_count, &IntegerBox::edited, this, [this] {
        showNotes();
        Q_EMIT changed();
    });
}

void QuestionsCard::addSites() {
    m_sites = new IntegerBox(this);
    m_sites->setObjectName(QStringLiteral("startSites"));
    m_sites->setAccessibleName(tr("Sites"));
    m_sites->setToolTip(tr("Number of sites, each with the number of GPUs entered above"));
    m_sites->setRange(2, 100'000);
    m_sites->setValue(usualSites);
    m_sites->setUnit(tr("sites"));
    m_sites->installEventFilter(this);
    m_link = new QuantityBox(Quantity::bits_per_second, this);
    m_link->setObjectName(QStringLiteral("startLink"));
    m_link->setAccessibleName(tr("Link per site"));
    m_link->setToolTip(tr("Bandwidth of each site's link to the others, per direction"));
    m_link->setRange(1e3, 1e15);
    m_link->showQuantity(PlanRequest{}.link_bits_per_second);
    m_link->installEventFilter(this);
    m_sitesFields = new QWidget(this);
    auto *both = new QHBoxLayout(m_sitesFields);
    both->setContentsMargins(0, 0, 0, 0);
    both->setSpacing(8);
    both->addWidget(m_sites, 1);
    both->addWidget(m_link, 1);
    const int row = m_grid->rowCount();
    m_sitesName = new TextLabel(tr("Sites, link"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this);
    m_grid->addWidget(m_sitesName, row, 0);
    m_grid->addWidget(m_sitesFields, row, 1);
    connect(m_sites, &IntegerBox::edited, this, &QuestionsCard::changed);
    connect(m_link, &UnitSpinBox::edited, this, [this](double value) {
        m_link->showQuantity(value);
        Q_EMIT changed();
    });
}

void QuestionsCard::addModel(const Library &library) {
    m_model = new SearchableCombo(this);
    m_model->setObjectName(QStringLiteral("startModel"));
    m_model->setItems(presetItems(library, PresetKind::model));
    addRow(tr("Model"), m_model);
    m_size = addNote();
    connect(m_model, &SearchableCombo::chosen, this, [this] {
        followModel();
        Q_EMIT changed();
    });
}

void QuestionsCard::addLength() {
    m_lengthKind = new Segmented(this);
    m_lengthKind->setObjectName(QStringLiteral("startLengthKind"));
    m_lengthKind->addSegment(tr("Tokens"), tr("Sets the number of training tokens"));
    m_lengthKind->addSegment(tr("Days"),
                             tr("Sets the duration of the run, which determines the number of training tokens"));
    m_tokens = new OptionalQuantityBox(Quantity::tokens, tr("20 per parameter"), 1, 1e18, this);
    m_tokens->setObjectName(QStringLiteral("startTokens"));
    m_tokens->setAccessibleName(tr("Tokens"));
    m_tokens->setToolTip(tr("Training tokens; empty: 20 per parameter (Chinchilla)"));
    m_days = new UnitSpinBox(this);
    m_days->setObjectName(QStringLiteral("startDays"));
    m_days->setAccessibleName(tr("Days"));
    m_days->setUnit(tr("days"));
    m_days->setRange(0.01, 36500);
    m_days->setValue(UsualDays);
    auto *fields = new QWidget(this);
    auto *row = new QHBoxLayout(fields);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_lengthKind);
    row->addWidget(m_tokens, 1);
    row->addWidget(m_days, 1);
    addRow(tr("Train for"), fields);
    for (QWidget *each : {static_cast<QWidget *>(m_tokens), static_cast<QWidget *>(m_days)})
        each->installEventFilter(this);
    m_tokensNote = addNote();
    connect(m_lengthKind, &Segmented::chosen, this, [this] {
        followLength();
        Q_EMIT changed();
    });
    connect(m_tokens, &UnitSpinBox::edited, this, [this](double value) {
        m_tokens->showOptional(value == OptionalQuantityBox::LeftOut ? std::nullopt : std::optional(value));
        showNotes();
        Q_EMIT changed();
    });
    connect(m_days, &UnitSpinBox::edited, this, &QuestionsCard::changed);
    m_sequence = new IntegerBox(this);
    m_sequence->setObjectName(QStringLiteral("startSequence"));
    m_sequence->setUnit(tr("tokens"));
    m_sequence->setRange(1, 100'000'000);
    m_sequence->setStepper([](qint64 value, int steps) {
        for (; steps > 0; --steps)
            value *= 2;
        for (; steps < 0; ++steps)
            value /= 2;
        return std::clamp<qint64>(value, 1, 100'000'000);
    });
    addRow(tr("Sequence length"), m_sequence);
    connect(m_sequence, &IntegerBox::edited, this, [this] {
        m_sequenceChosen = true;
        Q_EMIT changed();
    });
}

void QuestionsCard::addSoftware(const Library &library) {
    m_software = new SearchableCombo(this);
    m_software->setObjectName(QStringLiteral("startSoftware"));
    m_software->setItems(presetItems(library, PresetKind::stack));
    addRow(tr("Software"), m_software);
    connect(m_software, &SearchableCombo::chosen, this, [this] {
        m_softwareChosen = true;
        Q_EMIT changed();
    });
    m_budget = new OptionalQuantityBox(Quantity::dollars, tr("none"), 1, 1e15, this);
    m_budget->setObjectName(QStringLiteral("startBudget"));
    m_budget->setToolTip(tr("Maximum rental cost of the run; empty: no limit"));
    addRow(tr("Budget"), m_budget);
    connect(m_budget, &UnitSpinBox::edited, this, [this](double value) {
        m_budget->showOptional(value == OptionalQuantityBox::LeftOut ? std::nullopt : std::optional(value));
        Q_EMIT changed();
    });
}

void QuestionsCard::setSitesAsked(bool asked) {
    m_sitesName->setVisible(asked);
    m_sitesFields->setVisible(asked);
    setTitle(asked ? tr("Seven questions") : tr("Six questions"));
}

void QuestionsCard::setModelSizes(const std::map<QString, double> &parameters) {
    QVector<ComboItem> items = m_model->items();
    for (ComboItem &item : items)
        if (const auto size = parameters.find(item.id); size != parameters.end())
            item.detail = figureText(size->second, Quantity::parameters);
    m_model->setItems(items);
}

void QuestionsCard::takeFocus() {
    m_count->setFocus(Qt::OtherFocusReason);
    m_count->selectAll();
}

bool QuestionsCard::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::KeyPress && qobject_cast<ValueField *>(watched) != nullptr) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter)
            // Queued, so that the field accepts the typed value first. A rejected value is not submitted.
            QMetaObject::invokeMethod(
                this,
                [this, field = qobject_cast<ValueField *>(watched)] {
                    if (fieldState(field) != FieldState::Rejected)
                        Q_EMIT submitted();
                },
                Qt::QueuedConnection);
    }
    return Card::eventFilter(watched, event);
}

} // namespace meshwright
