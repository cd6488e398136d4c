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

struct PlanSummary {
    QString id;
    QString name;
    QString model; ///< "405.9B", "671B, 37B active"
    QString hardware; ///< "16,384 H100", "72 sites of 16 GH200"
    bool fits = true;
    double mfu = 0;
    std::optional<double> reportedMfu; ///< MFU reported by the authors of the run
    QVector<QVector<StackedSegment>> stages; ///< memory by stage and kind; evenly spaced stages if there are many
    double capacityBytes = 0;
    QVector<StackedSegment> step;
};

/// Maximum number of stages that a card's picture shows.
inline constexpr int maxPicturedStages = 16;

QString modelSizeText(const Plan &plan);
QString hardwareText(const Plan &plan);

/// @throws InputError if the document is not a valid plan
PlanSummary summaryOf(const QString &id, const nlohmann::ordered_json &document, const Library &library);

struct RecentPlan {
    QString path;
    bool exists = true; ///< false if the file is gone or can no longer be read
    QString name; ///< name of the plan, or of the file if it cannot be read
    QString model;
    QString hardware;
    QDateTime changed;
};

/// Never throws, regardless of the file's content.
RecentPlan recentPlanOf(const QString &path, const Library &library);

} // namespace meshwright
