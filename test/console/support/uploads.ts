import { expect } from 'vitest';
import type { Tab } from './browser.js';

const PART_BYTES = 5 * 2 ** 20;
/** Of silence, which three such parts have. */
export const THREE_PARTS_SECONDS = 400;
const SENT_MS = 90_000;
export const OBJECTS = '**/objects/**';
export const CREATE = '**/console/api/upload/multipart/create';

/** Chooses the file and starts its upload. */
export async function send({ page }: Tab, path: string): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(path);
  await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
}

/** Asks for small parts, lets the first one pass and holds the second one. @returns the numbers of the parts that were requested */
export async function holdSecondPart({ page }: Tab) {
  const parts: number[] = [];
  let isHolding = true;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  // The service plans parts of 16 MiB otherwise, which take long to hold and send on.
  await page.route(CREATE, (route) => {
    const body = route.request().postDataJSON() as object;
    return route.continue({ postData: JSON.stringify({ ...body, part_size: PART_BYTES }) });
  });
  await page.route(OBJECTS, async (route) => {
    const part = Number(/[?&]partNumber=(\d+)/i.exec(route.request().url())?.[1] ?? Number.NaN);
    parts.push(part);
    if (isHolding && parts.length > 1) await released;
    // The page may be gone meanwhile.
    await route.continue().catch(() => undefined);
  });
  return {
    parts,
    stopHolding: () => {
      isHolding = false;
      release();
    },
  };
}

/** State and number of sent parts of each upload that the browser has. */
export const readStoredStates = (page: Tab['page']) =>
  page.evaluate<string[]>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('uploads', 1);
    opening.onerror = reject;
    opening.onsuccess = () => {
      const reading = opening.result.transaction('uploads').objectStore('uploads').getAll();
      reading.onsuccess = () => {
        opening.result.close();
        resolve(reading.result.map(({ state, parts }) => state + ' ' + parts.length));
      };
    };
  })`);

/** Items of all stores. */
export const countStored = (page: Tab['page']) =>
  page.evaluate<number>(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('uploads', 1);
    opening.onerror = reject;
    opening.onsuccess = () => {
      const names = [...opening.result.objectStoreNames];
      const transaction = opening.result.transaction(names);
      const countings = names.map((name) => transaction.objectStore(name).count());
      transaction.oncomplete = () => {
        opening.result.close();
        resolve(countings.reduce((sum, { result }) => sum + result, 0));
      };
    };
  })`);

/** Tabs that send an upload, and those that wait to. */
export const countUploadLocks = (page: Tab['page']) =>
  page.evaluate<number>(
    `navigator.locks.query().then(({ held, pending }) => [...held, ...pending].filter(({ name }) => name.startsWith('upload-')).length)`,
  );

/** The first one is sent through the test, which takes long on a busy machine. */
export const untilSecondPart = (parts: readonly number[]) =>
  expect.poll(() => parts.length, { timeout: SENT_MS }).toBe(2);
