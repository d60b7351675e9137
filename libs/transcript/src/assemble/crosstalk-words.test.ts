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

describe('a short answer that both channels have', () => {
  const say = (text: string, start: number, end: number) =>
    ({ text, start, end, confidence: 0.9, language: null }) satisfies ChunkWord;

  it('stays, although the engine places it beside the speech of its channel', () => {
    expect(
      assemble(
        { words: [say('Okay.', 0.66, 0.95)], speech: [{ start: 0.3, end: 0.62 }] },
        { words: [say('Okay.', 1.05, 1.4)], speech: [{ start: 1, end: 1.4 }] },
      ),
    ).toEqual(['okay', 'okay']);
    expect(
      assemble(
        { words: [say('Bye.', 3, 3.3)], speech: [{ start: 3, end: 3.3 }] },
        { words: [say('Bye.', 3.35, 3.6)], speech: [{ start: 3.65, end: 3.95 }] },
      ),
    ).toEqual(['bye', 'bye']);
    expect(
      assemble(
        { words: [say('Thank', 1, 1.25), say('you.', 1.25, 1.5)], speech: [{ start: 1, end: 1.5 }] },
        { words: [say('Thank', 1.1, 1.3), say('you.', 1.3, 1.5)], speech: [{ start: 1.55, end: 2 }] },
      ),
    ).toEqual(['thank you', 'thank you']);
  });

  it('stays where digits are read back one by one', () => {
    expect(
      assemble(
        {
          words: [say('five', 10, 10.35), say('two', 11.2, 11.5)],
          speech: [
            { start: 10, end: 10.35 },
            { start: 11.2, end: 11.5 },
          ],
        },
        {
          words: [say('Five', 10.45, 10.58), say('two', 11.75, 11.9)],
          speech: [
            { start: 10.6, end: 11 },
            { start: 11.95, end: 12.3 },
          ],
        },
      ),
    ).toEqual(['five two', 'five two']);
  });

  it('stays as one word of a pause, and as several that follow those of the other channel', () => {
    const speech = [
      { start: 0.3, end: 1 },
      { start: 2.3, end: 3 },
    ];
    const around = [say('So', 0.3, 0.9), say('then', 2.3, 2.9)] as const;
    expect(
      assemble(
        { words: [around[0], say('yes', 1.45, 1.75), around[1]], speech },
        { words: [say('Yes.', 1.45, 1.75)], speech: [{ start: 1.45, end: 1.75 }] },
      ),
    ).toEqual(['so yes then', 'yes']);
    expect(
      assemble(
        { words: [around[0], say('thank', 1.5, 1.7), say('you', 1.7, 1.9), around[1]], speech },
        { words: [say('Thank', 1.1, 1.3), say('you.', 1.3, 1.5)], speech: [{ start: 1.1, end: 1.5 }] },
      ),
    ).toEqual(['so thank you then', 'thank you']);
  });
});
