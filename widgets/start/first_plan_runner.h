// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "search/first_plan.h"

#include <QObject>

#include <memory>

namespace meshwright {

using FirstPlanPointer = std::shared_ptr<const FirstPlan>;

/// Finds the best plan for a request on a worker thread. A new request replaces the old one.
class FirstPlanRunner : public QObject {
    Q_OBJECT

public:
    explicit FirstPlanRunner(const Library &library, QObject *parent = nullptr);

    void ask(const PlanRequest &request);
    void cancel();
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    void answered(const meshwright::FirstPlanPointer &answer);

private:
    std::optional<PlanRequest> m_asked;
    LatestWorker<PlanRequest, FirstPlanPointer> m_worker;
};

} // namespace meshwright
