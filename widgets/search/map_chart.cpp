// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/map_chart.h"

#include "figures/figure_text.h"
#include "theme/surfaces.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

constexpr qreal leftMargin = 76; ///< width in pixels of the column with model sizes
constexpr qreal topMargin = 6;
constexpr qreal bottomMargin =
    36; ///< height in pixels of the area below the map, with numbers of nodes and the axis title
constexpr qreal gap = 3;
constexpr double brightest = 0.55; ///< MFU at which a cell reaches its full color

QColor fillOf(const MapCell &cell, const Theme &theme) {
    if (!cell.best)
        return theme.colour(ColourRole::Field);
    return mixed(theme.colour(ColourRole::Raised), theme.fill(Kind::Green),
                 std::clamp(cell.best->mfu / brightest, 0.0, 1.0));
}

/// Dark or light text, whichever has the higher contrast on a fill.
QColor inkOn(const QColor &fill) {
    const QColor dark(16, 20, 24);
    const QColor light(250, 250, 250);
    return contrast(dark, fill) >= contrast(light, fill) ? dark : light;
}

QString stateText(const MapCell &cell) {
    if (!cell.done)
        return QStringLiteral("…");
    return cell.problem.empty() ? MapChart::tr("does not fit") : MapChart::tr("not possible");
}

} // namespace

QString cellLayoutText(const Plan &plan) {
    const Parallelism &parallelism = plan.parallelism;
    QString text =
        QStringLiteral("%1 · %2 · %3").arg(parallelism.tensor).arg(parallelism.pipeline).arg(parallelism.data);
    if (parallelism.context > 1)
        text += QStringLiteral(" C%1").arg(parallelism.context);
    if (parallelism.expert > 1)
        text += QStringLiteral(" E%1").arg(parallelism.expert);
    return text;
}

HoverContent mapCellContent(const ConfigurationMap &map, const MapCell &cell) {
    HoverContent content{.title = MapChart::tr("%1 on %2 nodes")
                                      .arg(figureText(cell.parameters, Quantity::parameters))
                                      .arg(map.question.nodes[cell.column]),
                         .swatch = {},
                         .rows = {},
                         .footnote = {}};
    if (!cell.problem.empty()) {
        content.footnote = QString::fromStdString(cell.problem);
        return content;
    }
    if (!cell.done || !cell.best) {
        content.footnote = cell.done ? MapChart::tr("No configuration fits") : MapChart::tr("Not searched yet");
    } else {
        const SearchEntry &best = *cell.best;
        content.rows = {
            {MapChart::tr("Tensor · pipeline · data"), cellLayoutText(best.plan)},
            {MapChart::tr("Microbatch, ZeRO"),
             QStringLiteral("%1, %2").arg(best.plan.batch.micro_sequences).arg(best.plan.parallelism.zero_stage)},
            {MapChart::tr("Step time"), figureText(best.step_seconds, Quantity::seconds)},
            {MapChart::tr("MFU"), shareText(best.mfu)},
            {MapChart::tr("Peak memory"), figureText(best.peak_bytes, Quantity::bytes)}};
    }
    if (cell.measured) {
        const MeasuredBest &measured = *cell.measured;
        content.rows.append({MapChart::tr("Fastest of %1 measured configurations").arg(measured.order.count),
                             QStringLiteral("%1, %2").arg(cellLayoutText(measured.plan), shareText(measured.mfu))});
        content.rows.append({MapChart::tr("Rank correlation"),
                             MapChart::tr("Spearman %1, Kendall %2")
                                 .arg(measured.order.spearman, 0, 'f', 2)
                                 .arg(measured.order.kendall, 0, 'f', 2)});
    }
    return content;
}

MapChart::MapChart(QWidget *parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("configurationMap"));
    setAccessibleName(tr("Best configuration by model size and nodes"));
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void MapChart::setMap(ConfigurationMapPointer map) {
    const bool same = m_map != nullptr && map != nullptr && m_map->question == map->question;
    m_map = std::move(map);
    if (!same) {
        m_hovered.reset();
        m_chosen.reset();
        m_card.hide();
    }
    update();
    Q_EMIT cellChosen();
}

const MapCell *MapChart::chosen() const {
    return m_map != nullptr && m_chosen ? &m_map->cells[*m_chosen] : nullptr;
}

