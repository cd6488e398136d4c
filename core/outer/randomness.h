// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>

namespace meshwright {

/// What a normal variable stays below with probability p, 0 < p < 1, to 1e-15. Source: Wichura 1988, Applied
/// Statistics algorithm AS 241, PPND16.
double normal_quantile(double p);

/// Counter-based random numbers: every draw is a function of the seed and of what it is drawn for, so that one seed
/// gives one simulation in whatever order, and on however many threads, draws are made. Mixing: SplitMix64's finaliser
/// (Steele, Lea and Flood 2014).
class Randomness {
public:
    /// What a number is drawn for.
    enum class Use : std::uint64_t { speed, step, uplink, downlink, up_delay, down_delay, departure, absence, pairing };

    explicit Randomness(std::uint64_t seed)
        : m_seed(mixed(seed + golden)) { }

    /// Between 0 and 1, neither of them.
    double uniform(Use use, std::uint64_t site, std::uint64_t index) const {
        constexpr double unit = 1.0 / 9007199254740992.0; // 2^-53
        return (static_cast<double>(bits(use, site, index) >> 11) + 0.5) * unit;
    }
    /// Mean 0, deviation 1.
    double normal(Use use, std::uint64_t site, std::uint64_t index) const {
        return normal_quantile(uniform(use, site, index));
    }
    double exponential(Use use, std::uint64_t site, std::uint64_t index, double mean) const {
        return -mean * std::log(uniform(use, site, index));
    }
    /// Weibull of this mean and shape.
    double weibull(Use use, std::uint64_t site, std::uint64_t index, double mean, double shape) const {
        return mean / std::tgamma(1 + 1 / shape) * std::pow(-std::log(uniform(use, site, index)), 1 / shape);
    }

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    static constexpr std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }
    std::uint64_t bits(Use use, std::uint64_t site, std::uint64_t index) const {
        const std::uint64_t place = mixed(m_seed + golden * (static_cast<std::uint64_t>(use) + 1));
        return mixed(mixed(place + golden * (site + 1)) + golden * (index + 1));
    }

    std::uint64_t m_seed;
};

/// A log-normal factor of mean 1.
class LogNormal {
public:
    /// @param variation  its standard deviation
    explicit LogNormal(double variation)
        : m_square(std::log1p(variation * variation))
        , m_sigma(std::sqrt(m_square)) { }
    bool varies() const { return m_square > 0; }
    /// From a normal draw.
    double of(double draw) const { return std::exp(m_sigma * draw - m_square / 2); }

private:
    double m_square;
    double m_sigma;
};

} // namespace meshwright
