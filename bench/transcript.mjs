/**
 * 100,000 words (about ten hours of talk) through the whole of libs/transcript: `npm run build && node bench/transcript.mjs`.
 * The baseline of the ratio is one JSON round trip of the same words in the same run.
 */
import { assembleTranscript, availableFormats, exporterFor } from '../dist/libs/transcript/src/index.js';

const CHUNKS = 1000;
const WORDS_PER_CHUNK = 100;
const VOCABULARY =
  "the quick brown fox jumps over a lazy dog and then we go home but i'm not there yet because it is late".split(
    ' ',
  );

/** A small generator with a seed, so that every run measures the same text. */
function seeded(seed) {
  let state = seed;
  return () => (state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647) / 2_147_483_647;
}

function makeInput() {
  const random = seeded(7);
  const chunks = [];
  let start = 0;
  for (let index = 0; index < CHUNKS; index += 1) {
    const words = [];
    let at = 0;
    for (let count = 0; count < WORDS_PER_CHUNK; count += 1) {
      const end = at + 0.2 + random() * 0.2;
      const text = VOCABULARY[Math.floor(random() * VOCABULARY.length)];
      words.push({ text, start: at, end, confidence: random(), language: null });
      at = end + (random() < 0.08 ? 0.8 : 0.03);
    }
    chunks.push({ index, start, end: start + at, language: 'en', words });
    start += at;
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

async function measure(name, work) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const result = await work();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return { name, wall, cpu: (user + system) / 1000, result };
}

const input = makeInput();
const baseline = await measure('baseline', () => JSON.parse(JSON.stringify(input)));
const assembled = await measure('assemble', () => assembleTranscript(input));
const rows = [baseline, assembled];
for (const format of availableFormats) {
  rows.push(await measure(format, () => exporterFor(format).render(assembled.result)));
}

const print = (name, ...columns) =>
  console.log(name.padEnd(10), ...columns.map((column) => column.padStart(9)));
print('step', 'wall ms', 'cpu ms', 'ratio', 'KiB');
for (const { name, wall, cpu, result } of rows) {
  const size = Buffer.isBuffer(result) ? String(Math.round(result.length / 1024)) : '';
  print(name, wall.toFixed(0), cpu.toFixed(0), (cpu / baseline.cpu).toFixed(1), size);
}
const text = rows.filter(({ name }) => ['assemble', 'json', 'txt', 'srt', 'vtt'].includes(name));
const total = text.reduce((sum, { wall }) => sum + wall, 0);
console.log(`assemble and the four text formats: ${(total / 1000).toFixed(2)} s`);
