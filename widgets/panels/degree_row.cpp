// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/degree_row.h"

#include "controls/integer_box.h"
#include "controls/small_marks.h"
#include "controls/stepped_slider.h"
#include "controls/text_label.h"
#include "controls/tip_text.h"
#include "figures/figure_label.h"
#include "figures/figure_text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace meshwright {

namespace {
constexpr int boxWidth = 56;
constexpr qint64 largestDegree = 1'000'000'000;
} // namespace

DegreeRow::DegreeRow(const QString &label, QWidget *parent)
    : QWidget(parent)
    , m_label(new TextLabel(label, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_slider(new SteppedSlider(this))
    , m_box(new IntegerBox(this))
    , m_best(new FigureLabel(TypeRole::Caption, ColourRole::Good, TextWeight::Regular, this))
    , m_lock(new LockButton(this)) {
    m_best->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_slider->setCurveRoom(true);
    m_slider->setToolTip(
        tipText(tr("Curve: shortest step time that the search found at each value; lower is faster. Hatched: no "
                   "configuration fits in memory; a circle marks the shortest step time regardless of memory.")));
    m_lock->setAccessibleName(tr("Fix %1 in the search").arg(label));
    m_box->setRange(1, largestDegree);
    m_box->setFixedWidth(boxWidth);
    m_box->setStepper([this](qint64 value, int steps) { return stepped(value, steps); });
    m_slider->setAccessibleName(tr("%1, valid values").arg(label));
    auto *heading = new QHBoxLayout;
    heading->setSpacing(8);
    heading->addWidget(m_label);
    heading->addStretch(1);
    heading->addWidget(m_best);
    heading->addWidget(m_box);
    heading->addWidget(m_lock);
    auto *lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addLayout(heading);
    lines->addWidget(m_slider);
    connect(m_slider, &SteppedSlider::stopChosen, this,
            [this](qint64 value) { Q_EMIT chosen(value, m_slider->isSliderDown() ? EditPace::Live : EditPace::Step); });
    connect(m_slider, &SteppedSlider::dragFinished, this, &DegreeRow::dragFinished);
    connect(m_lock, &QAbstractButton::clicked, this, &DegreeRow::fixedChosen);
    connect(m_box, &IntegerBox::edited, this, [this](qint64 value) { Q_EMIT chosen(value, EditPace::Settled); });
}

void DegreeRow::setLabel(const QString &label) {
    m_label->setText(label);
}

void DegreeRow::showDegree(const QVector<qint64> &stops, qint64 value) {
    if (stops != m_slider->stops()) {
        m_slider->setStops(stops);
        drawLandscape();
    }
    m_slider->setStop(value);
    m_box->setValue(value);
}

void DegreeRow::showFixed(bool held) {
    m_lock->setChecked(held);
}

void DegreeRow::showLandscape(const Landscape &landscape) {
    if (landscape == m_landscape)
        return;
    m_landscape = landscape;
    drawLandscape();
}

void DegreeRow::drawLandscape() {
    QVector<std::optional<double>> curve;
    QVector<std::optional<double>> hollow;
    std::optional<int> best;
    const QVector<qint64> &stops = m_slider->stops();
    const auto at = [](const QMap<qint64, double> &values, qint64 stop) {
        const auto found = values.constFind(stop);
        return found == values.constEnd() ? std::nullopt : std::optional(*found);
    };
    for (int i = 0; i < stops.size() && !m_landscape.isEmpty(); ++i) {
        curve.append(at(m_landscape.fits, stops[i]));
        hollow.append(at(m_landscape.tooLarge, stops[i]));
        if (curve.last() && (!best || *curve.last() < *curve[*best]))
            best = i;
    }
    m_slider->setCurve(curve);
    m_slider->setHollowCurve(hollow);
    m_slider->setBest(best);
    m_bestStop = best;
    const QString with = best ? m_landscape.with.value(stops[*best]) : QString();
    m_best->setFigure(!best                ? QString()
                          : with.isEmpty() ? tr("best %1").arg(stops[*best])
                                           : tr("best %1, %2").arg(QString::number(stops[*best]), with),
                      best ? m_bestFigure : FigureRef());
    QString tip = best ? tr("Fastest configuration that fits: %1 per step, at the value %2")
                             .arg(figureText(*curve[*best], Quantity::seconds))
                             .arg(stops[*best])
                       : QString();
    if (!with.isEmpty())
        tip += tr(", with the schedule %1").arg(with);
    m_best->setToolTip(tip);
    m_slider->setAccessibleDescription(m_best->toolTip());
}

std::optional<Derivation> DegreeRow::bestOf(const QString &figure) const {
    if (!m_bestStop)
        return std::nullopt;
    std::vector<Derivation> steps;
    const QVector<qint64> &stops = m_slider->stops();
    for (auto at = m_landscape.fits.cbegin(); at != m_landscape.fits.cend(); ++at) {
        if (!stops.contains(at.key()))
            continue;
        steps.push_back(
            by_simulation({"step_at_" + std::to_string(at.key()),
                           tr("shortest step time at the value %1").arg(at.key()).toStdString(), Quantity::seconds},
                          at.value(), "search",
                          "minimum over all configurations with this value that fit; each is evaluated or "
                          "ruled out by a lower bound",
                          {}));
    }
    return by_simulation({figure.toStdString(), tr("value with the shortest step time").toStdString(), Quantity::count},
                         static_cast<double>(stops[*m_bestStop]), "least",
                         "value whose fastest configuration has the shortest step time", std::move(steps));
}

qint64 DegreeRow::stepped(qint64 value, int steps) const {
    const QVector<qint64> &stops = m_slider->stops();
    if (stops.isEmpty())
        return std::max<qint64>(1, value + steps);
    const auto above = std::upper_bound(stops.cbegin(), stops.cend(), value);
    const auto from = std::lower_bound(stops.cbegin(), stops.cend(), value);
    const qsizetype base = steps > 0 ? (above - stops.cbegin()) - 1 : from - stops.cbegin();
    return stops.at(std::clamp<qsizetype>(base + steps, 0, stops.size() - 1));
}

} // namespace meshwright
