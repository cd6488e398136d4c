// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/headroom_chart.h"

#include "canvases/axis.h"
#include "figures/figure_text.h"
#include "search/configuration_text.h"

#include <QKeyEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshwright {

namespace {

constexpr std::array degreeColours{Kind::Purple2, Kind::Cyan, Kind::Green,  Kind::Blue,
                                   Kind::Yellow,  Kind::Red,  Kind::Purple, Kind::Grey};
constexpr qreal dotRadius = 2.5;

QPointF valuesOf(const LayoutRow &row) {
    return {row.entry.step_seconds, row.entry.headroom_bytes};
}

QPointF withinAxes(const QPointF &values, const ChartView &view) {
    return {std::clamp(values.x(), view.x.low, view.x.high), std::clamp(values.y(), view.y.low, view.y.high)};
}

/// A pin is marked only by its letter, because the figures of several pins would overlap.
QString labelOf(const LayoutRow &row, const QString &word) {
    return word == row.pin ? word : word + QLatin1Char(' ') + figureText(row.entry.step_seconds, Quantity::seconds);
}

} // namespace

HoverContent layoutContent(const ConfigurationSelection &selection, int row) {
    const LayoutRow &shown = selection.rows()[static_cast<std::size_t>(row)];
    const ConfigurationFigures &figures = selection.figures();
    const QString place = placeText(*selection.answer(), shown);
    HoverContent content{.title = shown.present ? HeadroomChart::tr("%1, current plan").arg(place) : place,
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

HeadroomChart::HeadroomChart(ConfigurationSelection *selection, QWidget *parent)
    : XyChart(parent)
    , m_selection(selection) {
    setObjectName(QStringLiteral("headroomChart"));
    setStretching({280, 200});
    setBrushable(true);
    connect(selection, &ConfigurationSelection::answerChanged, this, &HeadroomChart::showAnswer);
    connect(selection, &ConfigurationSelection::leftChanged, this, &HeadroomChart::showAnswer);
    connect(selection, &ConfigurationSelection::chosenChanged, this, [this] { setMarks(marks()); });
    connect(selection, &ConfigurationSelection::pointedChanged, this, &HeadroomChart::highlight);
    connect(this, &XyChart::thingPointed, selection, &ConfigurationSelection::point);
    connect(this, &XyChart::thingChosen, selection, &ConfigurationSelection::choose);
    connect(this, &XyChart::thingDoubleClicked, selection, [selection](int row) {
        if (row >= 0)
            Q_EMIT selection->applyWanted(row);
        else
            selection->clearBrushes();
    });
    connect(this, &XyChart::brushed, selection, [selection](const QRectF &values) {
        selection->setBrush(ColumnId::step, ColumnRange{values.left(), values.right()});
        selection->setBrush(ColumnId::headroom, ColumnRange{values.bottom() / 1e9, values.top() / 1e9});
    });
    showAnswer();
}

void HeadroomChart::setNeeded(double bytes) {
    if (std::exchange(m_needed, bytes) != bytes)
        showAnswer();
}

QPoint HeadroomChart::placeOf(const LayoutRow &row) const {
    return XyChart::placeOf(withinAxes(valuesOf(row), view()));
}

bool HeadroomChart::reaches(const LayoutRow &row) const {
    return XyChart::reaches(valuesOf(row));
}

void HeadroomChart::showAnswer() {
    ChartView view{.titles = AxisTitles::Shown, .legend = tr("tensor"), .pointing = Pointing::Dots};
    view.name = tr("Step time vs. memory headroom");
    setAxes(view);
    if (m_selection->rows().empty()) {
        view.nothing = tr("No configurations yet");
    } else {
        addDots(view);
        addFront(view);
        view.marks = marks();
    }
    view.things = static_cast<int>(m_selection->rows().size());
    view.content = [selection = m_selection](int row) { return layoutContent(*selection, row); };
    setView(std::move(view));
}

void HeadroomChart::setAxes(ChartView &view) {
    m_tensors.clear();
    std::vector<double> steps;
    std::vector<double> headrooms{0};
    const bool fits = m_selection->answer() != nullptr && m_selection->answer()->fits;
    for (const LayoutRow &row : m_selection->rows()) {
        // A plan that does not fit is marked at the edge, because including it in the axes would squeeze all other rows
        // together.
        if ((fits && row.present && row.entry.headroom_bytes < 0) || row.ofSchedule)
            continue;
        m_tensors.push_back(row.entry.plan.parallelism.tensor);
        steps.push_back(row.entry.step_seconds);
        headrooms.push_back(row.entry.headroom_bytes);
    }
    std::sort(m_tensors.begin(), m_tensors.end());
    m_tensors.erase(std::unique(m_tensors.begin(), m_tensors.end()), m_tensors.end());
    view.x.title = tr("step time, shorter is better");
    view.y = {.title = tr("headroom, GB"), .unit = {.size = 1e9, .name = tr("GB")}};
    if (steps.empty())
        return;
    const auto [shortest, longest] = std::minmax_element(steps.begin(), steps.end());
    const auto [lowest, highest] = std::minmax_element(headrooms.begin(), headrooms.end());
    view.x.unit = timeUnit(*longest);
    view.x.unitOnTicks = true;
    // A margin on both sides, so that no point lies on the frame.
    const double room = std::max(0.02 * (*longest - *shortest), 1e-3 * *longest);
    view.x.low = std::max(0.0, *shortest - room);
    view.x.high = *longest + room;
    spanLinear(view.y, *lowest, *highest);
    if (m_needed > std::max(0.0, view.y.low))
        view.hatched = {std::max(0.0, view.y.low), m_needed};
}

ChartInk HeadroomChart::inkOf(std::int64_t tensor) const {
    const auto at = std::lower_bound(m_tensors.begin(), m_tensors.end(), tensor) - m_tensors.begin();
    return degreeColours[static_cast<std::size_t>(at) % degreeColours.size()];
}

void HeadroomChart::addDots(ChartView &view) const {
    view.dots.append({.ink = ColourRole::LineStrong, .radius = dotRadius, .opacity = 0.35});
    for (const std::int64_t tensor : m_tensors) // series for the legend, without points
        view.dots.append({.name = QString::number(tensor), .ink = inkOf(tensor), .radius = dotRadius});
    const std::vector<LayoutRow> &rows = m_selection->rows();
    // Drawn in reverse, so that the best rows are on top.
    for (std::size_t i = rows.size(); i-- > 0;) {
        if (rows[i].ofSchedule)
            continue;
        const QPointF place = withinAxes(valuesOf(rows[i]), view);
        if (!m_selection->isLeft(int(i))) {
            view.dots[0].points.append(place);
            continue;
        }
        const ChartInk ink = inkOf(rows[i].entry.plan.parallelism.tensor);
        if (!view.dots.last().name.isEmpty() || view.dots.last().ink != ink)
            view.dots.append({.ink = ink, .radius = dotRadius, .opacity = 0.85});
        view.dots.last().points.append(place);
        view.dots.last().things.append(int(i));
    }
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

void HeadroomChart::addFront(ChartView &view) const {
    // Step times for different batch sizes or numbers of accelerators cannot be compared.
    if (!stepsCompare(*m_selection->answer()))
        return;
    ChartSeries front{.ink = ColourRole::Text2, .stepped = true, .width = 1.25};
    for (const int row : frontRows()) {
        const QPointF point = withinAxes(valuesOf(m_selection->rows()[static_cast<std::size_t>(row)]), view);
        if (front.points.isEmpty())
            front.points.append({point.x(), view.y.low});
        if (point.y() > front.points.last().y())
            front.points.append(point);
    }
    view.series.append(front);
}

std::vector<std::pair<const LayoutRow *, QString>> HeadroomChart::marked() const {
    std::vector<std::pair<const LayoutRow *, QString>> rows;
    const SearchAnswer *const answer = m_selection->answer();
    const LayoutRow *const best = answer != nullptr ? answer->bestRow() : nullptr;
    const LayoutRow *const present = answer != nullptr ? answer->presentRow() : nullptr;
    for (const LayoutRow &row : m_selection->rows())
        if (!row.pin.isEmpty() && !row.present && row.rank != 1)
            rows.emplace_back(&row, row.pin);
    const LayoutRow *const recommended = answer != nullptr && answer->fits ? answer->recommendedRow() : nullptr;
    const bool apart = recommended != nullptr && std::none_of(rows.begin(), rows.end(), [&](const auto &mark) {
                           return mark.first->rank == recommended->rank;
                       });
    if (apart && recommended != best && recommended != present)
        rows.emplace_back(recommended, tr("recommended"));
    // Drawn after the pins, whose letters would otherwise hide these marks.
    if (best != nullptr && best != present)
        rows.emplace_back(best, tr("best"));
    if (present != nullptr)
        rows.emplace_back(present, tr("current"));
    return rows;
}

QVector<ChartMark> HeadroomChart::marks() const {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    QVector<ChartMark> marks;
    if (const int chosen = m_selection->chosen(); chosen >= 0 && chosen < int(rows.size()))
        marks.append({.at = valuesOf(rows[static_cast<std::size_t>(chosen)]),
                      .ink = ColourRole::Text,
                      .unreached = Unreached::AtEdge});
    for (const auto &[row, word] : marked())
        marks.append({.at = valuesOf(*row),
                      .text = labelOf(*row, word),
                      .ink = row->present               ? ColourRole::Accent
                          : !row->pin.isEmpty()         ? ColourRole::Text
                          : m_selection->answer()->fits ? ColourRole::Good
                                                        : ColourRole::Bad,
                      .figure = m_selection->pathOf(*row, ColumnId::step),
                      .place = LabelPlace::RightAbove,
                      .unreached = Unreached::AtEdge});
    return marks;
}

FigureRef HeadroomChart::currentFigure() const {
    const std::vector<LayoutRow> &rows = m_selection->rows();
    if (const int chosen = m_selection->chosen(); chosen >= 0 && chosen < static_cast<int>(rows.size()))
        return m_selection->pathOf(rows[static_cast<std::size_t>(chosen)], ColumnId::step);
    const QList<FigureRef> all = figures();
    return all.isEmpty() ? FigureRef() : all.first();
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
        XyChart::keyPressEvent(event);
    }
}

} // namespace meshwright
