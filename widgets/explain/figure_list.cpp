// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_list.h"

#include "explain/derivation_text.h"

#include <QCoreApplication>

#include <array>

namespace meshwright {

namespace {

struct Section {
    const char *prefix;
    const char *title;
};

/// Sections in the order of the Plan view. A figure's name starts with its section of the result.
constexpr std::array<Section, 11> sections{{{"verdict_", QT_TRANSLATE_NOOP("FigureList", "Memory")},
                                            {"memory_", QT_TRANSLATE_NOOP("FigureList", "Memory")},
                                            {"step_", QT_TRANSLATE_NOOP("FigureList", "Step time")},
                                            {"run_", QT_TRANSLATE_NOOP("FigureList", "Run")},
                                            {"outer_", QT_TRANSLATE_NOOP("FigureList", "DiLoCo")},
                                            {"pipeline_", QT_TRANSLATE_NOOP("FigureList", "Pipeline")},
                                            {"parameters_", QT_TRANSLATE_NOOP("FigureList", "Parameters")},
                                            {"flops_", QT_TRANSLATE_NOOP("FigureList", "FLOPs")},
                                            {"cluster_", QT_TRANSLATE_NOOP("FigureList", "H100-equivalents")},
                                            {"published_", QT_TRANSLATE_NOOP("FigureList", "Published")},
                                            {"curves_", QT_TRANSLATE_NOOP("FigureList", "Training curves")}}};

/// Adds the stage number, because kinds of memory have the same titles in every stage.
QString figureTitle(const Derivation &node) {
    constexpr QLatin1String stages("memory_stages_");
    const QString name = QString::fromStdString(node.name);
    if (!name.startsWith(stages))
        return titleOf(node);
    const QString number = name.mid(stages.size()).section(QLatin1Char('_'), 0, 0);
    return QCoreApplication::translate("FigureList", "Stage %1: %2").arg(number, QString::fromStdString(node.title));
}

} // namespace

QVector<ComboItem> figuresOf(const Derivation &tree) {
    std::array<QVector<ComboItem>, sections.size()> found;
    for (const Derivation &node : tree.inputs) {
        const QString name = QString::fromStdString(node.name);
        for (std::size_t i = 0; i < sections.size(); ++i) {
            if (!name.startsWith(QLatin1String(sections[i].prefix)))
                continue;
            found[i].append({name, figureTitle(node), valueTextOf(node),
                             QCoreApplication::translate("FigureList", sections[i].title)});
        }
    }
    QVector<ComboItem> all;
    for (const QVector<ComboItem> &section : found)
        all += section;
    return all;
}

} // namespace meshwright
