// Blocks of one launch that wait for each other. Each takes a ticket when it starts and waits for
// lower tickets only: those have started, so that the lowest that is not done never waits, whatever
// order the device starts blocks in.

// The block's ticket. Uses the first word of shared memory: a barrier must follow before others do.
DEVICE unsigned take_ticket(unsigned* next) {
  unsigned* const shared = reinterpret_cast<unsigned*>(dynamic_shared());
  if (thread_index() == 0) store_shared(shared, take_number(next));
  block_barrier();
  return load_shared(shared);
}

// Until `count` blocks have signalled; what they did is then there for all threads.
DEVICE void wait_for(const unsigned* signals, unsigned count) {
  if (thread_index() == 0) {
    while (load_acquire(signals) < count) pause();
  }
  block_barrier();
}

// What the block did is there for those who wait.
DEVICE void signal(unsigned* signals) {
  block_barrier();
  if (thread_index() == 0) add_release(signals);
}
