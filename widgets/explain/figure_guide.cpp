// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_guide.h"

#include "explain/derivation_text.h"
#include "explain/figure_book.h"
#include "figures/field_mark.h"
#include "figures/figure_event.h"
#include "figures/figure_source.h"
#include "glossary/glossary.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCursor>
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

/// The widget itself, or the scroll area around a viewport.
FigureSource *sourceOf(QObject *object) {
    if (auto *source = dynamic_cast<FigureSource *>(object))
        return source;
    return object->parent() != nullptr && object->isWidgetType() ? dynamic_cast<FigureSource *>(object->parent())
                                                                 : nullptr;
}

} // namespace

QString formulaLinesOf(const Derivation &node) {
    if (!hasFormula(node))
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
    const FigureTarget target = source->targetAt(place);
    if (const auto *const term = std::get_if<TermRef>(&target))
        return showDefinition(widget, place, term->id);
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
        content.footnote += QLatin1Char('\n') + tr("Press F1 or right-click to open the derivation");
    m_card.show(widget, place, content);
    return true;
}

bool FigureGuide::showDefinition(QWidget *widget, const QPoint &place, const QString &id) {
    m_awaiting = nullptr;
    const GlossaryTerm *const term = Glossary::standard().find(id.toStdString());
    if (term == nullptr)
        return false;
    m_card.show(widget, place,
                {.title = QString::fromStdString(term->term),
                 .swatch = {},
                 .rows = {},
                 .footnote = QString::fromStdString(term->definition)});
    return true;
}

void FigureGuide::showAwaited() {
    if (m_awaiting != nullptr && m_awaiting->isVisible())
        showFirstLevel(m_awaiting, m_place);
}

/// The focused field takes precedence over the field under the pointer, whose label cannot have the focus.
bool FigureGuide::explainField(QWidget *widget) {
    QWidget *field = widget->window() == m_window ? markedField(widget) : nullptr;
    if (QWidget *pointed = QApplication::widgetAt(QCursor::pos());
        field == nullptr && pointed != nullptr && pointed->window() == m_window && widget->window() == m_window)
        field = markedField(pointed);
    const GlossaryTerm *const term =
        field == nullptr ? nullptr : Glossary::standard().of_field(fieldOf(field).toStdString());
    if (term == nullptr)
        return false;
    open(TermRef(QString::fromStdString(term->id)), field);
    return true;
}

void FigureGuide::open(const FigureTarget &target, QWidget *from, const QRect &area) {
    if (const auto *const field = std::get_if<PlanField>(&target))
        Q_EMIT fieldWanted(field->pointer);
    else if (const auto *const term = std::get_if<TermRef>(&target))
        Q_EMIT termWanted(term->id, from, area.isEmpty() ? from->rect() : area);
    else
        Q_EMIT figureWanted(figureOf(target));
}

QMenu *FigureGuide::newMenu(const FigureTarget &target, QWidget *from) {
    auto *menu = new QMenu(m_window);
    menu->setObjectName(QStringLiteral("figureMenu"));
    const QString opening = std::holds_alternative<PlanField>(target) ? tr("Go to this field")
        : std::holds_alternative<TermRef>(target)                     ? tr("Show definition")
                                                                      : tr("Explain this number");
    QAction *explain = menu->addAction(opening);
    explain->setShortcut(Qt::Key_F1);
    explain->setShortcutContext(Qt::WidgetShortcut); // only shown in the menu; eventFilter() handles F1
    connect(explain, &QAction::triggered, from, [this, target, from] { open(target, from); });
    const FigureBook::Found found = m_book.find(figureOf(target));
    if (!found)
        return menu;
    const auto offer = [&](const QString &title, CopyFormat format) {
        connect(menu->addAction(title), &QAction::triggered, this,
                [text = copyOf(*found.figure, format, found.paragraphOf(*found.figure))] {
                    QGuiApplication::clipboard()->setText(text);
                });
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
    QMenu *menu = newMenu(target, widget);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(event.globalPos());
    return true;
}

bool FigureGuide::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == FigureWantedEvent::wanted()) {
        auto *widget = qobject_cast<QWidget *>(watched);
        if (widget == nullptr || widget->window() != m_window)
            return false;
        const auto *wanted = static_cast<FigureWantedEvent *>(event);
        open(wanted->target(), widget, wanted->area());
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
        auto *widget = qobject_cast<QWidget *>(watched);
        if (widget == nullptr || static_cast<QKeyEvent *>(event)->key() != Qt::Key_F1)
            return false;
        const FigureSource *source = sourceOf(widget);
        const FigureTarget target = source != nullptr ? source->currentTarget() : FigureTarget();
        if (!opens(target))
            return explainField(widget);
        if (std::holds_alternative<TermRef>(target))
            wantFigure(widget, target); // a dialog or popup shows the definition itself
        else
            open(target, widget);
        return true;
    }
    default:
        return false;
    }
}

} // namespace meshwright
