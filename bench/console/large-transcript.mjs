import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 100;
/** Of each word, in the transcript and between the starts of two words. */
const WORD_SECONDS = 0.3;
const WORDS_PER_SEGMENT = 14;
const VOCABULARY = [
  'Good',
  'morning',
  'the',
  'schedule',
  'of',
  'every',
  'harbour',
  'changes',
  'in',
  'winter',
];

export const LARGE_JOB = {
  job_id: '0190f0a0-0000-7000-8000-000000000001',
  status: 'completed',
  file_name: 'long.wav',
  source: 'multipart',
  output_type: 'json',
  failed_stage: null,
  reason: null,
  steps_done: 3,
  steps_total: 3,
  transcript_available: true,
  options: {},
  metadata: {},
  callback_url: null,
};

const RECORD_WORDS = `{
  globalThis.sounded = [];
  globalThis.frames = [];
  const audio = document.querySelector('audio');
  const recordFrame = () => {
    frames.push(audio.currentTime);
    requestAnimationFrame(recordFrame);
  };
  recordFrame();
  new MutationObserver((changes) => {
    for (const { target } of changes)
      if (target.dataset.word !== undefined && target.hasAttribute('data-sounding'))
        sounded.push({ word: Number(target.dataset.word), seconds: audio.currentTime });
  }).observe(document.querySelector('ol[aria-label=Transcript]'), { subtree: true, attributeFilter: ['data-sounding'] });
}`;

/** Start of a word in seconds. @param {number} word */
export function startOfWord(word) {
  return word * WORD_SECONDS;
}

/** A transcript of two speakers, as the service renders it. @param {number} words */
export function makeLargeTranscript(words) {
  const segments = Array.from({ length: Math.ceil(words / WORDS_PER_SEGMENT) }, (_, id) => {
    const first = id * WORDS_PER_SEGMENT;
    const count = Math.min(WORDS_PER_SEGMENT, words - first);
    const spoken = Array.from({ length: count }, (__, offset) => {
      const start = startOfWord(first + offset);
      return {
        word: VOCABULARY[(first + offset) % VOCABULARY.length] ?? '',
        start,
        end: start + WORD_SECONDS - 0.02,
        confidence: offset % 9 === 0 ? 0.3 : 0.9,
        speaker: null,
      };
    });
    return {
      id,
      start: startOfWord(first),
      end: startOfWord(first + count),
      text: spoken.map(({ word }) => word).join(' '),
      language: 'en',
      speaker: `SPEAKER_${1 + (Math.floor(id / 4) % 2)}`,
      confidence: 0.8,
      words: spoken,
    };
  });
  return {
    duration: startOfWord(words),
    language: 'en',
    speakers: [
      { id: 'SPEAKER_1', name: null, duration: 1 },
      { id: 'SPEAKER_2', name: null, duration: 1 },
    ],
    segments,
    warnings: [],
  };
}

/**
 * Opens the transcript with a silent recording. Only the answers about its job are replaced: to recognise ten hours would take
 * as long.
 *
 * @param {import('playwright-core').Page} page of somebody who is signed in
 * @param {number} words @param {Buffer} audio a WAV file
 */
export async function openLargeTranscript(page, words, audio) {
  const path = `**/console/api/jobs/${LARGE_JOB.job_id}`;
  await page.route(path, (route) => route.fulfill({ json: LARGE_JOB }));
  await page.route(`${path}/corrections`, (route) => route.fulfill({ json: { corrections: [] } }));
  await page.route(`${path}/transcript?**`, (route) => route.fulfill({ json: makeLargeTranscript(words) }));
  await page.goto(`/console/jobs/${LARGE_JOB.job_id}/transcript`);
  await page.getByRole('list', { name: 'Transcript' }).getByText('Good morning the').first().waitFor();
  await page
    .getByLabel('Choose the audio file')
    .setInputFiles({ name: 'long.wav', mimeType: 'audio/wav', buffer: audio });
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
}

/** Scrolls to the last word, in small steps first. @param {import('playwright-core').Page} page @param {number} words */
export async function scrollToLastWord(page, words) {
  await page.mouse.move(600, 400);
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, step < 30 ? 900 : 9_000);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await page.locator(`[data-word="${words - 1}"]`).waitFor();
}

/**
 * Plays from the start until the given number of words was lit up.
 *
 * @param {import('playwright-core').Page} page @param {number} count
 * @returns {Promise<{ sounded: { word: number, seconds: number }[], frames: number[] }>} each word with the time of the audio
 *   when it was lit up, and that time in every frame
 */
export async function playWords(page, count) {
  await page.evaluate('scrollTo(0, 0)');
  await page.locator('[data-word="0"]').waitFor();
  await page.evaluate(RECORD_WORDS);
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  // Playwright's own way to wait compiles text in the page, which its policy forbids.
  while ((await page.evaluate('sounded.length')) <= count) await pause(POLL_MS);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  return page.evaluate('({ sounded, frames })');
}
