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

/// One page of the window. The window uses this interface to show the plan, to place notices and to receive signals.
/// Signals of a single view are declared in that view.
class View : public QWidget {
    Q_OBJECT

public:
    /// The docks shown next to a view, unless the user changes them.
    enum class Docks {
        Both, ///< panels on the left, details on the right
        Panels,
        Hidden
    };
    enum class Scope { Everything, BetweenSites };

    struct Face {
        QString name; ///< object name: "searchView"
        QString title; ///< "Search"
        QString icon;
        Docks docks = Docks::Both;
        Scope scope = Scope::Everything;
        QKeySequence keys = {}; ///< shortcut; default: Ctrl and the number of the view in the view rail
        std::optional<FigureView> figures = {}; ///< set if the view provides figures or plans
    };

    View(Face face, QWidget *parent);

    const Face &face() const { return m_face; }

    /// The plan or its result has changed. A hidden view only stores it and updates when it is shown.
    virtual void showPlan(const PlanView &) { }
    /// Called when the view is shown: moves the keyboard focus into it.
    virtual void takeFocus() { setFocus(); }
    void hostNotice(QWidget *strip);
    virtual ProblemsCard *problems() const { return nullptr; }
    virtual QLineEdit *filterField() const { return nullptr; }
    /// Derivation of a figure that the view itself has counted or measured.
    virtual std::optional<Derivation> derivationOf(const QString &) const { return std::nullopt; }
    /// A plan that only this view knows, by the name that the view gave it.
    virtual std::optional<Plan> planOf(const QString &) const { return std::nullopt; }

Q_SIGNALS:
    void edited(const meshwright::PlanEdit &edit);
    /// Emitted when the user asks for another view, given by Face::name.
    void viewWanted(const QString &name);
    void noticed(meshwright::Tone tone, const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
    /// The layout into which the notice strip is inserted as the first item.
    virtual QBoxLayout *column() const;

private:
    Face m_face;
};

} // namespace meshwright
