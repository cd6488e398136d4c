// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/optional_quantity_box.h"
#include "controls/toggle_switch.h"
#include "listed_test.h"
#include "panels/link_lists.h"
#include "panels/panel_column.h"
#include "sites_fixture.h"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace meshwright;

class SitesFieldsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFieldBetweenSitesIsEdited();
    void aFieldThatIsLeftOutSaysWhatHolds();
    void listsOfALinkAreTyped();
    void aLinksRateIsTakenFromAFile();
};

void SitesFieldsTest::everyFieldBetweenSitesIsEdited() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    const auto *panels = shown.window.window().findChild<PanelColumn *>();
    for (const char *field : {"outer/method",
                              "outer/inner_steps",
                              "outer/fragments",
                              "outer/overlap_steps",
                              "outer/quorum",
                              "outer/error_feedback",
                              "outer/step_seconds",
                              "outer/up/bits",
                              "outer/up/density",
                              "outer/up/index",
                              "outer/up/scale_bits",
                              "outer/down/bits",
                              "outer/down/density",
                              "outer/down/index",
                              "outer/down/scale_bits",
                              "outer/pattern",
                              "outer/late_updates",
                              "outer/release",
                              "outer/steps_by_speed",
                              "aggregation/topology",
                              "aggregation/aggregators",
                              "aggregation/arrangement",
                              "aggregation/ingress_bits_per_second",
                              "aggregation/egress_bits_per_second",
                              "aggregation/quantise_parameters_per_second",
                              "aggregation/average_parameters_per_second",
                              "aggregation/grace_share",
                              "aggregation/grace_limit_seconds",
                              "aggregation/quorum_wait_seconds",
                              "aggregation/least_quorum",
                              "aggregation/latest_rounds",
                              "aggregation/late_weight",
                              "aggregation/late_decay",
                              "aggregation/egress_dollars_per_gigabyte",
                              "faults/site_mtbf_seconds",
                              "faults/site_recovery_seconds",
                              "faults/site_recovery_shape",
                              "faults/rejoin_bytes_per_parameter",
                              "faults/in_flight_lost",
                              "faults/site_speed_variation",
                              "faults/step_variation",
                              "cluster/wan/uplink_bits_per_second",
                              "cluster/wan/downlink_bits_per_second",
                              "cluster/wan/full_duplex",
                              "cluster/wan/round_trip_seconds",
                              "cluster/wan/loss_probability",
                              "cluster/wan/streams",
                              "cluster/wan/jitter_seconds",
                              "cluster/wan/rate_variation",
                              "cluster/wan/rate_interval_seconds",
                              "cluster/wan/rate_correlation",
                              "cluster/wan/rate_trace",
                              "cluster/wan/groups"}) {
        QVERIFY2(panels->hasFieldInSight(QLatin1Char('/') + QLatin1String(field)), field);
        QVERIFY2(panels->findChild<QWidget *>(QLatin1String(field)) != nullptr, field);
    }
    auto *topology = shown.window.find<QComboBox>("aggregation/topology");
    topology->setCurrentIndex(1);
    Q_EMIT topology->activated(1);
    QVERIFY(shown.settle());
    QCOMPARE(shown.window.session().view().plan.aggregation.topology, Topology::ring);
    auto *lost = shown.window.find<ToggleSwitch>("faults/in_flight_lost");
    lost->click();
    QVERIFY(shown.settle());
    QVERIFY(!shown.window.session().view().plan.faults.in_flight_lost);
}

void SitesFieldsTest::aFieldThatIsLeftOutSaysWhatHolds() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    auto *step = shown.window.find<OptionalQuantityBox>("outer/step_seconds");
    QCOMPARE(step->text(), QStringLiteral("predicted"));
    Q_EMIT step->edited(23);
    QVERIFY(shown.settle());
    QCOMPARE(shown.window.session().view().plan.outer.step_seconds, std::optional(23.0));
    QCOMPARE(step->text(), QStringLiteral("23"));
    Q_EMIT step->edited(OptionalQuantityBox::LeftOut);
    QVERIFY(shown.settle());
    QVERIFY(!shown.window.session().view().plan.outer.step_seconds);
    QVERIFY(!shown.window.json().at("outer").contains("step_seconds"));
    QCOMPARE(step->text(), QStringLiteral("predicted"));
}

