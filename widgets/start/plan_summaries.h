// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "start/plan_summary.h"

#include <QObject>
#include <QStringList>

#include <map>
#include <optional>
#include <thread>

namespace meshwright {

/// Reads recent plans, sizes of models and summaries of published runs on a thread of its own, in this order, and tells
/// of each as it is known, so that the window is there before any preset has been evaluated.
class PlanSummaries : public QObject {
    Q_OBJECT

public:
    explicit PlanSummaries(const Library &library, QObject *parent = nullptr);

    /// Recent files are read each time; the rest once.
    void read(const QStringList &recentFiles);
    /// Everything that was asked for is known.
    bool isDone() const { return m_done; }

Q_SIGNALS:
    void recentRead(const QVector<meshwright::RecentPlan> &plans);
    /// By the model's id, parameters in all.
    void modelSizesRead(const std::map<QString, double> &sizes);
    void summarised(const meshwright::PlanSummary &summary);
    void done();

private:
    void work(const QStringList &recentFiles, bool presets, const std::stop_token &stop);
    void goOn();
    template <typename Tell>
    void tell(Tell what);

    const Library &m_library;
    bool m_presetsRead = false;
    bool m_done = true;
    std::optional<QStringList> m_waiting; ///< recent files that are read next
    std::jthread m_thread; ///< last: it must end before anything above goes
};

} // namespace meshwright
