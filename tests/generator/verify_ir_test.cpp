// Every kernel IR that lowering makes is well formed; every damaged one is rejected with a reason.
#include <gtest/gtest.h>

#include <algorithm>

#include "damaged_sample.hpp"
#include "sonoma/check.hpp"
#include "sonoma/program.hpp"
#include "sonoma/resolve.hpp"

namespace sonoma::test {
namespace {

TEST(Verify, AcceptsEveryKernel) {
  for (const Request& request : all_requests()) {
    const KernelIr ir = request.generated().ir;
    EXPECT_EQ(verify(ir), "") << name(request);
    const std::string text = to_string(ir);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), std::ssize(ir.ops));
  }
}

// All but the factor of the request, which nothing else in the IR states.
TEST(Verify, EveryOperationIsNeeded) {
  for (const Request& request : sample_requests()) {
    const KernelIr ir = request.generated().ir;
    for (std::size_t i = 0; i < ir.ops.size(); ++i) {
      if (is<op::Multiply>(ir.ops[i])) continue;
      EXPECT_NE(verify(without(ir, i)), "") << at(request, ir, i);
    }
  }
}

TEST(Verify, NoOperationMayComeTwiceButBarriersAndFactors) {
  for (const Request& request : sample_requests()) {
    const KernelIr ir = request.generated().ir;
    for (std::size_t i = 0; i < ir.ops.size(); ++i) {
      if (is<op::Multiply>(ir.ops[i]) || is<op::Barrier>(ir.ops[i])) continue;
      EXPECT_NE(verify(twice(ir, i)), "") << at(request, ir, i);
    }
  }
}

TEST(Verify, AKernelWaitsForTheLaunchThatStoresItsInput) {
  FftProblem problem;
  problem.lengths = {65536};
  Tuning tuning;
  tuning.pass_lengths = {256, 256};
  const Target target = target_for("sm_90");
  const Program program = make_program(problem, target, tuning);
  const Launch& second = program.launches.at(1);
  const KernelIr ir = lower(schedule(second.pass, target, second.shape), Direction::forward, 1);
  ASSERT_TRUE(is<op::WaitForLaunch>(ir.ops[0]));
  ASSERT_TRUE(is<op::LoadTile>(ir.ops[1]));
  EXPECT_EQ(verify(ir), "");
  EXPECT_NE(verify(swapped(ir, 0)), "");
  EXPECT_NE(verify(without(ir, 0)), "");
}

bool touches_shared(const Op& op) {
  return is<op::CopyAsync>(op) || is<op::WaitAsync>(op) || is<op::WriteShared>(op) ||
         is<op::ReadShared>(op) || is<op::FindMaximum>(op);
}

int tile_of(const Op& op) {
  return std::visit(
      [](const auto& o) {
        if constexpr (requires { o.tile; }) {
          return static_cast<int>(o.tile);
        } else {
          return -1;
        }
      },
      op);
}

// All that its scale needs comes before, all that takes it behind.
bool commutes_with_scale(const op::TransformScale& scale, const Op& b) {
  if (is<op::Barrier>(b)) return scale.warps == 1;
  if (const auto* split = std::get_if<op::Split>(&b)) {
    return split->scale != op::SplitScale::transform;
  }
  return !is<op::FindMaximum>(b);
}

// The two neither pass data to each other nor order the same memory.
bool commute(const Op& a, const Op& b) {
  if (const auto* scale = std::get_if<op::TransformScale>(&a))
    return commutes_with_scale(*scale, b);
  if (const auto* scale = std::get_if<op::TransformScale>(&b))
    return commutes_with_scale(*scale, a);
  if (is<op::Barrier>(a)) return is<op::Barrier>(b) || !touches_shared(b);
  if (is<op::Barrier>(b)) return commute(b, a);
  if (is<op::Butterfly>(a) && is<op::Multiply>(b)) return true;  // linear, both
  // A matrix may be loaded anywhere before its first product.
  if (is<op::LoadMatrix>(b)) return !is<op::LoadMatrix>(a) && !is<op::Twiddle>(a);
  if (is<op::LoadMatrix>(a)) return !is<op::Mma>(b) && !is<op::Twiddle>(b);
  return tile_of(a) >= 0 && tile_of(b) >= 0 && tile_of(a) != tile_of(b);
}

TEST(Verify, NeighboursThatDependOnEachOtherMayNotChangePlaces) {
  for (const Request& request : sample_requests()) {
    const KernelIr ir = request.generated().ir;
    for (std::size_t i = 0; i + 1 < ir.ops.size(); ++i) {
      if (commute(ir.ops[i], ir.ops[i + 1])) continue;
      EXPECT_NE(verify(swapped(ir, i)), "") << at(request, ir, i);
    }
  }
}

