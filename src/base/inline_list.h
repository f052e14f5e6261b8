// A list with a fixed capacity that lives inside its owner: move lists never touch the heap.
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace damier {

template <class T, std::size_t kCapacity>
class InlineList {
 public:
  using value_type = T;

  InlineList() {}  // the items beyond size() stay uninitialised on purpose

  static constexpr std::size_t capacity() { return kCapacity; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void push_back(T item) {
    assert(size_ < kCapacity);
    items_[size_++] = item;
  }
  T operator[](std::size_t i) const {
    assert(i < size_);
    return items_[i];
  }
  // Hands the room to `fill`, which returns one past the last item that it wrote.
  void fill_with(auto fill) {
    size_ = static_cast<std::size_t>(fill(items_.data()) - items_.data());
    assert(size_ <= kCapacity);
  }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

 private:
  std::size_t size_ = 0;
  std::array<T, kCapacity> items_;
};

// An InlineList of T, or a list of the game's own that can be used like one: its capacity is known
// to the compiler, and nothing of it is on the heap.
template <class List, class T>
concept InlineListOf = std::is_trivially_destructible_v<List> &&
    requires(const List list, std::size_t i) {
  typename std::array<T, List::capacity()>;
  { list.size() } -> std::convertible_to<std::size_t>;
  { list.empty() } -> std::same_as<bool>;
  { list[i] } -> std::convertible_to<T>;
  { list.begin() } -> std::same_as<const T*>;
  { list.end() } -> std::same_as<const T*>;
};

}  // namespace damier
