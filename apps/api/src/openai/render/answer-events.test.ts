import { ServiceError } from '@app/errors';
import type { TranscriptDocument } from '@app/transcript';
import { describe, expect, it } from 'vitest';
import { answerEvents } from './answer-events.js';

const document = { text: 'One. Two.', segments: [{ text: 'One.' }, { text: 'Two.' }] } as TranscriptDocument;

async function all(coming: Promise<TranscriptDocument>): Promise<unknown[]> {
  const events: string[] = [];
  for await (const event of answerEvents(coming, 60_000)) events.push(event);
  expect(events.shift()).toBe(': accepted\n\n');
  return events.map((event) => JSON.parse(/^data: (.*)\n\n$/.exec(event)?.[1] ?? '') as unknown);
}

describe('answerEvents', () => {
  it('tells the text a segment at a time, and then all of it', async () => {
    expect(await all(Promise.resolve(document))).toEqual([
      { type: 'transcript.text.delta', delta: 'One.' },
      { type: 'transcript.text.delta', delta: ' Two.' },
      { type: 'transcript.text.done', text: 'One. Two.' },
    ]);
  });

  it('tells why there is no text', async () => {
    const failed = Promise.reject(new ServiceError('unprocessable_audio', { detail: 'No audio.' }));
    expect(await all(failed)).toEqual([{ error: expect.objectContaining({ message: 'No audio.' }) }]);
  });

  it('tells nothing of a defect', async () => {
    const [told] = await all(Promise.reject(new Error('SELECT secret')));
    expect(JSON.stringify(told)).not.toContain('secret');
    expect(told).toMatchObject({ error: { type: 'server_error' } });
  });

  it('keeps the connection alive while the job runs', async () => {
    let finish: (document: TranscriptDocument) => void = () => undefined;
    const events = answerEvents(new Promise((resolve) => (finish = resolve)), 5);
    await events.next();
    expect((await events.next()).value).toBe(': heartbeat\n\n');
    expect((await events.next()).value).toBe(': heartbeat\n\n');
    finish(document);
    expect((await events.next()).value).toContain('transcript.text.delta');
  });
});
