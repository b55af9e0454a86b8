"""What --stats-json and --trace say about parallel regions. usage: regions.py JSON TRACE THREADS"""

import json
import sys

with open(sys.argv[1]) as file:
    statistics = json.load(file)
with open(sys.argv[2]) as file:
    events = json.load(file)
threads = [int(number) for number in sys.argv[3].split(",")]

main, regions = statistics["openmp"], statistics["parallel_regions"]
assert main["grid_threads"] in threads and main["executions_of_further_regions"] == 0, main
print("main has %s threads" % sys.argv[3])
for region in sorted(regions, key=lambda region: region["line"]):
    count = "all" if region["threads"] == main["grid_threads"] else region["threads"]
    print("%s:%d %s: %d times, %s threads" % (region["file"], region["line"], region["function"], region["executions"], count))
    assert region["name"] == "%s at %s:%d" % (region["function"], region["file"], region["line"])
    assert 0 < region["least_seconds"] <= region["most_seconds"] <= region["seconds"], region
    assert 0 <= region["grid_ratio"] <= region["busy_ratio"] <= 1.01, region
    # What the device's own counters have by the same name.
if "kernels" in statistics and statistics["kernels"]:
    start = [kernel for kernel in statistics["kernels"] if kernel["kernel"] == "_start"][0]
    counted = {region["name"]: region for region in start["regions"]}
    assert sorted(counted) == sorted(region["name"] for region in regions), counted
    assert all(region["active_lane_ratio"] > 0 for region in counted.values()), counted
inside = sum(region["seconds"] for region in regions)
assert abs(inside - main["seconds_in_regions"]) < 1e-6 and inside < main["seconds"], main

kernel = [event for event in events if event.get("cat") == "loader" and event["name"] == "start"][0]
spans = [event for event in events if event.get("cat") == "openmp"]
last = kernel["ts"]
for span in spans:
    assert span["ts"] >= last - 1 and span["dur"] >= 0, (last, span)
    last = span["ts"] + span["dur"]
assert last <= kernel["ts"] + kernel["dur"], (last, kernel)
for region in regions:
    own = [span for span in spans if span["name"] == region["name"]]
    assert len(own) == region["executions"], own
    assert abs(sum(span["dur"] for span in own) - region["seconds"] * 1e6) < 0.01 * len(own), own
    assert max(span["args"]["threads"] for span in own) == region["threads"], own
print("%d spans one after the other inside the kernel, as long as their regions" % len(spans))
