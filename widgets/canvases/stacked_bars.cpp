// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/stacked_bars.h"

#include "canvases/stacked_bars_painter.h"
#include "figures/figure_event.h"
#include "theme/control_states.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace meshwright {

StackedBars::StackedBars(QWidget *parent)
    : QAbstractScrollArea(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { viewport()->update(); });
    connect(Theme::notifier(), &ThemeNotifier::changed, this, &StackedBars::refresh);
}

void StackedBars::setStackedView(const StackedBarsView &view) {
    const bool taller = view.rows.size() != m_view.rows.size();
    m_view = view;
    if (m_highlighted.row >= m_view.rows.size()
        || (m_highlighted.isValid() && m_highlighted.segment >= m_view.rows[m_highlighted.row].segments.size()))
        setHighlighted({});
    if (taller)
        updateGeometry();
    refresh();
}

void StackedBars::setGhostRows(const QVector<StackedRow> &ghost) {
    m_view.ghost = ghost;
    refresh();
}

void StackedBars::refresh() {
    const StackedColumns columns = StackedBarsPainter::columns(m_view, Theme::of(this));
    m_columns = m_held
        ? StackedColumns{std::max(m_columns.labels, columns.labels), std::max(m_columns.totals, columns.totals)}
        : columns;
    const StackedBarsLayout layout = unscrolledLayout();
    verticalScrollBar()->setRange(0, int(std::ceil(layout.scrollRange())));
    verticalScrollBar()->setPageStep(int(layout.rows.height()));
    verticalScrollBar()->setSingleStep(int(layout.pitch));
    QVector<LegendEntry> entries = legendEntries();
    if (m_held) {
        QVector<LegendEntry> grown = m_legend;
        for (const LegendEntry &entry : entries)
            if (!grown.contains(entry))
                grown.append(entry);
        entries = grown;
    }
    if (entries != m_legend) {
        m_legend = entries;
        Q_EMIT legendChanged(entries);
    }
    viewport()->update();
}

StackedBarsLayout StackedBars::unscrolledLayout() const {
    return layoutStackedBars(m_view, viewport()->size(), m_columns);
}

StackedBarsLayout StackedBars::currentConfiguration() const {
    return layoutStackedBars(m_view, viewport()->size(), m_columns, verticalScrollBar()->value());
}

void StackedBars::setHeld(bool held) {
    if (held == m_held)
        return;
    // Fills the current height, which depends on the cards below.
    const int height = std::max(minimumSizeHint().height(), this->height());
    m_heldSize = {sizeHint().width(), height};
    m_heldLeast = {minimumSizeHint().width(), height};
    m_held = held;
    rebuild();
    updateGeometry();
}

void StackedBars::setMaxHeight(int height) {
    m_maxHeight = height;
    updateGeometry();
}

QVector<LegendEntry> StackedBars::legendEntries() const {
    QVector<LegendEntry> entries;
    const Theme &theme = Theme::of(this);
    for (const StackedSegment &segment : StackedBarsPainter(m_view, theme).unnamed(unscrolledLayout()))
        entries.append({segment.name, segment.kind, segment.fill, segment.letter});
    return entries + extraLegend();
}

void StackedBars::paintTo(QPainter &painter, const QRectF &rect, const StackedBarsView &view,
                          const QVector<LegendEntry> &extraLegend, const Theme &theme) {
    painter.save();
    painter.translate(rect.topLeft());
    const StackedBarsPainter bars(view, theme);
    const QSizeF size(rect.width(), rect.height() - Legend::Height - 4);
    const StackedBarsLayout layout = layoutStackedBars(view, size, StackedBarsPainter::columns(view, theme));
    QVector<LegendEntry> entries;
    for (const StackedSegment &segment : bars.unnamed(layout))
        entries.append({segment.name, segment.kind, segment.fill, segment.letter});
    Legend::paint(painter, QRectF(0, 0, rect.width(), Legend::Height), entries + extraLegend, theme);
    painter.translate(0, Legend::Height + 4);
    bars.paint(painter, layout);
    painter.restore();
}

FigureRef StackedBars::pathOf(SegmentIndex index) const {
    return index.isValid() && m_figures.path ? m_figures.path(index) : FigureRef();
}

QList<FigureRef> StackedBars::figures() const {
    QList<FigureRef> all;
    for (int row = 0; row < m_view.rows.size(); ++row)
        for (int segment = 0; segment < m_view.rows[row].segments.size(); ++segment)
            if (m_view.rows[row].segments[segment].value > 0)
                all << pathOf({row, segment});
    all.removeAll(QString());
    return all;
}

FigureRef StackedBars::totalAt(const QPoint &place) const {
    const StackedBarsLayout layout = currentConfiguration();
    if (!m_figures.total || place.x() < viewport()->width() - m_columns.totals || !layout.rows.contains(place))
        return {};
    const int row = layout.rowAt(place.y());
    return row < 0 ? FigureRef() : m_figures.total(row);
}

FigureRef StackedBars::figureAt(const QPoint &place) const {
    const FigureRef total = totalAt(place);
    return total.isEmpty() ? pathOf(currentConfiguration().segmentAt(m_view, place)) : total;
}

bool StackedBars::isScaleAt(const QPoint &place) const {
    const StackedBarsLayout layout = currentConfiguration();
    return !layout.rows.contains(place) || place.x() < m_columns.labels;
}

HoverContent StackedBars::explained(SegmentIndex index) const {
    HoverContent content = describe(index);
    const QString lines = m_figures.lines ? m_figures.lines(pathOf(index)) : QString();
    if (!lines.isEmpty())
        content.footnote += (content.footnote.isEmpty() ? QString() : QStringLiteral("\n")) + lines;
    return content;
}

