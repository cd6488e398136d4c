// SPDX-License-Identifier: GPL-3.0-or-later
// Imports PyTorch profiles and memory snapshots as measured runs, and compares runs with a plan's prediction.
#include "advise/complete_result.h"
#include "catalog/library.h"
#include "evaluate/evaluate.h"
#include "input/diagnostic.h"
#include "input/json_document.h"
#include "launch/importers.h"
#include "launch/run_comparison.h"
#include "measured/kernel_class.h"
#include "measured/memory_snapshot.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <vector>

using namespace meshwright;
using Json = nlohmann::ordered_json;

namespace {

Json kernel_event(const std::string &name, double begin, double duration, int stream = 7) {
    return {{"ph", "X"},       {"cat", "kernel"},
            {"name", name},    {"pid", 0},
            {"tid", stream},   {"ts", 1682725898000000 + begin},
            {"dur", duration}, {"args", {{"device", 0}, {"stream", stream}}}};
}

Json step_mark(int number, double begin, double duration) {
    return {{"ph", "X"},
            {"cat", "user_annotation"},
            {"name", "ProfilerStep#" + std::to_string(number)},
            {"pid", 9},
            {"tid", 9},
            {"ts", 1682725898000000 + begin},
            {"dur", duration}};
}

/// Two steps of 1,000 us. Each has a GEMM of 400, an attention kernel of 200, an element-wise kernel of 100, an
/// all-reduce of 300, of which 100 overlap with the GEMM, and an exposed copy of 50.
Json two_step_trace() {
    Json trace{{"schemaVersion", 1},
               {"distributedInfo", {{"backend", "nccl"}, {"rank", 3}, {"world_size", 8}}},
               {"deviceProperties",
                Json::array({{{"id", 0}, {"name", "NVIDIA H100 80GB HBM3"}, {"totalGlobalMem", 85045542912}}})},
               {"traceEvents", Json::array()}};
    Json &events = trace["traceEvents"];
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"ts", 0}, {"pid", 0}});
    for (int step = 0; step < 2; ++step) {
        const double at = 1000.0 * step;
        events.push_back(step_mark(10 + step, at, 1000));
        events.push_back(kernel_event("nvjet_tst_256x128_64x4", at, 400));
        events.push_back(
            kernel_event("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)", at + 300, 300, 20));
        events.push_back(kernel_event("void flash::FlashAttnFwdSm90<cutlass>(float)", at + 600, 200));
        events.push_back(
            kernel_event("void at::native::(anonymous namespace)::elementwise(cutlass::gemm::Params)", at + 800, 100));
        events.push_back({{"ph", "X"},
                          {"cat", "gpu_memcpy"},
                          {"name", "Memcpy HtoD"},
                          {"pid", 0},
                          {"ts", 1682725898000000 + at + 900},
                          {"dur", 50},
                          {"args", {{"device", 0}}}});
    }
    return trace;
}

Imported imported_trace(const std::string &text) {
    return import_files({{.name = "rank3.pt.trace.json", .text = text}}, {}, Library::standard());
}

/// Writes the pickles of a snapshot, protocol 2.
class PickleWriter {
public:
    std::string take() { return "\x80\x02" + m_bytes + "."; }
    PickleWriter &number(std::int64_t value) {
        m_bytes += "\x8a\x08";
        for (int i = 0; i < 8; ++i)
            m_bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i));
        return *this;
    }
    PickleWriter &text(const std::string &value) {
        m_bytes += 'X';
        for (int i = 0; i < 4; ++i)
            m_bytes += static_cast<char>(value.size() >> (8 * i));
        m_bytes += value;
        return *this;
    }
    PickleWriter &value(const Json &json) {
        if (json.is_number()) {
            number(json.get<std::int64_t>());
        } else if (json.is_string()) {
            text(json.get<std::string>());
        } else if (json.is_array()) {
            m_bytes += "](";
            for (const Json &item : json)
                value(item);
            m_bytes += 'e';
        } else if (json.is_object()) {
            m_bytes += "}(";
            for (const auto &[key, item] : json.items())
                text(key).value(item);
            m_bytes += 'u';
        } else {
            m_bytes += json.is_boolean() ? (json.get<bool>() ? '\x88' : '\x89') : 'N';
        }
        return *this;
    }

private:
    std::string m_bytes;
};

