/** Runs the work for each of them, so many at a time. The first failure ends all, once those under way have ended. */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const failure = new AbortController();
  // One asks for the next item at a time: generators queue such calls themselves.
  const worker = async (): Promise<void> => {
    while (!failure.signal.aborted) {
      const next = await iterator.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  const workers = Array.from({ length: limit }, () =>
    worker().catch((error: unknown) => {
      failure.abort();
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  await iterator.return?.();
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
