// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/plan_summaries.h"

#include "catalog/library.h"
#include "catalog/model.h"
#include "catalog/weights.h"
#include "models/work_guard.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace meshwright {

namespace {

std::map<QString, double> modelSizes(const Library &library, const std::stop_token &stop) {
    std::map<QString, double> sizes;
    for (const PresetEntry &entry : library.entries()) {
        if (stop.stop_requested())
            break;
        if (entry.kind != PresetKind::model || !entry.evaluable)
            continue;
        try {
            sizes[QString::fromStdString(entry.id)] = parameters_of(*library.model(entry.id)).total;
        } catch (const std::exception &) {
            continue; // an invalid user preset has no parameter count; choosing it shows the error
        }
    }
    return sizes;
}

} // namespace

PlanSummaries::PlanSummaries(const Library &library, QObject *parent)
    : QObject(parent)
    , m_library(library) { }

template <typename Tell>
void PlanSummaries::tell(Tell what) {
    QMetaObject::invokeMethod(this, std::move(what), Qt::QueuedConnection);
}

void PlanSummaries::read(const QStringList &recentFiles) {
    if (!m_done) {
        m_waiting = recentFiles; // the files are read after the running thread ends, without blocking the window
        return;
    }
    m_done = false;
    m_thread =
        std::jthread([this, recentFiles, presets = !std::exchange(m_presetsRead, true)](const std::stop_token &stop) {
            guarded([&] { work(recentFiles, presets, stop); });
            tell([this] { goOn(); });
        });
}

void PlanSummaries::goOn() {
    m_done = true;
    if (const std::optional<QStringList> next = std::exchange(m_waiting, std::nullopt))
        read(*next);
    else
        Q_EMIT done();
}

void PlanSummaries::work(const QStringList &recentFiles, bool presets, const std::stop_token &stop) {
    QVector<RecentPlan> recent;
    for (const QString &path : recentFiles)
        if (!stop.stop_requested())
            recent.append(recentPlanOf(path, m_library));
    tell([this, recent] { Q_EMIT recentRead(recent); });
    if (presets) {
        tell([this, sizes = modelSizes(m_library, stop)] { Q_EMIT modelSizesRead(sizes); });
        for (const PresetEntry &entry : m_library.entries()) {
            if (stop.stop_requested())
                return;
            if (entry.kind != PresetKind::plan || !entry.evaluable)
                continue;
            try {
                tell([this,
                      summary = summaryOf(QString::fromStdString(entry.id), m_library.json(PresetKind::plan, entry.id),
                                          m_library)] { Q_EMIT summarised(summary); });
            } catch (const std::exception &) {
                continue; // the card of an invalid plan shows the name alone; opening it shows the error
            }
        }
    }
}

} // namespace meshwright
