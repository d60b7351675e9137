import { readFileSync } from 'node:fs';
import type { AssemblyInput } from '@app/transcript';
import { SeededRandom } from '../../scripts/material/seeded-random.mjs';

/** How a person pauses: factor of every silence, and how often there is a silence without a mark. */
export interface PauseStyle {
  scale: number;
  hesitant: number;
}

export type Talk = Pick<AssemblyInput, 'chunks' | 'duration'> & {
  turns: { speaker: string; text: string; start: number; end: number }[];
};

const UNUSED: Omit<AssemblyInput, keyof Talk> = {
  ...{ jobId: '', createdAt: '', model: 'zephyr', engine: { name: '', model: null, version: null } },
  ...{ punctuated: false, warnings: [] },
  options: { word_timestamps: true, speaker_labels: true, nltk: true },
};

/** All input of a transcript if only words and turns matter. */
export function toAssemblyInput(talk: Talk): AssemblyInput {
  return { ...UNUSED, ...talk };
}

/**
 * A written conversation of `talks/` like the output of an engine, without marks and capitals. Its silences are random
 * like those of people: mostly long at the ends of sentences, shorter or none at commas, some without a mark.
 */
export function generateTalkWithPauses(name: string, { scale, hesitant }: PauseStyle, seed: number): Talk {
  const chance = new SeededRandom(seed);
  const turns: Talk['turns'] = [];
  const words: Talk['chunks'][number]['words'][number][] = [];
  let clock = 0;
  for (const line of readFileSync(new URL(`talks/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n')) {
    const [speaker = '', text = ''] = line.split(/: (.*)/);
    const start = clock;
    for (const written of text.split(' ')) {
      const word = written.toLowerCase().replace(/[^a-z']/g, '');
      const end = clock + 0.12 + 0.05 * word.length;
      words.push({ text: word, start: clock, end, confidence: null, language: 'en' });
      clock = end + scale * silenceAfter(written, hesitant, chance);
    }
    turns.push({ speaker, text, start, end: words.at(-1)?.end ?? start });
    clock = (words.at(-1)?.end ?? start) + chance.between(0.1, 0.9);
  }
  return { turns, duration: clock, chunks: [{ index: 0, start: 0, end: clock, language: 'en', words }] };
}

/** Seconds. */
function silenceAfter(written: string, hesitant: number, chance: SeededRandom): number {
  if (/[.?]$/.test(written)) return chance.next() < 0.1 ? 0.05 : around(0.55, chance);
  if (written.endsWith(',')) return chance.next() < 0.4 ? 0 : around(0.3, chance);
  return chance.next() < hesitant ? around(0.4, chance) : 0;
}

/** Log-normal: a third of all are beyond the factor 1.65 either way. */
function around(median: number, chance: SeededRandom): number {
  const normal = Math.sqrt(-2 * Math.log(1 - chance.next())) * Math.cos(2 * Math.PI * chance.next());
  return median * Math.exp(0.5 * normal);
}
