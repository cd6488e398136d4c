// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/degree_row.h"

#include "controls/integer_box.h"
#include "controls/stepped_slider.h"
#include "controls/text_label.h"

#include <QHBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {
constexpr int labelWidth = 64;
constexpr int boxWidth = 56;
constexpr qint64 largestDegree = 1'000'000'000;
} // namespace

DegreeRow::DegreeRow(const QString &label, QWidget *parent)
    : QWidget(parent)
    , m_label(new TextLabel(label, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this))
    , m_slider(new SteppedSlider(this))
    , m_box(new IntegerBox(this)) {
    m_label->setFixedSize(labelWidth, 24);
    m_box->setRange(1, largestDegree);
    m_box->setFixedWidth(boxWidth);
    m_box->setStepper([this](qint64 value, int steps) { return stepped(value, steps); });
    m_slider->setAccessibleName(tr("%1, values that divide").arg(label));
    auto *line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(m_label, 0, Qt::AlignTop);
    line->addWidget(m_slider, 1, Qt::AlignTop);
    line->addWidget(m_box, 0, Qt::AlignTop);
    connect(m_slider, &SteppedSlider::stopChosen, this, [this](qint64 value) {
        Q_EMIT chosen(value, m_slider->isSliderDown() ? EditPace::Live : EditPace::Settled);
    });
    connect(m_slider, &SteppedSlider::dragFinished, this, &DegreeRow::dragFinished);
    connect(m_box, &IntegerBox::edited, this, [this](qint64 value) { Q_EMIT chosen(value, EditPace::Settled); });
}

void DegreeRow::setLabel(const QString &label) {
    m_label->setText(label);
}

void DegreeRow::showDegree(const QVector<qint64> &stops, qint64 value) {
    if (stops != m_slider->stops())
        m_slider->setStops(stops);
    m_slider->setStop(value);
    m_box->setValue(value);
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
