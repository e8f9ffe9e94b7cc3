// Blocks that stay for more than one tile.

// Tiles first, first + apart, ... below end.
struct Tiles {
  unsigned long long first, end;
};
// Of the first `stays` blocks, as many as the GPU holds, each has as many tiles, `stays` apart. The
// others begin where one of them has ended and have a tile each, the last ones, at least a
// sixteenth of all: SMs are not equally fast.
template <unsigned stays>
DEVICE Tiles tiles_of_block(unsigned long long batch) {
  const unsigned long long most = batch / stays * 15 / 16;
  const unsigned long long of_each = most == 0 ? 1 : most;
  const unsigned block = block_index();
  if (block < stays) return {block, stays * of_each};
  const unsigned long long first = block + stays * (of_each - 1);
  return {first, first + 1};
}
