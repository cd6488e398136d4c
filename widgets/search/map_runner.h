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
    ConfigurationMapPointer map; ///< null where there is a problem
    QString problem; ///< one line
};

/// Searches the cells of a map on a thread of its own, and tells of each as it is found. The latest question wins.
class MapRunner : public QObject {
    Q_OBJECT

public:
    explicit MapRunner(const Library &library, QObject *parent = nullptr);

    /// Asking what is being answered, or has been answered in full, changes nothing.
    void ask(const MapQuestion &question);
    /// Stops what runs; the cells found so far stay.
    void cancel();
    bool isBusy() const { return m_worker.isBusy(); }

Q_SIGNALS:
    /// In the thread that this object lives in: with every cell, and at the end.
    void answered(const meshwright::MapAnswer &answer);

private:
    struct Numbered {
        std::uint64_t number = 0;
        MapQuestion question;
    };
    MapAnswer answer(const Numbered &numbered, const std::stop_token &stop);

    const Library &m_library;
    std::optional<MapQuestion> m_question; ///< of the answer that is on its way or complete
    std::uint64_t m_number = 0;
    LatestWorker<Numbered, MapAnswer> m_worker;
};

} // namespace meshwright
