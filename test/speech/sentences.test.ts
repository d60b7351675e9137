import { assembleTranscript } from '@app/transcript';
import { describe, expect, it } from 'vitest';
import { toAssemblyInput, type PauseStyle, generateTalkWithPauses } from '../support/talk-with-pauses.js';
import { type MarkScore, scorePunctuation } from '../support/score-punctuation.js';

const TALKS = ['interview', 'meeting', 'clinic'];
/** Not used when the parameters of the method were chosen. */
const UNSEEN_TALKS = ['walk'];
const SEEDS = [1, 2, 3];

/** The figures are in docs/speech/punctuation.md; the bounds allow a few more errors. */
const PAUSE_STYLES: [name: string, pausing: PauseStyle, precision: number, recall: number][] = [
  ['usual pauses', { scale: 1, hesitant: 0.04 }, 0.85, 0.7],
  ['pauses half as long', { scale: 0.5, hesitant: 0.04 }, 0.85, 0.65],
  ['long pauses', { scale: 1.7, hesitant: 0.04 }, 0.85, 0.72],
  ['more pauses within sentences', { scale: 1, hesitant: 0.1 }, 0.75, 0.7],
];

describe('sentence ends of speakers who pause', () => {
  it.each([
    ...PAUSE_STYLES.map((way) => [...way, TALKS] as const),
    ...PAUSE_STYLES.map(([name, ...way]) => [`${name}, unseen`, ...way, UNSEEN_TALKS] as const),
  ])('%s: sentence ends and questions are detected', (name, pausing, precision, recall, talks) => {
    const texts = talks.flatMap((talk) => SEEDS.map((seed) => renderTexts(talk, pausing, seed)));
    const ends = sumScores(
      texts.map(([written, set]) => scorePunctuation(keepSentenceEnds(written), keepSentenceEnds(set))['.']),
    );
    const questions = sumScores(texts.map(([written, set]) => scorePunctuation(written, set)['?']));
    const commas = sumScores(texts.map(([written, set]) => scorePunctuation(written, set)[',']));
    console.log(
      `${name}: ends ${formatScore(ends)}, questions ${formatScore(questions)}, commas ${formatScore(commas)}`,
    );
    expect(ends.right / ends.set).toBeGreaterThan(precision);
    expect(ends.right / ends.written).toBeGreaterThan(recall);
    expect(questions.right / questions.set).toBeGreaterThan(0.75);
    expect(questions.right / questions.written).toBeGreaterThan(0.5);
  });
});

/** Texts with many commas. The last two were not used when the parameters of the method were chosen. */
const TALKS_WITH_COMMAS = ['move', 'bakery', 'lighthouse'];

describe('commas of speakers who pause', () => {
  it.each(
    PAUSE_STYLES.flatMap(([name, pausing]) =>
      TALKS_WITH_COMMAS.map((talk) => [name, talk, pausing] as const),
    ),
  )('%s, %s: three in four commas match the text', (name, talk, pausing) => {
    const texts = SEEDS.map((seed) => renderTexts(talk, pausing, seed));
    const commas = sumScores(texts.map(([written, set]) => scorePunctuation(written, set)[',']));
    const ends = sumScores(
      texts.map(([written, set]) => scorePunctuation(keepSentenceEnds(written), keepSentenceEnds(set))['.']),
    );
    console.log(`${talk}, ${name}: commas ${formatScore(commas)}; ends ${formatScore(ends)}`);
    expect(commas.right / commas.set).toBeGreaterThan(0.75);
    expect(commas.right / commas.written).toBeGreaterThan(0.25);
  });
});

function renderTexts(name: string, pausing: PauseStyle, seed: number): [written: string, set: string] {
  const talk = generateTalkWithPauses(name, pausing, seed);
  return [talk.turns.map(({ text }) => text).join(' '), assembleTranscript(toAssemblyInput(talk)).text];
}

/** Replaces all marks that end a sentence with full stops and removes the others. */
function keepSentenceEnds(text: string): string {
  return text.replaceAll(',', '').replaceAll(/[?…]/g, '.');
}

function sumScores(scores: readonly MarkScore[]): MarkScore {
  const total = (key: keyof MarkScore) => scores.reduce((all, score) => all + score[key], 0);
  return { right: total('right'), set: total('set'), written: total('written') };
}

function formatScore({ right, set, written }: MarkScore): string {
  return `${right} right of ${set} set, of ${written} written`;
}
