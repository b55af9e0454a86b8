//===-- loader/tests/region_log_test.cpp - What regions say ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/program/region_log.h"
#include "loader/tests/fake_device.h"
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>
#include <unistd.h>

using namespace gpuexec;
using testing::HasSubstr;
using testing::Not;

namespace {

class RegionLogTest : public testing::Test {
protected:
  /// The log is the host's memory.
  class WithHostMemory final : public Device {
  public:
    FakeDevice fake;
    std::vector<std::byte> memory;
    const DeviceInfo &info() const override { return fake.info(); }
    llvm::Expected<std::unique_ptr<Module>>
    load(const Image &image, const LaunchSettings &settings) override {
      return fake.load(image, settings);
    }
    llvm::Expected<HostBuffer> allocate_host(uint64_t size) override {
      memory.assign(size, std::byte(0));
      return HostBuffer{memory.data(), DeviceAddress(0x1000), size};
    }
    void free_host(const HostBuffer &) override { memory.clear(); }
    llvm::Expected<DeviceAddress> allocate_device(uint64_t size) override {
      return fake.allocate_device(size);
    }
    void free_device(DeviceAddress address) override {
      fake.free_device(address);
    }
    Queue &queue() override { return fake; }
    rpc::DeviceMemory &heap() override { return fake.heap(); }
  };

  void SetUp() override {
    variable = cantFail(device.allocate_device(sizeof(gpuexec_regions)));
    log = cantFail(RegionLog::create(device, variable, /*spans=*/true));
    head = reinterpret_cast<gpuexec_region_log *>(device.memory.data());
    head->began = 1000;
    head->ended = 2'001'000;
    head->grid_threads = 1000;
  }
  void add(unsigned row, const char *name, gpuexec_region_sums sums) {
    std::strncpy(head->rows[row].name, name, GPUEXEC_REGION_NAME);
    head->rows[row].sums = sums;
  }
  std::string json() const {
    llvm::json::Object object;
    log->add_json(object);
    return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
  }
  /// The file after the log has written its events.
  std::string events() {
    const std::string path = // shards run at the same time
        testing::TempDir() + "region_log" + std::to_string(::getpid());
    {
      auto trace = cantFail(rpc::Trace::create(path));
      log->main_ended();
      log->add_events(*trace);
      EXPECT_FALSE(bool(trace->close()));
    }
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    unlink(path.c_str());
    return text.str();
  }

  WithHostMemory device;
  DeviceAddress variable;
  std::unique_ptr<RegionLog> log;
  gpuexec_region_log *head = nullptr;
};

TEST_F(RegionLogTest, TellsTheProgramWhereItIs) {
  gpuexec_regions told = {};
  ASSERT_FALSE(bool(device.queue().copy_from_device(
      {reinterpret_cast<std::byte *>(&told), sizeof told}, variable)));
  EXPECT_EQ(told.log, 0x1000u);
  EXPECT_NE(told.sums, 0u);
  EXPECT_EQ(told.spans, RegionLog::MOST_SPANS);
}

TEST_F(RegionLogTest, TheLongestRegionComesFirst) {
  add(9, "short at a.c:1", {1, 1000, 1000, 1000, 1000, 1000 * 1000, 500'000});
  add(200, "long at a.c:2",
      {4, 1'000'000, 200'000, 400'000, 500, 500'000'000, 250'000'000});
  const std::string table = log->table();
  EXPECT_LT(table.find("long at"), table.find("short at"));
  EXPECT_THAT(table, HasSubstr("grid of 1000 threads; 1.001 ms of main()'s "
                               "2.000 ms (50 %)"));
  EXPECT_THAT(table, HasSubstr("           4      500          1.000          "
                               "250.0          200.0          400.0  50.0 %  "
                               "25.0 %  long at a.c:2"));
  EXPECT_THAT(table, HasSubstr(" 50.0 %  50.0 %  short at a.c:1"));
  EXPECT_THAT(json(), HasSubstr("\"file\":\"a.c\",\"function\":\"long\""));
}

TEST_F(RegionLogTest, ANameIsPrintable) {
  add(0, "\x1b[2J\n at b\"c:3", {1, 1, 1, 1, 1, 1, 1});
  EXPECT_THAT(log->table(), HasSubstr("\\x1b[2J\\x0a at b\"c:3"));
  EXPECT_THAT(json(), Not(HasSubstr("\x1b")));
}

TEST_F(RegionLogTest, NamesNeedNoEndAndNoPlace) {
  add(0, std::string(2 * GPUEXEC_REGION_NAME, 'x').c_str(),
      {1, 1, 1, 1, 1, 1, 1});
  add(1, "main", {1, 1, 1, 1, 1, 1, 1});
  EXPECT_THAT(log->table(),
              HasSubstr(std::string(GPUEXEC_REGION_NAME, 'x') + "\n"));
  EXPECT_THAT(json(), HasSubstr("\"function\":\"main\",\"grid_ratio\""));
}

TEST_F(RegionLogTest, WrongNumbersAreNumbers) {
  std::memset(static_cast<void *>(head), 0xff, device.memory.size());
  EXPECT_THAT(log->table(), HasSubstr("parallel regions: grid of "));
  EXPECT_THAT(json(), HasSubstr("parallel_regions"));
  EXPECT_THAT(events(), HasSubstr("]")); // row 0xffffffff: none
}

TEST_F(RegionLogTest, SpansAreEvents) {
  add(3, "main at a.c:1", {2, 2000, 1000, 1000, 7, 7000, 7000});
  head->spans = 2;
  head->first_spans[0] = {1'000'000, 1'001'000, 3, 7};
  head->first_spans[1] = {2'000'000, 2'001'000, 3, 7};
  const std::string text = events();
  EXPECT_THAT(text, HasSubstr("\"name\":\"main at a.c:1\",\"cat\":\"openmp\""));
  EXPECT_THAT(text, HasSubstr("\"dur\":1.000,\"args\":{\"threads\":7}"));
  EXPECT_THAT(text, HasSubstr("\"parallel regions\""));
}

TEST_F(RegionLogTest, SaysHowManySpansHaveNoRoom) {
  add(0, "f at a.c:1", {1, 1, 1, 1, 1, 1, 1});
  head->spans = RegionLog::MOST_SPANS + 7;
  EXPECT_THAT(events(),
              HasSubstr("parallel regions (the first 65536 of 65543)"));
}

TEST_F(RegionLogTest, SpansThatEndBeforeTheyBeginAreNone) {
  head->spans = 2;
  head->first_spans[0] = {20, 10, 0, 7};
  head->first_spans[1] = {10, 20, GPUEXEC_REGION_ROWS, 7};
  EXPECT_THAT(events(), Not(HasSubstr("openmp")));
}

} // namespace