TEST(Verify, BarriersMayNotBecomeWeaker) {
  using Scope = op::Barrier::Scope;
  unsigned barriers = 0, of_clusters = 0;
  for (const Request& request : sample_requests()) {
    KernelIr ir = request.generated().ir;
    for (std::size_t i = 0; i < ir.ops.size(); ++i) {
      auto* barrier = std::get_if<op::Barrier>(&ir.ops[i]);
      if (!barrier || barrier->scope == Scope::warp) continue;
      const Scope scope = barrier->scope;
      barrier->scope = scope == Scope::block ? Scope::warp : Scope::block;
      EXPECT_NE(verify(ir), "") << at(request, ir, i);
      barrier->scope = scope;
      ++(scope == Scope::block ? barriers : of_clusters);
    }
  }
  EXPECT_GT(barriers, 20u);
  EXPECT_EQ(of_clusters, 8u);  // two in each of two requests, four where rounds turn
}

// Of a cluster: points that are written to other blocks than they are read from, or before those
// have begun.
TEST(Verify, BlocksOfAClusterAreCounted) {
  const Request request = [] {
    Request r{8192, Engine::simt, {}};
    r.cluster = 8;
    return r;
  }();
  const KernelIr ir = request.generated().ir;
  unsigned changed = 0;
  for (std::size_t i = 0; i < ir.ops.size(); ++i) {
    const auto damage = [&](auto&& change) {
      KernelIr damaged = ir;
      change(damaged.ops[i]);
      EXPECT_NE(verify(damaged), "") << at(request, ir, i);
      ++changed;
    };
    if (std::holds_alternative<op::WriteShared>(ir.ops[i])) {
      damage([](Op& op) { std::get<op::WriteShared>(op).blocks.clear(); });
      damage([](Op& op) {
        std::swap(std::get<op::WriteShared>(op).blocks[0], std::get<op::WriteShared>(op).blocks[1]);
      });
    }
    if (std::holds_alternative<op::ReadShared>(ir.ops[i])) {
      damage([](Op& op) { std::get<op::ReadShared>(op).blocks.pop_back(); });
    }
  }
  EXPECT_GE(changed, 6u);
  KernelIr alone = ir;
  for (std::size_t i = ir.ops.size(); i-- > 0;) {
    const auto* barrier = std::get_if<op::Barrier>(&ir.ops[i]);
    if (barrier && barrier->scope == op::Barrier::Scope::cluster) alone = without(alone, i);
  }
  EXPECT_NE(verify(alone), "");
}

TEST(Verify, ChangedTilesAreSeen) {
  expect_rejected<op::Scale>([](auto& op) { op.tile ^= 1; });
  expect_rejected<op::Split>([](auto& op) { op.tile ^= 1; });
  expect_rejected<op::Mma>([](auto& op) { op.tile ^= 1; });
  expect_rejected<op::Combine>([](auto& op) { op.tile ^= 1; });
  expect_rejected<op::Join>([](auto& op) { op.tile ^= 1; });
  expect_rejected<op::Scale>([](auto& op) { op.tile = 99; }, "no such tile");
  expect_rejected<op::Split>([](auto& op) { op.tile = 99; }, "no such tile");
}

TEST(Verify, ChangedFoldsAreSeen) {
  expect_rejected<op::Fold>([](auto& op) { op.tile = 99; }, "no such tile");
  expect_rejected<op::Fold>([](auto& op) { op.tile ^= 1; });
  expect_rejected<op::Fold>(
      [](auto& op) { op.form = op.form == StepForm::left ? StepForm::right : StepForm::left; },
      "on the other side");
  expect_rejected<op::Fold>([](auto& op) { op.scaled = !op.scaled; }, "transform's scale");
}

// Every place of every fold but its own, and a fold of every step that has none.
TEST(Verify, FoldsElsewhereAreSeen) {
  unsigned folds_moved = 0, added = 0;
  for (const Request& request : sample_requests()) {
    const KernelIr ir = request.generated().ir;
    const auto fold = std::find_if(ir.ops.begin(), ir.ops.end(), is<op::Fold>);
    const auto scale = std::find_if(ir.ops.begin(), ir.ops.end(), [](const Op& op) {
      return is<op::Scale>(op) || is<op::Split>(op);
    });
    const auto place_of = [&](const auto& found) {
      return static_cast<std::size_t>(found - ir.ops.begin());
    };
    if (fold == ir.ops.end()) {
      if (scale == ir.ops.end()) continue;
      for (const StepForm form : {StepForm::left, StepForm::right}) {
        const std::string wrong = verify(with(ir, place_of(scale), op::Fold{0, form}));
        EXPECT_NE(wrong.find("fold of a step that has none"), std::string::npos)
            << name(request) << ": " << wrong;
        ++added;
      }
      continue;
    }
    for (auto to = scale + 1; to != ir.ops.end(); ++to) {
      const KernelIr damaged = moved(ir, place_of(fold), place_of(to) - 1);
      EXPECT_NE(verify(damaged), "") << at(request, damaged, 0);
      ++folds_moved;
    }
  }
  EXPECT_GT(folds_moved, 50u);
  EXPECT_GT(added, 5u);
}

