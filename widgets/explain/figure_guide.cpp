// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_guide.h"

#include "explain/derivation_text.h"
#include "explain/figure_book.h"
#include "figures/figure_event.h"
#include "figures/figure_source.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QWidget>

namespace meshwright {

namespace {

constexpr std::size_t maxInputs = 9;
constexpr int longestLine = 160; ///< longer lines are cut; the opened derivation shows them in full

QString shortened(const QString &line) {
    return line.size() <= longestLine ? line : line.left(longestLine - 1) + QChar(0x2026);
}

/// The widget itself, or the scroll area whose viewport it is.
FigureSource *sourceOf(QObject *object) {
    if (auto *source = dynamic_cast<FigureSource *>(object))
        return source;
    return object->parent() != nullptr && object->isWidgetType() ? dynamic_cast<FigureSource *>(object->parent())
                                                                 : nullptr;
}

} // namespace

QString formulaLinesOf(const Derivation &node) {
    if (node.formula.empty())
        return shortened(QString::fromStdString(node.source));
    return QStringLiteral("= %1\n= %2").arg(shortened(formulaLineOf(node)), shortened(numbersLineOf(node)));
}

HoverContent firstLevelOf(const Derivation &node) {
    HoverContent content{.title = titleOf(node), .swatch = {}, .rows = {}, .footnote = formulaLinesOf(node)};
    content.rows.append({originTextOf(node), valueTextOf(node)});
    for (std::size_t i = 0; i < node.inputs.size() && i < maxInputs; ++i)
        content.rows.append({titleOf(node.inputs[i]), valueTextOf(node.inputs[i])});
    if (node.inputs.size() > maxInputs)
        content.rows.append({FigureGuide::tr("More inputs"), QString::number(node.inputs.size() - maxInputs)});
    return content;
}

FigureGuide::FigureGuide(FigureBook &book, QWidget *window)
    : QObject(window)
    , m_book(book)
    , m_window(window) {
    qApp->installEventFilter(this);
    connect(&m_book, &FigureBook::explained, this, &FigureGuide::showAwaited);
}

QString FigureGuide::linesFor(const FigureRef &figure) {
    const FigureBook::Found found = m_book.find(figure);
    return found ? formulaLinesOf(*found.figure) : QString();
}

bool FigureGuide::showFirstLevel(QWidget *widget, const QPoint &place) {
    const FigureSource *source = sourceOf(widget);
    if (source == nullptr || source->hasOwnHover(place))
        return false;
    const FigureRef figure = source->figureAt(place);
    const FigureBook::Found found = m_book.find(figure);
    if (!found) {
        m_awaiting = !figure.isEmpty() && m_book.isPending(figure) ? widget : nullptr;
        m_place = place;
        return m_awaiting != nullptr;
    }
    m_awaiting = nullptr;
    HoverContent content = firstLevelOf(*found.figure);
    if (!widget->toolTip().isEmpty())
        content.footnote += QLatin1Char('\n') + widget->toolTip();
    if (source->pressActsOtherwise(place))
        content.footnote += QLatin1Char('\n') + tr("Press F1 or right-click to open");
    m_card.show(widget, place, content);
    return true;
}

void FigureGuide::showAwaited() {
    if (m_awaiting != nullptr && m_awaiting->isVisible())
        showFirstLevel(m_awaiting, m_place);
}

void FigureGuide::open(const FigureTarget &target) {
    if (const auto *const field = std::get_if<PlanField>(&target))
        Q_EMIT fieldWanted(field->pointer);
    else
        Q_EMIT figureWanted(figureOf(target));
}

QMenu *FigureGuide::newMenu(const FigureTarget &target) {
    auto *menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("figureMenu"));
    const bool isField = std::holds_alternative<PlanField>(target);
    QAction *explain = menu->addAction(isField ? tr("Go to this field") : tr("Explain this number"));
    explain->setShortcut(Qt::Key_F1);
    explain->setShortcutContext(Qt::WidgetShortcut); // only shown in the menu; eventFilter() handles F1
    connect(explain, &QAction::triggered, this, [this, target] { open(target); });
    const FigureBook::Found found = m_book.find(figureOf(target));
    if (!found)
        return menu;
    const auto offer = [&](const QString &title, CopyFormat format) {
        connect(menu->addAction(title), &QAction::triggered, this,
                [text = copyOf(*found.figure, format)] { QGuiApplication::clipboard()->setText(text); });
    };
    menu->addSeparator();
    offer(tr("Copy as text"), CopyFormat::Text);
    offer(tr("Copy as Markdown"), CopyFormat::Markdown);
    offer(tr("Copy as LaTeX"), CopyFormat::Latex);
    return menu;
}

bool FigureGuide::showMenu(QWidget *widget, const QContextMenuEvent &event) {
    const FigureSource *source = sourceOf(widget);
    if (source == nullptr)
        return false;
    // A widget with its own context menu offers the derivation there.
    const auto *own = dynamic_cast<const QWidget *>(source);
    if (own != nullptr && own->contextMenuPolicy() == Qt::CustomContextMenu)
        return false;
    const bool byKey = event.reason() == QContextMenuEvent::Keyboard;
    const FigureTarget target = byKey ? source->currentTarget() : source->targetAt(event.pos());
    if (!opens(target))
        return false;
    m_card.hide();
    QMenu *menu = newMenu(target);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event.globalPos());
    return true;
}

bool FigureGuide::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == FigureWantedEvent::wanted()) {
        const auto *widget = qobject_cast<QWidget *>(watched);
        if (widget == nullptr || widget->window() != m_window)
            return false;
        open(static_cast<FigureWantedEvent *>(event)->target());
        return true;
    }
    switch (event->type()) {
    case QEvent::ToolTip:
        if (auto *widget = qobject_cast<QWidget *>(watched); widget != nullptr && widget->window() == m_window)
            return showFirstLevel(widget, static_cast<QHelpEvent *>(event)->pos());
        return false;
    case QEvent::ContextMenu: {
        auto *widget = qobject_cast<QWidget *>(watched);
        return widget != nullptr && widget->window() == m_window
            && showMenu(widget, *static_cast<QContextMenuEvent *>(event));
    }
    case QEvent::Leave:
    case QEvent::Wheel:
    case QEvent::MouseButtonPress:
    case QEvent::WindowDeactivate:
        m_awaiting = nullptr;
        m_card.hide();
        return false;
    case QEvent::KeyPress: {
        m_awaiting = nullptr;
        m_card.hide();
        const FigureSource *source = static_cast<QKeyEvent *>(event)->key() == Qt::Key_F1 ? sourceOf(watched) : nullptr;
        const FigureTarget target = source != nullptr ? source->currentTarget() : FigureTarget();
        if (!opens(target))
            return false;
        open(target);
        return true;
    }
    default:
        return false;
    }
}

} // namespace meshwright
