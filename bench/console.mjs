import { open } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { ensureSystemPrograms } from '../scripts/lib/system/ensure-system-programs.mjs';
import { PROGRAMS_FOR_CONSOLE_TESTS } from '../scripts/lib/system/required-programs.mjs';
import { printProgress } from '../scripts/lib/user-facing-error.mjs';
import { buildWavHeader, RATE } from '../scripts/material/wav.mjs';
import {
  openLargeTranscript,
  playWords,
  scrollToLastWord,
  startOfWord,
} from './console/large-transcript.mjs';
import { measureLongestTask } from './console/longest-task.mjs';
import { createPageOpenerOfOwner, launchChromium } from './console/signed-in-page.mjs';
import { measureTabMemory } from './console/tab-memory.mjs';
import { withBenchDatabase } from './lib/bench-environment.mjs';
import { createBenchAccounts, startApi } from './lib/programs.mjs';
import { median } from './lib/statistics.mjs';
import { insertEndedJobs } from './list-page/insert-ended-jobs.mjs';

const JOBS = 10_000;
const WORDS = 100_000;
const PLAYED_WORDS = 100;
const AUDIO_SECONDS = 60;
const UPLOAD_MS = 1_800_000;
const FULL = { rounds: 3, uploadBytes: 2_000_000_000 };
const QUICK = { rounds: 1, uploadBytes: 200_000_000 };
/** Until the first paint, in the page. */
const MEASURE_FIRST_PAINT = `new Promise((resolve) => new PerformanceObserver((list) => {
  const [paint] = list.getEntriesByName('first-contentful-paint');
  if (!paint) return;
  const scripts = performance.getEntriesByType('resource').filter(({ name, startTime }) => name.endsWith('.js') && startTime < paint.startTime);
  resolve(scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0));
}).observe({ type: 'paint', buffered: true }))`;

/**
 * The pages of the console in Chromium, with an API of their own.
 *
 * @param {{ quick: boolean, profile: string | null }} options
 * @returns {Promise<import('./lib/report.mjs').Result>}
 */
export async function benchConsole({ quick, profile }) {
  const { rounds, uploadBytes } = quick ? QUICK : FULL;
  await ensureSystemPrograms(PROGRAMS_FOR_CONSOLE_TESTS);
  const measured = await withBenchDatabase(async (environment) => {
    const [{ accountId }] = await createBenchAccounts(environment, 1);
    await insertEndedJobs(environment.databaseUrl, [{ accountId, count: JOBS }]);
    const { origin } = environment.stopAfterwards(await startApi({ ...environment, profile }));
    const browser = await launchChromium(environment.folder);
    try {
      const openPage = await createPageOpenerOfOwner(browser, origin, { ...environment, accountId });
      const results = [];
      for (let round = 0; round < rounds; round += 1) {
        results.push(await measureReading(openPage));
        printProgress(`  round ${round + 1}: ${JSON.stringify(results.at(-1))}`);
      }
      const file = await makeSparseFile(join(environment.folder, 'large.wav'), uploadBytes);
      return { rounds: results, upload: await measureUpload(browser, openPage, file) };
    } finally {
      await browser.close();
    }
  });
  const loads = [...measured.rounds, measured.upload].map(({ load }) => load);
  const busy = `load average ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
  return {
    name: 'console',
    setting: `Pages in Chromium, medians of ${rounds} rounds, and one upload of ${uploadBytes / 1e6} MB; ${busy}.`,
    findings: buildFindings(measured, uploadBytes),
    rounds: measured,
  };
}

/** @param {(path: string) => Promise<import('playwright-core').Page>} openPage */
async function measureReading(openPage) {
  const [load] = loadavg();
  const list = await openPage('/console/jobs');
  const scriptBytes = await list.evaluate(MEASURE_FIRST_PAINT);
  await list.locator('[data-index="0"]').waitFor();
  const listTask = await measureLongestTask(list, () => scrollToLastJob(list));
  const transcript = await openPage('/console/settings');
  await openLargeTranscript(transcript, WORDS, makeSilence(AUDIO_SECONDS));
  const transcriptTask = await measureLongestTask(transcript, () => scrollToLastWord(transcript, WORDS));
  const { sounded } = await playWords(transcript, PLAYED_WORDS);
  // The first word starts with the audio itself.
  const lags = sounded.slice(1).map(({ word, seconds }) => (seconds - startOfWord(word)) * 1_000);
  for (const page of [list, transcript]) await page.context().close();
  return { load, scriptBytes, listTask, transcriptTask, lag: Math.max(...lags) };
}

/** @param {import('playwright-core').Page} page of the jobs */
async function scrollToLastJob(page) {
  await page.mouse.move(600, 600);
  const isLastRendered = `document.querySelector('[data-index="${JOBS - 1}"]') !== null`;
  // Not with locators: they run in the page, where they would be measured as well.
  while (!(await page.evaluate(isLastRendered))) {
    await page.mouse.wheel(0, 5_000);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {(path: string) => Promise<import('playwright-core').Page>} openPage @param {string} file
 */
async function measureUpload(browser, openPage, file) {
  const [load] = loadavg();
  const page = await openPage('/console/transcribe');
  await page.getByLabel('Choose files').setInputFiles(file);
  const completed = page.waitForResponse('**/upload/multipart/complete', { timeout: UPLOAD_MS });
  await page.getByRole('button', { name: 'Transcribe 1 file' }).click();
  const megabytes = await measureTabMemory(browser, async () => {
    const response = await completed;
    if (response.status() !== 200) throw new Error(`The upload was answered with ${response.status()}.`);
  });
  return { load, megabytes };
}

/** @param {string} path @param {number} bytes */
async function makeSparseFile(path, bytes) {
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
  return path;
}

/** A WAV file. @param {number} seconds */
function makeSilence(seconds) {
  return Buffer.concat([buildWavHeader(seconds * RATE), Buffer.alloc(seconds * RATE * 2)]);
}

function buildFindings({ rounds, upload }, uploadBytes) {
  const medianOf = (what) => median(rounds.map((round) => round[what]));
  const toFinding = (what, value, unit, target) => ({
    ...{ what: `console, ${what}`, ours: `${value.toFixed(0)}${unit}`, baseline: '', value, unit, target },
    bound: /** @type {const} */ ('at most'),
  });
  return [
    toFinding('first paint: compressed scripts', medianOf('scriptBytes') / 1_000, ' kB', 200),
    toFinding(`${JOBS.toLocaleString('en')} jobs scrolled: longest task`, medianOf('listTask'), ' ms', 50),
    toFinding(
      `${WORDS.toLocaleString('en')} words scrolled: longest task`,
      medianOf('transcriptTask'),
      ' ms',
      50,
    ),
    toFinding('a word lights up after its sound by', medianOf('lag'), ' ms', 60),
    toFinding(`upload of ${uploadBytes / 1e6} MB: memory of the tab`, upload.megabytes, ' MB', 200),
  ];
}
