// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "start/plan_summary.h"

#include <QObject>
#include <QStringList>

#include <map>
#include <optional>
#include <thread>

namespace meshwright {

/// Reads recent plans, model sizes and summaries of published runs, in this order, on a worker thread. Each is
/// published at once, so that the window appears before any preset has been evaluated.
class PlanSummaries : public QObject {
    Q_OBJECT

public:
    explicit PlanSummaries(const Library &library, QObject *parent = nullptr);

    /// Reads the recent files on every call, everything else only once.
    void read(const QStringList &recentFiles);
    bool isDone() const { return m_done; }

Q_SIGNALS:
    void recentRead(const QVector<meshwright::RecentPlan> &plans);
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
    std::optional<QStringList> m_waiting;
    std::jthread m_thread; ///< last member, so that it ends before the other members are destroyed
};

} // namespace meshwright
