// SPDX-License-Identifier: GPL-3.0-or-later
#include "search/configuration_table.h"

#include "figures/figure_event.h"
#include "search/configuration_delegate.h"
#include "search/configuration_table_model.h"
#include "theme/icon.h"
#include "theme/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScopedValueRollback>

#include <functional>
#include <utility>

namespace meshwright {

namespace {

constexpr int heightOfRow = 24;
constexpr int lockSize = 12;
constexpr int padding = 8;
constexpr int sortMark = 16;

const ConfigurationColumn &columnAt(int section) {
    return layoutColumns()[static_cast<std::size_t>(section)];
}

} // namespace

LockHeader::LockHeader(QWidget *parent)
    : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true);
    setSortIndicatorShown(true);
    setHighlightSections(false);
    setMouseTracking(true);
    setMinimumSectionSize(28);
}

void LockHeader::setConstraints(const Constraints &constraints) {
    m_constraints = constraints;
    viewport()->update();
}

QRect LockHeader::lockRect(int section) const {
    if (section < 0 || section >= count() || !columnAt(section).field)
        return {};
    const int left = sectionViewportPosition(section);
    const bool words = columnAt(section).isText;
    // The padlock is next to its column's title, because at the edge it would seem to belong to the previous column.
    const QFontMetrics metrics(Theme::of(this).font(TypeRole::Caption, TextWeight::SemiBold));
    const int title = metrics.horizontalAdvance(model()->headerData(section, Qt::Horizontal).toString());
    const int beforeTitle = sectionSize(section) - padding - title - lockSize - 3;
    const int x = words ? left + sectionSize(section) - lockSize - 2 : left + std::max(1, beforeTitle);
    return {x, (height() - lockSize) / 2, lockSize, lockSize};
}

QSize LockHeader::sectionSizeFromContents(int section) const {
    const QString title = model()->headerData(section, Qt::Horizontal).toString();
    const QFontMetrics metrics(Theme::of(this).font(TypeRole::Caption, TextWeight::SemiBold));
    const int lock = columnAt(section).field ? lockSize - 4 : 0;
    const int sorted = section == sortIndicatorSection() ? sortMark : 0;
    return {metrics.horizontalAdvance(title) + 2 * padding + std::max(lock, sorted), 26};
}

void LockHeader::paintSection(QPainter *painter, const QRect &rect, int section) const {
    QHeaderView::paintSection(painter, rect, section);
    const ConfigurationColumn &column = columnAt(section);
    if (!column.field)
        return;
    const bool held = m_constraints.fixed[static_cast<std::size_t>(*column.field)];
    if (!held && section != m_pointed)
        return;
    const Theme &theme = Theme::of(this);
    icons::paint(*painter, lockRect(section), held ? QStringLiteral("lock") : QStringLiteral("unlock"),
                 theme.colour(held ? ColourRole::Accent : ColourRole::Text2));
}

void LockHeader::mousePressEvent(QMouseEvent *event) {
    const int section = logicalIndexAt(event->pos());
    // The clickable area is slightly larger than the padlock.
    if (lockRect(section).adjusted(-1, -6, 2, 6).contains(event->pos())) {
        const ConfigurationField field = *columnAt(section).field;
        Q_EMIT lockToggled(field, !m_constraints.fixed[static_cast<std::size_t>(field)]);
        return;
    }
    QHeaderView::mousePressEvent(event);
}

void LockHeader::mouseMoveEvent(QMouseEvent *event) {
    const int section = logicalIndexAt(event->pos());
    if (section != m_pointed) {
        m_pointed = section;
        viewport()->update();
    }
    QHeaderView::mouseMoveEvent(event);
}

void LockHeader::leaveEvent(QEvent *event) {
    m_pointed = -1;
    viewport()->update();
    QHeaderView::leaveEvent(event);
}

