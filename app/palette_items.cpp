// SPDX-License-Identifier: GPL-3.0-or-later
#include "palette_items.h"

#include "calculators/calculator_card.h"
#include "catalog/own_presets.h"
#include "evaluate/run_curves.h"
#include "formulas/formula.h"
#include "glossary/glossary_card.h"
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

/// The action's text without its mnemonic and ellipsis.
QString plainTitle(const QAction &action) {
    QString text = action.text();
    text.replace(QStringLiteral("&&"), QStringLiteral("\x01"));
    text.remove(QLatin1Char('&'));
    return text.replace(QLatin1Char('\x01'), QLatin1Char('&')).remove(QStringLiteral(" …"));
}

QString presetGroup(PresetKind kind) {
    switch (kind) {
    case PresetKind::model:
        return tr("Models");
    case PresetKind::accelerator:
        return tr("Accelerators");
    case PresetKind::cluster:
        return tr("Clusters");
    case PresetKind::stack:
        return tr("Software");
    case PresetKind::plan:
        break;
    }
    return tr("Plans");
}

QString presetIcon(PresetKind kind) {
    switch (kind) {
    case PresetKind::model:
        return QStringLiteral("cube");
    case PresetKind::accelerator:
        return QStringLiteral("chip");
    case PresetKind::cluster:
        return QStringLiteral("sites");
    case PresetKind::stack:
        return QStringLiteral("layers");
    case PresetKind::plan:
        break;
    }
    return QStringLiteral("plan");
}

bool isPresent(PresetKind kind, const std::string &id, const Plan &shown) {
    switch (kind) {
    case PresetKind::model:
        return id == shown.model_id;
    case PresetKind::accelerator:
        return id == shown.cluster.accelerator_id;
    case PresetKind::cluster:
        return id == shown.cluster_id;
    case PresetKind::stack:
        return id == shown.stack_id;
    case PresetKind::plan:
        break;
    }
    return false;
}

QStringList otherNames(const QString &title) {
    static const std::vector<std::pair<QString, QStringList>> names{
        {tr("Undo"), {tr("revert"), tr("back")}},
        {tr("Save As"), {tr("rename"), tr("duplicate"), tr("copy")}},
        {tr("Quit"), {tr("exit"), tr("close")}},
        {tr("Set a Goal"), {tr("target"), tr("deadline"), tr("budget"), tr("seek"), tr("what would it take")}},
        {tr("Smallest Changes That Fit"), {tr("fit"), tr("out of memory"), tr("oom")}},
        {tr("Reset Layout"), {tr("window layout"), tr("docks"), tr("panels")}},
        {tr("Keyboard Shortcuts"), {tr("keys"), tr("hotkeys"), tr("help")}},
        {tr("Light"), {tr("theme"), tr("colours"), tr("colors")}},
        {tr("Dark"), {tr("theme"), tr("night")}},
        {tr("About Meshwright"), {tr("version"), tr("licence"), tr("license")}},
    };
    for (const auto &[own, others] : names)
        if (title.startsWith(own))
            return others;
    return {};
}

PaletteItem itemOf(QAction *action, const QString &group, const QString &icon) {
    const QPointer<QAction> kept(action);
    return {.group = group,
            .title = plainTitle(*action),
            .detail = action->shortcut().toString(QKeySequence::NativeText),
            .names = otherNames(plainTitle(*action)),
            .kind = PaletteKind::command,
            .icon = icon,
            .run = [kept] {
                if (kept)
                    kept->trigger();
            }};
}

void collect(const QMenu &menu, const QList<QAction *> &others, QVector<PaletteItem> &items) {
    for (QAction *action : menu.actions()) {
        if (action->menu() != nullptr) {
            if (qobject_cast<PresetMenu *>(action->menu()) == nullptr)
                collect(*action->menu(), others, items);
        } else if (!action->isSeparator() && action->isEnabled() && action->isVisible() && !others.contains(action)) {
            items.append(itemOf(action, tr("Actions"), QStringLiteral("arrow")));
            items.last().words = plainTitle(*menu.menuAction());
        }
    }
}

/// Preview of a formula's calculator, filled with the plan's values where available. Values typed into it are passed to
/// the view.
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
    for (PaletteItem &item : items)
        item.kind = PaletteKind::place;
    return items;
}

QVector<PaletteItem> fieldItems(const QVector<PanelColumn::Field> &fields, const PaletteWays &ways) {
    QVector<PaletteItem> items;
    for (const PanelColumn::Field &field : fields)
        items.append(
            {.group = tr("Fields of this plan"),
             .title = field.name,
             .value = field.value,
             .detail = field.section,
             .words = field.pointer,
             .names = {field.pointer.section(QLatin1Char('/'), -1).replace(QLatin1Char('_'), QLatin1Char(' '))},
             .kind = PaletteKind::field,
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

QVector<PaletteItem> termItems(const PaletteWays &ways) {
    QVector<PaletteItem> items;
    for (const GlossaryTerm &term : Glossary::standard().terms()) {
        QStringList names;
        for (const std::string &alias : term.aliases)
            names << qt(alias);
        items.append({.group = tr("Glossary"),
                      .title = qt(term.term),
                      .detail = names.isEmpty() ? QString() : names.first(),
                      .names = names,
                      .kind = PaletteKind::definition,
                      .icon = QStringLiteral("book"),
                      .run = [show = ways.showTerm, id = qt(term.id)] { show(id); },
                      .preview =
                          [&term](QWidget *parent) {
                              auto *card = new GlossaryCard(parent);
                              card->setContentsMargins(16, 16, 16, 16);
                              card->showTerm(term);
                              return card;
                          }});
    }
    return items;
}

QVector<PaletteItem> presetItems(const Library &library, const Plan &shown, const PaletteWays &ways) {
    QVector<PaletteItem> items;
    for (const PresetEntry &entry : library.entries()) {
        if (!entry.evaluable)
            continue;
        const QString id = QString::fromStdString(entry.id);
        const PresetKind kind = entry.kind;
        const bool isPlan = kind == PresetKind::plan;
        const bool present = isPresent(kind, entry.id, shown);
        PaletteItem item{.group = presetGroup(kind),
                         .title = QString::fromStdString(listed_name(entry, library)),
                         .value = {},
                         .detail = present ? tr("in this plan")
                             : isPlan      ? tr("open")
                                           : tr("use in this plan"),
                         .words = (id.split(QLatin1Char('-')) << id).join(QLatin1Char('\n')),
                         .kind = PaletteKind::preset,
                         .icon = presetIcon(kind)};
        if (isPlan)
            item.run = [open = ways.openPreset, id] { open(id); };
        else
            item.run = [use = ways.usePreset, kind, id] { use(kind, id); };
        items.append(std::move(item));
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
