import { assembleTranscript } from '@app/transcript';
import { describe, expect, it } from 'vitest';
import { toAssemblyInput, type PauseStyle, generateTalkWithPauses } from '../support/talk-with-pauses.js';
import { type MarkScore, scorePunctuation } from '../support/score-punctuation.js';

const TALKS = ['interview', 'meeting', 'clinic'];
/** Nothing was chosen on this one. */
const UNSEEN = ['walk'];
const SEEDS = [1, 2, 3];

/** The figures are in docs/speech/punctuation.md; the bounds leave room for a few stops. */
const WAYS: [name: string, pausing: PauseStyle, precision: number, recall: number][] = [
  ['as people usually pause', { scale: 1, hesitant: 0.04 }, 0.85, 0.7],
  ['half as long', { scale: 0.5, hesitant: 0.04 }, 0.85, 0.65],
  ['for long', { scale: 1.7, hesitant: 0.04 }, 0.85, 0.72],
  ['where no sentence ends too', { scale: 1, hesitant: 0.1 }, 0.75, 0.7],
];

describe('sentence ends of speakers who pause', () => {
  it.each([
    ...WAYS.map((way) => [...way, TALKS] as const),
    ...WAYS.map(([name, ...way]) => [`${name}, unseen`, ...way, UNSEEN] as const),
  ])('%s: sentence ends and questions are detected', (name, pausing, precision, recall, talks) => {
    const texts = talks.flatMap((talk) => SEEDS.map((seed) => texted(talk, pausing, seed)));
    const ends = sum(texts.map(([written, set]) => scorePunctuation(endsOf(written), endsOf(set))['.']));
    const questions = sum(texts.map(([written, set]) => scorePunctuation(written, set)['?']));
    const commas = sum(texts.map(([written, set]) => scorePunctuation(written, set)[',']));
    console.log(
      `${name}: ends ${formatScore(ends)}, questions ${formatScore(questions)}, commas ${formatScore(commas)}`,
    );
    expect(ends.right / ends.set).toBeGreaterThan(precision);
    expect(ends.right / ends.written).toBeGreaterThan(recall);
    expect(questions.right / questions.set).toBeGreaterThan(0.75);
    expect(questions.right / questions.written).toBeGreaterThan(0.5);
  });
});

/** Texts with the commas of a careful typist; in the talks above they are sparse. Nothing was chosen on the last two. */
const WITH_COMMAS = ['move', 'bakery', 'lighthouse'];

describe('commas of speakers who pause', () => {
  it.each(WAYS.flatMap(([name, pausing]) => WITH_COMMAS.map((talk) => [name, talk, pausing] as const)))(
    '%s, %s: three in four commas are where they were written',
    (name, talk, pausing) => {
      const texts = SEEDS.map((seed) => texted(talk, pausing, seed));
      const commas = sum(texts.map(([written, set]) => scorePunctuation(written, set)[',']));
      const ends = sum(texts.map(([written, set]) => scorePunctuation(endsOf(written), endsOf(set))['.']));
      console.log(`${talk}, ${name}: commas ${formatScore(commas)}; ends ${formatScore(ends)}`);
      expect(commas.right / commas.set).toBeGreaterThan(0.75);
      expect(commas.right / commas.written).toBeGreaterThan(0.25);
    },
  );
});

function texted(name: string, pausing: PauseStyle, seed: number): [written: string, set: string] {
  const talk = generateTalkWithPauses(name, pausing, seed);
  return [talk.turns.map(({ text }) => text).join(' '), assembleTranscript(toAssemblyInput(talk)).text];
}

/** Every end of a sentence alike, and nothing else. */
function endsOf(text: string): string {
  return text.replaceAll(',', '').replaceAll(/[?…]/g, '.');
}

function sum(scores: readonly MarkScore[]): MarkScore {
  const total = (key: keyof MarkScore) => scores.reduce((all, score) => all + score[key], 0);
  return { right: total('right'), set: total('set'), written: total('written') };
}

function formatScore({ right, set, written }: MarkScore): string {
  return `${right} right of ${set} set, of ${written} written`;
}
