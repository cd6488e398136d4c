// SPDX-License-Identifier: GPL-3.0-or-later
// A table of measured runs: fits the constants to them, and the constants of one machine.
#include "calibration/fit.h"
#include "calibration/machine_fit.h"
#include "catalog/library.h"
#include "evidence/column_mapping.h"
#include "fuzz_target.h"
#include "input/json_document.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace {

using namespace meshwright;

const std::vector<FreeParameter> &free_parameters(const char *list) {
    const auto read = [](const char *name) {
        const Library &library = Library::standard();
        return read_free_parameters(read_json_file(library.own_folder() / "evidence" / "free-parameters.json"), library,
                                    name);
    };
    static const std::vector<FreeParameter> times = read("parameters");
    static const std::vector<FreeParameter> memories = read("memory_parameters");
    return std::string_view(list) == "parameters" ? times : memories;
}

void fit_constants(const std::vector<MeasuredRun> &runs, FitQuantity quantity) {
    FitRows rows = fit_rows(runs, plans_of(runs, RunRules::standard(), Library::standard()), quantity);
    if (rows.plans.empty())
        return;
    Fit fit(std::move(rows), free_parameters(quantity == FitQuantity::memory ? "memory_parameters" : "parameters"));
    fit.run(1);
    std::vector<bool> left_out(fit.rows().plans.size(), false);
    left_out.front() = true;
    for (const std::vector<double> &values : {fit.values(), fit.values_without(left_out, 1)})
        for (const double value : values)
            fuzz::require(std::isfinite(value) && value > 0, "a fitted constant is a number");
    fuzz::went_all_the_way();
}

void fit_own_machine(const std::vector<MeasuredRun> &runs) {
    const MachineFit fit =
        fit_machine(machine_runs(runs, RunRules::standard(), Library::standard()), machine_parameters());
    for (const FittedConstant &constant : fit.constants)
        fuzz::require(constant.after >= constant.constant->low && constant.after <= constant.constant->high,
                      "a machine's constant stays in its range");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    return fuzz::refusing([&] {
        constexpr std::size_t max_rows = 3; // each row is predicted some dozen times
        const std::vector<MeasuredRun> runs = measured_runs(as_run_table(read_csv(fuzz::text_of(data, size))));
        if (runs.size() > max_rows)
            return;
        fit_constants(runs, FitQuantity::step_time);
        fit_constants(runs, FitQuantity::memory);
        fit_own_machine(runs);
    });
}
