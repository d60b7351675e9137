import { describe, expect, it } from 'vitest';
import { buildAssemblyInput, buildChunk, wordsFromLine } from '../testing/samples.js';
import { assembleTranscript } from './assemble-transcript.js';
import type { ChunkWord } from './assembly-input.js';

interface Side {
  words: ChunkWord[];
  speech?: { start: number; end: number }[];
}

/** The texts of the left and of the right channel. */
function assemble(left: Side, right: Side): string[] {
  const { segments, warnings } = assembleTranscript(
    buildAssemblyInput([
      buildChunk(left.words, { index: 0, channel: 1, speech: left.speech }),
      buildChunk(right.words, { index: 1, channel: 2, speech: right.speech }),
    ]),
  );
  expect(warnings).toEqual([]);
  return [1, 2].map((channel) =>
    segments
      .filter((segment) => segment.channel === channel)
      .map(({ text }) => text)
      .join(' ')
      .replaceAll(/[.,?]/g, '')
      .toLowerCase(),
  );
}

const agentSpeech = [
  { start: 0.3, end: 1 },
  { start: 2.5, end: 3.2 },
];
const agent = wordsFromLine("okay (0.5) it's five five one (0.5) thanks", 0.3);
const customer = wordsFromLine("It's five five one.", 1.2);
const customerSpeech = [{ start: 1.1, end: 2.6 }];

describe('crosstalk in a pause of a channel', () => {
  it('is left to the channel of its speaker', () => {
    expect(
      assemble({ words: agent, speech: agentSpeech }, { words: customer, speech: customerSpeech }),
    ).toEqual(['okay thanks', "it's five five one"]);
  });

  it('stays where the other channel says something else, or the same at another time', () => {
    const speech = [{ start: 1.1, end: 9 }];
    for (const line of ['and who are you then', "(5) it's five five one"])
      expect(
        assemble({ words: agent, speech: agentSpeech }, { words: wordsFromLine(line, 1.2), speech })[0],
      ).toBe("okay it's five five one thanks");
  });

  it('is no crosstalk where the channel has speech itself, nobody has, or the times are not measured', () => {
    const all = [{ start: 0, end: 4 }];
    const estimated = agent.map((word) => ({ ...word, estimated: true as const }));
    const around = [
      { start: 0, end: 1.1 },
      { start: 2.65, end: 4 },
    ];
    for (const [words, speech, otherSpeech] of [
      [agent, all, customerSpeech],
      [agent, agentSpeech, around],
      [agent, undefined, customerSpeech],
      [estimated, agentSpeech, customerSpeech],
    ] as const)
      expect(
        assemble(
          { words: [...words], speech: speech && [...speech] },
          { words: customer, speech: [...otherSpeech] },
        )[0],
      ).toBe("okay it's five five one thanks");
  });
});