Json event_of(const char *action, std::int64_t size) {
    return {{"action", action}, {"addr", 4096}, {"size", size},
            {"stream", 0},      {"time_us", 1}, {"frames", Json::array()}};
}

/// 100 bytes were allocated before the recording; 700 and 300 are allocated and freed; 150 stay.
Json small_snapshot() {
    return {
        {"segments",
         Json::array({{{"device", 0}, {"total_size", 2000}, {"allocated_size", 250}, {"active_size", 260}},
                      {{"device", 0}, {"total_size", 500}, {"allocated_size", 0}, {"active_size", 0}}})},
        {"device_traces",
         Json::array({Json::array({event_of("alloc", 700), event_of("alloc", 300), event_of("free_requested", 700),
                                   event_of("free_completed", 700), event_of("free_completed", 300),
                                   event_of("alloc", 150)})})},
        {"allocator_settings", {{"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:128"}, {"expandable_segments", true}}}};
}

} // namespace

TEST(Trace, splits_a_step_into_compute_exposed_communication_copies_and_idle_time) {
    const Imported imported = imported_trace(two_step_trace().dump());
    EXPECT_EQ(imported.kind, "trace");
    EXPECT_EQ(imported.what, "run");
    EXPECT_DOUBLE_EQ(imported.document["step_seconds"], 1e-3);
    const Json &step = imported.measured["per_step"];
    EXPECT_NEAR(step["compute_seconds"], 700e-6, 1e-12);
    EXPECT_NEAR(step["exposed_communication_seconds"], 200e-6, 1e-12);
    EXPECT_NEAR(step["exposed_copy_seconds"], 50e-6, 1e-12);
    EXPECT_NEAR(step["idle_seconds"], 50e-6, 1e-12);
    EXPECT_NEAR(step["kernels"]["gemm_seconds"], 400e-6, 1e-12);
    EXPECT_NEAR(step["kernels"]["attention_seconds"], 200e-6, 1e-12);
    EXPECT_NEAR(step["kernels"]["memory_bound_seconds"], 100e-6, 1e-12);
    EXPECT_NEAR(step["communication"]["all_reduce_seconds"], 300e-6, 1e-12);
    EXPECT_EQ(imported.measured["kernels"], 8);
    EXPECT_EQ(imported.measured["communication_kernels"], 2);
    EXPECT_EQ(imported.measured["profiler_steps"], 2);
    EXPECT_EQ(imported.measured["rank"], 3);
    EXPECT_EQ(imported.document["accelerators"], 8);
    EXPECT_EQ(imported.document["accelerator"], "h100-sxm-80gb");
}

TEST(Trace, terms_of_a_step_add_up_to_it_whatever_the_kernels) {
    rc::check([] {
        Json trace = two_step_trace();
        const std::vector<const char *> names{"sgemm", "ncclDevKernel_AllGather", "elementwise", "flash_fwd"};
        const int count = *rc::gen::inRange(0, 30);
        for (int i = 0; i < count; ++i)
            trace["traceEvents"].push_back(kernel_event(*rc::gen::elementOf(names), *rc::gen::inRange(-500, 2500),
                                                        *rc::gen::inRange(0, 900), *rc::gen::inRange(1, 4)));
        const Json step = imported_trace(trace.dump()).measured["per_step"];
        const double sum = step["compute_seconds"].get<double>() + step["exposed_communication_seconds"].get<double>()
            + step["exposed_copy_seconds"].get<double>() + step["idle_seconds"].get<double>();
        RC_ASSERT(std::abs(sum - 1e-3) < 1e-12);
        RC_ASSERT(step["exposed_communication_seconds"].get<double>()
                  <= step["communication_busy_seconds"].get<double>() + 1e-15);
    });
}

TEST(Trace, without_marked_steps_has_no_step_time) {
    Json trace = two_step_trace();
    Json events = Json::array();
    for (const Json &event : trace["traceEvents"])
        if (event["name"].get<std::string>().find("ProfilerStep") == std::string::npos)
            events.push_back(event);
    const Imported imported = imported_trace(events.dump()); // Chrome's plain array of events
    EXPECT_FALSE(imported.document.contains("step_seconds"));
    EXPECT_NEAR(imported.measured["per_window"]["compute_seconds"], 1400e-6, 1e-12);
    EXPECT_NEAR(imported.measured["window_seconds"], 1950e-6, 1e-12);
}

