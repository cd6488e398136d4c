// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_view.h"

#include "controls/card.h"
#include "controls/page_scroll.h"
#include "controls/pill.h"
#include "controls/searchable_combo.h"
#include "controls/text_label.h"
#include "explain/explain.h"
#include "explain/explain_model.h"
#include "explain/explain_side.h"
#include "explain/explain_tree.h"
#include "explain/figure_book.h"
#include "explain/figure_list.h"
#include "explain/influence_card.h"
#include "explain/node_card.h"
#include "explain/simulation_effects.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "theme/control_states.h"
#include "theme/icon.h"
#include "theme/theme.h"
#include "views/plan_errors.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace meshwright {

namespace {

constexpr QLatin1String firstName("step_seconds");
constexpr int minPicker = 320;
constexpr int maxPicker = 560;
constexpr double sideShare = 0.32;
constexpr int minSide = 304;
constexpr int maxSide = 440;

} // namespace

ExplainView::ExplainView(FigureBook &book, QWidget *parent)
    : View({.name = QStringLiteral("explainView"), .title = tr("Explain"), .icon = QStringLiteral("explain")}, parent)
    , m_book(book)
    , m_effects(new SimulationEffects(this))
    , m_model(new ExplainModel(this))
    , m_back(new QAction(icons::icon(QStringLiteral("chevl")), tr("&Back"), this))
    , m_forward(new QAction(icons::icon(QStringLiteral("chevr")), tr("&Forward"), this))
    , m_figures(new SearchableCombo(this))
    , m_stale(new Pill({}, Tone::Warn, this))
    , m_errors(new PlanErrors(this))
    , m_nothing(new TextLabel(tr("Derivations appear once the plan is valid."), TypeRole::Body, ColourRole::Text2,
                              TextWeight::Regular, this))
    , m_body(new QWidget(this))
    , m_tree(new ExplainTree(m_body))
    , m_side(new QScrollArea(m_body))
    , m_sidePanel(new ExplainSide)
    , m_breadcrumb(new TextLabel({}, TypeRole::Body, ColourRole::Text2, TextWeight::Regular, this)) {
    addActions();
    m_model->setEffects(m_effects);
    m_tree->setObjectName(QStringLiteral("explainTree"));
    m_tree->setModel(m_model);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &ExplainView::showNode);
    connect(m_sidePanel->node(), &NodeCard::inputChosen, this, &ExplainView::openInput);
    connect(m_sidePanel->node(), &NodeCard::inputLit, this, [this](const QString &name) {
        m_tree->light(name.isEmpty() ? QModelIndex()
                                     : m_model->indexAt(m_model->pathOf(m_tree->currentIndex()) << name));
    });
    connect(m_sidePanel->node(), &NodeCard::fieldWanted, this, &ExplainView::goToField);
    connect(m_sidePanel->node(), &NodeCard::derivationWanted, this, &ExplainView::openDerivation);
    connect(m_tree, &QTreeView::activated, this, &ExplainView::goOn);
    m_breadcrumb->setObjectName(QStringLiteral("explainWay"));
    showsNoFigures(m_breadcrumb, NotFigures::name);
    m_breadcrumb->setAccessibleName(tr("Path to the selected quantity"));
    m_breadcrumb->setTextFormat(Qt::RichText);
    m_breadcrumb->setWordWrap(true);
    m_breadcrumb->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_breadcrumb, &QLabel::linkActivated, this, [this](const QString &depth) {
        const QStringList path = m_model->pathOf(m_tree->currentIndex()).mid(0, depth.toInt() + 1);
        m_tree->setCurrentIndex(m_model->indexAt(path));
    });

    auto *tree = new Card(m_body);
    tree->layout()->setContentsMargins(0, 4, 0, 8);
    tree->contentLayout()->setContentsMargins(0, 0, 0, 0);
    auto *picker = new QHBoxLayout;
    picker->setContentsMargins(8, 4, 8, 0);
    picker->addWidget(m_figures, 2);
    picker->addStretch(1);
    tree->contentLayout()->addLayout(picker);
    tree->contentLayout()->addWidget(m_tree);
    scrollPage(m_side, m_sidePanel);
    auto *columns = new QHBoxLayout(m_body);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(12);
    columns->addWidget(tree, 1);
    columns->addWidget(m_side);

    auto *whole = new QVBoxLayout(this);
    whole->setContentsMargins(16, 12, 16, 16);
    whole->setSpacing(12);
    whole->addLayout(newBar());
    whole->addWidget(m_errors);
    whole->addWidget(m_nothing, 0, Qt::AlignTop);
    whole->addWidget(m_body, 1);
    whole->addStretch(0);
    m_body->hide();
    setFocusProxy(m_tree);
    connect(&m_book, &FigureBook::explained, this, &ExplainView::receive);
    m_stale->setIconName(QStringLiteral("warn"));
    m_stale->setObjectName(QStringLiteral("staleExplanation"));
    m_stale->hide();
}

