// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "explain/derivation_text.h"
#include "explain/figure_book.h"
#include "explain/visit_history.h"
#include "figures/figure_ref.h"
#include "views/view.h"

#include <functional>
#include <memory>

class QAction;
class QHBoxLayout;
class QScrollArea;
class QVBoxLayout;

namespace meshwright {

class Card;
class ExplainModel;
class ExplainSide;
class ExplainTree;
class Pill;
class PlanErrors;
class ProblemsCard;
class SimulationEffects;
class SearchableCombo;
class TextLabel;

/// Shows every figure of a result with its derivation: a tree of formulas down to plan fields, hardware facts and
/// constants, and the selected node in full. Requests derivations only while visible.
class ExplainView : public View {
    Q_OBJECT

public:
    /// @param book  must outlive the view, and must receive each plan before the view does
    explicit ExplainView(FigureBook &book, QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;
    ProblemsCard *problems() const override;
    /// Opens a figure by its path in the book ("step.seconds") as soon as its derivation is available. False if it has
    /// none.
    bool openFigure(const FigureRef &figure);
    void setFieldQuestion(const std::function<bool(const QString &)> &hasField);

    ExplainModel *model() const { return m_model; }
    ExplainTree *tree() const { return m_tree; }
    ExplainSide *sidePanel() const { return m_sidePanel; }
    SimulationEffects *effects() const { return m_effects; }
    QAction *backAction() const { return m_back; }
    QAction *forwardAction() const { return m_forward; }
    /// Null before the first derivation is shown.
    const Derivation *currentNode() const;
    void copy(CopyFormat format);

Q_SIGNALS:
    /// The user wants to open this plan, which is not the current one, and to go to the field at the JSON pointer.
    void otherPlanWanted(const meshwright::Plan &plan, const QString &pointer);
    /// The user wants to apply the change that leads to this plan, and to go to its field.
    void changeWanted(const meshwright::Plan &plan, const QString &pointer);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void addActions();
    QHBoxLayout *newBar();
    void refresh();
    void receive();
    bool visit(const FigureRef &figure);
    void showVisit();
    void showNode();
    void openInput(const QString &name);
    bool hasDerivation(const Derivation &node) const;
    /// The plan that contains the field of the selected node.
    enum class FieldOwner { Present, Changed, Other };
    FieldOwner ownerOf(const QString &pointer) const;
    std::shared_ptr<const Result> resultOfCurrent() const;
    QString fieldTitleOf(const QString &pointer) const;
    void goToField(const QString &pointer);
    void openDerivation();
    void goOn();
    void showStale();
    void showBreadcrumb();

    FigureBook &m_book;
    std::shared_ptr<const Result> m_explained; ///< result of the plan whose figures are shown
    std::shared_ptr<const Derivation> m_planTree; ///< derivation of that result
    FigureBook::Found m_shown;
    FigureRef m_awaited; ///< figure to open once its derivation is available
    Freshness m_freshness = Freshness::Fresh;
    bool m_valid = true;
    VisitHistory m_history;
    FigureRef m_shownFigure;
    bool m_showing = false;
    bool m_standsIn = false; ///< whether the default figure is shown because this plan lacks the wanted one

    SimulationEffects *m_effects;
    ExplainModel *m_model;
    QAction *m_back;
    QAction *m_forward;
    SearchableCombo *m_figures;
    Pill *m_stale;
    PlanErrors *m_errors;
    TextLabel *m_nothing;
    QWidget *m_body;
    ExplainTree *m_tree;
    QScrollArea *m_side;
    ExplainSide *m_sidePanel;
    TextLabel *m_breadcrumb;
};

} // namespace meshwright