ConfigurationTable::ConfigurationTable(ConfigurationSelection *selection, QWidget *parent)
    : QTableView(parent)
    , m_selection(selection)
    , m_model(new ConfigurationTableModel(selection, this))
    , m_sorted(new ConfigurationSortModel(selection, this))
    , m_header(new LockHeader(this)) {
    m_sorted->setSourceModel(m_model);
    setHorizontalHeader(m_header);
    setModel(m_sorted);
    setItemDelegate(new ConfigurationDelegate(this));
    setObjectName(QStringLiteral("layoutTable"));
    setAccessibleName(tr("Configurations, best first"));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setMouseTracking(true);
    setTabKeyNavigation(false);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(heightOfRow);
    setSortingEnabled(true);
    sortByColumn(static_cast<int>(ColumnId::rank), Qt::AscendingOrder);
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
        if (index.column() != static_cast<int>(ColumnId::pin))
            Q_EMIT m_selection->applyWanted(rowOf(index));
    });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex &index) {
        if (index.column() == static_cast<int>(ColumnId::pin))
            m_selection->togglePin(rowOf(index));
        else if (index.data(ConfigurationTableModel::PresentRole).toBool()
                 && !index.data(ConfigurationTableModel::FigureRole).value<FigureRef>().isEmpty())
            open(index);
    });
    setContextMenuPolicy(Qt::CustomContextMenu);
    connect(this, &QWidget::customContextMenuRequested, this, &ConfigurationTable::showRowMenu);
    connect(selection, &ConfigurationSelection::chosenChanged, this, &ConfigurationTable::showChosen);
    connect(selection, &ConfigurationSelection::answerChanged, this, &ConfigurationTable::arrangeColumns);
    connect(m_header, &QHeaderView::sortIndicatorChanged, this, &ConfigurationTable::arrangeColumns);
    m_header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_header, &QHeaderView::customContextMenuRequested, this, &ConfigurationTable::showColumnMenu);
    connect(selection, &ConfigurationSelection::pointedChanged, viewport(), qOverload<>(&QWidget::update));
}

int ConfigurationTable::rowOf(const QModelIndex &index) const {
    return index.isValid() ? m_sorted->mapToSource(index).row() : -1;
}

void ConfigurationTable::askFor(ColumnId column, bool shown) {
    m_asked[static_cast<int>(column)] = shown;
    arrangeColumns();
}

void ConfigurationTable::showColumnMenu(const QPoint &place) {
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (std::size_t i = 0; i < layoutColumns().size(); ++i) {
        QAction *const action = menu->addAction(layoutColumns()[i].title);
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(static_cast<int>(i)));
        connect(action, &QAction::toggled, this, [this, i](bool shown) { askFor(static_cast<ColumnId>(i), shown); });
    }
    menu->popup(m_header->mapToGlobal(place));
}

