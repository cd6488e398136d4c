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

/// How the model is laid over one site's accelerators.
class ParallelismPanel : public PlanPanel {
    Q_OBJECT

public:
    explicit ParallelismPanel(QWidget *parent = nullptr);

    /// What the search has found at each value of the degrees.
    void showLandscapes(const Landscapes &landscapes);
    /// How the best value of a degree comes about; nothing where the search has found none.
    /// @param figure  "best_tensor"
    std::optional<Derivation> derivationOf(const QString &figure) const;

protected:
    void showFields(const PlanView &view) override;

private:
    struct Degree {
        DegreeRow *row;
        LayoutField field;
    };
    DegreeRow *addDegree(const QString &label, LayoutField field);
    void addDerive(QVBoxLayout *into);
    void addSharding();
    LockButton *addHeldRow(const QString &label, QWidget *control, const QString &pointer, LayoutField field);
    void showSchedules(const PlanView &view);
    void addFurther();
    void addLayout(QVBoxLayout *into);
    void showProduct(const PlanView &view);
    void showFurther(const PlanView &view);

    QVector<Degree> m_degrees; ///< first: rows are added to it
    QString m_schedulesOf; ///< the software that the choices of schedules were listed for
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
