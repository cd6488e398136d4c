// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars.h"

namespace meshwright {

/// A term of the step time. Overlap is already subtracted, so the terms add up.
struct StepBarTerm {
    QString name;
    double seconds = 0;
    Kind kind = Kind::Grey;
    /// Hatched for idle time (the pipeline bubble).
    SegmentFill fill = SegmentFill::Solid;
    QString letter;
    QString description;
    QString id;
};

struct StepRow {
    QString label;
    QString sublabel;
    QVector<StepBarTerm> terms;
    /// Text below the total at the right: "MFU 31.7%", "−12%".
    QString note;
    Tone noteTone = Tone::Neutral;
};

struct StepBarView {
    QVector<StepRow> rows;
};

/// Step time by term: this plan, and others below it on the same axis.
class StepBar : public StackedBars {
    Q_OBJECT

public:
    explicit StepBar(QWidget *parent = nullptr);

    void setView(const StepBarView &view);
    const StepBarView &view() const { return m_step; }

    static StackedBarsView stacked(const StepBarView &view, double reach = 0);
    static void paint(QPainter &painter, const QRectF &rect, const StepBarView &view, const Theme &theme);

Q_SIGNALS:
    /// Emitted when a term is clicked or Enter is pressed on it, to show its derivation.
    void termActivated(int row, const QString &id);

protected:
    HoverContent describe(SegmentIndex index) const override;
    void activate(SegmentIndex index) override;
    void rebuild() override;

private:
    StepBarView m_step;
};

} // namespace meshwright
