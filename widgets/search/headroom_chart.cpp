// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/headroom_chart.h"

#include "controls/figure_event.h"
#include "panels/figure_text.h"
#include "search/layout_words.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int leftMargin = 54;
constexpr int bottomMargin = 36;
constexpr int topMargin = 22;
constexpr qreal reach = 9; ///< of the pointer
constexpr qreal dragFrom = 5;

} // namespace

HoverContent layoutContent(const LayoutSelection &selection, int row) {
    const LayoutRow &shown = selection.rows()[static_cast<std::size_t>(row)];
    const LayoutFigures &figures = selection.figures();
    const QString place = placeText(*selection.answer(), shown);
    HoverContent content{.title = shown.present ? HeadroomChart::tr("%1, present").arg(place) : place,
                         .swatch = {},
                         .rows = {},
                         .footnote = {}};
    const auto add = [&](ColumnId column, const QString &unit) {
        content.rows.append({layoutColumns()[static_cast<std::size_t>(column)].title.section(QLatin1Char(','), 0, 0),
                             figures.text(shown, column) + unit});
    };
    for (const ColumnId column : {ColumnId::tensor, ColumnId::pipeline, ColumnId::chunks, ColumnId::context,
                                  ColumnId::data, ColumnId::micro, ColumnId::recompute, ColumnId::schedule})
        add(column, {});
    add(ColumnId::step, QStringLiteral(" s"));
    add(ColumnId::headroom, QStringLiteral(" GB"));
    if (!shown.present && selection.answer()->present->verdict.fits)
        content.footnote = gainText(figures.gain(shown.entry), selection.answer()->question.objective);
    return content;
}

HeadroomChart::HeadroomChart(LayoutSelection *selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection) {
    setObjectName(QStringLiteral("headroomChart"));
    setAccessibleName(tr("Step time vs. memory headroom"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(selection, &LayoutSelection::answerChanged, this, [this] {
        measure();
        update();
    });
    connect(selection, &LayoutSelection::leftChanged, this, qOverload<>(&QWidget::update));
    connect(selection, &LayoutSelection::chosenChanged, this, qOverload<>(&QWidget::update));
    connect(selection, &LayoutSelection::pointedChanged, this, qOverload<>(&QWidget::update));
}

void HeadroomChart::setNeeded(double bytes) {
    m_needed = bytes;
    update();
}

void HeadroomChart::measure() {
    m_tensors.clear();
    double shortest = 0;
    double longest = 0;
    double least = 0;
    double most = 0;
    bool any = false;
    const bool fits = m_selection->answer() != nullptr && m_selection->answer()->fits;
    for (const LayoutRow &row : m_selection->rows()) {
        const SearchEntry &entry = row.entry;
        // A plan that does not fit is marked at the edge: its own place would leave the others no room.
        if ((fits && row.present && entry.headroom_bytes < 0) || row.ofSchedule)
            continue;
        m_tensors.push_back(entry.plan.parallelism.tensor);
        shortest = any ? std::min(shortest, entry.step_seconds) : entry.step_seconds;
        longest = any ? std::max(longest, entry.step_seconds) : entry.step_seconds;
        least = any ? std::min(least, entry.headroom_bytes) : entry.headroom_bytes;
        most = any ? std::max(most, entry.headroom_bytes) : entry.headroom_bytes;
        any = true;
    }
    std::sort(m_tensors.begin(), m_tensors.end());
    m_tensors.erase(std::unique(m_tensors.begin(), m_tensors.end()), m_tensors.end());
    m_time = {.title = tr("step time, shorter is better"), .unit = timeUnit(longest)};
    m_headroom = {.title = tr("headroom, GB"), .unit = {.size = 1e9, .name = tr("GB")}};
    if (!any)
        return;
    // A little room on both sides, so that no point lies on the frame.
    const double room = std::max(0.02 * (longest - shortest), 1e-3 * longest);
    m_time.low = std::max(0.0, shortest - room);
    m_time.high = longest + room;
    spanLinear(m_headroom, std::min(least, 0.0), std::max(most, 0.0));
}

QRectF HeadroomChart::plot() const {
    return QRectF(rect()).adjusted(leftMargin, topMargin, -8, -bottomMargin);
}

QPointF HeadroomChart::placeOf(const LayoutRow &row) const {
    const QRectF area = plot();
    return {area.left() + area.width() * std::clamp(m_time.shareOf(row.entry.step_seconds), 0.0, 1.0),
            area.bottom() - area.height() * std::clamp(m_headroom.shareOf(row.entry.headroom_bytes), 0.0, 1.0)};
}

QPointF HeadroomChart::beyond(const LayoutRow &row) const {
    const double x = m_time.shareOf(row.entry.step_seconds);
    const double y = m_headroom.shareOf(row.entry.headroom_bytes);
    return {x < 0 ? -1.0 : x > 1 ? 1.0 : 0.0, y < 0 ? 1.0 : y > 1 ? -1.0 : 0.0};
}

int HeadroomChart::rowAt(const QPointF &place) const {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    int nearest = -1;
    qreal best = reach * reach;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const QPointF apart = placeOf(rows[i]) - place;
        const qreal distance = apart.x() * apart.x() + apart.y() * apart.y();
        if (m_selection->isLeft(int(i)) && !rows[i].ofSchedule && distance < best) {
            best = distance;
            nearest = int(i);
        }
    }
    return nearest;
}

void HeadroomChart::point(const QPoint &place) {
    const int row = rowAt(place);
    m_selection->point(row);
    if (row < 0)
        m_card.hide();
    else
        m_card.show(this, place, layoutContent(*m_selection, row));
}

void HeadroomChart::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        m_pressed = event->position();
}

