// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canvases/stacked_bars_view.h"

#include <QDateTime>
#include <QString>
#include <QVector>

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace meshwright {

class Library;
struct Plan;

/// What a card of the gallery says of a plan, and draws.
struct PlanSummary {
    QString id;
    QString name;
    QString model; ///< "405.9 B", "671 B, 37 B active"
    QString hardware; ///< "16,384 H100", "72 sites of 16 GH200"
    bool fits = true;
    double mfu = 0; ///< predicted
    std::optional<double> reportedMfu; ///< by its makers
    QVector<QVector<StackedSegment>> stages; ///< memory of each stage by kind; of many stages, some in even steps
    double capacityBytes = 0;
    QVector<StackedSegment> step; ///< its terms
};

/// Stages that a picture of a card shows at most.
inline constexpr int maxPicturedStages = 16;

QString modelSizeText(const Plan &plan);
QString hardwareText(const Plan &plan);

/// @throws InputError where the document is no valid plan
PlanSummary summaryOf(const QString &id, const nlohmann::ordered_json &document, const Library &library);

/// A plan file that was open before.
struct RecentPlan {
    QString path;
    bool exists = true; ///< false: the file is gone, or reads no more
    QString name; ///< of the plan; of the file where it does not read
    QString model;
    QString hardware;
    QDateTime changed;
};

/// Never throws on what the file holds.
RecentPlan recentPlanOf(const QString &path, const Library &library);

} // namespace meshwright
