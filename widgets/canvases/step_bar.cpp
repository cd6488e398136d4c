// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvases/step_bar.h"

#include "figures/figure_text.h"
#include "theme/theme.h"

namespace meshwright {

StepBar::StepBar(QWidget *parent)
    : StackedBars(parent) {
    setAccessibleName(tr("Step time by term"));
}

StackedBarsView StepBar::stacked(const StepBarView &view, double reach) {
    StackedBarsView stacked;
    stacked.reach = reach;
    for (const StepRow &step : view.rows) {
        StackedRow row{step.label, step.sublabel, {}, {}, step.note, step.noteTone};
        for (const StepBarTerm &term : step.terms)
            row.segments.append({term.name, term.seconds, term.kind, term.fill, term.letter});
        stacked.rows.append(row);
    }
    stacked.unit = timeUnit(stacked.largest());
    stacked.decimals = stacked.largest() / stacked.unit.size >= 100 ? 1 : 2;
    for (StackedRow &row : stacked.rows)
        row.total = stacked.textWithUnit(row.sum());
    return stacked;
}

void StepBar::setView(const StepBarView &view) {
    m_step = view;
    rebuild();
}

void StepBar::rebuild() {
    setStackedView(stacked(m_step, heldReach()));
}

void StepBar::paint(QPainter &painter, const QRectF &rect, const StepBarView &view, const Theme &theme) {
    paintTo(painter, rect, stacked(view), {}, theme);
}

HoverContent StepBar::describe(SegmentIndex index) const {
    const StepRow &step = m_step.rows[index.row];
    const StepBarTerm &term = step.terms[index.segment];
    const StackedRow &row = stackedView().rows[index.row];
    HoverContent content;
    content.title = term.name;
    if (term.fill != SegmentFill::Hatched)
        content.swatch = Theme::of(this).fill(term.kind);
    const AxisUnit unit = timeUnit(term.seconds);
    content.rows.append({tr("Time"), figure(term.seconds / unit.size) + QLatin1Char(' ') + unit.name});
    if (const double total = row.sum(); total > 0)
        content.rows.append({tr("Fraction of step time"), shareText(term.seconds / total)});
    content.rows.append({step.label, row.total});
    content.footnote = term.description;
    return content;
}

void StepBar::activate(SegmentIndex index) {
    Q_EMIT termActivated(index.row, m_step.rows[index.row].terms[index.segment].id);
}

} // namespace meshwright