void ExplainView::addActions() {
    m_back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    m_forward->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Right));
    m_back->setEnabled(false);
    m_forward->setEnabled(false);
    connect(m_back, &QAction::triggered, this, [this] {
        m_history.goBack();
        showVisit();
    });
    connect(m_forward, &QAction::triggered, this, [this] {
        m_history.goForward();
        showVisit();
    });
    auto *copyText = new QAction(tr("Copy"), this);
    copyText->setShortcut(QKeySequence::Copy);
    copyText->setShortcutContext(Qt::WidgetShortcut);
    connect(copyText, &QAction::triggered, this, [this] { copy(CopyFormat::Text); });
    m_tree->addAction(copyText);
}

QHBoxLayout *ExplainView::newBar() {
    auto *bar = new QHBoxLayout;
    bar->setSpacing(8);
    for (QAction *action : {m_back, m_forward}) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setFixedSize(28, 28);
        button->setFocusPolicy(Qt::TabFocus);
        setButtonRole(button, ButtonRole::Flat);
        bar->addWidget(button);
    }
    m_figures->setObjectName(QStringLiteral("figurePicker"));
    m_figures->setAccessibleName(tr("Figure to explain"));
    m_figures->setMinimumWidth(minPicker);
    m_figures->setMaximumWidth(maxPicker);
    m_figures->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_figures, &SearchableCombo::chosen, this, [this](const QString &name) {
        // While another plan is shown, a figure chosen by name means that plan's figure.
        openFigure(m_shownFigure.of<scope::ViewPlan>() ? m_shownFigure.named(name) : name);
    });
    bar->addWidget(m_stale);
    bar->addWidget(m_breadcrumb, 1);
    struct CopyButton {
        CopyFormat format;
        QString name;
        QString title;
    };
    for (const CopyButton &copied : {CopyButton{CopyFormat::Text, QStringLiteral("copyText"), tr("Text")},
                                     CopyButton{CopyFormat::Markdown, QStringLiteral("copyMarkdown"), tr("Markdown")},
                                     CopyButton{CopyFormat::Latex, QStringLiteral("copyLatex"), tr("LaTeX")}}) {
        auto *button = new QPushButton(copied.title, this);
        if (copied.format == CopyFormat::Text)
            button->setIcon(icons::icon(QStringLiteral("copy")));
        button->setObjectName(copied.name);
        button->setAccessibleName(tr("Copy as %1").arg(copied.title));
        button->setToolTip(button->accessibleName());
        setButtonRole(button, ButtonRole::Flat);
        connect(button, &QPushButton::clicked, this, [this, format = copied.format] { copy(format); });
        bar->addWidget(button);
    }
    return bar;
}

void ExplainView::setFieldQuestion(const std::function<bool(const QString &)> &hasField) {
    m_sidePanel->setFieldQuestion(hasField);
}

bool ExplainView::openFigure(const FigureRef &figure) {
    const FigureRef resolved = m_book.resolved(figure);
    refresh();
    m_awaited = {};
    if (visit(resolved))
        return true;
    if (!m_book.isPending(resolved))
        return false;
    m_awaited = resolved;
    showStale();
    return true;
}

bool ExplainView::visit(const FigureRef &figure) {
    const FigureBook::Found found = m_book.find(figure);
    if (!found)
        return false;
    m_history.visit({figure, {QString::fromStdString(found.figure->name)}});
    showVisit();
    return true;
}

void ExplainView::receive() {
    if (m_awaited.isEmpty() && !isVisible())
        return;
    refresh();
    if (!m_awaited.isEmpty() && (visit(m_awaited) || !m_book.isPending(m_awaited)))
        m_awaited = {};
    else if (m_history.hasCurrent())
        showVisit(); // the awaited derivation may have arrived
    showStale();
}

void ExplainView::refresh() {
    const std::shared_ptr<const Derivation> tree = m_book.planTree();
    // The previous plan's figures stay until those of the new plan are calculated.
    if (tree && tree != m_planTree) {
        m_planTree = tree;
        m_explained = m_book.result();
        m_figures->setItems(figuresOf(*tree));
        if (!m_history.hasCurrent() && m_awaited.isEmpty())
            m_history.visit({firstName, {firstName}});
        showVisit();
    }
    m_nothing->setText(m_book.result() ? tr("Calculating derivations…")
                                       : tr("Derivations appear once the plan is valid."));
    m_nothing->setVisible(!m_explained && m_valid);
    m_body->setVisible(m_explained != nullptr);
    m_figures->setEnabled(m_explained != nullptr);
    showStale();
}

