import { assembleTranscript } from '../../dist/libs/transcript/src/index.js';

const CHUNKS = 1000;
const WORDS_PER_CHUNK = 100;
const VOCABULARY =
  "the quick brown fox jumps over a lazy dog and then we go home but i'm not there yet because it is late".split(
    ' ',
  );

/** The results of chunks and diarization for 100,000 words, about ten hours of speech. */
function makeLongRecording() {
  const random = createSeededRandom(7);
  const chunks = [];
  let start = 0;
  for (let index = 0; index < CHUNKS; index += 1) {
    const { words, seconds } = makeChunk(random);
    chunks.push({ index, start, end: start + seconds, language: 'en', words });
    start += seconds;
  }
  const turns = Array.from({ length: Math.floor(start / 7) }, (_, index) => ({
    speaker: index % 5,
    start: index * 7,
    end: index * 7 + 6.8,
  }));
  return {
    jobId: 'bench',
    createdAt: '2026-01-01T00:00:00.000Z',
    model: 'zephyr',
    engine: { name: 'bench', model: null, version: null },
    duration: start,
    options: { word_timestamps: true, speaker_labels: true, nltk: true },
    punctuated: false,
    chunks,
    turns,
    warnings: [],
  };
}

/** @returns {string} the stored JSON */
export function makeLongDocument() {
  return JSON.stringify(assembleTranscript(makeLongRecording()));
}

/** @param {() => number} random */
function makeChunk(random) {
  const words = [];
  let at = 0;
  for (let count = 0; count < WORDS_PER_CHUNK; count += 1) {
    const end = at + 0.2 + random() * 0.2;
    const text = VOCABULARY[Math.floor(random() * VOCABULARY.length)];
    words.push({ text, start: at, end, confidence: random(), language: null });
    at = end + (random() < 0.08 ? 0.8 : 0.03);
  }
  return { words, seconds: at };
}

/** So that every run measures the same text. @param {number} seed */
function createSeededRandom(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647) / 2_147_483_647;
}
