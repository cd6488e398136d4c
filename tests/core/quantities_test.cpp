// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantities/text.h"

#include "quantities/units.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace meshwright {
namespace {

using Q = Quantity;

struct Printed {
    double value;
    Quantity quantity;
    std::string text;
};

TEST(Quantities, PrintTheWayTheFieldWritesThem) {
    const std::vector<Printed> cases{
        {149.2e9, Q::bytes, "149.2 GB"},
        {18e9, Q::bytes, "18.0 GB"},
        {-4.6e9, Q::bytes, "-4.6 GB"},
        {999.96e6, Q::bytes, "1.0 GB"},
        {512, Q::bytes, "512 B"},
        {0, Q::bytes, "0 B"},
        {23.01, Q::seconds, "23.0 s"},
        {3180, Q::seconds, "53 min"},
        {0.0135, Q::seconds, "13.5 ms"},
        {3e-6, Q::seconds, "3.00 µs"},
        {352 * 86400.0, Q::seconds, "352 days"},
        {9 * 3600.0, Q::seconds, "9.00 h"},
        {1457.2 * 86400, Q::seconds, "1,457 days"},
        {0, Q::seconds, "0 s"},
        {0.9996, Q::seconds, "1.00 s"},
        {25.3e6, Q::dollars, "$25.3M"},
        {812, Q::dollars, "$812"},
        {2.6, Q::dollars_per_hour, "$2.60/h"},
        {0.085, Q::dollars_per_kilowatt_hour, "$0.085/kWh"},
        {400e9, Q::bits_per_second, "400 Gb/s"},
        {7.2e9, Q::bits_per_second, "7.2 Gb/s"},
        {450e9, Q::bytes_per_second, "450 GB/s"},
        {3.35e12, Q::bytes_per_second, "3.35 TB/s"},
        {1.24e25, Q::flops, "1.24e25 FLOP"},
        {989.4e12, Q::flops_per_second, "989 TFLOP/s"},
        {0.3171, Q::share, "31.7%"},
        {0.0003, Q::share, "0.03%"},
        {1152, Q::count, "1,152"},
        {131072, Q::count, "131,072"},
        {12e12, Q::tokens, "12T"},
        {143.95e9, Q::parameters, "143.9B"},
        {7.615e9, Q::parameters, "7.615B"},
        {700, Q::watts, "700 W"},
        {3.6e9, Q::joules, "1.00 MWh"},
        {NAN, Q::seconds, "n/a"},
        {INFINITY, Q::seconds, "infinite"},
        {15.99, Q::number, "16"},
        {0.125, Q::number, "0.125"},
    };
    for (const Printed &one : cases)
        EXPECT_EQ(text_of(one.value, one.quantity), one.text);
}

TEST(Quantities, ReadWhatPeopleType) {
    const std::vector<Printed> cases{
        {2e9, Q::bytes, "2GB"},
        {80 * 0x1p30, Q::bytes, "80 GiB"},
        {12.5e6, Q::bytes, "100 Mb"},
        {2e9, Q::bytes, "2G"},
        {2e18, Q::bytes, "2EB"},
        {2000, Q::bytes, "2e3 B"},
        {400e9, Q::bits_per_second, "400Gb/s"},
        {400e9, Q::bits_per_second, "400 Gbps"},
        {8e8, Q::bits_per_second, "100 MB/s"},
        {12.5e6, Q::bytes_per_second, "100 Mb/s"},
        {50e9, Q::bytes_per_second, "400 Gb/s"},
        {1500, Q::seconds, "25min"},
        {3e-6, Q::seconds, "3 us"},
        {3e-6, Q::seconds, "3µs"},
        {5400, Q::seconds, "1.5 h"},
        {604800, Q::seconds, "1 week"},
        {7e9, Q::parameters, "7B"},
        {1.5e12, Q::tokens, "1.5T tokens"},
        {12e12, Q::tokens, "12 T"},
        {2.6, Q::dollars_per_hour, "$2.60/h"},
        {2.6, Q::dollars_per_hour, "$2.60/h"},
        {25.3e6, Q::dollars, "$25.3M"},
        {0.317, Q::share, "31.7%"},
        {0.317, Q::share, "0.317"},
        {1e25, Q::flops, "10^25 FLOP"},
        {1.2e25, Q::flops, "1.2 x 10^25"},
        {5e18, Q::flops, "5 EFLOP"},
        {989e12, Q::flops_per_second, "989 TFLOPS"},
        {1152, Q::count, "1,152"},
        {16000, Q::count, "16K GPUs"},
        {-2, Q::seconds, "−2 s"},
        {1234567, Q::number, "1 234 567"},
        {0.5, Q::number, ".5"},
        {3.6e6, Q::joules, "1 kWh"},
    };
    for (const Printed &one : cases) {
        const std::optional<double> read = quantity_from(one.text, one.quantity);
        ASSERT_TRUE(read.has_value()) << one.text;
        EXPECT_DOUBLE_EQ(*read, one.value) << one.text;
    }
}

TEST(Quantities, RefuseWhatIsAmbiguousOrNotANumber) {
    for (const char *text :
         {"",    " ",   "GB",   "2gb",   "2 m",   "2,60 GB", "1,15", "--2",      "2 GB/s",   "1e999",
          "nan", "inf", "0x10", "2 G B", "2e5e5", "1.2.3",   "10^",  "10^99999", "\xff\xfe", "2 GB or so"})
        EXPECT_EQ(quantity_from(text, Q::bytes), std::nullopt) << text;
    EXPECT_EQ(quantity_from("100M", Q::bits_per_second), std::nullopt) << "M may mean megabits or megabytes";
    EXPECT_EQ(quantity_from("5 m", Q::seconds), std::nullopt) << "m may mean minutes or milliseconds";
    EXPECT_EQ(quantity_from("1.5", Q::count), std::nullopt);
    EXPECT_EQ(quantity_from(std::string(1000, '9'), Q::number), std::nullopt);
}

TEST(Quantities, UnitsAreNamedForRefusals) {
    EXPECT_EQ(description_of(Q::bytes), "an amount of memory");
    for (const char *unit : {"GB", "GiB"})
        EXPECT_NE(accepted_units(Q::bytes).find(unit), std::string_view::npos) << unit;
}

TEST(Quantities, EditingFieldsShowTheShortestExactText) {
    EXPECT_EQ(exact_text(450e9, Q::bytes_per_second), "450 GB/s");
    EXPECT_EQ(exact_text(6.25e9, Q::bytes_per_second), "6.25 GB/s");
    EXPECT_EQ(exact_text(1979e12, Q::flops_per_second), "1.979 PFLOP/s");
    EXPECT_EQ(exact_text(100e6, Q::bits_per_second), "100 Mb/s");
    EXPECT_EQ(exact_text(143.95e9, Q::parameters), "143.95B");
    EXPECT_EQ(exact_text(0.1, Q::seconds), "100 ms");
    EXPECT_EQ(exact_text(3e-6, Q::seconds), "3 µs");
    EXPECT_EQ(exact_text(1500, Q::seconds), "25 min");
    EXPECT_EQ(exact_text(86400, Q::seconds), "1 day");
    EXPECT_EQ(exact_text(0.25, Q::share), "25%");
    EXPECT_EQ(exact_text(0, Q::bytes), "0 B");
    EXPECT_EQ(exact_text(4096, Q::count), "4096");
}

RC_GTEST_PROP(QuantitiesProperty, ExactTextReadsBackAsTheSameDouble, ()) {
    const auto quantity = static_cast<Quantity>(*rc::gen::inRange<std::size_t>(0, quantity_count));
    const int exponent = *rc::gen::inRange(-9, 25);
    const auto digits = *rc::gen::inRange<std::int64_t>(-999'999'999'999, 999'999'999'999);
    double value = static_cast<double>(digits) * 1e-11 * std::pow(10.0, exponent);
    if (quantity == Quantity::count)
        value = std::floor(value);
    const std::optional<double> read = quantity_from(exact_text(value, quantity), quantity);
    RC_ASSERT(read.has_value());
    RC_ASSERT(*read == value);
}

RC_GTEST_PROP(QuantitiesProperty, PrintedTextReadsBackNearby, ()) {
    const auto quantity = static_cast<Quantity>(*rc::gen::inRange<std::size_t>(0, quantity_count));
    const int exponent = *rc::gen::inRange(0, 20);
    double value = std::pow(10.0, exponent) * *rc::gen::inRange<int>(100, 1000) / 100.0;
    if (quantity == Quantity::count)
        value = std::floor(value);
    const std::string text = text_of(value, quantity);
    const std::optional<double> read = quantity_from(text, quantity);
    RC_ASSERT(read.has_value());
    // The least precise texts are integer bytes, integer minutes from ten on, and gigabytes with one decimal.
    const double whole_bytes = quantity == Quantity::bytes && value < 1000 ? 0.5 : 0;
    RC_ASSERT(std::abs(*read - value) <= 0.051 * value + whole_bytes);
}

RC_GTEST_PROP(QuantitiesProperty, AnyBytesAreReadOrRefusedButNeverCrash, (const std::string &text)) {
    for (std::size_t i = 0; i < quantity_count; ++i)
        if (const std::optional<double> value = quantity_from(text, static_cast<Quantity>(i)))
            RC_ASSERT(std::isfinite(*value));
}

} // namespace
} // namespace meshwright
