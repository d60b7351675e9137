import { sanitizeTranscriptionForStorage, type RecognizedWord } from '@app/speech';
import { assembleTranscript } from '@app/transcript';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimeSpan } from '../../libs/speech/src/engine/engine.js';
import { convertTranscriptionDroppingHallucinations } from '../../libs/speech/src/engine/openai/recognized-words.js';
import { parseTranscriptionResponse } from '../../libs/speech/src/engine/openai/transcription-response.js';
import { parseCtm } from '../../libs/speech/src/engine/pocketsphinx/batch-io.js';
import { buildRecognizedWordsFromTokens } from '../../libs/speech/src/engine/sherpa/build-recognized-words-from-tokens.js';
import { chooseRecognitionWindows } from '../../libs/speech/src/engine/sherpa/recognition-windows.js';
import { padSpans } from '../../libs/speech/src/vad/utterances.js';

/** What an engine hears in one utterance. */
interface Utterance extends TimeSpan {
  words: ({ text: string } & TimeSpan)[];
}

interface Talk {
  utterances: Utterance[];
  /** Seconds. */
  duration: number;
}

/** Utterances of 0.3 to 4 s with pauses of 0.2 to 2 s, as chunks contain them; every word occurs once. */
const talks: fc.Arbitrary<Talk> = fc
  .array(
    fc.record({
      pause: fc.integer({ min: 10, max: 100 }),
      frames: fc.integer({ min: 15, max: 200 }),
      words: fc.integer({ min: 1, max: 6 }),
      share: fc.double({ min: 0.3, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => {
    let [at, count] = [0, 0];
    const utterances = parts.map(({ pause, frames, words, share }) => {
      const start = at + pause * 0.02;
      at = start + frames * 0.02;
      const step = (at - start) / words;
      return {
        ...{ start, end: at },
        words: Array.from({ length: words }, (_, index) => {
          count += 1;
          const from = start + index * step;
          return { text: spell(count), start: from, end: from + share * step };
        }),
      };
    });
    return { utterances, duration: at + 0.3 };
  });

/** Distinct words of one to four letters. */
function spell(number: number): string {
  const letters = [...number.toString(26)].map((digit) => String.fromCharCode(97 + parseInt(digit, 26)));
  return 'x'.repeat(number % 3) + letters.join('');
}

type Adapter = (talk: Talk) => RecognizedWord[];

/** An answer of a remote server, by what it lists. */
const remote =
  (answer: (talk: Talk) => object): Adapter =>
  (talk) => {
    const text = talk.utterances.flatMap(({ words }) => words.map((word) => word.text)).join(' ');
    const body = JSON.stringify({ text, ...answer(talk) });
    const response = { text: body, excerpt: '', status: 200, retryAfter: null, retryForbidden: false };
    return convertTranscriptionDroppingHallucinations(
      parseTranscriptionResponse(response),
      talk.duration,
      talk.utterances,
    ).words;
  };

const lineOf = ({ words }: Utterance) => ` ${words.map(({ text }) => text).join(' ')}`;

/** The result of a model on a window, with the times of tokens, those of segments, or none. */
const sherpa =
  (times: 'tokens' | 'segments' | 'none'): Adapter =>
  ({ utterances, duration }) => {
    const speech = { detector: 'model' as const, spans: utterances };
    const samples = new Int16Array(Math.ceil(duration * 16_000));
    return chooseRecognitionWindows(samples, 10, speech).flatMap((window) => {
      const heard = utterances
        .map(({ words, ...span }) => ({
          ...span,
          words: words.filter((word) => window.start <= word.start && word.start < window.end),
        }))
        .filter(({ words }) => words.length > 0);
      const tokens = heard.flatMap(({ words }) => words);
      const result = {
        text: '',
        lang: 'en',
        tokens: tokens.map(({ text }) => `▁${text}`),
        timestamps: times === 'tokens' ? tokens.map(({ start }) => start - window.start) : [],
        durations: [],
        ys_log_probs: [],
        ...(times === 'segments' && {
          segment_texts: heard.map(lineOf),
          segment_timestamps: heard.map(({ start }) => start - window.start),
          segment_durations: heard.map(({ start, end }) => end - start),
        }),
      };
      return buildRecognizedWordsFromTokens(result, window, { hasByteSymbols: false, language: 'en' });
    });
  };

const pocketsphinx: Adapter = ({ utterances, duration }) => {
  const padded = padSpans(utterances, 0.2, duration);
  const lines = utterances.flatMap(({ words }, index) =>
    words.map(({ text, start, end }) => {
      const from = Math.max(0, start - Math.floor((padded[index]?.start ?? 0) * 100) / 100);
      return `${index} 1 ${from.toFixed(2)} ${(end - start).toFixed(2)} ${text} 0.9`;
    }),
  );
  return parseCtm(lines.join('\n'), padded, duration);
};

const ADAPTERS: [string, Adapter][] = [
  [
    'a server that lists words',
    remote(({ utterances }) => ({
      words: utterances.flatMap(({ words }) => words.map(({ text: word, ...span }) => ({ word, ...span }))),
    })),
  ],
  [
    'a server that lists tokens in segments',
    remote(({ utterances }) => ({
      segments: utterances.map((utterance) => ({
        text: lineOf(utterance),
        words: utterance.words.flatMap(({ text, start, end }) =>
          [` ${text.slice(0, 1)}`, text.slice(1)].map((word) => ({ word, start, end, probability: 0.5 })),
        ),
      })),
    })),
  ],
  [
    'a server that lists segments',
    remote(({ utterances }) => ({
      segments: utterances.map((one) => ({ text: lineOf(one), start: one.start, end: one.end })),
    })),
  ],
  ['a server that returns text', remote(() => ({}))],
  ['sherpa with times of tokens', sherpa('tokens')],
  ['sherpa with times of segments', sherpa('segments')],
  ['sherpa without times', sherpa('none')],
  ['pocketsphinx', pocketsphinx],
];

function buildTranscript({ utterances, duration }: Talk, recognized: RecognizedWord[]) {
  const { words, language } = sanitizeTranscriptionForStorage({ words: recognized, language: 'en' });
  return assembleTranscript({
    ...{ jobId: 'job', createdAt: '2026-01-01T00:00:00.000Z', model: 'zephyr', warnings: [], turns: null },
    engine: { name: 'any', model: null, version: null },
    duration: duration + 5,
    credits: null,
    options: { word_timestamps: true, speaker_labels: false, nltk: false },
    punctuated: false,
    chunks: [
      {
        ...{ index: 0, start: 5, end: 5 + duration, language, speech: utterances },
        words: words.map(({ estimatedWithin, ...word }) =>
          estimatedWithin ? { ...word, estimated: true as const } : word,
        ),
      },
    ],
  });
}

describe.each(ADAPTERS)('what the engine says in speech: %s', (_, recognize) => {
  it('is in the transcript, in order, once', () => {
    fc.assert(
      fc.property(talks, (talk) => {
        const transcript = buildTranscript(talk, recognize(talk));
        const said = talk.utterances.flatMap(({ words }) => words.map(({ text }) => text));
        const written = transcript.segments.flatMap(({ words }) => words ?? []);
        expect(written.map(({ word }) => word)).toEqual(said);
        expect(transcript.warnings).toEqual([]);
      }),
    );
  });

  it('has times in detected speech or at most half a second from it', () => {
    fc.assert(
      fc.property(talks, (talk) => {
        for (const { start, end } of recognize(talk)) {
          const isNear = talk.utterances.some((span) => span.start - 0.5 <= end && start <= span.end + 0.5);
          expect(isNear).toBe(true);
        }
      }),
    );
  });
});
