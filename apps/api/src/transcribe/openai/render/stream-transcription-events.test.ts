import { ServiceError } from '@app/errors';
import { describe, expect, it } from 'vitest';
import type { TranscriptTextDeltas } from '../../../results/rendering/run-render-task.js';
import { streamTranscriptionEvents } from './stream-transcription-events.js';

const document: TranscriptTextDeltas = {
  text: 'One. Two.',
  segments: [
    { delta: 'One.', text: 'One.', start: 0, words: [] },
    { delta: ' Two.', text: 'Two.', start: 1, words: [] },
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
    { start: 0, text: 'One.', delta: 'One.', words: [] },
    { start: 4, text: 'Two three.', delta: ' Two three.', words: [word('Two', 4), word('three.', 6)] },
    { start: 8, text: 'Four.', delta: ' Four.', words: [] },
  ];
  const whole: TranscriptTextDeltas = { text: 'One. Two three. Four.', segments };

  it('sends the text of each chunk at once, and at the end what follows the last one', async () => {
    const chunks = [[{ text: 'one', end: 3 }], [], [{ text: 'two', end: 5 }]];
    let finish: (document: TranscriptTextDeltas) => void = () => undefined;
    const pending = new Promise<TranscriptTextDeltas>((resolve) => (finish = resolve));
    const readChunks = async () => {
      const next = chunks.shift();
      if (!next) finish(whole);
      return next ?? [];
    };
    const types: string[] = [];
    const deltas: string[] = [];
    for await (const event of streamTranscriptionEvents(pending, 5, readChunks)) {
      const data = /^data: (.*)\n\n$/.exec(event)?.[1];
      if (data === undefined) continue;
      const { type, delta } = JSON.parse(data) as { type: string; delta?: string };
      types.push(type);
      if (delta !== undefined) deltas.push(delta);
    }
    expect(deltas).toEqual(['one', ' two', ' three.', ' Four.']);
    expect(types.at(-1)).toBe('transcript.text.done');
  });

  it('goes on without early text when chunks cannot be read', async () => {
    const failing = () => Promise.reject(new Error('the database is away'));
    const pending = new Promise<TranscriptTextDeltas>((resolve) => setTimeout(resolve, 30, whole));
    const events: string[] = [];
    for await (const event of streamTranscriptionEvents(pending, 5, failing)) events.push(event);
    expect(events.filter((event) => event.includes('.delta'))).toHaveLength(3);
  });
});

function word(text: string, start: number) {
  return { word: text, start };
}
