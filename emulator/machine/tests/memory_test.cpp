// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/fault.h"
#include "emulator/machine/memory.h"
#include "emulator/machine/page_allocator.h"
#include "support/fixed_addresses.h"

#include <gtest/gtest.h>

#include <cstring>
#include <sys/mman.h>
#include <thread>

using namespace gpuexec::emulator;

static Region make(uint64_t begin, uint64_t size, bool writable = true) {
  Region region;
  region.begin = begin;
  region.end = begin + size;
  region.writable = writable;
  return region;
}

TEST(AddressSpace, FindsExactlyTheBytesOfARegion) {
  AddressSpace space;
  const Region *region = space.add(make(0x10010, 0x25));
  ASSERT_TRUE(region);
  EXPECT_EQ(space.find(0x1000f), nullptr);
  EXPECT_EQ(space.find(0x10010), region);
  EXPECT_EQ(space.find(0x10034), region);
  EXPECT_EQ(space.find(0x10035), nullptr);
  EXPECT_EQ(space.find(0), nullptr);
  EXPECT_EQ(space.find(~uint64_t(0)), nullptr);
  EXPECT_EQ(space.find(uint64_t(1) << 47), nullptr);
}

TEST(AddressSpace, RegionsOfAllSizesAndPlaces) {
  AddressSpace space;
  const uint64_t KiB = 1024, MiB = KiB * KiB, GiB = KiB * MiB;
  std::vector<Region> wanted = {make(4 * KiB, 1),
                                make(2 * MiB, 2 * MiB),
                                make(6 * MiB - 4096, 4 * MiB + 8192),
                                make(3 * GiB, 2 * GiB),
                                make(512 * GiB - 3, 7),
                                make(600 * GiB - MiB, 600 * GiB),
                                make((uint64_t(1) << 47) - 16, 16)};
  for (const Region &region : wanted)
    ASSERT_TRUE(space.add(region)) << std::hex << region.begin;
  for (const Region &region : wanted) {
    for (uint64_t address :
         {region.begin, region.begin + region.size() / 2, region.end - 1}) {
      const Region *found = space.find(address);
      ASSERT_TRUE(found) << std::hex << address;
      EXPECT_EQ(found->begin, region.begin);
    }
    EXPECT_EQ(space.find(region.begin - 1), nullptr)
        << std::hex << region.begin;
    EXPECT_EQ(space.find(region.end), nullptr) << std::hex << region.end;
  }
  for (const Region &region : wanted)
    EXPECT_TRUE(space.remove(region.begin));
  for (const Region &region : wanted)
    EXPECT_EQ(space.find(region.begin), nullptr);
  EXPECT_EQ(space.live_bytes(), 0u);
}

TEST(AddressSpace, SeveralRegionsShareAPage) {
  AddressSpace space;
  for (uint64_t i = 0; i < 16; ++i)
    ASSERT_TRUE(space.add(make(0x20000 + i * 64, 32)));
  for (uint64_t i = 0; i < 16; ++i) {
    ASSERT_TRUE(space.find(0x20000 + i * 64 + 31));
    EXPECT_EQ(space.find(0x20000 + i * 64)->begin, 0x20000 + i * 64);
    EXPECT_EQ(space.find(0x20000 + i * 64 + 32), nullptr);
  }
  for (uint64_t i = 0; i < 16; i += 2)
    EXPECT_TRUE(space.remove(0x20000 + i * 64));
  for (uint64_t i = 0; i < 16; ++i)
    EXPECT_EQ(space.find(0x20000 + i * 64) != nullptr, i % 2 == 1);
}

TEST(AddressSpace, RefusesOverlapAndNonsense) {
  AddressSpace space;
  ASSERT_TRUE(space.add(make(0x10000, 0x1000)));
  EXPECT_FALSE(space.add(make(0x10fff, 1)));
  EXPECT_FALSE(space.add(make(0xffff, 2)));
  EXPECT_FALSE(space.add(make(0xf000, 0x3000)));
  EXPECT_FALSE(space.add(make(0x40000, 0)));
  EXPECT_FALSE(space.add(make((uint64_t(1) << 47) - 1, 2)));
  EXPECT_FALSE(space.remove(0x10001));
  EXPECT_TRUE(space.add(make(0x11000, 1)));
}

TEST(AddressSpace, AllowsWritesToWhatIsNoCode) {
  AddressSpace space;
  const Region *data = space.add(make(0x10000, 0x1000, /*writable=*/false));
  const Region *other = space.add(make(0x11000, 0x1000, /*writable=*/false));
  Region text = make(0x12000, 0x1000, /*writable=*/false);
  text.code_end = 0x12100;
  const Region *code = space.add(text);
  for (uint64_t address : {0xffff, 0x10fff, 0x12000, 0x12fff, 0x13000})
    space.allow_writes(address);
  EXPECT_TRUE(data->may_write());
  EXPECT_FALSE(other->may_write());
  EXPECT_FALSE(code->may_write());
}

