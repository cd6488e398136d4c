// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/costs.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol accelerators() {
    return whole("accelerators", "n", "accelerators");
}
Symbol days() {
    return in("days", or_zero(amount(seconds, "days", "T", "duration in days")));
}
Symbol price() {
    return or_zero(amount(dollars_per_hour, "price_per_hour", "c", "rental price per accelerator"));
}
Symbol energy_price() {
    return or_zero(amount(dollars_per_kilowatt_hour, "price_per_kwh", "e", "electricity price"));
}
Symbol pue() {
    return otherwise(real("pue", "u", "power usage effectiveness: facility power over accelerator power", 1, 10), 1);
}
Symbol power() {
    return amount(watts, "watts", "W", "power per accelerator");
}

Formula energy() {
    return {
        .id = "energy-cost",
        .title = "Energy of a run",
        .topic = topic::cost_and_energy,
        .symbols = {accelerators(), power(), days(), energy_price(), pue()},
        .results = {result({"dollars", "K", "energy cost", dollars},
                           {"accelerators", "watts", "days", "price_per_kwh", "pue"}, energy_dollars),
                    result({"joules", "E", "energy", joules}, {"accelerators", "watts", "days", "pue"}, energy_joules)},
        .source = "Power x time; power usage effectiveness as in ISO/IEC 30134-2",
        .notes = "Rated power gives an upper bound."};
}

Formula rental() {
    return {.id = "rental-cost",
            .title = "Rental cost",
            .topic = topic::cost_and_energy,
            .symbols = {accelerators(), days(), price()},
            .results = {result({"dollars", "K", "rental cost", dollars}, {"accelerators", "days", "price_per_hour"},
                               rental_dollars),
                        in("h",
                           result({"accelerator_hours", "h", "accelerator-hours", seconds}, {"accelerators", "days"},
                                  accelerator_hours))},
            .source = "Definition"};
}

Formula owned() {
    return {.id = "accelerator-price",
            .title = "Hourly cost of an owned accelerator",
            .topic = topic::cost_and_energy,
            .symbols = {or_zero(amount(dollars, "price", "K",
                                       "purchase price per accelerator, including its share of servers and network")),
                        in("years", otherwise(amount(seconds, "years", "T", "service life"), 4)),
                        otherwise(amount(share, "utilised_share", "u", "fraction of time in use"), 0.9), power(), pue(),
                        energy_price()},
            .results = {result({"price_per_hour", "c", "price per hour", dollars_per_hour},
                               {"price", "years", "utilised_share", "watts", "pue", "price_per_kwh"},
                               owned_price_per_hour)},
            .source = "Straight-line depreciation plus energy; 8,766 hours per year"};
}

Formula computation() {
    return {.id = "compute-cost",
            .title = "Cost of computation",
            .topic = topic::cost_and_energy,
            .symbols = {amount(flops, "flops", "C", "FLOPs"),
                        amount(flops_per_second, "peak", "Q", "dense peak per accelerator"),
                        amount(share, "mfu", "U", "model FLOPs utilization"), price()},
            .results = {result({"dollars", "K", "rental cost", dollars}, {"flops", "peak", "mfu", "price_per_hour"},
                               dollars_for_flops)},
            .source = "Definition of model FLOPs utilization, PaLM, arXiv 2204.02311, section 4.1"};
}

Formula egress() {
    return {.id = "egress-cost",
            .title = "Cloud egress cost",
            .topic = topic::cost_and_energy,
            .symbols = {amount(Quantity::number, "rounds", "R", "outer steps (rounds)"), whole("sites", "M", "sites"),
                        or_zero(amount(bytes, "bytes", "S", "bytes sent to each site per round")),
                        in("$/GB", otherwise(real("dollars_per_gigabyte", "c", "price per GB", 0, 1e3), 0.05))},
            .results = {result({"dollars", "K", "egress cost", dollars},
                               {"rounds", "sites", "bytes", "dollars_per_gigabyte"}, egress_dollars),
                        result({"bytes_sent", "S_a", "total bytes sent", bytes}, {"rounds", "sites", "bytes"},
                               egress_bytes)},
            .source = "List prices of cloud providers: 0.09 down to 0.05 $/GB by volume; some charge nothing"};
}

} // namespace

std::vector<Formula> cost_formulas() {
    return {energy(), rental(), owned(), computation(), egress()};
}

} // namespace meshwright::catalogue