// The half-turn factors of the last step are nowhere else.
TEST(Verify, AFoldedLastStepNeedsItsTwiddle) {
  unsigned tried = 0;
  for (const char* tree : {"(dft 16)", "(gs 16 (dft 16))", "(gs 2 (gs 16 (dft 16)))"}) {
    FftProblem problem;
    Tuning tuning;
    tuning.engine = Engine::mma;
    tuning.decomposition = parse_decomposition(tree);
    problem.lengths = {tuning.decomposition->n()};
    KernelIr ir = generate(problem, target_for("sm_90"), tuning).ir;
    for (std::size_t i = ir.ops.size(); i-- > 0;) {
      if (!is<op::Twiddle>(ir.ops[i])) continue;
      const auto twiddle = std::get<op::Twiddle>(ir.ops[i]);
      EXPECT_EQ(twiddle.step + 1, ir.schedule.shape.tree.decomposition.radices.size());
      ir = without(ir, i);
      ir.table_units -= twiddle.table.size;
      const char* reason =
          ir.schedule.scale_warps > 0 ? "undone before the last step" : "twiddle is missing";
      EXPECT_NE(verify(ir).find(reason), std::string::npos) << verify(ir);
      ++tried;
      break;
    }
  }
  EXPECT_EQ(tried, 3u);
}

TEST(Verify, ChangedGroupsAreSeen) {
  for (unsigned bit = 1; bit < 8; bit *= 2) {
    expect_rejected<op::Scale>([bit](auto& op) { op.register_mask ^= bit; }, "scale is shared");
  }
  for (unsigned bit = 1; bit < 32; bit *= 2) {
    expect_rejected<op::Scale>([bit](auto& op) { op.lane_mask ^= bit; }, "scale is shared");
  }
  expect_rejected<op::Split>([](auto& op) { op.contained = !op.contained; }, "contain");
  for (const unsigned parts : {0u, 1u, 2u, 3u}) {
    expect_rejected<op::Split>([&](auto& op) { op.parts = parts; }, "in other parts");
  }
  expect_rejected<op::Scale>([](auto& op) { op.contained = !op.contained; }, "containment");
  expect_rejected<op::Combine>([](auto& op) { op.contained = !op.contained; }, "containment");
  expect_rejected<op::Combine>([](auto& op) { op.uniform = !op.uniform; }, "depends on the lane");
}

TEST(Verify, ChangedStepsAreSeen) {
  expect_rejected<op::Mma>([](auto& op) { ++op.step; }, "out of order");
  expect_rejected<op::Mma>([](auto& op) { op.radix = op.radix == 4 ? 8 : 4; }, "wrong radix");
  expect_rejected<op::Butterfly>([](auto& op) { ++op.step; }, "out of order");
  expect_rejected<op::Butterfly>([](auto& op) { op.fp64 = !op.fp64; }, "another precision");
  expect_rejected<op::Butterfly>([](auto& op) { op.form = ButterflyForm::fused; },
                                 "other products");
  expect_rejected<op::Butterfly>([](auto& op) { op.radix = op.radix == 4 ? 8 : 4; }, "wrong radix");
  for (unsigned bit = 1; bit < 64; bit *= 2) {
    expect_rejected<op::Butterfly>([&](auto& op) { op.register_mask ^= bit; },
                                   "digit is elsewhere");
  }
  const auto other = [](StepForm form) {
    return form == StepForm::left ? StepForm::right : StepForm::left;
  };
  expect_rejected<op::Mma>([&](auto& op) { op.form = other(op.form); }, "on the wrong side");
  expect_rejected<op::LoadMatrix>([&](auto& op) { op.form = other(op.form); }, "not loaded");
  expect_rejected<op::Combine>([&](auto& op) { op.form = other(op.form); }, "other side");
  expect_rejected<op::LoadMatrix>([](auto& op) { op.radix = op.radix == 4 ? 8 : 4; });
}

