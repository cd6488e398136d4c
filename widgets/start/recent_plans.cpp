// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/recent_plans.h"

#include "figures/figure_event.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QDir>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QVBoxLayout>

namespace meshwright {

namespace {

constexpr int rowPadding = 8;

QString whenText(const QDateTime &time) {
    const QDate day = time.date();
    const QDate today = QDate::currentDate();
    if (day == today)
        return RecentRow::tr("today, %1").arg(QLocale().toString(time.time(), QLocale::ShortFormat));
    return day == today.addDays(-1) ? RecentRow::tr("yesterday") : QLocale().toString(day, QLocale::ShortFormat);
}

} // namespace

RecentRow::RecentRow(QWidget *parent)
    : QAbstractButton(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    showsNoFigures(this, NotFigures::name);
}

void RecentRow::setPlan(const RecentPlan &plan) {
    m_plan = plan;
    setText(plan.name);
    setAccessibleName(plan.name);
    setAccessibleDescription(detail());
    setToolTip(QDir::toNativeSeparators(plan.path));
    update();
}

QString RecentRow::detail() const {
    if (!m_plan.exists)
        return tr("missing: %1").arg(QDir::toNativeSeparators(m_plan.path));
    QStringList parts;
    for (const QString &part : {m_plan.model, m_plan.hardware, whenText(m_plan.changed)})
        if (!part.isEmpty())
            parts << part;
    return parts.join(QStringLiteral(" · "));
}

void RecentRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    if (underMouse() || isDown())
        surfaces::rounded(painter, rect(), Theme::radius(Corner::Field), theme.colour(ColourRole::Field));
    const QRect inside = rect().adjusted(rowPadding, 2, -rowPadding, -2);
    const auto line = [&](const QString &text, const QFont &font, ColourRole colour, int top) {
        painter.setFont(font);
        painter.setPen(theme.colour(colour));
        painter.drawText(QRect(inside.left(), top, inside.width(), 18),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         QFontMetrics(font).elidedText(text, Qt::ElideRight, inside.width()));
    };
    line(text(), theme.font(TypeRole::Body, TextWeight::Medium), m_plan.exists ? ColourRole::Text : ColourRole::Text3,
         inside.top());
    line(detail(), theme.font(TypeRole::Caption), m_plan.exists ? ColourRole::Text3 : ColourRole::Warn,
         inside.top() + 18);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Field), theme);
}

void RecentRow::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

RecentPlans::RecentPlans(QWidget *parent)
    : Card(tr("Recent plans"), {}, parent) {
    setObjectName(QStringLiteral("startRecent"));
    contentLayout()->setSpacing(2);
    hide();
}

void RecentPlans::setPlans(const QVector<RecentPlan> &plans) {
    while (m_rows.size() < plans.size()) {
        auto *row = new RecentRow(this);
        row->setObjectName(QStringLiteral("recent%1").arg(m_rows.size()));
        contentLayout()->addWidget(row);
        connect(row, &RecentRow::clicked, this, [this, row] { Q_EMIT chosen(row->plan().path); });
        m_rows.append(row);
    }
    for (int i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setVisible(i < plans.size());
        if (i < plans.size())
            m_rows[i]->setPlan(plans[i]);
    }
    setVisible(!plans.isEmpty());
}

} // namespace meshwright
