// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_ref.h"
#include "formulas/derivation.h"
#include "theme/roles.h"
#include "views/plan_edit.h"
#include "views/plan_view.h"

#include <QKeySequence>
#include <QWidget>

#include <optional>

class QBoxLayout;
class QLineEdit;

namespace meshwright {

class ProblemsCard;

/// One page of the window. The window holds a list of them, and what it does with all of them stands here: it shows
/// them the plan, gives them the strip that announces something, and follows what they point at. What only one view
/// asks of the window are signals of its own.
class View : public QWidget {
    Q_OBJECT

public:
    /// What stands beside a view, unless a dock is asked for there and then.
    enum class Beside {
        Docks, ///< panels on the left, details on the right
        Panels,
        Nothing
    };
    /// What the panels are about.
    enum class Scope { Everything, BetweenSites };

    /// What the window knows of a view before anything is shown.
    struct Face {
        QString name; ///< of the object: "searchView"
        QString title; ///< "Search"
        QString icon;
        Beside beside = Beside::Docks;
        Scope scope = Scope::Everything;
        QKeySequence keys = {}; ///< that show it; left out: Ctrl with its number
        std::optional<FigureView> figures = {}; ///< whose figures and plans of its own it is asked for
    };

    View(Face face, QWidget *parent);

    const Face &face() const { return m_face; }

    /// The plan or its result has changed. A view that cannot be seen does no more than note it.
    virtual void showPlan(const PlanView &) { }
    /// It has come into sight: where keys go from now on.
    virtual void takeFocus() { setFocus(); }
    /// A strip that announces something stands over the view.
    void hostNotice(QWidget *strip);
    /// Errors, warnings and hints; null where a view has none.
    virtual ProblemsCard *problems() const { return nullptr; }
    /// Where one looks for something in this view; null where there is nothing to look through.
    virtual QLineEdit *filterField() const { return nullptr; }
    /// How a figure that the view has counted or measured itself comes about.
    virtual std::optional<Derivation> derivationOf(const QString &) const { return std::nullopt; }
    /// A plan that the view knows by a name of its own.
    virtual std::optional<Plan> planOf(const QString &) const { return std::nullopt; }

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    /// Another view is to be shown, by the name in its face.
    void viewWanted(const QString &name);
    void noticed(meshwright::Tone tone, const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
    /// Whose first place the strip that announces something takes.
    virtual QBoxLayout *column() const;

private:
    Face m_face;
};

} // namespace meshwright
