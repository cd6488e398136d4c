// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/latest_worker.h"
#include "search/configuration_map.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>

namespace meshwright {

using ConfigurationMapPointer = std::shared_ptr<const ConfigurationMap>;

struct MapAnswer {
    ConfigurationMapPointer map; ///< null if there is a problem
    QString problem; ///< reason why there is no map, in one line; otherwise empty
};

/// Searches the cells of a map on a worker thread and publishes each as it is found. A new question replaces the
/// previous one.
class MapRunner : public QObject {
    Q_OBJECT

public:
    explicit MapRunner(const Library &library, QObject *parent = nullptr);

    /// Does nothing if the question is already being answered or has been answered in full.
    void ask(const MapQuestion &question);
    /// Stops the search. Cells found so far stay.
    void cancel();
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    void answered(const meshwright::MapAnswer &answer);

private:
    struct Numbered {
        std::uint64_t number = 0;
        MapQuestion question;
    };
    MapAnswer answer(const Numbered &numbered, const std::stop_token &stop);

    const Library &m_library;
    std::optional<MapQuestion> m_question; ///< question that is being answered, or was answered in full
    std::uint64_t m_number = 0;
    LatestWorker<Numbered, MapAnswer> m_worker;
};

} // namespace meshwright
