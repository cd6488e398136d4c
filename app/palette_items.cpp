// SPDX-License-Identifier: GPL-3.0-or-later
#include "palette_items.h"

#include "calculators/calculator_card.h"
#include "catalog/library.h"
#include "evaluate/run_curves.h"
#include "formulas/formula.h"
#include "preset_menu.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QStringList>

#include <memory>

namespace meshwright {

namespace {

QString tr(const char *text) {
    return QCoreApplication::translate("PaletteItems", text);
}

QString qt(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Without the mark of the mnemonic and the dots that say that it will ask.
QString plainTitle(const QAction &action) {
    QString text = action.text();
    text.replace(QStringLiteral("&&"), QStringLiteral("\x01"));
    text.remove(QLatin1Char('&'));
    return text.replace(QLatin1Char('\x01'), QLatin1Char('&')).remove(QStringLiteral(" …"));
}

PaletteItem itemOf(QAction *action, const QString &group, const QString &icon) {
    const QPointer<QAction> kept(action);
    return {.group = group,
            .title = plainTitle(*action),
            .detail = action->shortcut().toString(QKeySequence::NativeText),
            .words = {},
            .icon = icon,
            .run = [kept] {
                if (kept)
                    kept->trigger();
            }};
}

void collect(const QMenu &menu, const QList<QAction *> &others, QVector<PaletteItem> &items) {
    for (QAction *action : menu.actions()) {
        if (action->menu() != nullptr) {
            // Plans are a group of their own.
            if (qobject_cast<PresetMenu *>(action->menu()) == nullptr)
                collect(*action->menu(), others, items);
        } else if (!action->isSeparator() && action->isEnabled() && action->isVisible() && !others.contains(action)) {
            items.append(itemOf(action, tr("Actions"), QStringLiteral("arrow")));
            items.last().words = plainTitle(*menu.menuAction());
        }
    }
}

/// A formula's calculator, with the plan's values where it has any. What was typed in it goes along to the view.
class FormulaPreview {
public:
    FormulaPreview(const Formula &formula, const PaletteWays &ways)
        : m_formula(formula)
        , m_ways(ways) { }

    QWidget *make(QWidget *parent) {
        auto *card = new CalculatorCard(m_formula, parent);
        card->keepOpen();
        card->setPlanQuestion(m_ways.planValues);
        card->takePlanValues();
        m_card = card;
        m_before = card->calculator().texts();
        return card;
    }
    void open() const {
        const bool edited = m_card && m_card->calculator().texts() != m_before;
        m_ways.openFormula(qt(m_formula.id), edited ? m_card->calculator().texts() : ArgumentTexts());
    }

private:
    const Formula &m_formula;
    PaletteWays m_ways;
    QPointer<CalculatorCard> m_card;
    ArgumentTexts m_before;
};

} // namespace

QVector<PaletteItem> formulaItems(const PaletteWays &ways) {
    QVector<PaletteItem> items;
    for (const Formula &formula : formulas()) {
        QStringList words{qt(formula.id), qt(formula.topic)};
        for (const Symbol &symbol : formula.symbols)
            words << qt(symbol.name) << qt(symbol.letter) << qt(symbol.meaning);
        for (const FormulaResult &result : formula.results)
            words << qt(result.name) << qt(result.letter) << qt(result.meaning);
        const auto preview = std::make_shared<FormulaPreview>(formula, ways);
        items.append({.group = tr("Formulas"),
                      .title = qt(formula.title),
                      .detail = qt(formula.topic),
                      .words = words.join(QLatin1Char('\n')),
                      .icon = QStringLiteral("calc"),
                      .run = [preview] { preview->open(); },
                      .preview = [preview](QWidget *parent) { return preview->make(parent); }});
    }
    return items;
}

QVector<PaletteItem> viewItems(const QList<QAction *> &views) {
    QVector<PaletteItem> items;
    for (QAction *view : views)
        items.append(itemOf(view, tr("Views"), QStringLiteral("layers")));
    return items;
}

QVector<PaletteItem> fieldItems(const QVector<PanelColumn::Field> &fields, const PaletteWays &ways) {
    QVector<PaletteItem> items;
    for (const PanelColumn::Field &field : fields)
        items.append({.group = tr("Fields of this plan"),
                      .title = field.name,
                      .detail = field.section,
                      .words = field.pointer,
                      .icon = QStringLiteral("settings"),
                      .run = [show = ways.showField, pointer = field.pointer] { show(pointer); }});
    return items;
}

QVector<PaletteItem> curveItems(const Result &result, const PaletteWays &ways) {
    QVector<PaletteItem> items;
    for (const RunCurve &curve : run_curves(result)) {
        QStringList words{tr("Curves of the run")};
        for (const CurveSeries &series : curve.series)
            words << QString::fromStdString(series.name) << QString::fromStdString(series.formula);
        items.append({.group = tr("Curves"),
                      .title = QString::fromStdString(curve.title),
                      .detail = tr("Curves of the run"),
                      .words = words.join(QLatin1Char('\n')),
                      .icon = QStringLiteral("evidence"),
                      .run = [show = ways.showCurve, id = QString::fromStdString(curve.id)] { show(id); }});
    }
    return items;
}

QVector<PaletteItem> presetItems(const Library &library, const PaletteWays &ways) {
    QVector<PaletteItem> items;
    for (const PresetEntry &entry : library.entries()) {
        if (entry.kind != PresetKind::plan || !entry.evaluable)
            continue;
        const QString id = QString::fromStdString(entry.id);
        items.append({.group = tr("Plans"),
                      .title = QString::fromStdString(entry.name),
                      .detail = {},
                      .words = id,
                      .icon = QStringLiteral("plan"),
                      .run = [open = ways.openPreset, id] { open(id); }});
    }
    return items;
}

QVector<PaletteItem> actionItems(const QMenuBar &menus, const QList<QAction *> &others) {
    QVector<PaletteItem> items;
    for (const QAction *top : menus.actions())
        if (top->menu() != nullptr)
            collect(*top->menu(), others, items);
    return items;
}

} // namespace meshwright
