// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace meshwright {

struct PlanView;
class ProblemsCard;
class TextLabel;

/// What every view shows of a plan that cannot be evaluated: its errors with their fields and fixes, and whose figures
/// the view still shows below them. Hidden while the plan is valid. Scrolls where a file has more errors than fit.
class PlanErrors : public QScrollArea {
    Q_OBJECT

public:
    /// What stands below the errors while a plan that was valid a moment ago is being edited.
    enum class Below {
        Nothing, ///< the view has cleared its figures
        LastValid ///< figures of the last valid plan, marked as such
    };

    explicit PlanErrors(QWidget *parent = nullptr);

    /// Around everything that is scrolled: for a view that leaves it no margins of its own.
    void setPageMargins(const QMargins &margins);
    void showPlan(const PlanView &view, Below below);
    ProblemsCard *problems() const { return m_problems; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    int contentHeight() const;

    TextLabel *m_words;
    ProblemsCard *m_problems;
};

} // namespace meshwright
