// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/plan_view.h"

#include <QWidget>

namespace meshwright {

class FigureSentence;
class StatusDot;
class TextLabel;

/// The status bar: whether the shown result belongs to the current plan, and why the plan cannot be evaluated.
class StatusLine : public QWidget {
    Q_OBJECT

public:
    explicit StatusLine(QWidget *parent = nullptr);
    void showPlan(const PlanView &view);
    QString text() const;

private:
    StatusDot *m_dot;
    TextLabel *m_text;
    FigureSentence *m_summary;
};

} // namespace meshwright
