// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars.h"

namespace meshwright {

/// A term of a step's time, overlap already taken off, so that terms add up.
struct StepBarTerm {
    QString name;
    double seconds = 0;
    Kind kind = Kind::Grey;
    /// Hatched for time in which nothing is done (the bubble).
    SegmentFill fill = SegmentFill::Solid;
    QString letter;
    /// What it is, for the hover card.
    QString remark;
    /// Given back by termActivated().
    QString id;
};

struct StepRow {
    QString label;
    QString sublabel;
    QVector<StepBarTerm> terms;
    /// Beneath the total at the right: "MFU 31.7 %", "−12 %".
    QString note;
    Tone noteTone = Tone::Neutral;
};

struct StepBarView {
    QVector<StepRow> rows;
};

/// Where the time of a step goes: this plan, and others beneath it on the same axis.
class StepBar : public StackedBars {
    Q_OBJECT

public:
    explicit StepBar(QWidget *parent = nullptr);

    void setView(const StepBarView &view);
    const StepBarView &view() const { return m_step; }

    static StackedBarsView stacked(const StepBarView &view, double reach = 0);
    /// With legend, on any device.
    static void paint(QPainter &painter, const QRectF &rect, const StepBarView &view, const Theme &theme);

Q_SIGNALS:
    /// By click or Enter: explain this term.
    void termActivated(int row, const QString &id);

protected:
    HoverContent describe(SegmentIndex index) const override;
    void activate(SegmentIndex index) override;
    void rebuild() override;

private:
    StepBarView m_step;
};

} // namespace meshwright
