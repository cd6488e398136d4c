// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace meshwright {

/// Quantile function of the normal distribution for 0 < p < 1, accurate to 1e-15. Source: Wichura 1988, Applied
/// Statistics algorithm AS 241, PPND16.
double normal_quantile(double p);

/// A quantile function that is interpolated linearly over 1,024 intervals of equal probability, except in the outermost
/// 32 intervals at each end, where it is exact. The error is at most 2e-4 for normal and exponential variables with
/// standard deviation 1.
class QuantileChords {
public:
    template <typename Quantile>
    explicit QuantileChords(const Quantile &quantile) {
        for (std::size_t i = exact; i <= chords - exact; ++i)
            m_values[i] = quantile(static_cast<double>(i) / chords);
    }
    template <typename Quantile>
    double at(double p, const Quantile &quantile) const {
        const double place = p * chords;
        const auto chord = static_cast<std::size_t>(place);
        // The condition holds for the intervals at both ends. At the lower end, the unsigned subtraction wraps around.
        if (chord - exact >= chords - 2 * exact)
            return quantile(p);
        const double low = m_values[chord];
        return low + (m_values[chord + 1] - low) * (place - static_cast<double>(chord));
    }

private:
    static constexpr std::size_t chords = 1024;
    static constexpr std::size_t exact = 32;
    std::array<double, chords + 1> m_values{};
};

/// Random numbers of one site for one purpose, accessed by index.
class Draws {
public:
    Draws() = default;
    explicit Draws(std::uint64_t place)
        : m_place(place) { }

    /// Uniform in the open interval (0, 1).
    double uniform(std::uint64_t index) const {
        constexpr double unit = 1.0 / 9007199254740992.0; // 2^-53
        return (static_cast<double>(mixed(m_place + golden * (index + 1)) >> 11) + 0.5) * unit;
    }
    /// Normal variable with mean 0 and standard deviation 1.
    double normal(std::uint64_t index) const;
    double exponential(std::uint64_t index, double mean) const;
    double weibull(std::uint64_t index, double mean, double shape) const {
        return mean / std::tgamma(1 + 1 / shape) * std::pow(-std::log(uniform(index)), 1 / shape);
    }

    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    static constexpr std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }

private:
    std::uint64_t m_place = 0;
};

/// Counter-based random numbers: every draw is a function of the seed and of its purpose, so a seed gives the same
/// simulation for any order of draws and any number of threads. Mixing: SplitMix64's finalizer (Steele, Lea and Flood
/// 2014).
class Randomness {
public:
    enum class Use : std::uint64_t { speed, step, uplink, downlink, up_delay, down_delay, departure, absence, pairing };

    explicit Randomness(std::uint64_t seed)
        : m_seed(Draws::mixed(seed + Draws::golden)) { }

    Draws draws(Use use, std::uint64_t site) const {
        const std::uint64_t place = Draws::mixed(m_seed + Draws::golden * (static_cast<std::uint64_t>(use) + 1));
        return Draws(Draws::mixed(place + Draws::golden * (site + 1)));
    }

private:
    std::uint64_t m_seed;
};

/// A random factor with a log-normal distribution of mean 1.
class LogNormal {
public:
    /// @param variation standard deviation of the factor
    explicit LogNormal(double variation)
        : m_square(std::log1p(variation * variation))
        , m_sigma(std::sqrt(m_square)) { }
    bool varies() const { return m_square > 0; }
    /// The factor for a draw from the standard normal distribution.
    double of(double draw) const { return std::exp(m_sigma * draw - m_square / 2); }

private:
    double m_square;
    double m_sigma;
};

class LogNormalDraws {
public:
    explicit LogNormalDraws(const LogNormal &factor)
        : m_factor(factor)
        , m_chords([&factor](double p) { return factor.of(normal_quantile(p)); }) { }
    const LogNormal &factor() const { return m_factor; }
    double of(const Draws &draws, std::uint64_t index) const {
        return m_chords.at(draws.uniform(index), [this](double p) { return m_factor.of(normal_quantile(p)); });
    }

private:
    LogNormal m_factor;
    QuantileChords m_chords;
};

} // namespace meshwright
