// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_table.h"

#include "catalog/library.h"
#include "catalog/preset_file.h"
#include "input/diagnostic.h"
#include "input/files.h"
#include "threads/for_each_index.h"

#include <utility>

namespace meshwright {

EvidenceTable evidence_table(std::vector<MeasuredRun> runs, const RunRules &rules, const Library &library) {
    EvidenceTable table{.runs = std::move(runs), .plans = {}, .features = {}};
    table.plans = plans_of(table.runs, rules, library);
    table.features.resize(table.plans.size());
    for_each_index(table.plans.size(), [&](std::size_t i) {
        if (table.plans[i].skipped.empty())
            table.features[i] = features_of(table.plans[i].plan);
    });
    return table;
}

std::shared_ptr<const EvidenceTable> EvidenceTable::standard() {
    static const std::shared_ptr<const EvidenceTable> own = [] {
        try {
            const Library &library = Library::standard();
            const auto file = library.own_folder() / "evidence" / "measured-runs.csv";
            return std::make_shared<const EvidenceTable>(
                evidence_table(measured_runs(read_csv(read_file(file))), RunRules::standard(), library));
        } catch (const InputError &) {
            return std::make_shared<const EvidenceTable>();
        } catch (const FileError &) {
            return std::make_shared<const EvidenceTable>();
        }
    }();
    return own;
}

std::vector<Prediction> EvidenceTable::predict(const std::map<std::string, double> &overrides) const {
    return meshwright::predict(plans, overrides);
}

} // namespace meshwright
