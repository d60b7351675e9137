import pTimeout from 'p-timeout';

/** True if `work` has fulfilled or rejected in time. */
export async function settlesWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const settled = work.then(
    () => true,
    () => true,
  );
  return pTimeout(settled, { milliseconds: Math.max(1, timeoutMs), fallback: () => false });
}
