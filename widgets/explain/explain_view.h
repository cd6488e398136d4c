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

/// Every figure of a result with its derivation: a tree of formulas down to plan fields, hardware facts and constants,
/// and the chosen node of it in full. Explains only while it can be seen.
class ExplainView : public View {
    Q_OBJECT

public:
    /// The book outlives the view; it is to know of a plan before the view is.
    explicit ExplainView(FigureBook &book, QWidget *parent = nullptr);

    void showPlan(const PlanView &view) override;
    ProblemsCard *problems() const override;
    /// Opens a figure by its path, as the book knows it ("step.seconds"), as soon as its derivation is worked out.
    /// False if it has none.
    bool openFigure(const FigureRef &figure);
    void setFieldQuestion(const std::function<bool(const QString &)> &hasField);

    ExplainModel *model() const { return m_model; }
    ExplainTree *tree() const { return m_tree; }
    ExplainSide *beside() const { return m_beside; }
    SimulationEffects *effects() const { return m_effects; }
    QAction *backAction() const { return m_back; }
    QAction *forwardAction() const { return m_forward; }
    /// Null before anything was explained.
    const Derivation *currentNode() const;
    void copy(CopyFormat format);

Q_SIGNALS:
    /// A field of a plan that is not shown: it is to be opened, and the field gone to.
    void otherPlanWanted(const meshwright::Plan &plan, const QString &pointer);
    /// A field of the plan that a change makes of the one that is shown: it is to be made, and the field gone to.
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
    /// Whose a plan field is that the chosen node goes back to.
    enum class FieldOwner { Present, Changed, Other };
    FieldOwner ownerOf(const QString &pointer) const;
    std::shared_ptr<const Result> resultOfCurrent() const;
    QString fieldTitleOf(const QString &pointer) const;
    void goToField(const QString &pointer);
    void openDerivation();
    void goOn();
    void showStale();
    void showWay();

    FigureBook &m_book;
    std::shared_ptr<const Result> m_explained; ///< of the plan whose figures are shown
    std::shared_ptr<const Derivation> m_planTree; ///< of the same
    FigureBook::Found m_shown;
    FigureRef m_awaited; ///< a figure that is opened once its derivation is there
    Freshness m_freshness = Freshness::Fresh;
    bool m_valid = true;
    VisitHistory m_history;
    FigureRef m_shownFigure;
    bool m_showing = false;
    bool m_standsIn = false; ///< another figure is shown for one that this plan lacks

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
    ExplainSide *m_beside;
    TextLabel *m_way;
};

} // namespace meshwright
