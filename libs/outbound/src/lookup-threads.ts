/** Names of `OUTBOUND_ALLOW`, and all others. */
export type HostnameClass = 'allowed' | 'other';

/** File access needs the other two of the four threads. */
const MAX_RUNNING = 2;
/** Anybody may choose other names: lookups that hang must leave a thread to the names of the operator. */
const MAX_RUNNING_OF_KIND: Record<HostnameClass, number> = { allowed: MAX_RUNNING, other: 1 };
const MAX_WAITING = 100;

const running: Record<HostnameClass, number> = { allowed: 0, other: 0 };
const waiting: Record<HostnameClass, Set<() => void>> = { allowed: new Set(), other: new Set() };

/**
 * A lookup cannot be aborted, so names whose servers never respond must not occupy every thread: others wait.
 * @param signal ends the wait; the promise then stays pending
 * @throws Error if too many lookups wait
 */
export async function runInLookupThread<T>(
  kind: HostnameClass,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (hasThreadFor(kind)) running[kind] += 1;
  else await waitForThread(kind, signal);
  try {
    return await work();
  } finally {
    running[kind] -= 1;
    startWaiting();
  }
}

async function waitForThread(kind: HostnameClass, signal: AbortSignal): Promise<void> {
  if (waiting[kind].size >= MAX_WAITING) throw new Error('Too many lookups are waiting.');
  await new Promise<void>((start) => {
    waiting[kind].add(start);
    signal.addEventListener('abort', () => waiting[kind].delete(start), { once: true });
  });
}

function startWaiting(): void {
  for (const kind of ['allowed', 'other'] as const)
    for (const start of waiting[kind]) {
      if (!hasThreadFor(kind)) break;
      waiting[kind].delete(start);
      running[kind] += 1;
      start();
    }
}

function hasThreadFor(kind: HostnameClass): boolean {
  return running[kind] < MAX_RUNNING_OF_KIND[kind] && running.allowed + running.other < MAX_RUNNING;
}
