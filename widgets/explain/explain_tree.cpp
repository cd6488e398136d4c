// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/explain_tree.h"

#include "explain/explain_delegate.h"
#include "explain/explain_model.h"
#include "figures/figure_event.h"
#include "figures/figure_ref.h"
#include "theme/theme.h"

#include <QHeaderView>
#include <QPainter>

namespace meshwright {

namespace {
constexpr int valueWidth = 104;
constexpr int originWidth = 100;
constexpr int effectWidth = 132;
constexpr double titleShare = 0.3; ///< width of the titles as a fraction of the tree while the formula column is shown
constexpr int widestTitle = 420;
constexpr QLatin1Char pathSeparator('/');
} // namespace

ExplainTree::ExplainTree(QWidget *parent)
    : QTreeView(parent)
    , m_delegate(new ExplainDelegate(this)) {
    setItemDelegate(m_delegate);
    setFrameShape(QFrame::NoFrame);
    setAllColumnsShowFocus(true);
    setExpandsOnDoubleClick(false); // the activated() handler expands rows; doing both would collapse them again
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setAccessibleName(tr("How the figure is calculated"));
    viewport()->setAutoFillBackground(false);
    header()->setStretchLastSection(false);
    header()->setHighlightSections(false);
    header()->setSectionsMovable(false);
    header()->setMinimumSectionSize(60);
    connect(this, &QTreeView::activated, this, [this](const QModelIndex &index) {
        const QModelIndex row = index.siblingAtColumn(0);
        setExpanded(row, !isExpanded(row));
    });
    connect(this, &QTreeView::clicked, this,
            [this](const QModelIndex &index) { wantFigure(viewport(), effectOf(index)); });
}

void ExplainTree::setModel(QAbstractItemModel *model) {
    QTreeView::setModel(model);
    header()->setSectionResizeMode(QHeaderView::Fixed);
    arrange();
}

void ExplainTree::light(const QModelIndex &row) {
    m_delegate->setLit(row);
    viewport()->update();
}

void ExplainTree::resizeEvent(QResizeEvent *event) {
    QTreeView::resizeEvent(event);
    arrange();
}

FigureRef ExplainTree::currentFigure() const {
    return effectOf(currentIndex().siblingAtColumn(ExplainModel::EffectColumn));
}

FigureRef ExplainTree::effectOf(const QModelIndex &index) const {
    if (index.column() != ExplainModel::EffectColumn || index.data().toString().isEmpty()
        || isColumnHidden(ExplainModel::EffectColumn))
        return {};
    return FigureRef::effectOf({explained()->pathOf(index), false, m_figure});
}

ExplainModel *ExplainTree::explained() const {
    return qobject_cast<ExplainModel *>(model());
}

QStringList ExplainTree::expandedPaths() const {
    QStringList paths;
    QList<QModelIndex> waiting{explained()->index(0, 0)};
    while (!waiting.isEmpty()) {
        const QModelIndex index = waiting.takeLast();
        if (!index.isValid() || !isExpanded(index))
            continue;
        paths << explained()->pathOf(index).join(pathSeparator);
        for (int row = 0; row < explained()->rowCount(index); ++row)
            waiting << explained()->index(row, 0, index);
    }
    return paths;
}

void ExplainTree::expandPaths(const QStringList &paths) {
    for (const QString &path : paths)
        expand(explained()->indexAt(path.split(pathSeparator)));
}

void ExplainTree::arrange() {
    if (model() == nullptr)
        return;
    const int width = viewport()->width();
    const bool formula = width >= FormulaFrom;
    m_delegate->setFormulaColumnShown(formula);
    setColumnHidden(ExplainModel::FormulaColumn, !formula);
    const bool effect = width >= EffectFrom;
    setColumnHidden(ExplainModel::EffectColumn, !effect);
    const int names = width - valueWidth - (effect ? effectWidth : 0);
    // In a narrow tree the titles need the room of the origin column.
    m_delegate->setOriginColumnShown(formula);
    setColumnHidden(ExplainModel::OriginColumn, !formula);
    const int rest = names - (formula ? originWidth : 0);
    const int title = formula ? std::min(static_cast<int>(width * titleShare), widestTitle) : rest;
    header()->resizeSection(ExplainModel::TitleColumn, title);
    header()->resizeSection(ExplainModel::FormulaColumn, rest - title);
    header()->resizeSection(ExplainModel::EffectColumn, effectWidth);
    header()->resizeSection(ExplainModel::ValueColumn, valueWidth);
    header()->resizeSection(ExplainModel::OriginColumn, originWidth);
    scheduleDelayedItemsLayout(); // titles wrap differently, so the heights of rows change
}

void ExplainTree::drawBranches(QPainter *painter, const QRect &rect, const QModelIndex &index) const {
    const Theme &theme = Theme::of(this);
    // Paint the row background from the left edge, not from the title.
    if (selectionModel()->isRowSelected(index.row(), index.parent()))
        painter->fillRect(rect, theme.colour(ColourRole::AccentSoft));
    painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.colour(ColourRole::Line));
    QTreeView::drawBranches(painter, rect, index);
}

} // namespace meshwright
