// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/parallel_coordinates.h"

#include "figures/figure_event.h"
#include "plan/valid_values.h"
#include "search/configuration_text.h"
#include "search/headroom_chart.h"
#include "theme/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <map>

namespace meshwright {

namespace {

constexpr qreal reachOfAxis = 14;
constexpr qreal reachOfLine = 5;
constexpr qreal dragFrom = 4;

std::vector<ColumnId> columnsOf(const SearchAnswer &answer) {
    std::vector<ColumnId> columns{ColumnId::tensor, ColumnId::pipeline, ColumnId::chunks, ColumnId::context};
    if (routed_experts(answer.question.plan.model) > 0)
        columns.push_back(ColumnId::expert);
    for (const ColumnId column : {ColumnId::micro, ColumnId::zero, ColumnId::recompute, ColumnId::peak, ColumnId::step})
        columns.push_back(column);
    return columns;
}

} // namespace

ParallelCoordinates::ParallelCoordinates(ConfigurationSelection *selection, QWidget *parent)
    : QWidget(parent)
    , m_selection(selection) {
    showsNoFigures(this, NotFigures::axis);
    setObjectName(QStringLiteral("parallelCoordinates"));
    setAccessibleName(tr("Parallel coordinates of the best configurations"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(selection, &ConfigurationSelection::answerChanged, this, [this] {
        measure();
        forget();
    });
    connect(selection, &ConfigurationSelection::leftChanged, this, &ParallelCoordinates::forget);
    connect(selection, &ConfigurationSelection::chosenChanged, this, qOverload<>(&QWidget::update));
    connect(selection, &ConfigurationSelection::pointedChanged, this, qOverload<>(&QWidget::update));
}

void ParallelCoordinates::forget() {
    m_lines = {};
    update();
}

void ParallelCoordinates::measure() {
    m_axes.clear();
    const SearchAnswer *answer = m_selection->answer();
    if (answer == nullptr || answer->rows.empty())
        return;
    for (const ColumnId column : columnsOf(*answer)) {
        Axis axis{.column = column,
                  .discrete = column != ColumnId::peak && column != ColumnId::step,
                  .values = {},
                  .texts = {}};
        std::map<double, QString> values;
        for (const LayoutRow &row : answer->rows) {
            if (row.ofSchedule)
                continue;
            // Leaves out the current plan if it does not fit: it would squeeze all other rows together on the axis.
            if (!axis.discrete && answer->fits && row.present && row.entry.headroom_bytes < 0
                && answer->rows.size() > 1)
                continue;
            const double value = m_selection->figures().value(row, column);
            // Recomputation of the first layers has one label, regardless of the number of layers.
            const ConfigurationColumn &shown = layoutColumns()[static_cast<std::size_t>(column)];
            values.emplace(value,
                           column == ColumnId::recompute && row.entry.plan.recompute.mode == RecomputeMode::layers
                               ? tr("layers")
                               : layoutValueText(row.entry.plan, shown.field.value_or(ConfigurationField::tensor)));
        }
        if (axis.discrete) {
            for (const auto &[value, text] : values) {
                axis.values.push_back(value);
                axis.texts.push_back(text);
            }
        } else {
            axis.values = {values.begin()->first, values.rbegin()->first};
        }
        m_axes.push_back(std::move(axis));
    }
    m_current = std::clamp(m_current, 0, axisCount() - 1);
}

QRectF ParallelCoordinates::plot() const {
    return QRectF(rect()).adjusted(26, 26, -42, -8);
}

qreal ParallelCoordinates::xOf(int axis) const {
    const QRectF area = plot();
    return axisCount() < 2 ? area.center().x() : area.left() + area.width() * axis / (axisCount() - 1);
}

qreal ParallelCoordinates::yOf(int axis, double value) const {
    const QRectF area = plot();
    const Axis &on = m_axes[static_cast<std::size_t>(axis)];
    if (!on.discrete) {
        const double span = on.values[1] - on.values[0];
        return span > 0 ? area.bottom() - area.height() * std::clamp((value - on.values[0]) / span, 0.0, 1.0)
                        : area.center().y();
    }
    const auto at = std::lower_bound(on.values.begin(), on.values.end(), value) - on.values.begin();
    return on.values.size() < 2 ? area.bottom()
                                : area.bottom() - area.height() * double(at) / double(on.values.size() - 1);
}

int ParallelCoordinates::beyond(int axis, double value) const {
    const Axis &on = m_axes[static_cast<std::size_t>(axis)];
    return on.discrete ? 0 : value > on.values[1] ? 1 : value < on.values[0] ? -1 : 0;
}

std::vector<QPointF> ParallelCoordinates::lineOf(const LayoutRow &row) const {
    std::vector<QPointF> points;
    points.reserve(m_axes.size());
    for (int axis = 0; axis < axisCount(); ++axis)
        points.emplace_back(xOf(axis), yOf(axis, m_selection->figures().value(row, columnOf(axis))));
    return points;
}

int ParallelCoordinates::axisNear(qreal x) const {
    for (int axis = 0; axis < axisCount(); ++axis)
        if (std::abs(xOf(axis) - x) <= reachOfAxis)
            return axis;
    return -1;
}

int ParallelCoordinates::rowNear(const QPointF &place) const {
    int after = 1;
    while (after + 1 < axisCount() && xOf(after) < place.x())
        ++after;
    if (axisCount() < 2)
        return -1;
    const qreal share = std::clamp((place.x() - xOf(after - 1)) / (xOf(after) - xOf(after - 1)), 0.0, 1.0);
    const std::vector<LayoutRow> &rows = m_selection->rows();
    int nearest = -1;
    qreal best = reachOfLine;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!m_selection->isLeft(int(i)) || rows[i].ofSchedule)
            continue;
        const ConfigurationFigures &figures = m_selection->figures();
        const qreal from = yOf(after - 1, figures.value(rows[i], columnOf(after - 1)));
        const qreal to = yOf(after, figures.value(rows[i], columnOf(after)));
        const qreal apart = std::abs(from + share * (to - from) - place.y());
        if (apart < best) {
            best = apart;
            nearest = int(i);
        }
    }
    return nearest;
}

void ParallelCoordinates::brushTo(int axis, qreal from, qreal to) {
    const Axis &on = m_axes[static_cast<std::size_t>(axis)];
    const qreal top = std::min(from, to);
    const qreal bottom = std::max(from, to);
    std::optional<ColumnRange> range;
    if (on.discrete) {
        constexpr qreal slack = 6;
        for (const double value : on.values)
            if (const qreal y = yOf(axis, value); y >= top - slack && y <= bottom + slack)
                range = range ? ColumnRange{range->low, value} : ColumnRange{value, value};
    } else {
        const QRectF area = plot();
        const double span = on.values[1] - on.values[0];
        const auto value = [&](qreal y) { return on.values[0] + span * (area.bottom() - y) / area.height(); };
        range = ColumnRange{value(bottom), value(top)};
    }
    m_selection->setBrush(on.column, range);
}

void ParallelCoordinates::mousePressEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_brushed = axisNear(event->position().x());
    m_from = event->position().y();
    m_dragged = false;
    if (m_brushed >= 0)
        m_current = m_brushed;
}

