// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formulas/function.h"
#include "formulas/training_compute.h"

/// Energy and rental cost of a run.
namespace meshwright::formula {

inline FormulaFunction energy_joules{[](auto accelerators, auto watts, auto days, auto pue) {
    return accelerators * watts * days * seconds_per_day * pue;
}};
/// @param price_per_kwh  dollars per kWh (3.6e6 J)
inline FormulaFunction energy_dollars{[](auto accelerators, auto watts, auto days, auto price_per_kwh, auto pue) {
    return energy_joules(accelerators, watts, days, pue) / 3.6e6 * price_per_kwh;
}};
inline FormulaFunction accelerator_hours{[](auto accelerators, auto days) { return accelerators * days * 24; }};
inline FormulaFunction rental_dollars{[](auto accelerators, auto days, auto price_per_hour) {
    return accelerator_hours(accelerators, days) * price_per_hour;
}};
/// Cost per hour of an owned accelerator: its price divided by the hours in use, plus power.
inline FormulaFunction owned_price_per_hour{
    [](auto price, auto years, auto utilised_share, auto watts, auto pue, auto price_per_kwh) {
        return price / (years * 8766 * utilised_share) + watts * pue / 1000 * price_per_kwh;
    }};
inline FormulaFunction dollars_for_flops{
    [](auto flops, auto peak, auto mfu, auto price_per_hour) { return flops / (peak * mfu) / 3600 * price_per_hour; }};
/// Cloud egress in bytes, and its cost at a flat price per GB.
inline FormulaFunction egress_bytes{[](auto rounds, auto sites, auto bytes) { return rounds * sites * bytes; }};
inline FormulaFunction egress_dollars{[](auto rounds, auto sites, auto bytes, auto dollars_per_gigabyte) {
    return egress_bytes(rounds, sites, bytes) / 1e9 * dollars_per_gigabyte;
}};

} // namespace meshwright::formula
