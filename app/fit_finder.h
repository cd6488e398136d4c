// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input/diagnostic.h"
#include "plan/plan.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>
#include <stop_token>

namespace meshwright {

/// Looks for the smallest change that makes a plan fit, on another thread. A newer request or cancel() stops it.
class FitFinder : public QObject {
    Q_OBJECT

public:
    explicit FitFinder(QObject *parent = nullptr);
    ~FitFinder() override;

    void find(const Plan &plan);
    void cancel();
    bool isSearching() const { return m_searching; }

Q_SIGNALS:
    void searchingChanged(bool searching);
    void found(const meshwright::Fix &fix);
    /// Nothing that was tried fits.
    void foundNothing();

private:
    using Answer = std::optional<Fix>;
    void finish();
    void setSearching(bool searching);

    QFutureWatcher<Answer> m_watcher;
    std::stop_source m_stop;
    bool m_searching = false;
};

} // namespace meshwright