TEST(AddressSpace, ReleaseWaitsForReaders) {
  AddressSpace space;
  space.add(make(0x10000, 0x1000));
  AddressSpace::Reader reader(space);
  bool released = false;
  auto release = [](void *context, uint64_t begin, uint64_t end) {
    EXPECT_EQ(begin, 0x10000u);
    EXPECT_EQ(end, 0x11000u);
    *static_cast<bool *>(context) = true;
  };
  reader.enter();
  const Region *held = space.find(0x10000);
  space.remove(0x10000, release, &released);
  EXPECT_EQ(space.find(0x10000), nullptr);
  space.collect();
  EXPECT_FALSE(released);
  EXPECT_EQ(held->size(), 0x1000u); // still there
  EXPECT_TRUE(space.has_retired());
  reader.leave();
  reader.enter(); // after the removal: holds nothing of it
  space.collect();
  EXPECT_TRUE(released);
  EXPECT_FALSE(space.has_retired());
  reader.leave();
}

TEST(RegionCache, NeverHitsAFreedRegion) {
  AddressSpace space;
  space.add(make(0x10000, 0x1000));
  RegionCache cache(space);
  cache.refresh();
  EXPECT_TRUE(cache.find(0x10010, 4));
  EXPECT_TRUE(cache.find(0x10ffc, 4));
  EXPECT_FALSE(cache.find(0x10ffd, 4));
  space.remove(0x10000);
  cache.refresh();
  EXPECT_FALSE(cache.find(0x10010, 4));
  space.add(make(0x10000, 0x10));
  cache.refresh();
  EXPECT_FALSE(cache.find(0x10010, 4));
  EXPECT_TRUE(cache.find(0x1000c, 4));
}

TEST(RegionCache, ManyRegionsEvictEachOther) {
  AddressSpace space;
  for (uint64_t i = 1; i <= 64; ++i)
    space.add(make(i << 20, 64));
  RegionCache cache(space);
  cache.refresh();
  for (int round = 0; round < 3; ++round)
    for (uint64_t i = 1; i <= 64; ++i) {
      ASSERT_TRUE(cache.find((i << 20) + 60, 4));
      EXPECT_EQ(cache.find((i << 20) + 60, 4)->begin, i << 20);
    }
}

TEST(RegionCache, SpansOfAdjacentRegions) {
  AddressSpace space;
  space.add(make(0x100000, 0x2000));
  space.add(make(0x102000, 0x1000));
  space.add(make(0x103000, 0x1000, false));
  space.add(make(0x105000, 0x1010)); // ends inside a page
  space.add(make(0x107000, 0x1000));
  RegionCache cache(space);
  cache.refresh();
  EXPECT_FALSE(cache.last_span_holds(0x100000, 4));
  EXPECT_FALSE(cache.find_span(0x100000, 0x103001)); // read-only
  EXPECT_FALSE(cache.find_span(0x102fff, 0x105008)); // a gap
  EXPECT_FALSE(
      cache.find_span(0x106000, 0x107001)); // a gap behind a page's middle
  EXPECT_EQ(cache.span(0).length, 0u);
  EXPECT_TRUE(cache.find_span(0x102010, 0x103000));
  EXPECT_EQ(cache.span(0).begin, 0x100000u);
  EXPECT_EQ(cache.span(0).length, 0x3000u);
  EXPECT_TRUE(cache.last_span_holds(0x101ffc, 4));
  EXPECT_TRUE(cache.last_span_holds(0x101ffd, 4)); // goes on in the next one
  EXPECT_TRUE(cache.last_span_holds(0x102ff8, 8));
  EXPECT_FALSE(cache.last_span_holds(0x102ff9, 8));
  EXPECT_FALSE(cache.last_span_holds(0xffffc, 8));
  EXPECT_TRUE(cache.find_span(0x105000, 0x106010));
  EXPECT_EQ(cache.span(0).length, 0x1010u);
  EXPECT_EQ(cache.span(1).begin, 0x100000u);
  EXPECT_FALSE(cache.last_span_holds(0x10600c, 8));
  space.remove(0x102000);
  cache.refresh();
  EXPECT_EQ(cache.span(0).length, 0u);
  EXPECT_EQ(cache.span(1).length, 0u);
  EXPECT_TRUE(cache.find_span(0x100000, 0x102000));
  EXPECT_FALSE(cache.last_span_holds(0x102000, 4));
}

