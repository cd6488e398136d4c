// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_curves_view.h"

#include "charts/xy_chart.h"
#include "controls/scrolling_wheel.h"
#include "controls/small_marks.h"
#include "controls/text_label.h"
#include "explain/figure_axis.h"
#include "figures/figure_sentence.h"
#include "formulas/formula.h"

#include <QComboBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace meshwright {

namespace {

constexpr int chartHeight = 176;
constexpr Kind furtherKinds[] = {Kind::Yellow, Kind::Cyan, Kind::Purple, Kind::Green, Kind::Red, Kind::Grey};

QString qt(const std::string &text) {
    return QString::fromStdString(text);
}

struct Range {
    double low = 0;
    double high = 0;
    bool empty = true;
    void take(double value) {
        if (!std::isfinite(value))
            return;
        low = empty ? value : std::min(low, value);
        high = empty ? value : std::max(high, value);
        empty = false;
    }
};

void setEnds(ChartAxis &axis, const CurveAxis &curve, const Range &range) {
    axis.unit = axisUnit(std::max(std::abs(range.low), std::abs(range.high)), curve.quantity);
    axis.low = range.low;
    axis.high = range.high > range.low ? range.high : range.low + 1;
    if (curve.logarithmic && range.low > 0)
        axis.scale = AxisScale::Logarithmic;
}

void nameThings(ChartAxis &axis, const std::vector<std::string> &labels) {
    axis.text = [labels](double value) {
        const double at = std::round(value);
        return at >= 0 && at < static_cast<double>(labels.size()) ? qt(labels[static_cast<std::size_t>(at)])
                                                                  : QString();
    };
}

ChartSeries seriesOf(const CurveSeries &curve, std::size_t place) {
    ChartSeries series{.name = qt(curve.name)};
    if (place > 0) {
        series.ink = furtherKinds[(place - 1) % std::size(furtherKinds)];
        series.dashed = place % 2 == 0; // so that lines differ in more than color
    }
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i)
        series.points.append({curve.x[i], curve.y[i]});
    return series;
}

} // namespace

ChartView chartOf(const RunCurve &curve) {
    ChartView view{.x = axisOf(qt(curve.x.title), curve.x.quantity), .y = axisOf(qt(curve.y.title), curve.y.quantity)};
    Range xs;
    Range ys;
    for (std::size_t i = 0; i < curve.series.size(); ++i) {
        view.series.append(seriesOf(curve.series[i], i));
        for (const QPointF &point : view.series.last().points) {
            xs.take(point.x());
            ys.take(point.y());
        }
    }
    for (const CurveMark &mark : curve.marks) {
        if (mark.kind == MarkKind::event)
            continue; // too many points for markers; bends in the curve show where they are
        view.marks.append({.at = {mark.x, mark.y}, .text = qt(mark.title), .figure = qt(mark.figure)});
        xs.take(mark.x);
        ys.take(mark.y);
    }
    setEnds(view.x, curve.x, xs);
    setEnds(view.y, curve.y, ys);
    if (view.y.scale == AxisScale::Linear)
        spanLinear(view.y, ys.low, ys.high);
    if (!curve.labels.empty())
        nameThings(view.x, curve.labels);
    view.description = qt(curve.title);
    return view;
}

RunCurvesView::RunCurvesView(QWidget *parent)
    : QWidget(parent)
    , m_choice(new QComboBox(this))
    , m_chart(new XyChart(this))
    , m_axes(new TextLabel({}, TypeRole::Caption, ColourRole::Text3, TextWeight::Regular, this))
    , m_note(new FigureSentence(TypeRole::Caption, ColourRole::Text2, TextWeight::Regular, this))
    , m_open(new LinkButton(tr("Open the calculator"), this)) {
    setObjectName(QStringLiteral("runCurves"));
    setFocusProxy(m_chart);
    m_choice->setObjectName(QStringLiteral("runCurveChoice"));
    m_choice->setAccessibleName(tr("Run curve"));
    leaveWheelToScrolling(m_choice);
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_chart->setPreferredHeight(chartHeight);
    m_open->setTrailingIcon({});
    m_open->setObjectName(QStringLiteral("openCurveCalculator"));
    m_axes->setWordWrap(true);
    m_axes->setTextFormat(Qt::PlainText);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_choice);
    column->addWidget(m_axes);
    column->addWidget(m_chart);
    column->addWidget(m_note);
    column->addWidget(m_open, 0, Qt::AlignLeft);
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        m_id = m_choice->itemData(index).toString();
        showCurve();
    });
    connect(m_open, &LinkButton::clicked, this, &RunCurvesView::openCalculator);
}

void RunCurvesView::showResult(const PlanView &view) {
    m_result = view.result;
    if (isVisible())
        refresh();
}

void RunCurvesView::refresh() {
    if (m_result == m_drawn)
        return;
    m_drawn = m_result;
    m_curves = m_result ? run_curves(*m_result) : std::vector<RunCurve>();
    m_choice->clear();
    for (const RunCurve &curve : m_curves)
        m_choice->addItem(qt(curve.title), qt(curve.id));
    m_choice->setCurrentIndex(std::max(0, m_choice->findData(m_id)));
    showCurve();
}

bool RunCurvesView::choose(const QString &id) {
    m_id = id;
    refresh();
    const int index = m_choice->findData(id);
    if (index < 0)
        return false;
    m_choice->setCurrentIndex(index);
    showCurve();
    return true;
}

void RunCurvesView::showCurve() {
    const auto index = static_cast<std::size_t>(m_choice->currentIndex());
    const bool any = m_choice->currentIndex() >= 0 && index < m_curves.size();
    for (QWidget *each : {static_cast<QWidget *>(m_chart), static_cast<QWidget *>(m_note),
                          static_cast<QWidget *>(m_axes), static_cast<QWidget *>(m_open)})
        each->setVisible(any);
    m_choice->setEnabled(any);
    if (!any)
        return;
    const RunCurve &curve = m_curves[index];
    const ChartView view = chartOf(curve);
    const bool inUnit = view.y.scale == AxisScale::Linear && !view.y.unit.name.isEmpty();
    const QString y = inUnit ? tr("%1 in %2").arg(qt(curve.y.title), view.y.unit.name) : qt(curve.y.title);
    const bool xInUnit = view.x.scale == AxisScale::Linear && !view.x.unit.name.isEmpty() && curve.labels.empty();
    const QString x = xInUnit ? tr("%1 in %2").arg(qt(curve.x.title), view.x.unit.name) : qt(curve.x.title);
    QString axes = tr("%1 against %2").arg(y, x);
    axes[0] = axes.at(0).toUpper();
    m_axes->setText(axes);
    m_chart->setView(view);
    m_note->setSentence(shownText(curve.note));
    m_open->setVisible(!curve.series.empty() && find_formula(curve.series.front().formula) != nullptr);
}

void RunCurvesView::openCalculator() {
    const auto index = static_cast<std::size_t>(m_choice->currentIndex());
    if (m_choice->currentIndex() < 0 || index >= m_curves.size() || m_curves[index].series.empty())
        return;
    const CurveSeries &series = m_curves[index].series.front();
    const Formula *formula = find_formula(series.formula);
    if (formula == nullptr)
        return;
    std::map<std::string, std::string, std::less<>> texts;
    for (const auto &[name, value] : series.arguments)
        if (const Symbol *symbol = formula->find_symbol(name))
            texts[name] = value_text(value, *symbol);
    Q_EMIT calculatorWanted(qt(series.formula), texts);
}

void RunCurvesView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
}

} // namespace meshwright