void ParallelCoordinates::mouseMoveEvent(QMouseEvent *event) {
    if (m_brushed >= 0) {
        m_dragged = m_dragged || std::abs(event->position().y() - m_from) >= dragFrom;
        if (m_dragged)
            brushTo(m_brushed, m_from, event->position().y());
        return;
    }
    setCursor(axisNear(event->position().x()) >= 0 ? Qt::SizeVerCursor : Qt::ArrowCursor);
    const int row = rowNear(event->position());
    m_selection->point(row);
    if (row < 0)
        m_card.hide();
    else
        m_card.show(this, event->pos(), layoutContent(*m_selection, row));
}

void ParallelCoordinates::mouseReleaseEvent(QMouseEvent *event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (m_brushed >= 0 && !m_dragged)
        m_selection->setBrush(columnOf(m_brushed), {});
    else if (m_brushed < 0)
        m_selection->choose(rowNear(event->position()));
    m_brushed = -1;
}

void ParallelCoordinates::mouseDoubleClickEvent(QMouseEvent *event) {
    if (const int row = rowNear(event->position()); row >= 0 && axisNear(event->position().x()) < 0)
        Q_EMIT m_selection->applyWanted(row);
    else
        m_selection->clearBrushes();
}

void ParallelCoordinates::leaveEvent(QEvent *event) {
    m_card.hide();
    m_selection->point(-1);
    QWidget::leaveEvent(event);
}

void ParallelCoordinates::keyPressEvent(QKeyEvent *event) {
    if (m_axes.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const Axis &on = m_axes[static_cast<std::size_t>(m_current)];
    const bool up = event->key() == Qt::Key_Up;
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Left ? -1 : 1), 0, axisCount() - 1);
        update();
    } else if ((up || event->key() == Qt::Key_Down) && on.discrete) {
        const std::optional<ColumnRange> range = m_selection->brush(on.column);
        auto at = range ? std::lower_bound(on.values.begin(), on.values.end(), range->low) - on.values.begin()
            : up        ? -1
                        : std::ssize(on.values);
        at = std::clamp<std::ptrdiff_t>(at + (up ? 1 : -1), 0, std::ssize(on.values) - 1);
        const double value = on.values[static_cast<std::size_t>(at)];
        m_selection->setBrush(on.column, ColumnRange{value, value});
    } else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace) {
        m_selection->setBrush(on.column, {});
    } else if (event->key() == Qt::Key_Escape && m_selection->hasBrushes()) {
        m_selection->clearBrushes();
    } else {
        QWidget::keyPressEvent(event);
        return;
    }
    setAccessibleDescription(tr("%1; %n configurations match", nullptr, m_selection->leftCount())
                                 .arg(layoutColumns()[static_cast<std::size_t>(columnOf(m_current))].title));
}

void ParallelCoordinates::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    forget();
}

void ParallelCoordinates::changeEvent(QEvent *event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        forget();
}

} // namespace meshwright
