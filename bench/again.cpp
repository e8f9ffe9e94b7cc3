#include "again.hpp"

#include <algorithm>
#include <utility>

namespace sonoma::bench {
namespace {

constexpr unsigned most_registers = 255;

void add(std::vector<Tuning>& list, const Tuning& tuning) {
  if (std::find(list.begin(), list.end(), tuning) == list.end()) list.push_back(tuning);
}

}  // namespace

std::vector<Tuning> tunings_again(const std::vector<Tuning>& known, const Maker& make,
                                  const std::function<Tuning()>& defaults) {
  std::vector<Tuning> result, others;
  for (const Tuning& tuning : known) {
    add(result, tuning);
    const auto made = make(tuning);
    if (made && made->local_bytes == 0) continue;
    for (const unsigned more : {8u, 16u, 32u}) {
      if (!made || made->registers >= most_registers) break;
      Tuning wider = tuning;
      wider.registers = std::min(made->registers + more, most_registers);
      add(others, wider);
    }
    add(others, defaults());
  }
  for (const Tuning& other : others) {
    if (make(other)) add(result, other);
  }
  return result;
}

Ahead::Ahead(std::vector<Work> work) {
  for (Work& one : work) results_.push_back(tasks_.emplace_back(std::move(one)).get_future());
  const auto take = [this] {
    for (std::size_t i = next_++; i < tasks_.size(); i = next_++) tasks_[i]();
  };
  const std::size_t cores = std::max(2u, std::thread::hardware_concurrency());
  while (threads_.size() < std::min(cores - 1, tasks_.size())) threads_.emplace_back(take);
}

Ahead::~Ahead() {
  next_ = tasks_.size();
  for (std::thread& thread : threads_) thread.join();
}

std::vector<Tuning> Ahead::get(std::size_t i) { return results_.at(i).get(); }

}  // namespace sonoma::bench
