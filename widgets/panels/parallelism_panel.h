// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/derivation.h"
#include "panels/plan_panel.h"
#include "search/landscape.h"

#include <QVector>

#include <optional>

class QAbstractButton;

namespace meshwright {

class DegreeRow;
class LockButton;
class SearchableCombo;
class Segmented;
class StageLayoutField;

/// How one site's accelerators share the model: degrees of parallelism, pipeline schedule, ZeRO, layers per stage.
class ParallelismPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit ParallelismPanel(QWidget *parent = nullptr);

    /// Draws the search's best step time at each value of each degree.
    void showLandscapes(const Landscapes &landscapes);
    /// Derivation of a degree's best value; empty until the search has found such a value.
    /// @param figure  such as "best_tensor"
    std::optional<Derivation> derivationOf(const QString &figure) const;

protected:
    void showFields(const PlanView &view) override;

private:
    struct Degree {
        DegreeRow *row;
        ConfigurationField field;
    };
    DegreeRow *addDegree(const QString &label, ConfigurationField field);
    void addDerive(QVBoxLayout *into);
    void addSharding();
    LockButton *addHeldRow(const QString &label, QWidget *control, const QString &pointer, ConfigurationField field,
                           const QString &tip);
    void showSchedules(const PlanView &view);
    void addFurther();
    void addLayout(QVBoxLayout *into);
    void showProduct(const PlanView &view);
    void showFurther(const PlanView &view);

    /// Declared first, because initializing the members below calls addDegree(), which appends to this list.
    QVector<Degree> m_degrees;
    QString m_schedulesOf; ///< software and schedules that the list currently shows
    DegreeRow *m_tensor;
    DegreeRow *m_context;
    DegreeRow *m_pipeline;
    DegreeRow *m_chunks;
    DegreeRow *m_expert;
    DegreeRow *m_data;
    QAbstractButton *m_derive = nullptr;
    SearchableCombo *m_schedule = nullptr;
    LockButton *m_scheduleLock = nullptr;
    LockButton *m_zeroLock = nullptr;
    Segmented *m_zero = nullptr;
    ToggleSwitch *m_sequenceParallel = nullptr;
    QWidget *m_expertTensorRow = nullptr;
    IntegerBox *m_expertTensor = nullptr;
    IntegerBox *m_group = nullptr;
    IntegerBox *m_shardGroup = nullptr;
    StageLayoutField *m_layout = nullptr;
};

} // namespace meshwright
