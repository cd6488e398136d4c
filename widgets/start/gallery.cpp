// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/gallery.h"

#include "catalog/own_presets.h"
#include "controls/text_label.h"
#include "figures/figure_event.h"
#include "start/plan_tile.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr int tileGap = 12;
constexpr int filterWidth = 240;
constexpr int maxColumns = 8;

} // namespace

Gallery::Gallery(const Library &library, QWidget *parent)
    : QWidget(parent)
    , m_filter(new QLineEdit(this))
    , m_count(new TextLabel({}, TypeRole::Body, ColourRole::Text3, TextWeight::Regular, this))
    , m_none(new TextLabel(tr("No published run matches in name, model or hardware."), TypeRole::Body,
                           ColourRole::Text2, TextWeight::Regular, this))
    , m_area(new QWidget(this))
    , m_grid(new QGridLayout(m_area)) {
    setObjectName(QStringLiteral("startGallery"));
    m_filter->setObjectName(QStringLiteral("galleryFilter"));
    m_filter->setPlaceholderText(tr("Filter by name or hardware"));
    m_filter->setAccessibleName(tr("Filter the published runs"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(filterWidth);
    showsNoFigures(m_count, NotFigures::name); // the number counts the cards below
    m_none->hide();
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(tileGap);
    for (const PresetEntry &entry : library.entries()) {
        if (entry.kind != PresetKind::plan || !entry.evaluable)
            continue;
        auto *tile =
            new PlanTile(QString::fromStdString(entry.id), QString::fromStdString(listed_name(entry, library)), m_area);
        tile->installEventFilter(this);
        connect(tile, &PlanTile::clicked, this, [this, tile] { Q_EMIT chosen(tile->id()); });
        m_tiles.append(tile);
    }
    auto *heading = new QHBoxLayout;
    heading->setSpacing(8);
    heading->addWidget(
        new TextLabel(tr("Published runs"), TypeRole::Emphasis, ColourRole::Text, TextWeight::SemiBold, this));
    heading->addWidget(m_count);
    heading->addStretch(1);
    heading->addWidget(m_filter);
    auto *page = new QVBoxLayout(this);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(tileGap);
    page->addLayout(heading);
    page->addWidget(m_none);
    page->addWidget(m_area);
    page->addStretch(1);
    connect(m_filter, &QLineEdit::textChanged, this, &Gallery::applyFilter);
    applyFilter();
}

void Gallery::setSummary(const PlanSummary &summary) {
    for (PlanTile *tile : m_tiles)
        if (tile->id() == summary.id)
            tile->setSummary(summary);
    if (!m_filter->text().isEmpty())
        applyFilter(); // the filter also searches the model and hardware, which are now known
}

QVector<PlanTile *> Gallery::shown() const {
    QVector<PlanTile *> shown;
    std::copy_if(m_tiles.begin(), m_tiles.end(), std::back_inserter(shown),
                 [](const PlanTile *tile) { return !tile->isHidden(); });
    return shown;
}

int Gallery::columns() const {
    return std::clamp((width() + tileGap) / (PlanTile::MinWidth + tileGap), 1, maxColumns);
}

void Gallery::applyFilter() {
    const QStringList words = m_filter->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (PlanTile *tile : m_tiles)
        tile->setVisible(tile->matches(words));
    const qsizetype left = shown().size();
    m_count->setText(left == m_tiles.size() ? QString::number(left) : tr("%1 of %2").arg(left).arg(m_tiles.size()));
    m_none->setVisible(left == 0);
    m_columns = 0;
    arrange();
}

void Gallery::arrange() {
    const int wanted = columns();
    if (wanted == m_columns)
        return;
    m_columns = wanted;
    for (PlanTile *tile : m_tiles)
        m_grid->removeWidget(tile);
    const QVector<PlanTile *> tiles = shown();
    for (int i = 0; i < tiles.size(); ++i)
        m_grid->addWidget(tiles[i], i / wanted, i % wanted);
    for (int i = 0; i < maxColumns; ++i)
        m_grid->setColumnStretch(i, i < wanted ? 1 : 0);
}

void Gallery::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    arrange();
}

bool Gallery::eventFilter(QObject *watched, QEvent *event) {
    auto *tile = qobject_cast<PlanTile *>(watched);
    if (tile == nullptr || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const QVector<PlanTile *> tiles = shown();
    const auto at = static_cast<int>(tiles.indexOf(tile));
    int next = -1;
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Left:
        next = at - 1;
        break;
    case Qt::Key_Right:
        next = at + 1;
        break;
    case Qt::Key_Up:
        next = at - m_columns;
        break;
    case Qt::Key_Down:
        next = at + m_columns;
        break;
    default:
        return QWidget::eventFilter(watched, event);
    }
    if (next >= 0 && next < tiles.size())
        tiles[next]->setFocus(Qt::TabFocusReason);
    return true;
}

} // namespace meshwright
