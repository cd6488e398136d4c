// SPDX-License-Identifier: GPL-3.0-or-later
#include "explain/figure_list.h"

#include "explain/derivation_words.h"

#include <QCoreApplication>
#include <QSet>

#include <array>
#include <deque>

namespace meshwright {

namespace {

struct Section {
    const char *prefix;
    const char *title;
};

/// In the order in which the Plan view shows them. A result's figures are named after its sections.
constexpr std::array<Section, 8> sections{{{"verdict_", QT_TRANSLATE_NOOP("FigureList", "Memory")},
                                           {"memory_", QT_TRANSLATE_NOOP("FigureList", "Memory")},
                                           {"step_", QT_TRANSLATE_NOOP("FigureList", "One step")},
                                           {"run_", QT_TRANSLATE_NOOP("FigureList", "Run")},
                                           {"outer_", QT_TRANSLATE_NOOP("FigureList", "Between sites")},
                                           {"pipeline_", QT_TRANSLATE_NOOP("FigureList", "Pipeline")},
                                           {"flops_", QT_TRANSLATE_NOOP("FigureList", "FLOPs")},
                                           {"cluster_", QT_TRANSLATE_NOOP("FigureList", "H100-equivalents")}}};

/// Kinds of memory have the same titles in every stage.
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
    QSet<QString> seen;
    // The nearest to the root is the one that find_figure() gives.
    std::deque<const Derivation *> waiting{&tree};
    for (; !waiting.empty(); waiting.pop_front()) {
        const Derivation &node = *waiting.front();
        for (const Derivation &input : node.inputs)
            waiting.push_back(&input);
        const QString name = QString::fromStdString(node.name);
        for (std::size_t i = 0; i < sections.size(); ++i) {
            if (!name.startsWith(QLatin1String(sections[i].prefix)) || seen.contains(name))
                continue;
            seen.insert(name);
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
