/** Runs a task for each item, some at a time, in order. Ends when all have ended; tasks handle their own errors. */
export async function runTasksConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async () => {
    for (const item of queue) await task(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, work));
}
