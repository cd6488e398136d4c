// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include "theme/fonts.h"
#include "theme/meshwright_style.h"
#include "theme/system_theme_watcher.h"

#include <QApplication>
#include <QFile>
#include <QFontMetricsF>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace meshwright {
namespace {

constexpr std::array<const char *, ColourRoleCount> RoleNames{
    "window",   "panel", "card",     "field",  "raised",     "line",     "lineStrong", "grid",
    "text",     "text2", "text3",    "accent", "accentFill", "onAccent", "accentSoft", "good",
    "goodSoft", "warn",  "warnSoft", "bad",    "badSoft",    "focus",    "shadow"};
constexpr std::array<const char *, KindCount> KindNames{"blue", "cyan",   "green",   "yellow",
                                                        "red",  "purple", "purple2", "grey"};
constexpr std::array<const char *, TypeRoleCount> TypeNames{"caption", "body", "emphasis", "title", "figure"};

ThemeMode s_mode = ThemeMode::System;
bool s_reducedMotion = false;

const QJsonObject &tokens() {
    static const QJsonObject object = [] {
        QFile file(QStringLiteral(":/meshwright/theme/tokens.json"));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("the theme's tokens are missing from the program's resources");
        return QJsonDocument::fromJson(file.readAll()).object();
    }();
    return object;
}

int token(const char *group, const char *name) {
    return tokens()[QLatin1String(group)][QLatin1String(name)].toInt();
}

} // namespace

Theme::Theme(bool dark, const QString &family)
    : m_dark(dark)
    , m_family(family) {
    const QString variant = dark ? QStringLiteral("dark") : QStringLiteral("light");
    const QJsonObject colours = tokens()[QLatin1String("colours")][variant].toObject();
    const QJsonObject kinds = tokens()[QLatin1String("kinds")][variant].toObject();
    for (size_t i = 0; i < RoleNames.size(); ++i)
        m_colours[i] = QColor(colours[QLatin1String(RoleNames[i])].toString());
    for (size_t i = 0; i < KindNames.size(); ++i) {
        const QJsonValue kind = kinds[QLatin1String(KindNames[i])];
        m_fills[i] = QColor(kind[QLatin1String("fill")].toString());
        m_labels[i] = QColor(kind[QLatin1String("label")].toString());
    }
}

Theme &Theme::installed() {
    static Theme theme(true, interfaceFamily());
    return theme;
}

const Theme &Theme::current() {
    return installed();
}

const Theme &Theme::of(const QWidget *) {
    return installed();
}

Theme Theme::light() {
    return Theme(false, interfaceFamily());
}

Theme Theme::dark() {
    return Theme(true, interfaceFamily());
}

Theme Theme::paper() {
    return Theme(false, paperFamily());
}

ThemeMode Theme::mode() {
    return s_mode;
}

ThemeNotifier *Theme::notifier() {
    static ThemeNotifier notifier;
    return &notifier;
}

bool Theme::systemIsDark() {
    // An empty application palette reveals the platform's palette. The program's own palette would hide it, because it
    // sets every role.
    QApplication::setPalette(QPalette());
    const QPalette platform = QApplication::palette();
    return platform.color(QPalette::Window).lightnessF() < platform.color(QPalette::WindowText).lightnessF();
}

void Theme::apply(QApplication &application, ThemeMode mode) {
    s_mode = mode;
    if (!qobject_cast<MeshwrightStyle *>(QApplication::style()))
        QApplication::setStyle(new MeshwrightStyle);
    SystemThemeWatcher::install(application);
    refresh();
}

void Theme::refresh() {
    const SystemThemeWatcher::Pause pause;
    const bool dark = s_mode == ThemeMode::Dark || (s_mode == ThemeMode::System && systemIsDark());
    installed() = Theme(dark, interfaceFamily());
    const Theme &theme = installed();
    QApplication::setFont(theme.font(TypeRole::Body));
    QApplication::setPalette(theme.palette());
    QToolTip::setPalette(theme.palette());
    QToolTip::setFont(theme.font(TypeRole::Body));
    Q_EMIT notifier()->changed();
}

void Theme::setReducedMotion(bool reduced) {
    if (s_reducedMotion == reduced)
        return;
    s_reducedMotion = reduced;
    Q_EMIT notifier()->changed();
}

bool Theme::reducedMotion() {
    return s_reducedMotion;
}

QColor Theme::ink(Tone tone) const {
    switch (tone) {
    case Tone::Accent:
        return colour(ColourRole::Accent);
    case Tone::Good:
        return colour(ColourRole::Good);
    case Tone::Warn:
        return colour(ColourRole::Warn);
    case Tone::Bad:
        return colour(ColourRole::Bad);
    case Tone::Neutral:
        break;
    }
    return colour(ColourRole::Text2);
}

