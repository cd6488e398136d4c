// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/goal_tiles.h"

#include "theme/icon.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QPainter>
#include <QResizeEvent>

#include <utility>

namespace meshwright {

namespace {

constexpr int tileSpacing = 12;
constexpr int fourFrom = 4 * 200 + 3 * tileSpacing; ///< width in pixels from which all four tiles fit in one row
constexpr qreal iconSide = 20;
constexpr qreal tilePadding = 14;

} // namespace

GoalTile::GoalTile(const QString &icon, const QString &title, const QString &line, QWidget *parent)
    : QAbstractButton(parent)
    , m_icon(icon)
    , m_line(line) {
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(line);
    setToolTip(line);
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void GoalTile::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    const QColor plain = theme.colour(ColourRole::Card);
    const QColor fill = isChecked() ? theme.colour(ColourRole::AccentSoft)
        : underMouse()              ? theme.colour(ColourRole::Field)
                                    : plain;
    surfaces::rounded(painter, rect(), Theme::radius(Corner::Card), fill,
                      theme.colour(isChecked() ? ColourRole::Accent : ColourRole::Line));
    const QRectF icon(tilePadding, (height() - iconSide) / 2, iconSide, iconSide);
    icons::paint(painter, icon, m_icon, theme.colour(isChecked() ? ColourRole::Accent : ColourRole::Text2));
    const qreal left = icon.right() + 12;
    const qreal width = this->width() - left - tilePadding / 2;
    const auto line = [&](const QString &text, const QFont &font, ColourRole colour, qreal top) {
        painter.setFont(font);
        painter.setPen(theme.colour(colour));
        const QFontMetricsF metrics(font);
        painter.drawText(QRectF(left, top, width, 18), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         metrics.elidedText(text, Qt::ElideRight, width));
    };
    line(text(), theme.font(TypeRole::Emphasis, TextWeight::SemiBold), ColourRole::Text, height() / 2.0 - 19);
    line(m_line, theme.font(TypeRole::Body), ColourRole::Text2, height() / 2.0 + 1);
    if (showsFocusRing(this))
        surfaces::focusRing(painter, rect(), Theme::radius(Corner::Card), theme);
}

GoalTiles::GoalTiles(QWidget *parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this)) {
    setObjectName(QStringLiteral("startGoals"));
    setAccessibleName(tr("What do you want to do?"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(tileSpacing);
    auto *group = new QButtonGroup(this);
    const auto add = [&](StartGoal goal, const char *name, const QString &icon, const QString &title,
                         const QString &line) {
        auto *tile = new GoalTile(icon, title, line, this);
        tile->setObjectName(QLatin1String(name));
        group->addButton(tile, static_cast<int>(goal));
        m_tiles[static_cast<std::size_t>(goal)] = tile;
    };
    add(StartGoal::Fit, "goalFit", QStringLiteral("fit"), tr("Fit a model on my GPUs"),
        tr("A plan that fits, with headroom"));
    add(StartGoal::Fastest, "goalFastest", QStringLiteral("bolt"), tr("Find the fastest configuration"),
        tr("Compares every configuration"));
    add(StartGoal::Sites, "goalSites", QStringLiteral("sites"), tr("Plan a run across sites"),
        tr("DiLoCo over slow links"));
    add(StartGoal::Learn, "goalLearn", QStringLiteral("book"), tr("Learn"),
        tr("Published runs, every figure explained"));
    tile(StartGoal::Fit)->setChecked(true);
    arrange(startGoalCount);
    connect(group, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (!on || id == static_cast<int>(m_goal))
            return;
        m_goal = static_cast<StartGoal>(id);
        Q_EMIT chosen(m_goal);
    });
}

void GoalTiles::setGoal(StartGoal goal) {
    tile(goal)->setChecked(true);
}

void GoalTiles::arrange(int columns) {
    if (columns == std::exchange(m_columns, columns))
        return;
    for (int i = 0; i < startGoalCount; ++i)
        m_grid->addWidget(m_tiles[static_cast<std::size_t>(i)], i / columns, i % columns);
    for (int i = 0; i < startGoalCount; ++i)
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
}

void GoalTiles::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange(event->size().width() < fourFrom ? 2 : startGoalCount);
}

} // namespace meshwright
