// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/schedule_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace meshwright {

namespace {

struct ScheduleSentence {
    std::string_view name;
    const char *sentence;
};

/// Each sentence must fit next to the name in a list.
constexpr ScheduleSentence sentences[] = {
    {"gpipe", QT_TRANSLATE_NOOP("ScheduleNames", "all forward passes, then all backward passes")},
    {"1f1b", QT_TRANSLATE_NOOP("ScheduleNames", "one forward, one backward; at most P in flight")},
    {"interleaved", QT_TRANSLATE_NOOP("ScheduleNames", "1F1B over chunks; smaller bubble, more P2P")},
    {"looped-bfs", QT_TRANSLATE_NOOP("ScheduleNames", "breadth-first through the chunks")},
    {"zb-h1", QT_TRANSLATE_NOOP("ScheduleNames", "weight gradients fill the bubble; memory of 1F1B")},
    {"zb-h2", QT_TRANSLATE_NOOP("ScheduleNames", "near-zero bubble; twice the activations of 1F1B")},
    {"zb-1p", QT_TRANSLATE_NOOP("ScheduleNames", "weight gradients fill the bubble; P activations")},
    {"zb-2p", QT_TRANSLATE_NOOP("ScheduleNames", "weight gradients fill the bubble; 2P activations")},
    {"interleaved-zb", QT_TRANSLATE_NOOP("ScheduleNames", "interleaved; weight gradients fill the bubble")},
    {"zb-v", QT_TRANSLATE_NOOP("ScheduleNames", "two chunks in a V; near-zero bubble")},
    {"v-half", QT_TRANSLATE_NOOP("ScheduleNames", "two chunks in a V; half the activations of 1F1B")},
    {"v-min", QT_TRANSLATE_NOOP("ScheduleNames", "chunks in a V; a third of the activations of 1F1B")},
    {"dualpipe", QT_TRANSLATE_NOOP("ScheduleNames", "both directions at once; two copies of the weights")},
    {"dualpipe-v", QT_TRANSLATE_NOOP("ScheduleNames", "DualPipe cut in half; one copy of the weights")},
    {"chimera", QT_TRANSLATE_NOOP("ScheduleNames", "two pipelines in opposite directions")},
    {"seq1f1b", QT_TRANSLATE_NOOP("ScheduleNames", "1F1B over slices of each sequence")},
};

} // namespace

QStringList scheduleTexts() {
    QStringList texts;
    for (const Schedule schedule : all_schedules())
        texts.append(scheduleText(schedule));
    return texts;
}

QString scheduleText(Schedule schedule) {
    return QString::fromStdString(definition_of(schedule).title);
}

QString scheduleSentence(Schedule schedule) {
    const ScheduleDefinition &definition = definition_of(schedule);
    const auto *found = std::find_if(std::begin(sentences), std::end(sentences),
                                     [&](const ScheduleSentence &each) { return each.name == definition.name; });
    return found != std::end(sentences) ? QCoreApplication::translate("ScheduleNames", found->sentence)
                                        : QString::fromStdString(definition.source);
}

} // namespace meshwright
