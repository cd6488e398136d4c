// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "search/first_plan.h"

#include <QObject>

#include <memory>

namespace meshwright {

using FirstPlanPointer = std::shared_ptr<const FirstPlan>;

/// Finds the best plan of a request on a thread of its own. The latest request wins.
class FirstPlanRunner : public QObject {
    Q_OBJECT

public:
    explicit FirstPlanRunner(const Library &library, QObject *parent = nullptr);

    /// Asking what is being answered, or has been answered, changes nothing.
    void ask(const PlanRequest &request);
    void cancel();
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    /// In the thread that this object lives in.
    void answered(const meshwright::FirstPlanPointer &answer);

private:
    std::optional<PlanRequest> m_asked;
    LatestWorker<PlanRequest, FirstPlanPointer> m_worker;
};

} // namespace meshwright