QSize StackedBars::sizeHint() const {
    if (m_held)
        return m_heldSize;
    return {480, std::min(int(std::ceil(preferredHeight(m_view))), m_maxHeight)};
}

QSize StackedBars::minimumSizeHint() const {
    if (m_held)
        return m_heldLeast;
    const int rows = std::clamp(int(m_view.rows.size()), 1, 8);
    const int pitch = m_view.rows.size() <= 2 ? 32 : 16;
    return {240, std::min(sizeHint().height(), rows * pitch + 44)};
}

bool StackedBars::viewportEvent(QEvent *event) {
    if (event->type() == QEvent::Leave) {
        m_card.hide();
        if (!hasFocus())
            setHighlighted({});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void StackedBars::paintEvent(QPaintEvent *) {
    QPainter painter(viewport());
    const Theme &theme = Theme::of(this);
    const StackedBarsLayout layout = currentConfiguration();
    StackedBarsPainter(m_view, theme).paint(painter, layout, m_highlighted);
    if (!showsFocusRing(this) || m_highlighted.isValid())
        return;
    // The focus ring surrounds only the bars. At the widget's edge, it would cover names and totals.
    const QRectF bars(layout.scale.left, layout.rows.top(), layout.scale.right - layout.scale.left,
                      layout.rows.height());
    surfaces::focusRing(painter, bars.adjusted(-6, -2, 6, 2), Theme::radius(Corner::Field), theme);
}

void StackedBars::resizeEvent(QResizeEvent *event) {
    QAbstractScrollArea::resizeEvent(event);
    refresh();
}

void StackedBars::setHighlighted(SegmentIndex index) {
    if (index == m_highlighted)
        return;
    m_highlighted = index;
    viewport()->update();
    Q_EMIT highlightChanged(index);
}

void StackedBars::mouseMoveEvent(QMouseEvent *event) {
    const SegmentIndex index = currentConfiguration().segmentAt(m_view, event->position());
    setHighlighted(index);
    viewport()->setCursor(index.isValid() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (index.isValid())
        m_card.show(viewport(), event->position().toPoint(), explained(index));
    else
        m_card.hide();
}

void StackedBars::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        m_pressed = currentConfiguration().segmentAt(m_view, event->position());
}

void StackedBars::mouseReleaseEvent(QMouseEvent *event) {
    const SegmentIndex index = currentConfiguration().segmentAt(m_view, event->position());
    if (event->button() == Qt::LeftButton && index.isValid() && index == m_pressed)
        activate(index);
    else if (event->button() == Qt::LeftButton)
        wantFigure(this, totalAt(event->pos()));
    m_pressed = {};
}

void StackedBars::keyPressEvent(QKeyEvent *event) {
    constexpr int All = 1 << 20;
    switch (event->key()) {
    case Qt::Key_Left:
        moveHighlight(0, -1);
        break;
    case Qt::Key_Right:
        moveHighlight(0, 1);
        break;
    case Qt::Key_Up:
        moveHighlight(-1, 0);
        break;
    case Qt::Key_Down:
        moveHighlight(1, 0);
        break;
    case Qt::Key_Home:
        moveHighlight(0, -All);
        break;
    case Qt::Key_End:
        moveHighlight(0, All);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_highlighted.isValid())
            activate(m_highlighted);
        break;
    case Qt::Key_Escape:
        event->setAccepted(m_highlighted.isValid());
        setHighlighted({});
        m_card.hide();
        break;
    default:
        event->ignore();
    }
}

void StackedBars::moveHighlight(int rows, int segments) {
    if (m_view.rows.isEmpty())
        return;
    const auto present = [this](int row) {
        QVector<int> found;
        for (int i = 0; i < m_view.rows[row].segments.size(); ++i) {
            if (m_view.rows[row].segments[i].value > 0)
                found.append(i);
        }
        return found;
    };
    const bool start = !m_highlighted.isValid();
    const int row = start ? 0 : std::clamp(m_highlighted.row + rows, 0, int(m_view.rows.size()) - 1);
    const QVector<int> candidates = present(row);
    if (candidates.isEmpty())
        return;
    const auto at = std::lower_bound(candidates.cbegin(), candidates.cend(), std::max(0, m_highlighted.segment));
    const int position =
        start ? 0 : int(std::min<qsizetype>(at - candidates.cbegin(), candidates.size() - 1)) + segments;
    setHighlighted({row, candidates[std::clamp(position, 0, int(candidates.size()) - 1)]});
    reveal(row);
    announce();
}

void StackedBars::reveal(int row) {
    const StackedBarsLayout layout = currentConfiguration();
    const QRectF bar = layout.bar(row);
    if (bar.top() < layout.rows.top())
        verticalScrollBar()->setValue(int(row * layout.pitch));
    else if (bar.bottom() > layout.rows.bottom())
        verticalScrollBar()->setValue(int(std::ceil((row + 1) * layout.pitch - layout.rows.height())));
}

void StackedBars::announce() {
    const HoverContent content = explained(m_highlighted);
    const QRectF rect = currentConfiguration().segment(m_view, m_highlighted);
    m_card.show(viewport(), QPoint(int(rect.center().x()), int(rect.bottom()) - 8), content);
    setAccessibleDescription(content.spoken());
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void StackedBars::focusInEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void StackedBars::focusOutEvent(QFocusEvent *event) {
    QAbstractScrollArea::focusOutEvent(event);
    m_card.hide();
    setHighlighted({});
    viewport()->update();
}

void StackedBars::hideEvent(QHideEvent *event) {
    m_card.hide();
    QAbstractScrollArea::hideEvent(event);
}

void StackedBars::changeEvent(QEvent *event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        refresh();
}

} // namespace meshwright