QColor Theme::softFill(Tone tone) const {
    switch (tone) {
    case Tone::Accent:
        return colour(ColourRole::AccentSoft);
    case Tone::Good:
        return colour(ColourRole::GoodSoft);
    case Tone::Warn:
        return colour(ColourRole::WarnSoft);
    case Tone::Bad:
        return colour(ColourRole::BadSoft);
    case Tone::Neutral:
        break;
    }
    return colour(ColourRole::Field);
}

QPalette Theme::palette() const {
    struct Entry {
        QPalette::ColorRole role;
        ColourRole colour;
    };
    static constexpr Entry entries[] = {
        {QPalette::Window, ColourRole::Window},        {QPalette::Base, ColourRole::Field},
        {QPalette::AlternateBase, ColourRole::Card},   {QPalette::Button, ColourRole::Field},
        {QPalette::ToolTipBase, ColourRole::Card},     {QPalette::Mid, ColourRole::Line},
        {QPalette::Midlight, ColourRole::Raised},      {QPalette::Dark, ColourRole::LineStrong},
        {QPalette::Light, ColourRole::Raised},         {QPalette::Shadow, ColourRole::Window},
        {QPalette::WindowText, ColourRole::Text},      {QPalette::Text, ColourRole::Text},
        {QPalette::ButtonText, ColourRole::Text},      {QPalette::BrightText, ColourRole::OnAccent},
        {QPalette::ToolTipText, ColourRole::Text},     {QPalette::PlaceholderText, ColourRole::Text3},
        {QPalette::Highlight, ColourRole::AccentFill}, {QPalette::HighlightedText, ColourRole::OnAccent},
        {QPalette::Link, ColourRole::Accent},          {QPalette::LinkVisited, ColourRole::Accent},
    };
    QPalette palette;
    for (const Entry &entry : entries)
        palette.setColor(QPalette::All, entry.role, colour(entry.colour));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, colour(ColourRole::Text3));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colour(ColourRole::Raised));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, colour(ColourRole::Text3));
    return palette;
}

QFont Theme::font(TypeRole role, TextWeight weight) const {
    QFont font(m_family);
    // Token sizes are in pixels, because sizes in points would depend on the density that the screen reports.
    static const QJsonObject sizes = tokens()[QLatin1String("type")][QLatin1String("sizes")].toObject();
    font.setPixelSize(sizes[QLatin1String(TypeNames[static_cast<size_t>(role)])].toInt());
    font.setWeight(static_cast<QFont::Weight>(weight));
    font.setHintingPreference(QFont::PreferNoHinting);
    // Setting any spacing, even zero, disables ligatures. A PDF reader cannot find text with "ff" as one glyph.
    if (m_family == paperFamily())
        font.setLetterSpacing(QFont::PercentageSpacing, 100);
    return font;
}

QFont Theme::fontFor(const QString &line, qreal width) const {
    constexpr int minimum = 10; // pixels; smaller text is not legible
    const auto hasRoom = [&](const QFont &font) { return QFontMetricsF(font).horizontalAdvance(line) <= width; };
    QFont chosen = font(TypeRole::Body);
    if (hasRoom(chosen))
        return chosen;
    chosen = font(TypeRole::Caption);
    while (!hasRoom(chosen) && chosen.pixelSize() > minimum)
        chosen.setPixelSize(chosen.pixelSize() - 1);
    return chosen;
}

int Theme::lineHeight(TypeRole role) {
    static const QJsonObject heights = tokens()[QLatin1String("type")][QLatin1String("line_heights")].toObject();
    return heights[QLatin1String(TypeNames[static_cast<size_t>(role)])].toInt();
}

qreal Theme::radius(Corner corner) {
    static const std::array<qreal, 5> radii{qreal(token("radii", "mark")), qreal(token("radii", "field")),
                                            qreal(token("radii", "button")), qreal(token("radii", "card")),
                                            qreal(token("radii", "popup"))};
    return radii[static_cast<size_t>(corner)];
}

int Theme::duration(Motion motion) {
    static constexpr std::array<const char *, 4> names{"hover", "press", "panel", "zoom"};
    return token(s_reducedMotion ? "reduced_motion" : "durations_ms", names[static_cast<size_t>(motion)]);
}

double contrast(const QColor &first, const QColor &second) {
    const auto luminance = [](const QColor &colour) {
        const auto linear = [](double channel) {
            return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const auto [darker, lighter] = std::minmax({luminance(first), luminance(second)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor mixed(const QColor &from, const QColor &to, qreal share) {
    const auto channel = [share](float a, float b) { return float(a + (b - a) * share); };
    return QColor::fromRgbF(channel(from.redF(), to.redF()), channel(from.greenF(), to.greenF()),
                            channel(from.blueF(), to.blueF()), channel(from.alphaF(), to.alphaF()));
}

} // namespace meshwright
