/** Stops after the first failure, and rejects with it when all running work has ended. */
export async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = iterate(items);
  const failure = new AbortController();
  // Generators queue concurrent calls of `next`.
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
  await iterator.return(undefined);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

async function* iterate<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
}
