import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  encodeWav,
  WordAndTermAlignmentEngineWrapper,
  PocketsphinxAligner,
  PocketsphinxEngine,
} from '../../dist/libs/speech/src/index.js';
import { printProgress } from '../../scripts/lib/user-facing-error.mjs';
import { synthesizeSpeech } from '../../scripts/material/flite.mjs';
import { MADE_UP_NAMES, NAMED_SENTENCES } from '../../scripts/material/library.mjs';
import { RATE } from '../../scripts/material/wav.mjs';
import { containsWords } from './contains-words.mjs';

const FULL = { sentences: NAMED_SENTENCES, voices: ['slt', 'awb'] };
const QUICK = { sentences: NAMED_SENTENCES.slice(0, 4), voices: ['slt'] };
const FIVE_HUNDRED_TERMS = [...NAMED_SENTENCES.map(({ term }) => term), ...MADE_UP_NAMES].slice(0, 500);

/**
 * Names that the aligner finds in the audio for an engine that does not know them: pocketsphinx without terms.
 *
 * @param {unknown} _ @param {{ quick: boolean }} length
 * @returns {Promise<import('../speech.mjs').PartResult>}
 */
export async function benchAlignment(_, { quick }) {
  const { sentences, voices } = quick ? QUICK : FULL;
  const folder = await mkdtemp(join(tmpdir(), 'zephyr-alignment-'));
  const engine = new PocketsphinxEngine();
  const aligner = new PocketsphinxAligner();
  const aligned = new WordAndTermAlignmentEngineWrapper(withoutTerms(engine), aligner, (error) => {
    throw error;
  });
  try {
    const results = [];
    for (const voice of voices) results.push(await measureVoice(aligned, voice, sentences, folder));
    return { rows: [], findings: results.map(toFinding), rounds: results };
  } finally {
    await aligned.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {import('../../dist/libs/speech/src/index.js').SpeechEngine} engine */
function withoutTerms(engine) {
  return {
    capabilities: { ...engine.capabilities, vocabulary: false },
    transcribe: (audio, { signal }) => engine.transcribe(audio, { vocabulary: [], signal }),
    close: () => engine.close(),
  };
}

async function measureVoice(engine, voice, sentences, folder) {
  const result = { voice, total: sentences.length, before: [], after: [], others: [], sentences: [] };
  const { signal } = new AbortController();
  for (const { term, text, spokenText } of sentences) {
    const samples = await synthesizeSpeech(voice, spokenText);
    const audio = { path: join(folder, `${voice}.wav`), duration: samples.length / RATE };
    await writeFile(audio.path, encodeWav(samples));
    const transcribe = async (vocabulary) => {
      const { words } = await engine.transcribe(audio, { vocabulary, signal });
      return words.map((word) => word.text).join(' ');
    };
    const [before, after] = [await transcribe([]), await transcribe(FIVE_HUNDRED_TERMS)];
    if (containsWords(before.toLowerCase(), term.toLowerCase())) result.before.push(term);
    if (containsWords(after, term)) result.after.push(term);
    result.others.push(
      ...FIVE_HUNDRED_TERMS.filter((other) => containsWords(after, other) && !containsWords(text, other)),
    );
    result.sentences.push({ term, before, after });
  }
  const { before, after, others } = result;
  printProgress(
    `  ${voice}: ${before.length}, then ${after.length} of ${sentences.length} names right; other terms written: ${others.join(', ') || 'none'}`,
  );
  return result;
}

function toFinding({ voice, total, before, after }) {
  return {
    what: `alignment: names right, voice ${voice}`,
    ours: `${after.length} of ${total}`,
    baseline: `${before.length} of ${total}`,
    ...{ value: (100 * after.length) / total, unit: ' %', target: null },
  };
}