// As hardware, which maps whole pages, allows it.
TEST(AddressSpace, AccessesGoFromOneRegionIntoTheNextWhereAPageBegins) {
  AddressSpace space;
  space.add(make(0x100000, 0x1000));
  space.add(make(0x101000, 0x1000));
  space.add(make(0x102000, 0x1000, false));
  space.add(make(0x103000, 0x10)); // ends inside a page
  space.add(make(0x103010, 0x10));
  for (bool write : {false, true}) {
    EXPECT_TRUE(space.may_access(0x100ff8, 8, write)) << write;
    EXPECT_TRUE(space.may_access(0x100ffc, 8, write)) << write;
    EXPECT_TRUE(space.may_access(0x100fff, 0x1001, write)) << write;
    EXPECT_EQ(space.may_access(0x101ffc, 8, write), !write);
    EXPECT_EQ(space.may_access(0x102ffc, 8, write), !write);
    EXPECT_FALSE(space.may_access(0x10300c, 8, write)) << write;
    EXPECT_FALSE(space.may_access(0x10301c, 8, write)) << write;
    EXPECT_FALSE(space.may_access(0xffffc, 8, write)) << write;
  }
  space.remove(0x101000);
  EXPECT_FALSE(space.may_access(0x100ffc, 8, false));
  EXPECT_TRUE(space.may_access(0x100ff8, 8, false));
}

// Programs whose lanes use distant memory do not search at each access.
TEST(RegionCache, SpansAreNotSearchedForEver) {
  AddressSpace space;
  space.add(make(0x100000, 0x1000));
  RegionCache cache(space);
  cache.refresh();
  for (int i = 0; i < 1000; ++i)
    EXPECT_FALSE(cache.find_span(0x100000, 0x200000));
  int found = 0;
  for (int i = 0; i < 128; ++i)
    found += cache.find_span(0x100000, 0x101000);
  EXPECT_EQ(found, 2);
}

TEST(Fault, IsToldApart) {
  AddressSpace space;
  space.add(make(0x100000, 10));
  space.add(make(0x200000, 10));
  space.remove(0x200000);
  EXPECT_EQ(classify(space, 0, 4), Fault::Kind::null_page);
  EXPECT_EQ(classify(space, 0xfff8, 4), Fault::Kind::null_page);
  EXPECT_EQ(classify(space, 0x100008, 4), Fault::Kind::out_of_bounds);
  EXPECT_EQ(classify(space, 0x200004, 4), Fault::Kind::freed);
  EXPECT_EQ(classify(space, 0x300000, 4), Fault::Kind::unmapped);
  auto nearest = space.nearest(0x10000c);
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->region.begin, 0x100000u);
  EXPECT_EQ(nearest->distance, 3u);
  EXPECT_FALSE(nearest->before);
  nearest = space.nearest(0xffffe);
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->distance, 2u);
  EXPECT_TRUE(nearest->before);
}

// Readers look up and touch while a writer allocates and frees: nobody may
// touch memory that was given back.
TEST(AddressSpace, ReadersAndAWriterAtOnce) {
  AddressSpace space;
  PageAllocator pages(uint64_t(1) << 30);
  constexpr unsigned SLOTS = 8;
  std::atomic<uint64_t> addresses[SLOTS] = {};
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> hits{0}, misses{0};
  auto read = [&] {
    AddressSpace::Reader reader(space);
    RegionCache cache(space);
    unsigned slot = 0;
    while (!stop) {
      reader.enter();
      for (int i = 0; i < 64; ++i) {
        cache.refresh();
        uint64_t address =
            addresses[slot++ % SLOTS].load(std::memory_order_relaxed);
        if (!address)
          continue;
        if (const Region *region = cache.find(address + 100, 8)) {
          EXPECT_LE(region->begin, address);
          EXPECT_NE(__atomic_load_n(reinterpret_cast<uint64_t *>(address + 100),
                                    __ATOMIC_RELAXED),
                    1u);
          ++hits;
        } else {
          ++misses;
        }
      }
      reader.leave();
    }
  };
  std::thread first(read), second(read);
  uint64_t released = 0;
  struct Context {
    PageAllocator *pages;
    uint64_t *released;
  } context = {&pages, &released};
  for (unsigned i = 0; i < 4000 || !hits; ++i) {
    unsigned slot = i % SLOTS;
    if (uint64_t old = addresses[slot].exchange(0))
      ASSERT_TRUE(space.remove(
          old,
          [](void *given, uint64_t begin, uint64_t end) {
            auto *context = static_cast<Context *>(given);
            __atomic_store_n(reinterpret_cast<uint64_t *>(begin + 100), 1,
                             __ATOMIC_RELAXED); // poison
            context->pages->free(begin, end - begin);
            ++*context->released;
          },
          &context));
    uint64_t fresh = pages.allocate(8192);
    ASSERT_TRUE(fresh);
    ASSERT_TRUE(space.add(make(fresh, 8192)));
    addresses[slot] = fresh;
  }
  stop = true;
  first.join();
  second.join();
  space.collect();
  EXPECT_GT(released, 3000u);
  EXPECT_GT(hits.load(), 0u);
}

