/**
 * The longest task of the page's main thread during an action, in milliseconds of processor time: time in which other
 * programs had the processor says nothing about the page.
 *
 * @param {import('playwright-core').Page} page @param {() => Promise<void>} action
 * @returns {Promise<number>}
 */
export async function measureLongestTask(page, action) {
  const program = page.context().browser();
  if (!program) throw new Error('The page has no browser.');
  await program.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await action();
  /** @type {{ traceEvents: { name: string, pid: number, tid: number, tdur?: number, args: { name?: string } }[] }} */
  const { traceEvents } = JSON.parse((await program.stopTracing()).toString());
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && mainThreads.has(`${pid}/${tid}`),
  );
  if (tasks.length === 0) throw new Error('The trace has no task of the page.');
  // Microseconds of processor time.
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}
