// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/plan_heads.h"

#include "controls/pill.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "views/view_mapping.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace meshwright {

namespace {

constexpr int buttonSide = 22;
constexpr int padding = 12;

/// A name or path that is elided in the middle, because the names of compared plans often differ only at the end.
class MiddleElidedLabel : public TextLabel {
public:
    MiddleElidedLabel(TypeRole type, ColourRole colour, TextWeight weight, QWidget *parent)
        : TextLabel({}, type, colour, weight, parent) {
        setElided(true);
    }

protected:
    void paintEvent(QPaintEvent *) override {
        QPainter painter(this);
        const QRect area = contentsRect();
        const QString shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, area.width());
        const QString tip = shown == text() ? QString() : text();
        if (toolTip() != tip)
            setToolTip(tip);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(area, int(alignment()) | Qt::TextSingleLine, shown);
    }
};

} // namespace

PlanHead::PlanHead(int plan, QWidget *parent)
    : Card(parent)
    , m_plan(plan)
    , m_name(new MiddleElidedLabel(TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this))
    , m_origin(new MiddleElidedLabel(TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_verdict(new Pill({}, Tone::Neutral, this)) {
    setObjectName(QStringLiteral("planHead%1").arg(letterOf(plan)));
    showsNoFigures(this, NotFigures::name);
    layout()->setContentsMargins(padding, padding - 2, padding, padding - 2);
    auto *letter = new Pill(letterOf(plan), plan == 0 ? Tone::Accent : Tone::Neutral, this);
    letter->setAccessibleName(tr("Plan %1").arg(letterOf(plan)));
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(letter);
    line->addWidget(m_name, 1);
    if (plan > 0) {
        m_open = newButton(QStringLiteral("open"), tr("Open plan %1 in place of the current plan").arg(letterOf(plan)));
        m_remove = newButton(QStringLiteral("close"), tr("Remove plan %1").arg(letterOf(plan)));
        line->addWidget(m_open);
        line->addWidget(m_remove);
        connect(m_open, &QToolButton::clicked, this, [this] { Q_EMIT openWanted(m_plan); });
        connect(m_remove, &QToolButton::clicked, this, [this] { Q_EMIT removeWanted(m_plan); });
    }
    auto *below = new QHBoxLayout;
    below->setSpacing(8);
    below->addWidget(m_origin, 1);
    below->addWidget(m_verdict);
    contentLayout()->setSpacing(4);
    contentLayout()->addLayout(line);
    contentLayout()->addLayout(below);
    m_verdict->hide();
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QToolButton *PlanHead::newButton(const QString &icon, const QString &tip) {
    auto *button = new QToolButton(this);
    button->setIcon(icons::icon(icon));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setFixedSize(buttonSide, buttonSide);
    button->setFocusPolicy(Qt::TabFocus);
    setButtonRole(button, ButtonRole::Flat);
    return button;
}

void PlanHead::showPlan(const ComparedPlan &plan) {
    const QString name = m_plan == 0 ? tr("This plan") : plan.name;
    m_name->setText(name);
    m_origin->setText(tr("%1 · %2").arg(m_plan == 0 ? plan.name : plan.origin, degreesText(plan.plan.parallelism)));
    setAccessibleName(tr("Plan %1: %2").arg(letterOf(m_plan), name));
}

void PlanHead::setVerdict(const QString &text, Tone tone) {
    m_verdict->setText(text);
    m_verdict->setTone(tone);
    m_verdict->setVisible(!text.isEmpty());
}

PlanHeads::PlanHeads(QWidget *parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(12);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (int plan = 0; plan <= maxOtherPlans; ++plan) {
        auto *head = new PlanHead(plan, this);
        m_row->addWidget(head, 1);
        m_heads.append(head);
        head->hide();
        connect(head, &PlanHead::openWanted, this, &PlanHeads::openWanted);
        connect(head, &PlanHead::removeWanted, this, &PlanHeads::removeWanted);
    }
}

void PlanHeads::showPlans(const QVector<ComparedPlan> &plans) {
    for (int plan = 0; plan < m_heads.size(); ++plan) {
        m_heads[plan]->setVisible(plan < plans.size());
        if (plan < plans.size())
            m_heads[plan]->showPlan(plans[plan]);
    }
}

} // namespace meshwright
