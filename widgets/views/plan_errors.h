// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace meshwright {

struct PlanView;
class ProblemsCard;
class TextLabel;

/// The errors of a plan that cannot be evaluated, with their fields and fixes. A note names the plan whose results are
/// still shown below. Every view has such a list. It is hidden while the plan is valid, and scrolls if it does not fit.
class PlanErrors : public QScrollArea {
    Q_OBJECT

public:
    /// The content of a view below the errors after a valid plan has become invalid.
    enum class Below {
        Nothing, ///< the view has cleared its results
        LastValid ///< results of the last valid plan, marked as stale
    };

    explicit PlanErrors(QWidget *parent = nullptr);

    /// Sets margins around the scrolled content, for views that have none of their own.
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
