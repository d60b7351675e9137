import type { Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Processor time of the thread in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/**
 * The longest task of the page's main thread during an action, in milliseconds of processor time: time in which other
 * programs had the processor says nothing about the page.
 */
export async function measureLongestTask(page: Page, action: () => Promise<void>): Promise<number> {
  const program = page.context().browser();
  if (!program) throw new Error('The page has no browser.');
  await program.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await action();
  const trace = JSON.parse((await program.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mainThreads = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = trace.traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && mainThreads.has(`${pid}/${tid}`),
  );
  if (tasks.length === 0) throw new Error('The trace has no task of the page.');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}
