// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantities/units.h"

#include <array>

namespace meshwright {

namespace {

struct Prefix {
    std::string_view name;
    int exponent;
};

constexpr std::array<Prefix, 9> large_prefixes{
    {{"", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}, {"Z", 21}, {"Y", 24}}};
constexpr std::array<Prefix, 7> binary_prefixes{
    {{"Ki", 10}, {"Mi", 20}, {"Gi", 30}, {"Ti", 40}, {"Pi", 50}, {"Ei", 60}, {"Zi", 70}}};
/// Decimal prefixes of counts: thousand, million, billion, trillion.
constexpr std::array<Prefix, 6> counting_prefixes{{{"", 0}, {"k", 3}, {"M", 6}, {"B", 9}, {"T", 12}, {"Q", 15}}};

enum class Print { yes, no };

/// Collects the units of one quantity. If a name is added twice, its first meaning counts.
class UnitList {
public:
    void add(std::string name, int exponent, double factor, Print print) {
        for (const Unit &unit : m_units)
            if (unit.name == name)
                return;
        m_units.push_back({std::move(name), exponent, factor, print == Print::yes});
    }
    template <typename Prefixes>
    void decimal(const Prefixes &prefixes, std::string_view base, Print print, double factor = 1) {
        for (const Prefix &prefix : prefixes)
            add(std::string(prefix.name) + std::string(base), prefix.exponent, factor, print);
    }
    void binary(std::string_view base, double factor = 1) {
        for (const Prefix &prefix : binary_prefixes)
            add(std::string(prefix.name) + std::string(base), 0,
                factor * static_cast<double>(1LL << (prefix.exponent % 60)) * (prefix.exponent >= 60 ? 0x1p60 : 1.0),
                Print::no);
    }
    std::vector<Unit> take() { return std::move(m_units); }

private:
    std::vector<Unit> m_units;
};

std::vector<Unit> byte_units() {
    UnitList list;
    list.decimal(large_prefixes, "B", Print::yes);
    for (const std::string_view name : {"byte", "bytes"})
        list.decimal(large_prefixes, name, Print::no);
    list.add("KB", 3, 1, Print::no);
    list.binary("B");
    for (const std::string_view name : {"b", "bit", "bits"})
        list.decimal(large_prefixes, name, Print::no, 0.125);
    list.binary("b", 0.125);
    list.decimal(large_prefixes, "", Print::no);
    return list.take();
}

/// Units of a rate in bits or bytes per second. Both kinds are accepted; only one of them is printed.
std::vector<Unit> rate_units(std::string_view printed, double bytes, double bits) {
    UnitList list;
    list.decimal(large_prefixes, printed, Print::yes);
    for (const std::string_view name : {"B/s", "B/sec", "Bps", "byte/s", "bytes/s"})
        list.decimal(large_prefixes, name, Print::no, bytes);
    list.binary("B/s", bytes);
    for (const std::string_view name : {"b/s", "b/sec", "bps", "bit/s", "bits/s"})
        list.decimal(large_prefixes, name, Print::no, bits);
    list.binary("b/s", bits);
    return list.take();
}

std::vector<Unit> time_units() {
    constexpr double minute = 60, hour = 3600, day = 86400, year = 365.25 * day;
    UnitList list;
    list.add("s", 0, 1, Print::yes);
    list.add("ms", -3, 1, Print::yes);
    list.add("\u00b5s", -6, 1, Print::yes); // print the micro sign; also accept u and the Greek letter
    list.add("ns", -9, 1, Print::yes);
    list.add("min", 0, minute, Print::yes);
    list.add("h", 0, hour, Print::yes);
    list.add("days", 0, day, Print::yes);
    list.add("years", 0, year, Print::yes);
    list.add("us", -6, 1, Print::no);
    list.add("\u03bcs", -6, 1, Print::no);
    for (const std::string_view name : {"sec", "second", "seconds"})
        list.add(std::string(name), 0, 1, Print::no);
    for (const std::string_view name : {"minute", "minutes", "mins"})
        list.add(std::string(name), 0, minute, Print::no);
    for (const std::string_view name : {"hr", "hrs", "hour", "hours"})
        list.add(std::string(name), 0, hour, Print::no);
    for (const std::string_view name : {"d", "day"})
        list.add(std::string(name), 0, day, Print::no);
    for (const std::string_view name : {"week", "weeks"})
        list.add(std::string(name), 0, 7 * day, Print::no);
    for (const std::string_view name : {"y", "yr", "year"})
        list.add(std::string(name), 0, year, Print::no);
    return list.take();
}

std::vector<Unit> flop_units() {
    UnitList list;
    for (const std::string_view name : {"FLOP", "FLOPs", "Flop", "flop", "flops"})
        list.decimal(large_prefixes, name, name == "FLOP" ? Print::yes : Print::no);
    list.decimal(large_prefixes, "", Print::no);
    return list.take();
}

std::vector<Unit> flop_rate_units() {
    UnitList list;
    for (const std::string_view name : {"FLOP/s", "FLOPs/s", "FLOPS", "FLOP/sec", "flop/s", "flops"})
        list.decimal(large_prefixes, name, name == "FLOP/s" ? Print::yes : Print::no);
    return list.take();
}

std::vector<Unit> energy_units() {
    UnitList list;
    list.decimal(large_prefixes, "J", Print::yes);
    list.decimal(large_prefixes, "Wh", Print::yes, 3600);
    return list.take();
}

std::vector<Unit> watt_units() {
    UnitList list;
    list.decimal(large_prefixes, "W", Print::yes);
    return list.take();
}

/// Counts in thousands, millions or billions, with an optional "$" after the prefix. G is accepted as B.
std::vector<Unit> counting_units(std::string_view base) {
    UnitList list;
    list.decimal(counting_prefixes, base, Print::yes);
    list.decimal(counting_prefixes, "", Print::no);
    for (const std::string_view tail : {base, std::string_view()}) {
        list.add("K" + std::string(tail), 3, 1, Print::no);
        list.add("G" + std::string(tail), 9, 1, Print::no);
    }
    if (base == "$")
        list.decimal(counting_prefixes, "USD", Print::no);
    return list.take();
}

std::vector<Unit> price_units(std::initializer_list<std::string_view> names) {
    UnitList list;
    for (const std::string_view name : names)
        list.add(std::string(name), 0, 1, name == *names.begin() ? Print::yes : Print::no);
    return list.take();
}

std::vector<Unit> energy_price_units() {
    UnitList list;
    list.add("$/kWh", 0, 1, Print::yes);
    for (const std::string_view name : {"/kWh", "USD/kWh", ""})
        list.add(std::string(name), 0, 1, Print::no);
    for (const std::string_view name : {"$/MWh", "/MWh", "USD/MWh"})
        list.add(std::string(name), -3, 1, Print::no);
    return list.take();
}

std::vector<Unit> share_units() {
    UnitList list;
    list.add("", 0, 1, Print::no);
    list.add("%", -2, 1, Print::yes);
    return list.take();
}

std::vector<Unit> plain_units() {
    return {{"", 0, 1, true}};
}

std::vector<Unit> build(Quantity quantity) {
    switch (quantity) {
    case Quantity::bytes:
        return byte_units();
    case Quantity::seconds:
        return time_units();
    case Quantity::bytes_per_second:
        return rate_units("B/s", 1, 0.125);
    case Quantity::bits_per_second:
        return rate_units("b/s", 8, 1);
    case Quantity::flops:
        return flop_units();
    case Quantity::flops_per_second:
        return flop_rate_units();
    case Quantity::watts:
        return watt_units();
    case Quantity::joules:
        return energy_units();
    case Quantity::dollars:
        return counting_units("$");
    case Quantity::dollars_per_hour:
        return price_units({"$/h", "/h", "$/hr", "$/hour", "/hr", "/hour", "USD/h", "$", ""});
    case Quantity::dollars_per_kilowatt_hour:
        return energy_price_units();
    case Quantity::tokens:
    case Quantity::parameters:
    case Quantity::count:
        return counting_units("");
    case Quantity::share:
        return share_units();
    case Quantity::number:
        return plain_units();
    }
    return plain_units();
}

struct Words {
    std::string_view description;
    std::string_view units;
};

constexpr std::array<Words, quantity_count> words{{
    {"a number", "no unit"},
    {"a fraction", "% or no unit"},
    {"an integer", "no unit, k, M or B"},
    {"an amount of memory", "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, or bits as Mb, Gb"},
    {"a time", "ns, us, ms, s, min, h, days, weeks or years"},
    {"a rate in bytes/s", "B/s, MB/s, GB/s, TB/s, GiB/s, or bits as Mb/s, Gb/s"},
    {"a rate in bits/s", "b/s, kb/s, Mb/s, Gb/s, Tb/s, or bytes as MB/s, GB/s"},
    {"a number of FLOPs", "FLOP, GFLOP, TFLOP, PFLOP, EFLOP or ZFLOP"},
    {"a compute rate", "FLOP/s, GFLOP/s, TFLOP/s, PFLOP/s or EFLOP/s"},
    {"a power", "W, kW, MW or GW"},
    {"an amount of energy", "J, kJ, MJ, GJ, Wh, kWh, MWh or GWh"},
    {"an amount of money", "$ with k, M or B"},
    {"an hourly price", "$/h"},
    {"an energy price", "$/kWh or $/MWh"},
    {"a number of tokens", "k, M, B or T, with or without \"tokens\""},
    {"a number of parameters", "k, M, B or T"},
}};

} // namespace

const std::vector<Unit> &units_of(Quantity quantity) {
    static const std::array<std::vector<Unit>, quantity_count> all = [] {
        std::array<std::vector<Unit>, quantity_count> built;
        for (std::size_t i = 0; i < quantity_count; ++i)
            built[i] = build(static_cast<Quantity>(i));
        return built;
    }();
    return all[static_cast<std::size_t>(quantity)];
}

const std::vector<std::string_view> &nouns_of(Quantity quantity) {
    static const std::vector<std::string_view> none;
    static const std::vector<std::string_view> tokens{"tokens", "token"};
    static const std::vector<std::string_view> parameters{"parameters", "params"};
    static const std::vector<std::string_view> counts{"sequences", "accelerators", "GPUs", "layers", "steps"};
    switch (quantity) {
    case Quantity::tokens:
        return tokens;
    case Quantity::parameters:
        return parameters;
    case Quantity::count:
        return counts;
    default:
        return none;
    }
}

std::string_view description_of(Quantity quantity) {
    return words[static_cast<std::size_t>(quantity)].description;
}

std::string_view accepted_units(Quantity quantity) {
    return words[static_cast<std::size_t>(quantity)].units;
}

} // namespace meshwright