void SitesFieldsTest::listsOfALinkAreTyped() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    const auto type = [&](const char *name, const QString &text) {
        auto *field = shown.window.find<QLineEdit>(name);
        field->setText(text);
        field->setModified(true);
        Q_EMIT field->editingFinished();
        return shown.settle();
    };
    const auto wan = [&]() -> const Wan & { return *shown.window.session().view().plan.cluster.wan; };
    QVERIFY(type("cluster/wan/rate_trace", QStringLiteral("0 s: 100 %, 1 h: 40%, 7200 s: 100 %")));
    QCOMPARE(wan().rate_trace.size(), std::size_t(3));
    QCOMPARE(wan().rate_trace[1], (RatePoint{3600, 0.4}));
    QCOMPARE(traceFrom(traceText(wan().rate_trace)).value().size(), std::size_t(3));
    QVERIFY(type("cluster/wan/groups", QStringLiteral("8 x 50 Mb/s 40Mb/s 200 ms")));
    QCOMPARE(wan().groups.size(), std::size_t(1));
    QCOMPARE(wan().groups[0].downlink_bits_per_second, 40e6);
    QCOMPARE(wan().groups[0].round_trip_seconds, 0.2);
    QCOMPARE(wan().groups[0].streams, wan().streams); // the group does not set the number of streams
    QVERIFY(type("cluster/wan/groups",
                 QStringLiteral("8 x 50 Mb/s 40Mb/s 200 ms half duplex loss 1 % streams 4 jitter 20 ms varies 10 %, "
                                "1 x 1 Gb/s 1 Gb/s 5 ms")));
    QCOMPARE(wan().groups.size(), std::size_t(2));
    const WanGroup &own = wan().groups[0];
    QCOMPARE(own.loss_probability, 0.01);
    QCOMPARE(own.streams, std::int64_t(4));
    QCOMPARE(own.jitter_seconds, 0.02);
    QCOMPARE(own.rate_variation, 0.1);
    QVERIFY(!own.full_duplex);
    const std::vector<WanGroup> written = wan().groups;
    QVERIFY(type("cluster/wan/groups", groupsText(wan())));
    QCOMPARE(wan().groups, written);
    const int edits = shown.window.edits();
    QVERIFY(type("cluster/wan/groups", QStringLiteral("many sites")));
    QCOMPARE(shown.window.edits(), edits);
    QVERIFY(type("cluster/wan/groups", {}));
    QVERIFY(wan().groups.empty());
    QVERIFY(type("cluster/wan/rate_trace", {}));
    QVERIFY(wan().rate_trace.empty());
    for (const char *text : {"1", "x", "1 s", "5 % 3 s", "1 s 2 s 3 s", "-1 x", "1 x 2 x 3"}) {
        QVERIFY(!traceFrom(QLatin1String(text)));
        QVERIFY(!groupsFrom(QLatin1String(text), {}));
    }
}

void SitesFieldsTest::aLinksRateIsTakenFromAFile() {
    ShownSites shown(QStringLiteral("ten-to-25-36"));
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("link.csv"));
    const auto write = [&](const QByteArray &text) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    auto *button = shown.window.find<QPushButton>("rateTraceFile");
    shown.window.prompts.path = path;
    QByteArray day("seconds,bits_per_second\n");
    for (int minute = 0; minute <= 1440; minute += 10)
        day += QByteArray::number(1700000000 + 60 * minute) + ',' + (minute % 120 < 60 ? "100e6" : "25e6") + '\n';
    write(day);
    button->click();
    QVERIFY(shown.settle());
    const auto trace = [&] { return shown.window.session().view().plan.cluster.wan->rate_trace; };
    QCOMPARE(trace().size(), std::size_t(145));
    QCOMPARE(trace()[6], (RatePoint{3600, 0.25}));
    QCOMPARE(shown.window.edits(), 1);
    // The field shows the number of points if there are many, and edits of other fields do not change them.
    auto *field = shown.window.find<QLineEdit>("cluster/wan/rate_trace");
    QVERIFY2(field->text().contains(QStringLiteral("145 points")), qPrintable(field->text()));
    // A file that is missing or malformed changes nothing, and one line reports the error.
    for (const char *text : {"", "seconds,share\n0,1\n", "a,b\n1,2\n2,3\n"}) {
        write(text);
        button->click();
        QVERIFY(shown.settle());
        QCOMPARE(shown.window.edits(), 1);
    }
    shown.window.prompts.path = folder.path();
    button->click();
    QCOMPARE(shown.window.edits(), 1);
    shown.window.document().undoStack()->undo();
    QVERIFY(shown.settle());
    QVERIFY(trace().empty());
}

LISTED_TEST(SitesFieldsTest)
#include "tst_sites_fields.moc"