TEST(Trace, of_the_cpu_alone_is_at_fault) {
    const Imported imported =
        imported_trace(R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "mm", "ts": 1, "dur": 2}]})");
    ASSERT_EQ(imported.faults.size(), 1u);
    EXPECT_EQ(imported.measured["events"], 1);
}

TEST(Trace, hostile_is_rejected_in_one_line) {
    std::string deep = R"({"traceEvents": [)";
    for (int i = 0; i < 100'000; ++i)
        deep += "[";
    EXPECT_THROW(imported_trace(deep), InputError);
    EXPECT_THROW(imported_trace(R"({"traceEvents": [{"ph": "X", "ts": 1e999}]})"), InputError);
    EXPECT_THROW(imported_trace(R"({"traceEvents": )"), InputError);
    EXPECT_THROW(imported_trace("\x1f\x8b\x08 not really gzip"), InputError);
    const Imported odd = imported_trace(
        R"({"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "ts": 1e300, "dur": 1},
                            {"ph": "X", "cat": "kernel", "name": "k", "ts": 1, "dur": -1},
                            {"ph": "X", "cat": "kernel", "name": 7, "ts": "x", "dur": null}, 5, null]})");
    EXPECT_EQ(odd.measured["kernels"], 0);
}

TEST(KernelClass, is_told_by_the_name) {
    const std::vector<std::pair<const char *, KernelClass>> cases{
        {"ampere_bf16_s16816gemm_bf16_128x128", KernelClass::gemm},
        {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64>(Params)", KernelClass::gemm},
        {"Cijk_Ailk_Bljk_BBS_BH_MT128x128", KernelClass::gemm},
        {"void cutlass::device_kernel<flash::FlashAttnFwdSm90>(int)", KernelClass::attention},
        {"cudnn_generated_fort_native_sdpa_sm90_flash_bprop", KernelClass::attention},
        {"fmha_cutlassB_bf16_aligned_64x64", KernelClass::attention},
        {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgsStorage)", KernelClass::communication},
        {"void deep_ep::intranode::dispatch<8, 768>(int4*)", KernelClass::communication},
        {"triton_poi_fused_flash_attention_mm_3", KernelClass::memory_bound},
        {"void fbgemm_gpu::permute_2D_data_kernel<false>(int)", KernelClass::memory_bound},
        {"void at::native::vectorized_elementwise_kernel<4>(cutlass::gemm::Params)", KernelClass::memory_bound}};
    for (const auto &[name, kind] : cases)
        EXPECT_EQ(class_of_kernel(name), kind) << name;
    EXPECT_EQ(communication_of_kernel("ncclDevKernel_SendRecv", "all_to_allv"), CommunicationKind::all_to_all);
    EXPECT_EQ(communication_of_kernel("ncclDevKernel_SendRecv", ""), CommunicationKind::send_receive);
    EXPECT_EQ(communication_of_kernel("ncclDevKernel_ReduceScatter_Sum", ""), CommunicationKind::reduce_scatter);
}

TEST(Snapshot, has_what_is_reserved_allocated_and_at_its_peak) {
    const Imported imported = imported_trace(PickleWriter().value(small_snapshot()).take());
    EXPECT_EQ(imported.measured["segments"], 2);
    EXPECT_EQ(imported.measured["reserved_bytes"], 2500);
    EXPECT_EQ(imported.measured["allocated_bytes"], 250);
    EXPECT_EQ(imported.measured["active_bytes"], 260);
    EXPECT_EQ(imported.measured["peak_of_recorded_allocations_bytes"], 1000);
    EXPECT_EQ(imported.document["peak_memory_bytes"], 1100); // includes the 100 bytes from before the recording
    EXPECT_EQ(imported.document["memory_kind"], "allocated");
    EXPECT_EQ(imported.document["outcome"], "ok");
    EXPECT_EQ(imported.measured["expandable_segments"], true);
}

TEST(Snapshot, of_a_run_that_ran_out_of_memory_says_so) {
    Json snapshot = small_snapshot();
    snapshot["device_traces"][0].push_back(event_of("oom", 4096));
    EXPECT_EQ(imported_trace(PickleWriter().value(snapshot).take()).document["outcome"], "oom");
}

TEST(Snapshot, without_a_recording_has_what_is_reserved) {
    Json snapshot = small_snapshot();
    snapshot.erase("device_traces");
    const Imported imported = imported_trace(PickleWriter().value(snapshot).take());
    EXPECT_EQ(imported.document["peak_memory_bytes"], 2500);
    EXPECT_EQ(imported.document["memory_kind"], "reserved");
}

TEST(Snapshot, is_never_run) {
    EXPECT_THROW(imported_trace("\x80\x02}X\x08segmentscos\nsystem\n."), InputError);
    const std::string whole = PickleWriter().value(small_snapshot()).take();
    for (std::size_t kept = 3; kept < whole.size(); kept += 5)
        EXPECT_THROW(import_files({{.name = "a", .text = whole.substr(0, kept)}}, "trace", Library::standard()),
                     InputError);
}

TEST(Snapshot, with_one_list_named_many_times_ends) {
    // 4,000 references to a list of 4,000 events: 16 million entries.
    std::string bytes = "\x80\x02}(X";
    bytes += std::string("\x08\0\0\0", 4) + "segments]X" + std::string("\x0d\0\0\0", 4) + "device_traces](](";
    for (int i = 0; i < 4000; ++i)
        bytes += "}";
    bytes += "eq\x01";
    for (int i = 0; i < 4000; ++i)
        bytes += "h\x01";
    EXPECT_THROW(imported_trace(bytes + "eu."), InputError);
}

TEST(RunComparison, puts_each_measured_figure_next_to_the_prediction) {
    const Outcome outcome = evaluate_document(
        Json{{"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}}, Library::standard());
    ASSERT_TRUE(outcome.result);
    Imported imported = imported_trace(two_step_trace().dump());
    imported.document["peak_memory_bytes"] = 50e9;
    imported.document["memory_kind"] = "reserved";
    const RunComparison comparison = compare_run(imported, *outcome.result, "a plan");
    std::vector<std::string> titles;
    for (const ComparedMeasurement &figure : comparison.figures)
        titles.push_back(figure.title);
    EXPECT_EQ(titles,
              (std::vector<std::string>{"Step time", "Peak memory, reserved by the allocator", "Compute",
                                        "Exposed communication", "Idle"}));
    const Step &step = outcome.result->step;
    EXPECT_EQ(comparison.figures[0].predicted, step.seconds);
    EXPECT_DOUBLE_EQ(comparison.figures[0].difference(), step.seconds / 1e-3 - 1);
    EXPECT_DOUBLE_EQ(comparison.figures[2].predicted,
                     step.term(StepTerm::compute) + step.term(StepTerm::recompute) + step.term(StepTerm::optimizer));
    const Json json = to_json(comparison);
    EXPECT_EQ(json["figures"][0]["figure"], "step.seconds");
    EXPECT_EQ(json["figures"][1]["unit"], "bytes");
}

TEST(RunComparison, names_settings_in_which_run_and_plan_differ) {
    const Outcome outcome = evaluate_document(
        Json{{"schema", "meshwright.plan/1"}, {"cluster", "dgx-a100"}, {"model", "llama-3.1-8b"}}, Library::standard());
    ASSERT_TRUE(outcome.result);
    Imported imported = imported_trace(two_step_trace().dump());
    imported.document["layers"] = 32;
    imported.document["tensor"] = 64;
    std::vector<std::string> columns;
    for (const DifferingSetting &setting : compare_run(imported, *outcome.result, "a plan").differing)
        columns.push_back(setting.column);
    EXPECT_EQ(std::count(columns.begin(), columns.end(), "layers"), 0);
    EXPECT_EQ(std::count(columns.begin(), columns.end(), "tensor"), 1);
    EXPECT_EQ(std::count(columns.begin(), columns.end(), "accelerator"), 1);
}

TEST(RunComparison, is_of_runs_alone) {
    const Outcome outcome = evaluate_document(
        Json{{"schema", "meshwright.plan/1"}, {"cluster", "dgx-h100"}, {"model", "llama-3.1-8b"}}, Library::standard());
    Imported tier;
    tier.what = "tier";
    EXPECT_THROW(compare_run(tier, *outcome.result, "a plan"), InputError);
    Imported empty;
    empty.what = "run";
    empty.document = Json::object();
    EXPECT_THROW(compare_run(empty, *outcome.result, "a plan"), InputError);
}
