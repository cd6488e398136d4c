// How the view follows the current plan: stale state and problems.
#include "controls/pill.h"
#include "controls/text_label.h"
#include "explain/explain_view.h"
#include "explain/figure_book.h"
#include "views/plan_errors.h"

#include <QGraphicsOpacityEffect>

namespace meshwright {

namespace {
constexpr qreal staleOpacity = 0.55;
}

void ExplainView::showPlan(const PlanView &view) {
    m_freshness = view.freshness;
    m_valid = view.valid;
    m_errors->showPlan(view, PlanErrors::Below::LastValid);
    if (view.result == nullptr) {
        // The derivations belong to the plan that was open before.
        m_planTree.reset();
        m_explained.reset();
        m_breadcrumb->setText({});
    }
    if (isVisible())
        refresh();
}

ProblemsCard *ExplainView::problems() const {
    return m_errors->problems();
}

void ExplainView::showStale() {
    const bool behind = m_explained != m_book.result() || m_book.isPending(m_awaited);
    const bool stale = m_explained && (isStale(m_freshness) || behind);
    m_stale->setText(m_freshness == Freshness::Invalid ? tr("stale: last valid plan") : tr("stale: computing"));
    m_stale->setVisible(stale);
    if (stale == (m_body->graphicsEffect() != nullptr))
        return;
    if (stale) {
        auto *effect = new QGraphicsOpacityEffect(m_body);
        effect->setOpacity(staleOpacity);
        m_body->setGraphicsEffect(effect);
    } else {
        m_body->setGraphicsEffect(nullptr);
    }
}

} // namespace meshwright