void ConfigurationTable::showRowMenu(const QPoint &place) {
    const QModelIndex index = indexAt(place);
    if (!index.isValid())
        return;
    const int row = rowOf(index);
    const LayoutRow &shown = m_selection->rows()[static_cast<std::size_t>(row)];
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("layoutMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    // The table handles the keys itself; the menu only displays them.
    const auto add = [menu](const QString &title, const QKeySequence &keys, std::function<void()> run) {
        QAction *const action = menu->addAction(title);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        QObject::connect(action, &QAction::triggered, menu, [run = std::move(run)] { run(); });
        return action;
    };
    add(tr("Apply"), Qt::Key_Return, [this, row] { Q_EMIT m_selection->applyWanted(row); })->setEnabled(!shown.present);
    add(shown.pin.isEmpty() ? tr("Pin") : tr("Unpin"), Qt::Key_Space, [this, row] { m_selection->togglePin(row); });
    const FigureRef figure = index.data(ConfigurationTableModel::FigureRole).value<FigureRef>();
    add(tr("Explain this number"), Qt::Key_F1, [this, figure] {
        wantFigure(this, figure);
    })->setEnabled(!figure.isEmpty());
    menu->addSeparator();
    add(tr("Copy row"), QKeySequence::Copy, [this, row] { copy(row); });
    add(tr("Copy as JSON merge patch"), {}, [this, row] {
        QGuiApplication::clipboard()->setText(m_selection->patchOf(m_selection->rows()[static_cast<std::size_t>(row)]));
    })->setEnabled(!shown.present);
    menu->popup(viewport()->mapToGlobal(place));
}

/// Copies the visible columns' titles and a row's values, separated by tabs.
void ConfigurationTable::copy(int row) const {
    QStringList titles;
    QStringList values;
    for (std::size_t i = 0; i < layoutColumns().size(); ++i) {
        if (isColumnHidden(static_cast<int>(i)) || static_cast<ColumnId>(i) == ColumnId::pin)
            continue;
        titles << layoutColumns()[i].title;
        values << m_selection->figures().text(m_selection->rows()[static_cast<std::size_t>(row)],
                                              static_cast<ColumnId>(i));
    }
    QGuiApplication::clipboard()->setText(titles.join(QLatin1Char('\t')) + QLatin1Char('\n')
                                          + values.join(QLatin1Char('\t')));
}

void ConfigurationTable::resizeEvent(QResizeEvent *event) {
    QTableView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        arrangeColumns();
}

QList<FigureRef> ConfigurationTable::figures() const {
    QList<FigureRef> all;
    const SearchAnswer *const answer = m_selection->answer();
    if (answer == nullptr)
        return all;
    // Every row has figures in the same columns as the best row.
    for (const LayoutRow *row : {answer->presentRow(), answer->bestRow()})
        for (std::size_t i = 0; i < layoutColumns().size() && row != nullptr; ++i)
            if (!isColumnHidden(static_cast<int>(i)))
                all << m_selection->pathOf(*row, static_cast<ColumnId>(i));
    all.removeAll(FigureRef());
    return all;
}

bool ConfigurationTable::isScaleAt(const QPoint &place) const {
    const QModelIndex index = indexAt(place);
    const auto column = static_cast<std::size_t>(std::max(0, index.column()));
    return layoutColumns()[column].figure.isEmpty() && static_cast<ColumnId>(column) != ColumnId::gain;
}

FigureRef ConfigurationTable::figureAt(const QPoint &place) const {
    return indexAt(place).data(ConfigurationTableModel::FigureRole).value<FigureRef>();
}

bool ConfigurationTable::pressActsOtherwise(const QPoint &place) const {
    return !indexAt(place).data(ConfigurationTableModel::PresentRole).toBool();
}

FigureRef ConfigurationTable::currentFigure() const {
    return currentIndex().data(ConfigurationTableModel::FigureRole).value<FigureRef>();
}

void ConfigurationTable::open(const QModelIndex &index) {
    const FigureRef figure = index.data(ConfigurationTableModel::FigureRole).value<FigureRef>();
    if (!figure.isEmpty() && index.data(ConfigurationTableModel::PresentRole).toBool())
        wantFigure(this, figure);
    else if (index.isValid())
        Q_EMIT m_selection->applyWanted(rowOf(index));
}

void ConfigurationTable::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        open(currentIndex());
    else if (event->matches(QKeySequence::Copy) && currentIndex().isValid())
        copy(rowOf(currentIndex()));
    else if (event->key() == Qt::Key_Space)
        m_selection->togglePin(rowOf(currentIndex()));
    else if (event->key() == Qt::Key_Escape && m_selection->chosen() >= 0)
        m_selection->choose(-1);
    else if (event->key() == Qt::Key_Slash)
        event->ignore(); // the view handles this key; the table would start a keyboard search
    else
        QTableView::keyPressEvent(event);
}

void ConfigurationTable::mouseMoveEvent(QMouseEvent *event) {
    m_selection->point(rowOf(indexAt(event->pos())));
    QTableView::mouseMoveEvent(event);
}

void ConfigurationTable::leaveEvent(QEvent *event) {
    m_selection->point(-1);
    QTableView::leaveEvent(event);
}

void ConfigurationTable::currentChanged(const QModelIndex &current, const QModelIndex &previous) {
    QTableView::currentChanged(current, previous);
    if (m_showing || !current.isValid())
        return;
    const QScopedValueRollback guard(m_showing, true);
    m_selection->choose(rowOf(current));
}

void ConfigurationTable::showChosen(int row) {
    if (m_showing)
        return;
    const QScopedValueRollback guard(m_showing, true);
    const QModelIndex index = row < 0 ? QModelIndex() : m_sorted->mapFromSource(m_model->index(row, 0));
    if (!index.isValid()) {
        clearSelection();
        setCurrentIndex({});
        return;
    }
    setCurrentIndex(index);
    scrollTo(index);
}

} // namespace meshwright
