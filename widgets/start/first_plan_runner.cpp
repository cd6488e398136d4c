// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/first_plan_runner.h"

namespace meshwright {

FirstPlanRunner::FirstPlanRunner(const Library &library, QObject *parent)
    : QObject(parent)
    , m_worker(
          this,
          [&library](const PlanRequest &request, const std::stop_token &stop) -> FirstPlanPointer {
              return std::make_shared<const FirstPlan>(find_first_plan(request, library, stop));
          },
          [this](const FirstPlanPointer &answer) { Q_EMIT answered(answer); }) { }

void FirstPlanRunner::ask(const PlanRequest &request) {
    if (m_asked == request)
        return;
    m_asked = request;
    m_worker.ask(request);
}

void FirstPlanRunner::cancel() {
    m_asked.reset();
    m_worker.cancel();
}

} // namespace meshwright
