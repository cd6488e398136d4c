// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/plan_panel.h"

#include "controls/choice_box.h"
#include "controls/optional_quantity_box.h"
#include "controls/searchable_combo.h"
#include "controls/segmented.h"
#include "controls/text_field.h"
#include "controls/text_label.h"
#include "controls/tip_text.h"
#include "controls/toggle_switch.h"
#include "figures/field_mark.h"
#include "figures/figure_text.h"
#include "glossary/term_text.h"

#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int labelWidth = 112;
constexpr int minLabelWidth = 76;

QString shownText(const QWidget *control) {
    if (const auto *field = qobject_cast<const ValueField *>(control))
        return withUnit(field->text(), field->unit());
    if (const auto *box = qobject_cast<const QComboBox *>(control))
        return box->currentText();
    if (const auto *toggle = qobject_cast<const ToggleSwitch *>(control))
        return toggle->isChecked() ? PlanPanel::tr("on") : PlanPanel::tr("off");
    if (const auto *combo = qobject_cast<const SearchableCombo *>(control))
        return combo->text();
    if (const auto *segments = qobject_cast<const Segmented *>(control))
        return segments->textOf(segments->currentIndex());
    return {};
}

} // namespace

PlanPanel::PlanPanel(QWidget *parent)
    : QWidget(parent)
    , m_rows(new QVBoxLayout(this)) {
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(8);
}

void PlanPanel::showPlan(const PlanView &view) {
    m_view = &view;
    const QScopedValueRollback guard(m_showing, true);
    showFields(view);
    for (auto field = m_fields.cbegin(); field != m_fields.cend(); ++field)
        m_texts.insert(field.key(), shownText(field.value()));
    markFields(view.diagnostics);
}

QWidget *PlanPanel::addRow(const QString &label, QWidget *control, const QString &pointer, QVBoxLayout *into) {
    auto *row = new QWidget(this);
    auto *line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    auto *text = new TextLabel(label, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, row);
    const bool narrow = control->sizePolicy().horizontalPolicy() == QSizePolicy::Fixed;
    if (narrow) {
        line->addWidget(text, 1);
        line->addWidget(control);
    } else {
        // Choices have long names, so their labels get only the width that they need.
        const bool names = qobject_cast<const QComboBox *>(control) || qobject_cast<const SearchableCombo *>(control)
            || control->findChild<const SearchableCombo *>();
        text->setFixedWidth(names ? std::max(minLabelWidth, std::min(labelWidth, text->sizeHint().width()))
                                  : labelWidth);
        line->addWidget(text);
        line->addWidget(control, 1);
    }
    (into != nullptr ? into : m_rows)->addWidget(row);
    if (control->focusPolicy() != Qt::NoFocus || !pointer.isEmpty())
        registerField(control, label, pointer);
    markAsField(row, pointer);
    return row;
}

QWidget *PlanPanel::addPair(const QString &label, QWidget *first, QWidget *second, QVBoxLayout *into) {
    auto *both = new QWidget(this);
    auto *line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addWidget(first, 1);
    line->addWidget(second, 1);
    QWidget *row = addRow(label, both, {}, into);
    row->setToolTip(QStringList{first->toolTip(), second->toolTip()}.join(QStringLiteral("\n\n")).trimmed());
    return row;
}

IntegerBox *PlanPanel::newInteger(const QString &label, const QString &pointer, qint64 low, qint64 high) {
    auto *box = new IntegerBox(this);
    box->setRange(low, high);
    registerField(box, label, pointer);
    connect(box, &IntegerBox::edited, this, [this, pointer, label](qint64 value) {
        set(pointer, label, QString::number(value), static_cast<std::int64_t>(value));
    });
    return box;
}

IntegerBox *PlanPanel::addInteger(const QString &label, const QString &pointer, qint64 low, qint64 high,
                                  QVBoxLayout *into) {
    IntegerBox *box = newInteger(label, pointer, low, high);
    addRow(label, box, pointer, into);
    return box;
}

QuantityBox *PlanPanel::addQuantity(const QString &label, const QString &pointer, Quantity quantity, double low,
                                    double high, QVBoxLayout *into) {
    auto *box = new QuantityBox(quantity, this);
    box->setRange(low, high);
    addRow(label, box, pointer, into);
    connect(box, &UnitSpinBox::edited, this, [this, pointer, label, quantity](double value) {
        set(pointer, label, QString::fromStdString(exact_text(value, quantity)), value);
    });
    return box;
}

OptionalQuantityBox *PlanPanel::addOptional(const QString &label, const QString &pointer, Quantity quantity,
                                            const QString &word, double low, double high, QVBoxLayout *into) {
    auto *box = new OptionalQuantityBox(quantity, word, low, high, this);
    addRow(label, box, pointer, into);
    connect(box, &UnitSpinBox::edited, this, [this, box, pointer, label, quantity](double value) {
        if (value != OptionalQuantityBox::LeftOut) {
            set(pointer, label, QString::fromStdString(exact_text(value, quantity)), value);
            return;
        }
        ask({.field = pointer,
             .subject = label,
             .from = m_texts.value(pointer),
             .to = box->text(),
             .patch = patchRemoving(*m_view, pointer),
             .pace = EditPace::Settled});
    });
    return box;
}

QComboBox *PlanPanel::newChoice(const QString &label, const QString &pointer, const std::vector<std::string> &words,
                                const QStringList &texts) {
    auto *box = new ChoiceBox(this);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const QString word = QString::fromStdString(words[i]);
        box->addItem(texts.isEmpty() ? word : texts.at(static_cast<qsizetype>(i)), word);
    }
    registerField(box, label, pointer);
    connect(box, &QComboBox::activated, this, [this, box, pointer, label](int index) {
        set(pointer, label, box->itemText(index), box->itemData(index).toString().toStdString(), EditPace::Step);
    });
    return box;
}