QRectF MapChart::plot() const {
    return QRectF(rect()).adjusted(leftMargin, topMargin, -4, -bottomMargin);
}

QRectF MapChart::cellRect(std::size_t size, std::size_t column) const {
    const QRectF area = plot();
    const qreal width = area.width() / qreal(m_map->question.nodes.size());
    const qreal height = area.height() / qreal(m_map->question.parameters.size());
    // The largest models are at the top.
    const std::size_t row = m_map->question.parameters.size() - 1 - size;
    return QRectF(area.left() + qreal(column) * width, area.top() + qreal(row) * height, width - gap, height - gap);
}

std::optional<std::size_t> MapChart::cellAt(const QPointF &place) const {
    if (m_map == nullptr)
        return std::nullopt;
    for (std::size_t i = 0; i < m_map->cells.size(); ++i)
        if (cellRect(m_map->cells[i].size, m_map->cells[i].column).contains(place))
            return i;
    return std::nullopt;
}

QList<FigureRef> MapChart::figures() const {
    const FigureRef chosen = currentFigure();
    return chosen.isEmpty() ? QList<FigureRef>() : QList<FigureRef>{chosen};
}

FigureRef MapChart::figureAt(const QPoint &place) const {
    const std::optional<std::size_t> at = cellAt(place);
    return at && m_pathOf ? m_pathOf(m_map->cells[*at]) : FigureRef();
}

FigureRef MapChart::currentFigure() const {
    const MapCell *const cell = chosen();
    return cell != nullptr && m_pathOf ? m_pathOf(*cell) : FigureRef();
}

void MapChart::paintAxes(QPainter &painter, const Theme &theme) const {
    painter.setFont(theme.font(TypeRole::Body));
    painter.setPen(theme.colour(ColourRole::Text2));
    const MapQuestion &question = m_map->question;
    for (std::size_t size = 0; size < question.parameters.size(); ++size) {
        const QRectF cell = cellRect(size, 0);
        painter.drawText(QRectF(0, cell.top(), leftMargin - 10, cell.height()), Qt::AlignRight | Qt::AlignVCenter,
                         figureText(m_map->cell(size, 0).parameters, Quantity::parameters));
    }
    const QFontMetricsF metrics(painter.font());
    for (std::size_t column = 0; column < question.nodes.size(); ++column) {
        const QRectF cell = cellRect(0, column);
        painter.drawText(QRectF(cell.left(), plot().bottom(), cell.width(), metrics.height()), Qt::AlignCenter,
                         countText(static_cast<double>(question.nodes[column])));
    }
    painter.setFont(theme.font(TypeRole::Caption));
    painter.setPen(theme.colour(ColourRole::Text3));
    const std::int64_t node = std::max<std::int64_t>(1, question.plan.cluster.accelerators_per_node);
    painter.drawText(
        QRectF(plot().left(), height() - 17, plot().width(), 16), Qt::AlignCenter,
        tr("nodes with %1 × %2 each").arg(node).arg(QString::fromStdString(question.plan.cluster.accelerator.name)));
}

void MapChart::paintCell(QPainter &painter, const MapCell &cell, const Theme &theme) const {
    const QRectF area = cellRect(cell.size, cell.column);
    const QColor fill = fillOf(cell, theme);
    surfaces::rounded(painter, area, Theme::radius(Corner::Field), fill);
    if (!cell.best) {
        painter.setFont(theme.font(TypeRole::Caption));
        painter.setPen(theme.colour(ColourRole::Text3));
        painter.drawText(area, Qt::AlignCenter, stateText(cell));
        return;
    }
    const QColor ink = inkOn(fill);
    struct Line {
        QString text;
        QFont font;
    };
    std::vector<Line> lines{{shareText(cell.best->mfu), theme.font(TypeRole::Title, TextWeight::SemiBold)},
                            {cellLayoutText(cell.best->plan), theme.font(TypeRole::Caption)},
                            {figureText(cell.best->peak_bytes, Quantity::bytes), theme.font(TypeRole::Caption)}};
    if (cell.measured)
        lines.push_back({tr("ran: %1, %2").arg(cellLayoutText(cell.measured->plan), shareText(cell.measured->mfu)),
                         theme.font(TypeRole::Caption)});
    qreal height = 0;
    std::vector<Line> shown;
    for (const Line &line : lines) {
        const QFontMetricsF metrics(line.font);
        if (metrics.horizontalAdvance(line.text) > area.width() - 8 || height + metrics.height() > area.height() - 4)
            continue;
        height += metrics.height();
        shown.push_back(line);
    }
    qreal top = area.center().y() - height / 2;
    painter.setPen(ink);
    for (const Line &line : shown) {
        painter.setFont(line.font);
        const qreal step = QFontMetricsF(line.font).height();
        painter.drawText(QRectF(area.left(), top, area.width(), step), Qt::AlignCenter, line.text);
        top += step;
    }
}

