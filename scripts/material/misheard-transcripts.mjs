import { mishear } from './mishear.mjs';
import { listNamesInSentences } from './misheard-names.mjs';
import { SeededRandom } from './seeded-random.mjs';

const SECONDS_PER_WORD = 0.4;
/** Of ordinary words, an engine doubts one in eight. */
const DOUBTED_SHARE = 1 / 8;

/**
 * @typedef {object} MisheardTranscript
 * @property {string} term
 * @property {string} misheard
 * @property {boolean} isHeldOut
 * @property {string[]} ordinaryWords of the sentence, without the name
 * @property {{ language: string, words: { text: string, start: number, end: number, confidence: number | null, language: null }[] }} transcription
 */

/**
 * What an engine that does not know the names makes of the sentences of a language. Equal arguments give equal transcripts.
 *
 * @param {string} language
 * @param {{ hasConfidence: boolean, seeds: readonly number[] }} options each seed mishears all names differently
 * @returns {Promise<MisheardTranscript[]>}
 */
export async function makeMisheardTranscripts(language, { hasConfidence, seeds }) {
  const transcripts = [];
  for (const seed of seeds)
    for (const [index, { term, text, voice, isHeldOut }] of listNamesInSentences(language).entries()) {
      const random = new SeededRandom(1_000 * seed + index);
      const misheard = await mishear({ term, voice, language, random });
      const [before = '', after = ''] = text.split('{}').map((side) => side.trim());
      const toConfidence = (low, high) => (hasConfidence ? random.between(low, high) : null);
      const sides = [before, misheard, after].map((side, at) =>
        side
          .split(' ')
          .filter((word) => word !== '')
          .map((word) => ({
            text: word,
            confidence:
              at === 1 || random.next() < DOUBTED_SHARE ? toConfidence(0.2, 0.75) : toConfidence(0.85, 1),
          })),
      );
      const words = sides.flat().map((word, at) => ({
        ...word,
        start: at * SECONDS_PER_WORD,
        end: (at + 0.9) * SECONDS_PER_WORD,
        language: null,
      }));
      const ordinaryWords = [...(sides[0] ?? []), ...(sides[2] ?? [])].map((word) => word.text);
      transcripts.push({ term, misheard, isHeldOut, ordinaryWords, transcription: { language, words } });
    }
  return transcripts;
}

/**
 * @param {MisheardTranscript} transcript @param {readonly { text: string }[]} words of the corrected transcription
 * @returns {{ isRight: boolean, changedWords: string[] }} ordinary words that are missing afterwards
 */
export function compareWithSpoken({ term, ordinaryWords }, words) {
  const texts = words.map(({ text }) => text);
  const bare = ` ${texts.map(stripMarks).join(' ')} `;
  const left = [...texts];
  const changedWords = ordinaryWords.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { isRight: bare.includes(` ${term} `), changedWords };
}

function stripMarks(text) {
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}
