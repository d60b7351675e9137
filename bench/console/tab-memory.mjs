import { readFile } from 'node:fs/promises';

const SAMPLE_MS = 100;

/**
 * The memory that the busiest tab held at most during an action, in megabytes, without the program itself, which all tabs
 * share.
 *
 * @param {import('playwright-core').Browser} browser @param {() => Promise<void>} action
 * @returns {Promise<number>}
 */
export async function measureTabMemory(browser, action) {
  const pid = await findBusiestTab(browser);
  let peak = 0;
  const timer = setInterval(() => {
    void readPrivateMegabytes(pid).then((megabytes) => (peak = Math.max(peak, megabytes)));
  }, SAMPLE_MS);
  await action().finally(() => clearInterval(timer));
  return peak;
}

/** @param {import('playwright-core').Browser} browser */
async function findBusiestTab(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const tabs = processInfo.filter(({ type }) => type === 'renderer');
  const [busiest] = tabs.toSorted((a, b) => b.cpuTime - a.cpuTime);
  if (!busiest) throw new Error('No tab is open.');
  return busiest.id;
}

/** @param {number} pid */
async function readPrivateMegabytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / 1e6;
}