void MapChart::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = Theme::of(this);
    if (m_map == nullptr) {
        painter.setFont(theme.font(TypeRole::Body));
        painter.setPen(theme.colour(ColourRole::Text2));
        painter.drawText(rect(), Qt::AlignCenter, tr("The map appears once the plan is valid."));
        return;
    }
    paintAxes(painter, theme);
    for (const MapCell &cell : m_map->cells)
        paintCell(painter, cell, theme);
    const auto outline = [&](std::optional<std::size_t> index, ColourRole role) {
        if (!index)
            return;
        const MapCell &cell = m_map->cells[*index];
        painter.setPen(QPen(theme.colour(role), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(cellRect(cell.size, cell.column), Theme::radius(Corner::Field),
                                Theme::radius(Corner::Field));
    };
    outline(m_hovered, ColourRole::Text2);
    outline(m_chosen, ColourRole::Accent);
}

void MapChart::mouseMoveEvent(QMouseEvent *event) {
    const std::optional<std::size_t> found = cellAt(event->position());
    if (found == m_hovered)
        return;
    m_hovered = found;
    if (found) {
        const MapCell &cell = m_map->cells[*found];
        HoverContent content = mapCellContent(*m_map, cell);
        if (const QString lines = m_lines && m_pathOf ? m_lines(m_pathOf(cell)) : QString(); !lines.isEmpty())
            content.footnote += (content.footnote.isEmpty() ? QString() : QStringLiteral("\n")) + lines;
        m_card.show(this, cellRect(cell.size, cell.column).center().toPoint(), content);
    } else {
        m_card.hide();
    }
    update();
}

void MapChart::choose(std::optional<std::size_t> index) {
    m_chosen = index;
    setAccessibleDescription(index ? mapCellContent(*m_map, m_map->cells[*index]).spoken() : QString());
    update();
    Q_EMIT cellChosen();
}

void MapChart::mousePressEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton)
        choose(cellAt(event->position()));
}

void MapChart::mouseDoubleClickEvent(QMouseEvent *event) {
    if (event->button() == Qt::LeftButton && cellAt(event->position()))
        Q_EMIT applyWanted();
}

void MapChart::leaveEvent(QEvent *event) {
    m_hovered.reset();
    m_card.hide();
    update();
    QWidget::leaveEvent(event);
}

void MapChart::keyPressEvent(QKeyEvent *event) {
    if (m_map == nullptr) {
        QWidget::keyPressEvent(event);
        return;
    }
    const auto columns = static_cast<std::ptrdiff_t>(m_map->question.nodes.size());
    const auto sizes = static_cast<std::ptrdiff_t>(m_map->question.parameters.size());
    auto size = m_chosen ? static_cast<std::ptrdiff_t>(m_map->cells[*m_chosen].size) : sizes - 1;
    auto column = m_chosen ? static_cast<std::ptrdiff_t>(m_map->cells[*m_chosen].column) : 0;
    switch (event->key()) {
    case Qt::Key_Left:
        column -= m_chosen ? 1 : 0;
        break;
    case Qt::Key_Right:
        column += m_chosen ? 1 : 0;
        break;
    case Qt::Key_Up:
        size += m_chosen ? 1 : 0;
        break;
    case Qt::Key_Down:
        size -= m_chosen ? 1 : 0;
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_chosen)
            Q_EMIT applyWanted();
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    size = std::clamp<std::ptrdiff_t>(size, 0, sizes - 1);
    column = std::clamp<std::ptrdiff_t>(column, 0, columns - 1);
    choose(static_cast<std::size_t>(size * columns + column));
}

} // namespace meshwright