void HeadroomChart::mouseMoveEvent(QMouseEvent *event) {
    if (!m_pressed) {
        point(event->pos());
        return;
    }
    if ((event->position() - *m_pressed).manhattanLength() < dragFrom)
        return;
    m_card.hide();
    m_dragged = QRectF(*m_pressed, event->position()).normalized() & plot();
    update();
}

void HeadroomChart::mouseReleaseEvent(QMouseEvent *event) {
    if (!m_pressed || event->button() != Qt::LeftButton)
        return;
    m_pressed.reset();
    const QString figure = figureAt(event->pos());
    if (m_dragged.isEmpty() && !figure.isEmpty())
        wantFigure(this, figure);
    else if (m_dragged.isEmpty())
        m_selection->choose(rowAt(event->position()));
    else
        brush(m_dragged);
    m_dragged = {};
    update();
}

void HeadroomChart::brush(const QRectF &area) {
    const QRectF whole = plot();
    const auto time = [&](qreal x) { return m_time.valueAt((x - whole.left()) / whole.width()); };
    const auto headroom = [&](qreal y) { return m_headroom.valueAt((whole.bottom() - y) / whole.height()) / 1e9; };
    m_selection->setBrush(ColumnId::step, ColumnRange{time(area.left()), time(area.right())});
    m_selection->setBrush(ColumnId::headroom, ColumnRange{headroom(area.bottom()), headroom(area.top())});
}

void HeadroomChart::mouseDoubleClickEvent(QMouseEvent *event) {
    const int row = rowAt(event->position());
    if (row >= 0)
        Q_EMIT m_selection->applyWanted(row);
    else
        m_selection->clearBrushes();
}

void HeadroomChart::leaveEvent(QEvent *event) {
    m_card.hide();
    m_selection->point(-1);
    QWidget::leaveEvent(event);
}

std::vector<int> HeadroomChart::frontRows() const {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    std::vector<int> front;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].onFront)
            front.push_back(int(i));
    std::sort(front.begin(), front.end(), [&](int a, int b) {
        return rows[static_cast<std::size_t>(a)].entry.step_seconds
            < rows[static_cast<std::size_t>(b)].entry.step_seconds;
    });
    return front;
}

void HeadroomChart::keyPressEvent(QKeyEvent *event) {
    const std::vector<int> front = frontRows();
    const bool left = event->key() == Qt::Key_Left;
    if ((left || event->key() == Qt::Key_Right) && !front.empty()) {
        const auto at = std::find(front.begin(), front.end(), m_selection->chosen());
        std::ptrdiff_t next = at == front.end() ? 0 : at - front.begin() + (left ? -1 : 1);
        next = std::clamp<std::ptrdiff_t>(next, 0, std::ssize(front) - 1);
        const int row = front[static_cast<std::size_t>(next)];
        m_selection->choose(row);
        setAccessibleDescription(layoutContent(*m_selection, row).spoken());
    } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_selection->chosen() >= 0) {
        Q_EMIT m_selection->applyWanted(m_selection->chosen());
    } else if (event->key() == Qt::Key_Escape && m_selection->hasBrushes()) {
        m_selection->clearBrushes();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace meshwright