TEST(PageAllocator, AlignsZeroesAndKeepsFreedPagesApart) {
  PageAllocator pages(uint64_t(64) << 20);
  uint64_t first = pages.allocate(100);
  uint64_t second = pages.allocate(5000);
  uint64_t large = pages.allocate(uint64_t(3) << 20, PageAllocator::LARGE_PAGE);
  ASSERT_TRUE(first && second && large);
  EXPECT_EQ(first % 4096, 0u);
  EXPECT_EQ(large % PageAllocator::LARGE_PAGE, 0u);
  EXPECT_TRUE(second >= first + 4096 || first >= second + 8192);
  memset(reinterpret_cast<void *>(second), 0xff, 5000);
  pages.free(second, 5000);
  EXPECT_NE(pages.allocate(5000), second); // in quarantine
  EXPECT_TRUE(pages.owns(second));
  EXPECT_EQ(*reinterpret_cast<volatile char *>(second),
            0); // given back to the host
  EXPECT_FALSE(pages.owns(reinterpret_cast<uint64_t>(&pages)));
  EXPECT_EQ(pages.allocate(0), 0u);
  EXPECT_EQ(pages.allocate(uint64_t(1) << 60), 0u);
}

TEST(PageAllocator, HandsOutQuarantinedPagesInTheEnd) {
  PageAllocator pages(uint64_t(16) << 20);
  for (int i = 0; i < 200'000; ++i) {
    uint64_t page = pages.allocate(4096);
    ASSERT_TRUE(page);
    pages.free(page, 4096);
  }
}

TEST(PageAllocator, BeginsAtThePreferredAddressOrElsewhereWhenItIsTaken) {
  // Which addresses are free is not the test's to know: one that was.
  constexpr uint64_t SIZE = uint64_t(16) << 20;
  void *known = mmap(nullptr, 2 * SIZE, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(known, MAP_FAILED);
  munmap(known, 2 * SIZE);
  const uint64_t preferred = reinterpret_cast<uint64_t>(known);
  for (int run = 0; run < 2; ++run) {
    PageAllocator pages(SIZE, preferred);
    EXPECT_EQ(pages.allocate(8192), preferred) << run;
    PageAllocator others(SIZE, preferred);
    const uint64_t other = others.allocate(8192);
    EXPECT_TRUE(other && (other < preferred || other >= preferred + SIZE))
        << run;
    auto *word = reinterpret_cast<uint64_t *>(other);
    *word = 1; // memory like any other
    EXPECT_EQ(*word, 1u);
  }
}

TEST(PageAllocator, FixedAddressesAreFree) {
  for (const uint64_t address : {gpuexec::FIXED_IMAGES, gpuexec::FIXED_ARENA}) {
    PageAllocator pages(uint64_t(16) << 20, address);
    EXPECT_EQ(pages.allocate(4096), address); // under each sanitizer too
  }
}

TEST(PageAllocator, SharedMemoryIsAllThereIsAndReadsAsZerosAgain) {
  constexpr uint64_t SIZE = uint64_t(1) << 20;
  void *memory = mmap(nullptr, SIZE, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const uint64_t begin = reinterpret_cast<uint64_t>(memory);
  {
    PageAllocator pages;
    pages.use_shared(begin, SIZE);
    uint64_t first = pages.allocate(SIZE / 2);
    ASSERT_TRUE(first >= begin && first + SIZE / 2 <= begin + SIZE) << first;
    EXPECT_TRUE(pages.owns(first));
    EXPECT_EQ(pages.allocate(SIZE), 0u); // no arena is added
    auto *word = reinterpret_cast<uint64_t *>(first);
    *word = 1;
    pages.free(first, SIZE / 2);
    EXPECT_EQ(*word, 0u); // the mapping is the caller's and stays
  }
  EXPECT_EQ(*static_cast<uint64_t *>(memory), 0u);
  munmap(memory, SIZE);
}

TEST(PageAllocator, PrivateMemoryOfTheCallersReadsAsZerosAgain) {
  constexpr uint64_t SIZE = uint64_t(1) << 20;
  void *memory = mmap(nullptr, SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  {
    PageAllocator pages;
    pages.use_shared(reinterpret_cast<uint64_t>(memory), SIZE);
    const uint64_t address = pages.allocate(SIZE / 2);
    ASSERT_TRUE(address);
    auto *word = reinterpret_cast<uint64_t *>(address);
    *word = 1;
    pages.free(address, SIZE / 2);
    EXPECT_EQ(*word, 0u);
  }
  munmap(memory, SIZE);
}