TEST(Verify, ChangedWordsAreSeen) {
  expect_rejected<op::PackWords>([](auto& op) { op.scaled = !op.scaled; }, "transform's scale");
  expect_rejected<op::PackWords>([](auto& op) { op.tile ^= 1; });
  expect_rejected<op::PackWords>([](auto& op) { op.tile = 99; }, "no such tile");
  expect_rejected<op::WordProduct>([](auto& op) { op.tile ^= 1; });
  expect_rejected<op::WordProduct>([](auto& op) { op.tile = 99; }, "not packed");
  expect_rejected<op::WordProduct>([](auto& op) { ++op.step; }, "out of order");
  expect_rejected<op::WordProduct>(
      [](auto& op) { op.form = op.form == StepForm::left ? StepForm::right : StepForm::left; },
      "on the wrong side");
  expect_rejected<op::LoadMatrix>([](auto& op) { op.words = !op.words; });
  expect_rejected<op::TransformScale>([](auto& op) { --op.most; }, "than planned");
}

TEST(Verify, ChangedTablesAreSeen) {
  expect_rejected<op::LoadMatrix>([](auto& op) { op.table.size += 1; }, "wrong size");
  expect_rejected<op::LoadMatrix>([](auto& op) { op.table.offset += 1; }, "table range");
  expect_rejected<op::Twiddle>([](auto& op) { op.table.size -= 1; }, "wrong size");
  expect_rejected<op::Twiddle>([](auto& op) { op.table.offset -= 1; }, "table range");
  expect_rejected<op::Twiddle>([](auto& op) { op.table.offset = 0xffffffffu; }, "table range");
  for (const Request& request : sample_requests()) {
    KernelIr ir = request.generated().ir;
    ++ir.table_units;
    EXPECT_NE(verify(ir).find("larger than their ranges"), std::string::npos) << verify(ir);
  }
}

TEST(Verify, ChangedFactorsAreSeen) {
  expect_rejected<op::Twiddle>([](auto& op) { ++op.step; }, "twiddle out of place");
  expect_rejected<op::Twiddle>([](auto& op) { op.stride *= 2; });
  expect_rejected<op::Twiddle>([](auto& op) { op.thread_bits.pop_back(); }, "threads look up");
  for (std::size_t bit = 0; bit < 6; ++bit) {
    expect_rejected<op::Twiddle>([bit](auto& op) { op.thread_bits[bit] ^= 1; }, "threads look up");
  }
  for (unsigned bit = 1; bit < 16; bit *= 2) {
    expect_rejected<op::Twiddle>([bit](auto& op) { op.register_mask ^= bit; });
    expect_rejected<op::Twiddle>([bit](auto& op) { op.unity_mask ^= bit; }, "factors are left out");
  }
}

template <class T>
void expect_layouts_matter() {
  expect_rejected<T>([](auto& op) { std::swap(op.layout.registers[1], op.layout.threads[1]); });
  expect_rejected<T>([](auto& op) { std::swap(op.layout.threads[0], op.layout.threads[5]); });
  expect_rejected<T>([](auto& op) { op.layout.threads[0] = op.layout.threads[1]; }, "two places");
  expect_rejected<T>([](auto& op) { op.layout.registers[0] = 99; }, "does not exist");
  expect_rejected<T>(
      [](auto& op) {
        op.layout.threads.push_back(op.layout.registers.back());
        op.layout.registers.pop_back();
      },
      "threads");
}

TEST(Verify, ChangedLayoutsAreSeen) {
  expect_layouts_matter<op::LoadTile>();
  expect_layouts_matter<op::WriteShared>();
  expect_layouts_matter<op::ReadShared>();
  expect_layouts_matter<op::Twiddle>();
  expect_layouts_matter<op::StoreTile>();
  for (const unsigned step : {0u, 1u, 2u}) {
    const auto fold = [step](auto& op) { op.layout.folded.push_back(step); };
    expect_rejected<op::LoadTile>(fold);
    expect_rejected<op::CopyAsync>(fold);
    expect_rejected<op::WriteShared>(fold);
    expect_rejected<op::ReadShared>(fold);
    expect_rejected<op::Twiddle>(fold);
    expect_rejected<op::StoreTile>(fold);
  }
  // Any bijection may copy, as long as two neighbouring points travel together.
  expect_rejected<op::CopyAsync>(
      [](auto& op) { std::swap(op.layout.registers[0], op.layout.registers[1]); },
      "neighbouring points");
  expect_rejected<op::CopyAsync>([](auto& op) { op.layout.threads[0] = op.layout.threads[1]; },
                                 "two places");
}

TEST(Verify, ChecksTheScheduleToo) {
  KernelIr ir = Request{4096, Engine::mma, {}}.generated().ir;
  ir.schedule.shape.tree.decomposition.radices[0] = 8;
  EXPECT_EQ(verify(ir), check(ir.schedule));
  EXPECT_NE(verify(ir), "");
}

}  // namespace
}  // namespace sonoma::test