void ExplainView::showVisit() {
    if (!m_explained || !m_history.hasCurrent()) {
        m_model->setFigure(nullptr, nullptr);
        return;
    }
    VisitHistory::Visit visit = m_history.current();
    FigureBook::Found found = m_book.find(visit.figure);
    if (!found && m_book.isPending(visit.figure) && m_shown)
        return;
    m_standsIn = !found;
    if (m_standsIn) {
        // If the new plan lacks the previous plan's figure, the default figure is shown.
        visit = {firstName, {firstName}};
        found = {m_planTree, find_figure(*m_planTree, firstName.data()), {m_explained, nullptr, firstName.data()}};
    }
    m_shown = found;
    {
        const QScopedValueRollback guard(m_showing, true);
        const QStringList expanded =
            m_shownFigure == visit.figure ? m_tree->expandedPaths() : QStringList(visit.path.first());
        m_shownFigure = visit.figure;
        m_tree->setFigureRef(m_shownFigure);
        m_effects->showFigure(found, m_shownFigure);
        m_model->setFigure(found.tree, found.figure);
        m_tree->expandPaths(expanded);
        const QModelIndex chosen = m_model->indexAt(visit.path);
        m_tree->setCurrentIndex(chosen);
        m_tree->scrollTo(chosen);
    }
    m_figures->setUnknownText(titleOf(*found.figure)); // the figure may not be in the list
    m_figures->setCurrentId(QString::fromStdString(found.figure->name));
    showNode();
}

const Derivation *ExplainView::currentNode() const {
    if (!m_explained)
        return nullptr;
    return m_model->nodeAt(m_tree->currentIndex());
}

void ExplainView::showNode() {
    if (m_showing)
        return;
    if (const Derivation *node = currentNode()) {
        // A figure that replaces one missing from this plan is not recorded in the history.
        if (!m_standsIn)
            m_history.moveTo(m_model->pathOf(m_tree->currentIndex()));
        m_sidePanel->showFigure(m_shown, m_shownFigure);
        m_sidePanel->showNode(m_model->nodesTo(m_tree->currentIndex().siblingAtColumn(0)), hasDerivation(*node),
                              fieldTitleOf(QString::fromStdString(node->field)));
        showBreadcrumb();
    }
    m_back->setEnabled(isVisible() && m_history.canGoBack());
    m_forward->setEnabled(isVisible() && m_history.canGoForward());
}

void ExplainView::showBreadcrumb() {
    const NodePath nodes = m_model->nodesTo(m_tree->currentIndex().siblingAtColumn(0));
    QStringList steps;
    if (innermost(m_shownFigure).of<scope::ViewPlan>() && m_shown.result)
        steps << QString::fromStdString(m_shown.result->plan.name).toHtmlEscaped();
    else if (m_shownFigure.isOfChanged())
        steps << tr("changed plan");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const QString title = titleOf(*nodes[i]).toHtmlEscaped();
        steps << (i + 1 < nodes.size()
                      ? QStringLiteral("<a style=\"text-decoration:none\" href=\"%1\">%2</a>").arg(i).arg(title)
                      : QStringLiteral("<span style=\"font-weight:600\">%1</span>").arg(title));
    }
    m_breadcrumb->setText(steps.join(QStringLiteral(" &nbsp;›&nbsp; ")));
}

void ExplainView::openInput(const QString &name) {
    const QStringList path = m_model->pathOf(m_tree->currentIndex()) << name;
    m_history.visit({m_history.current().figure, path});
    showVisit();
}

bool ExplainView::hasDerivation(const Derivation &node) const {
    if (node.figure.empty() || !node.inputs.empty())
        return false;
    // Derivations from a view refer to figures of the current plan, or of a plan that they name.
    if (refersWithin(m_shownFigure))
        return find_figure(*m_shown.tree, node.figure) != nullptr;
    const FigureRef referred = referredFrom(m_shownFigure, node.figure);
    return m_book.find(referred) || m_book.isPending(referred);
}

void ExplainView::openDerivation() {
    const Derivation *node = currentNode();
    if (node == nullptr)
        return;
    openFigure(referredFrom(m_shownFigure, node->figure.empty() ? node->name : node->figure));
}

void ExplainView::goOn() {
    const Derivation *node = currentNode();
    if (node == nullptr || !node->inputs.empty())
        return;
    if (hasDerivation(*node))
        openDerivation();
    else
        m_sidePanel->node()->goToField();
}

void ExplainView::copy(CopyFormat format) {
    if (const Derivation *node = currentNode())
        QGuiApplication::clipboard()->setText(copyOf(*node, format, m_sidePanel->paragraphOf(*node)));
}

void ExplainView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    refresh();
    showNode();
}

void ExplainView::hideEvent(QHideEvent *event) {
    QWidget::hideEvent(event);
    m_back->setEnabled(false);
    m_forward->setEnabled(false);
}

void ExplainView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_side->setFixedWidth(std::clamp(static_cast<int>(width() * sideShare), minSide, maxSide));
}

} // namespace meshwright
