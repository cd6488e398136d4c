// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/constraints_bar.h"

#include "controls/quantity_box.h"
#include "controls/segmented.h"
#include "controls/text_label.h"
#include "controls/toggle_switch.h"
#include "figures/figure_text.h"
#include "search/configuration_text.h"
#include "search/score.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {
constexpr int boxWidth = 96;
constexpr int spacing = 14;
constexpr std::size_t partsOfFirstLine = 3; ///< number of controls on the first of two lines
constexpr int shownDigits = 3; ///< significant digits of a calculated headroom, as many as its field has room for
constexpr double maxBytes = 1e18;
constexpr double maxSeconds = 1e12;

constexpr int shareHeadroom = 0;
constexpr int sureHeadroom = 1;
constexpr int fixedHeadroom = 2;

QString pointerTo(const QString &key) {
    return QStringLiteral("/constraints/") + key;
}

double rounded(double bytes) {
    if (bytes <= 0)
        return 0;
    const double unit = std::pow(10, std::floor(std::log10(bytes)) + 1 - shownDigits);
    return std::round(bytes / unit) * unit;
}

} // namespace

ConstraintsBar::ConstraintsBar(QWidget *parent)
    : QWidget(parent)
    , m_headroomChoice(new Segmented(this))
    , m_headroom(new QuantityBox(Quantity::bytes, this))
    , m_anySoftware(new ToggleSwitch(tr("Any software"), this))
    , m_withinNode(new ToggleSwitch(tr("Tensor within a node"), this))
    , m_deadline(new QuantityBox(Quantity::seconds, this)) {
    setObjectName(QStringLiteral("constraintsBar"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    for (QHBoxLayout *&line : m_lines) {
        line = new QHBoxLayout;
        line->setSpacing(spacing);
        column->addLayout(line);
    }
    m_parts.push_back(newHeadroom());
    m_deadline->setObjectName(QStringLiteral("deadline"));
    m_deadline->setAccessibleName(tr("Deadline for the run"));
    m_deadline->setToolTip(tr("Maximum duration of the run; 0 = no deadline"));
    m_deadline->setRange(0, maxSeconds);
    m_deadline->setFixedWidth(boxWidth);
    m_deadlineRow = labelled(tr("Deadline"), m_deadline);
    m_deadlineRow->hide();
    m_withinNode->setObjectName(QStringLiteral("tensorWithinNode"));
    m_withinNode->setToolTip(tr("Keeps each tensor-parallel group within one node, on its fast links"));
    m_parts.push_back(labelled(tr("Tensor within a node"), m_withinNode));
    m_anySoftware->setObjectName(QStringLiteral("anySoftware"));
    m_anySoftware->setToolTip(
        tr("Off: only configurations that the plan's software can run. On: also schedules from papers and features of "
           "other software; the table then shows which configurations cannot be run, and why."));
    m_parts.push_back(labelled(tr("Any software"), m_anySoftware));
    m_parts.push_back(m_deadlineRow);
    auto *fields = new QMenu(this);
    for (std::size_t i = 0; i < configuration_field_count; ++i) {
        const auto field = static_cast<ConfigurationField>(i);
        m_fields[i] = fields->addAction(layoutFieldText(field));
        m_fields[i]->setCheckable(true);
        connect(m_fields[i], &QAction::triggered, this, [this, field](bool held) { hold(field, held); });
    }
    m_fixed = newMenuButton(QStringLiteral("fixedFields"), fields);
    m_fixed->setToolTip(
        tr("Settings that the search keeps at the plan's value; the padlock in a column heading fixes them too"));
    m_parts.push_back(m_fixed);
    auto *options = new QMenu(this);
    for (std::size_t i = 0; i < search_option_count; ++i) {
        const auto option = static_cast<SearchOption>(i);
        m_options[i] = options->addAction(searchOptionText(option));
        m_options[i]->setCheckable(true);
        connect(m_options[i], &QAction::triggered, this, [this, option](bool also) { searchAlso(option, also); });
    }
    m_also = newMenuButton(QStringLiteral("searchAlsoMenu"), options);
    m_also->setToolTip(tr("Search dimensions besides the parallel degrees"));
    m_parts.push_back(m_also);
    arrange();
    connect(m_headroom, &UnitSpinBox::edited, this, [this](double bytes) {
        set(QStringLiteral("headroom_bytes"), tr("Headroom"), figureText(bytes, Quantity::bytes), bytes);
    });
    connect(m_anySoftware, &ToggleSwitch::clicked, this, [this](bool on) {
        set(QStringLiteral("any_software"), tr("Any software"), on ? tr("on") : tr("off"), on);
    });
    connect(m_deadline, &UnitSpinBox::edited, this, [this](double seconds) {
        if (seconds >= 1)
            set(QStringLiteral("deadline_seconds"), tr("Deadline"), figureText(seconds, Quantity::seconds), seconds);
        else
            remove(QStringLiteral("deadline_seconds"), tr("No deadline"));
    });
    connect(m_withinNode, &ToggleSwitch::clicked, this, [this](bool on) {
        set(QStringLiteral("tensor_within_node"), tr("Tensor within a node"), on ? tr("on") : tr("off"), on);
    });
}

int ConstraintsBar::widthOf(std::size_t from, std::size_t to) const {
    int wanted = -spacing;
    for (std::size_t i = from; i < to; ++i)
        wanted += m_parts[i]->isHidden() ? 0 : m_parts[i]->sizeHint().width() + spacing;
    return wanted;
}

/// Puts the parts on one line, or on two if one is too short.
void ConstraintsBar::arrange() {
    const bool one = widthOf(0, m_parts.size()) <= width();
    for (QHBoxLayout *line : m_lines)
        while (QLayoutItem *item = line->takeAt(0))
            delete item;
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        m_lines[one || i < partsOfFirstLine ? 0 : 1]->addWidget(m_parts[i]);
    for (QHBoxLayout *line : m_lines)
        line->addStretch(1);
    updateGeometry();
}

QSize ConstraintsBar::minimumSizeHint() const {
    return {std::max(widthOf(0, partsOfFirstLine), widthOf(partsOfFirstLine, m_parts.size())),
            QWidget::minimumSizeHint().height()};
}

void ConstraintsBar::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
}

QWidget *ConstraintsBar::newHeadroom() {
    auto *both = new QWidget(this);
    auto *line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    m_headroomChoice->setObjectName(QStringLiteral("headroomChoice"));
    m_headroomChoice->setAccessibleName(tr("Headroom"));
    m_headroomChoice->addSegment(tr("5%"), tr("Keeps 5% of the capacity free for fragmentation"));
    m_headroomChoice->addSegment(tr("80% interval"),
                                 tr("Keeps enough memory free for the upper end of the 80% interval of the peak"));
    m_headroomChoice->addSegment(tr("Fixed"), tr("Keeps a fixed amount of memory free; 0 = none"));
    connect(m_headroomChoice, &Segmented::chosen, this, &ConstraintsBar::chooseHeadroom);
    m_headroom->setObjectName(QStringLiteral("leastHeadroom"));
    m_headroom->setAccessibleName(tr("Minimum headroom"));
    m_headroom->setToolTip(tr("Memory that must stay free on the fullest accelerator; an edit selects \"Fixed\""));
    m_headroom->setRange(0, maxBytes);
    m_headroom->setFixedWidth(boxWidth);
    line->addWidget(new TextLabel(tr("Headroom"), TypeRole::Body, ColourRole::Text2, TextWeight::Regular, both));
    line->addWidget(m_headroomChoice);
    line->addWidget(m_headroom);
    return both;
}

void ConstraintsBar::chooseHeadroom(int choice) {
    if (m_view.document == nullptr)
        return;
    nlohmann::ordered_json constraints = nlohmann::ordered_json::object();
    constraints["headroom_bytes"] = nullptr; // null in a merge patch removes the field
    constraints["headroom"] = nullptr;
    if (choice == sureHeadroom)
        constraints["headroom"] = headroom_names()[static_cast<std::size_t>(Headroom::sure)];
    else if (choice == fixedHeadroom)
        constraints["headroom_bytes"] = rounded(headroom_bytes(m_view.plan, m_constraints));
    Q_EMIT edited({.field = pointerTo(QStringLiteral("headroom_bytes")),
                   .subject = tr("Headroom"),
                   .from = {},
                   .to = m_headroomChoice->textOf(choice),
                   .patch = nlohmann::ordered_json{{"constraints", constraints}}.dump(),
                   .pace = EditPace::Settled});
}

void ConstraintsBar::showHeadroom() {
    m_headroomChoice->setCurrentIndex(m_constraints.headroom_bytes                   ? fixedHeadroom
                                          : m_constraints.headroom == Headroom::sure ? sureHeadroom
                                                                                     : shareHeadroom);
    if (m_view.valid)
        m_headroom->showQuantity(
            m_constraints.headroom_bytes.value_or(rounded(headroom_bytes(m_view.plan, m_constraints))));
}

QWidget *ConstraintsBar::labelled(const QString &label, QWidget *control) {
    auto *both = new QWidget(this);
    auto *line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    line->addWidget(new TextLabel(label, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, both));
    line->addWidget(control);
    return both;
}

QPushButton *ConstraintsBar::newMenuButton(const QString &name, QMenu *menu) {
    auto *button = new QPushButton(this);
    button->setObjectName(name);
    // Not setMenu(), because it adds an arrow that takes space from the text.
    connect(button, &QPushButton::clicked, menu,
            [button, menu] { menu->popup(button->mapToGlobal(QPoint(0, button->height()))); });
    return button;
}

void ConstraintsBar::showPlan(const PlanView &view) {
    m_view = view;
    // While the document is invalid, the constraints of the last valid plan stay.
    if (view.valid)
        m_constraints = constraints_of(view.plan);
    showHeadroom();
    m_anySoftware->setChecked(m_constraints.any_software);
    m_deadline->showQuantity(m_constraints.deadline_seconds.value_or(0));
    m_withinNode->setChecked(m_constraints.tensor_within_node);
    for (std::size_t i = 0; i < configuration_field_count; ++i)
        m_fields[i]->setChecked(m_constraints.fixed[i]);
    for (std::size_t i = 0; i < search_option_count; ++i)
        m_options[i]->setChecked(m_constraints.also[i]);
    nameButtons();
}

void ConstraintsBar::nameButtons() {
    QStringList fixed;
    for (std::size_t i = 0; i < configuration_field_count; ++i)
        if (m_constraints.fixed[i])
            fixed << layoutFieldText(static_cast<ConfigurationField>(i));
    const auto also = std::count(m_constraints.also.begin(), m_constraints.also.end(), true);
    m_fixed->setText(fixed.isEmpty()         ? tr("Fixed: none")
                         : fixed.size() <= 2 ? tr("Fixed: %1").arg(fixed.join(QStringLiteral(", ")))
                                             : tr("Fixed: %1 settings").arg(fixed.size()));
    m_also->setText(also == 0 ? tr("Also search …") : tr("Also search: %1").arg(also));
    m_fixed->setAccessibleName(m_fixed->text());
    m_also->setAccessibleName(m_also->text());
    arrange();
}

void ConstraintsBar::setDeadlineShown(bool shown) {
    m_deadlineRow->setVisible(shown);
    arrange();
}

void ConstraintsBar::set(const QString &key, const QString &subject, const QString &to,
                         const nlohmann::ordered_json &value) {
    if (m_view.document == nullptr)
        return;
    Q_EMIT edited({.field = pointerTo(key),
                   .subject = subject,
                   .from = {},
                   .to = to,
                   .patch = patchSetting(m_view, pointerTo(key), value),
                   .pace = EditPace::Settled});
}

void ConstraintsBar::remove(const QString &key, const QString &subject) {
    if (m_view.document == nullptr)
        return;
    Q_EMIT edited({.field = pointerTo(key),
                   .subject = subject,
                   .from = {},
                   .to = {},
                   .patch = patchRemoving(m_view, pointerTo(key)),
                   .pace = EditPace::Settled});
}

void ConstraintsBar::hold(ConfigurationField field, bool held) {
    if (m_view.document != nullptr)
        Q_EMIT edited(editHolding(m_view, field, held));
}

void ConstraintsBar::searchAlso(SearchOption option, bool also) {
    auto marks = m_constraints.also;
    marks[static_cast<std::size_t>(option)] = also;
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < search_option_count; ++i)
        if (marks[i])
            names.push_back(search_option_names()[i]);
    const QString subject = also ? tr("Also search: %1") : tr("Exclude from search: %1");
    set(QStringLiteral("also"), subject.arg(searchOptionText(option)), {}, names);
}

} // namespace meshwright