QComboBox *PlanPanel::addChoice(const QString &label, const QString &pointer, const std::vector<std::string> &words,
                                const QStringList &texts, QVBoxLayout *into) {
    QComboBox *box = newChoice(label, pointer, words, texts);
    addRow(label, box, pointer, into);
    return box;
}

ToggleSwitch *PlanPanel::addToggle(const QString &label, const QString &pointer, QVBoxLayout *into) {
    auto *toggle = new ToggleSwitch(label, this);
    addRow(label, toggle, pointer, into);
    connect(toggle, &ToggleSwitch::clicked, this,
            [this, pointer, label](bool on) { set(pointer, label, on ? tr("on") : tr("off"), on); });
    return toggle;
}

void PlanPanel::registerField(QWidget *control, const QString &label, const QString &pointer) {
    control->setAccessibleName(label);
    if (pointer.isEmpty())
        return;
    if (control->objectName().isEmpty())
        control->setObjectName(pointer.mid(1));
    if (control->toolTip().isEmpty() && qobject_cast<SearchableCombo *>(control) == nullptr)
        control->setToolTip(fieldToolTip(pointer));
    markAsField(control, pointer);
    m_fields.insert(pointer, control);
}

QWidget *PlanPanel::fieldAt(const QString &pointer) const {
    QString nearest = pointer;
    while (!nearest.isEmpty() && !m_fields.contains(nearest))
        nearest.truncate(nearest.lastIndexOf(QLatin1Char('/')));
    return nearest.isEmpty() ? nullptr : m_fields.value(nearest);
}

QString PlanPanel::nameOf(const QString &pointer) const {
    const QWidget *control = m_fields.value(pointer);
    return control == nullptr ? QString() : control->accessibleName();
}

void PlanPanel::forgetField(QWidget *control) {
    m_fields.removeIf([control](QHash<QString, QWidget *>::iterator each) { return each.value() == control; });
}

void PlanPanel::describe(QWidget *control, const QString &tip) {
    const QString lines = tipText(tip);
    // A SearchableCombo sets its own tool tip, which shows the whole name if it is elided.
    if (qobject_cast<SearchableCombo *>(control) == nullptr)
        control->setToolTip(lines);
    control->parentWidget()->setToolTip(lines);
}

void PlanPanel::select(QComboBox *box, const std::string &word) {
    const QSignalBlocker blocker(box);
    box->setCurrentIndex(box->findData(QString::fromStdString(word)));
}

void PlanPanel::set(const QString &pointer, const QString &label, const QString &to,
                    const nlohmann::ordered_json &value, EditPace pace) {
    if (m_showing || m_view == nullptr)
        return;
    ask({.field = pointer,
         .subject = label,
         .from = m_texts.value(pointer),
         .to = to,
         .patch = patchSetting(*m_view, pointer, value),
         .pace = pace});
}

void PlanPanel::ask(const PlanEdit &edit) {
    if (m_showing)
        return;
    PlanEdit asked = edit;
    if (edit.pace == EditPace::Settled && isStepping())
        asked.pace = EditPace::Step;
    Q_EMIT edited(asked);
}

bool PlanPanel::isStepping() const {
    const auto *field = qobject_cast<const ValueField *>(focusWidget());
    return field != nullptr && field->isStepping();
}

void PlanPanel::summarise(const QString &text, Tone tone, const QString &figure) {
    Q_EMIT summaryChanged(text, tone, figure);
}

void PlanPanel::markFields(const std::vector<Diagnostic> &diagnostics) {
    QHash<QWidget *, QString> reasons;
    for (const Diagnostic &diagnostic : diagnostics) {
        if (diagnostic.severity == Severity::hint || diagnostic.fields.empty())
            continue;
        QString pointer = QString::fromStdString(diagnostic.fields.front());
        // A field without a control is marked at its nearest parent that has one.
        while (!pointer.isEmpty() && !m_fields.contains(pointer))
            pointer.truncate(pointer.lastIndexOf(QLatin1Char('/')));
        if (pointer.isEmpty())
            continue;
        QString &reason = reasons[m_fields.value(pointer)];
        if (!reason.isEmpty())
            reason += QLatin1Char('\n');
        reason += QString::fromStdString(diagnostic.message.text);
        if (!diagnostic.expected.text.empty())
            reason += QStringLiteral("; ") + QString::fromStdString(diagnostic.expected.text);
    }
    for (QWidget *control : std::as_const(m_fields))
        mark(control, reasons.value(control));
}

void PlanPanel::mark(QWidget *control, const QString &reason) {
    if (auto *field = qobject_cast<ValueField *>(control)) {
        field->setWarning(reason);
        return;
    }
    if (const auto *text = qobject_cast<TextField *>(control); text != nullptr && !text->rejection().isEmpty())
        return; // the field shows rejected text, to which the diagnostic does not apply
    const FieldState state = reason.isEmpty() ? FieldState::Normal : FieldState::Warning;
    const bool marked = m_hints.contains(control);
    if (reason.isEmpty() && !marked)
        return;
    if (!marked)
        m_hints.insert(control, control->toolTip());
    setFieldState(control, state);
    control->setToolTip(reason.isEmpty() ? m_hints.take(control) : reason);
    control->setAccessibleDescription(reason);
}

} // namespace meshwright
