// SPDX-License-Identifier: GPL-3.0-or-later
#include "outer/randomness.h"

#include <array>
#include <cmath>

namespace meshwright {

namespace {

/// A quotient of two polynomials of degree 7. The denominator's constant term is 1.
struct Quotient {
    std::array<double, 8> above;
    std::array<double, 7> below;
    double operator()(double x) const {
        double a = above[7], b = below[6];
        for (std::size_t i = 7; i-- > 0;)
            a = a * x + above[i];
        for (std::size_t i = 6; i-- > 0;)
            b = b * x + below[i];
        return a / (b * x + 1);
    }
};

constexpr Quotient middle{{3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
                           45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727},
                          {42.313330701600911252, 687.18700749205790830, 5394.1960214247511077, 21213.794301586595867,
                           39307.895800092710610, 28729.085735721942674, 5226.4952788528545610}};
constexpr Quotient shoulder{
    {1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
     1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4},
    {2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550, 0.148103976427480074590,
     0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
constexpr Quotient tail{
    {6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
     0.0265321895265761230930, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525, 7.86869131145613259100e-4,
     1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};

} // namespace

double normal_quantile(double p) {
    const double from_middle = p - 0.5;
    if (std::abs(from_middle) <= 0.425)
        return from_middle * middle(0.180625 - from_middle * from_middle);
    const double distance = std::sqrt(-std::log(from_middle < 0 ? p : 1 - p));
    const double value = distance <= 5 ? shoulder(distance - 1.6) : tail(distance - 5);
    return from_middle < 0 ? -value : value;
}

double Draws::normal(std::uint64_t index) const {
    static const QuantileChords chords(normal_quantile);
    return chords.at(uniform(index), normal_quantile);
}

double Draws::exponential(std::uint64_t index, double mean) const {
    const auto quantile = [](double p) { return -std::log(p); };
    static const QuantileChords chords(quantile);
    return mean * chords.at(uniform(index), quantile);
}

} // namespace meshwright
