import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentWav } from '../e2e/support/audio.js';
import { until } from '../e2e/support/until.js';
import { type FaultProxy, startFaultProxy, urlThroughProxy } from '../support/fault-proxy.js';
import { ConsoleAccount } from './support/account.js';
import { Browser, type Tab } from './support/browser.js';
import { getSharedService } from './support/shared-service.js';

const PROCESSING_MS = 90_000;
/** 19.2 MB: a part of 16 MiB, more than the buffers of a connection hold, and another one. */
const LARGE_SECONDS = 600;
const MINUTE_MS = 60_000;
/** How long a countdown to another attempt is shown at least, and longer than the page needs to show it. */
const SHOWN_MS = 500;

const service = getSharedService();
let browser: Browser;
let folder: string;
/** Between the browser and the object store. */
let proxy: FaultProxy;

beforeAll(async () => {
  browser = await Browser.launch(service.baseUrl);
  folder = await mkdtemp(join(tmpdir(), 'console-stalls-'));
  proxy = await startFaultProxy({ host: '127.0.0.1', port: service.port });
});

afterAll(async () => {
  proxy?.close();
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A page whose clock the test can put forward, and whose parts go through the proxy: their URLs. */
async function openTranscribe(): Promise<Tab & { parts: string[] }> {
  const { client } = await (await ConsoleAccount.open(service, 10_000)).addUser();
  const tab = await browser.openAs(client, '/console/transcribe');
  const parts: string[] = [];
  await tab.page.route('**/objects/**', (route) => {
    const url = route.request().url();
    parts.push(url);
    return route.continue({ url: urlThroughProxy(proxy, url) });
  });
  await tab.page.clock.install();
  await tab.heading('Transcribe').waitFor();
  return Object.assign(tab, { parts });
}

async function send({ page }: Tab, seconds: number): Promise<void> {
  const path = join(folder, `${seconds}.wav`);
  await writeFile(path, silentWav(seconds));
  await page.getByLabel('Choose files').setInputFiles(path);
  await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
}

/** Puts the clock of the page forward until it shows something, more than once if parts still made progress. */
async function putForwardUntil({ page }: Tab, ms: number, shown: Locator): Promise<void> {
  await until('the page shows what is due', async () => {
    await page.clock.fastForward(ms);
    return shown.waitFor({ timeout: SHOWN_MS }).then(
      () => true,
      () => false,
    );
  });
}

describe('an upload', () => {
  it('waits for the answer to a part, and sends it again when the answer is lost', async () => {
    const tab = await openTranscribe();
    const { page, parts } = tab;
    proxy.setFault('unanswered');
    const before = proxy.countBlocked();
    await send(tab, 2);
    await expect.poll(() => proxy.countBlocked() - before).toBe(1);
    proxy.setFault('open');
    await page.getByText(/Sending · .*, 100\s?%/).waitFor();
    const retry = page.getByText(/The server for uploads cannot be reached\. Another attempt/);
    await page.clock.fastForward(2 * MINUTE_MS);
    await page.clock.runFor(1_000);
    expect(await retry.count()).toBe(0);
    expect(parts).toHaveLength(1);
    await putForwardUntil(tab, MINUTE_MS, retry);
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    const [first] = parts;
    expect(parts).toEqual([first, first]);
    await tab.close();
  });

  it('sends a part again whose connection was lost without an error', async () => {
    const tab = await openTranscribe();
    const { page, parts } = tab;
    proxy.setFault({ blockAfterBytes: 2 ** 20 });
    const before = proxy.countBlocked();
    await send(tab, LARGE_SECONDS);
    await expect.poll(() => proxy.countBlocked() - before).toBe(1);
    proxy.setFault('open');
    await putForwardUntil(
      tab,
      MINUTE_MS,
      page.getByText(/The server for uploads cannot be reached\. Another attempt/),
    );
    await page.getByRole('link', { name: 'Open the job' }).waitFor({ timeout: PROCESSING_MS });
    const [first] = parts;
    expect(parts).toHaveLength(3);
    expect(parts[1]).toBe(first);
    expect(parts[2]).not.toBe(first);
    await tab.close();
  });

  it('goes on while the storage of the browser does not respond', async () => {
    const tab = await openTranscribe();
    const { page, parts } = tab;
    await page.addInitScript('IDBFactory.prototype.open = () => new EventTarget()');
    await page.reload();
    await send(tab, 2);
    const link = page.getByRole('link', { name: 'Open the job' });
    await putForwardUntil(tab, 11_000, link);
    expect(parts).toHaveLength(1);
    await tab.close();
  });
});
