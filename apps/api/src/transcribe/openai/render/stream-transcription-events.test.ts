import { ServiceError } from '@app/errors';
import { NEVER, Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type {
  SegmentTextDelta,
  TranscriptTextDeltas,
} from '../../../transcripts/rendering/run-render-task.js';
import { type StreamedChunkText, streamTranscriptionEvents } from './stream-transcription-events.js';

const document: TranscriptTextDeltas = {
  text: 'One. Two.',
  segments: [
    { delta: 'One.', text: 'One.', start: 0, channel: null, words: [] },
    { delta: ' Two.', text: 'Two.', start: 1, channel: null, words: [] },
  ],
};

async function all(pendingTranscript: Promise<TranscriptTextDeltas>): Promise<unknown[]> {
  const events: string[] = [];
  for await (const event of streamTranscriptionEvents(pendingTranscript, 60_000)) events.push(event);
  expect(events.shift()).toBe(': accepted\n\n');
  return events.map((event) => JSON.parse(/^data: (.*)\n\n$/.exec(event)?.[1] ?? '') as unknown);
}

describe('streamTranscriptionEvents', () => {
  it('sends one delta per segment, then the whole text', async () => {
    expect(await all(Promise.resolve(document))).toEqual([
      { type: 'transcript.text.delta', delta: 'One.' },
      { type: 'transcript.text.delta', delta: ' Two.' },
      { type: 'transcript.text.done', text: 'One. Two.' },
    ]);
  });

  it('sends the error of a failed job as the last event', async () => {
    const failed = Promise.reject(new ServiceError('unprocessable_audio', { detail: 'No audio.' }));
    expect(await all(failed)).toEqual([{ error: expect.objectContaining({ message: 'No audio.' }) }]);
  });

  it('sends internal_error without the text of an unexpected error', async () => {
    const [errorEvent] = await all(Promise.reject(new Error('SELECT secret')));
    expect(JSON.stringify(errorEvent)).not.toContain('secret');
    expect(errorEvent).toMatchObject({ error: { type: 'server_error' } });
  });

  it('sends heartbeat comments while the job runs', async () => {
    let finish: (document: TranscriptTextDeltas) => void = () => undefined;
    const events = streamTranscriptionEvents(new Promise((resolve) => (finish = resolve)), 5);
    await events.next();
    expect((await events.next()).value).toBe(': heartbeat\n\n');
    expect((await events.next()).value).toBe(': heartbeat\n\n');
    finish(document);
    expect((await events.next()).value).toContain('transcript.text.delta');
  });
});

describe('streamTranscriptionEvents while chunks end', () => {
  const segments = [
    segment('One.', 0),
    segment('Two three.', 4, { words: [word('Two', 4), word('three.', 6)] }),
    segment('Four.', 8),
  ];
  const whole: TranscriptTextDeltas = { text: 'One. Two three. Four.', segments };

  it('sends the text of each chunk at once, and at the end what follows the last one', async () => {
    const chunks = [[chunk('one', 3)], [], [chunk('two', 5)]];
    const { deltas, types } = await streamWithChunks(whole, chunks);
    expect(deltas).toEqual(['one', ' two', ' three.', ' Four.']);
    expect(types.at(-1)).toBe('transcript.text.done');
  });

  it('sends the spaces between phrases of a script without spaces between words', async () => {
    const words = [word('สวัสดี', 0), word('ครับ', 1), word('ผม', 4), word('ชื่อ', 5), word('สมชาย', 6)];
    const spoken = [segment('สวัสดีครับ ผมชื่อสมชาย', 0, { words }), segment('ขอบคุณ', 8)];
    const thai = { text: 'สวัสดีครับ ผมชื่อสมชาย ขอบคุณ', segments: spoken };
    const afterPhrase = await streamWithChunks(thai, [[chunk('สวัสดีครับ', 4)]]);
    expect(afterPhrase.deltas).toEqual(['สวัสดีครับ', ' ผมชื่อสมชาย', ' ขอบคุณ']);
    const beforePhrase = await streamWithChunks(thai, [[chunk('สวัสดี', 1)]]);
    expect(beforePhrase.deltas).toEqual(['สวัสดี', ' ครับ ผมชื่อสมชาย', ' ขอบคุณ']);
  });

  it('sends what follows the last chunk of each channel', async () => {
    const spoken = [
      segment('Good morning.', 0, { channel: 1 }),
      segment('Hello there.', 1, { channel: 2, words: [word('Hello', 1), word('there.', 6)] }),
      segment('Who is it?', 7, { channel: 2 }),
      segment('It is me.', 11, { channel: 1 }),
    ];
    const text = 'Good morning. Hello there. Who is it? It is me.';
    const { deltas } = await streamWithChunks({ text, segments: spoken }, [
      [chunk('good morning', 10, 1), chunk('hello', 5, 2)],
    ]);
    expect(deltas).toEqual(['good morning', ' hello', ' there.', ' Who is it?', ' It is me.']);
  });

  it('sends the whole text of a channel none of whose chunks was sent', async () => {
    const spoken = [segment('Good morning.', 0, { channel: 1 }), segment('Hello.', 1, { channel: 2 })];
    const { deltas } = await streamWithChunks({ text: 'Good morning. Hello.', segments: spoken }, [
      [chunk('good morning', 10, 1)],
    ]);
    expect(deltas).toEqual(['good morning', ' Hello.']);
  });

  it('reads chunks when the job has progressed, and not with each heartbeat', async () => {
    const { promise, resolve } = createPendingTranscript();
    const progress = new Subject<void>();
    const read = vi.fn(async (): Promise<StreamedChunkText[]> => []);
    const events = streamTranscriptionEvents(promise, 5, { read, progress });
    await events.next();
    for (let beats = 0; beats < 3; beats++) expect((await events.next()).value).toContain('heartbeat');
    expect(read).toHaveBeenCalledTimes(1);
    read.mockResolvedValueOnce([chunk('one', 3)]);
    progress.next();
    expect((await events.next()).value).toContain('one');
    expect(read).toHaveBeenCalledTimes(2);
    resolve(whole);
    for await (const event of events) expect(event).toContain('transcript.text');
    expect(progress.observed).toBe(false);
  });

  it('goes on without early text when chunks cannot be read', async () => {
    const { promise, resolve } = createPendingTranscript();
    const failures = [new Error('the database is away'), new Error('the database is away')];
    const read = async () => {
      const failure = failures.shift();
      if (failures.length === 0) resolve(whole);
      throw failure ?? new Error('read too often');
    };
    const events: string[] = [];
    for await (const event of streamTranscriptionEvents(promise, 5, { read, progress: NEVER }))
      events.push(event);
    expect(failures, 'a failed read is repeated').toEqual([]);
    expect(events.filter((event) => event.includes('.delta'))).toHaveLength(3);
  });
});

function createPendingTranscript() {
  let resolve: (transcript: TranscriptTextDeltas) => void = () => undefined;
  const promise = new Promise<TranscriptTextDeltas>((fulfil) => (resolve = fulfil));
  return { promise, resolve };
}

/** Reads a list of chunks after each progress of the job, which ends after the last one. */
async function streamWithChunks(transcript: TranscriptTextDeltas, reads: StreamedChunkText[][]) {
  const { promise, resolve } = createPendingTranscript();
  const progress = new Subject<void>();
  const read = async () => {
    const next = reads.shift();
    if (next) progress.next();
    else resolve(transcript);
    return next ?? [];
  };
  const types: string[] = [];
  const deltas: string[] = [];
  for await (const event of streamTranscriptionEvents(promise, 60_000, { read, progress })) {
    const data = /^data: (.*)\n\n$/.exec(event)?.[1];
    if (data === undefined) continue;
    const { type, delta } = JSON.parse(data) as { type: string; delta?: string };
    types.push(type);
    if (delta !== undefined) deltas.push(delta);
  }
  return { types, deltas };
}

function chunk(text: string, end: number, channel: number | null = null): StreamedChunkText {
  return { text, end, channel };
}

function segment(text: string, start: number, given: Partial<SegmentTextDelta> = {}): SegmentTextDelta {
  return { ...{ text, delta: start === 0 ? text : ` ${text}`, start, channel: null, words: [] }, ...given };
}

function word(text: string, start: number) {
  return { word: text, start };
}
