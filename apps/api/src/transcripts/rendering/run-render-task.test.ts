import type { TranscriptDocument } from '@app/transcript';
import { describe, expect, it } from 'vitest';
import { runRenderTask, type RenderTask } from './run-render-task.js';

const segment = {
  id: 0,
  start: 0,
  end: 1,
  text: '你好。',
  language: 'zh',
  speaker: 'SPEAKER_1',
  confidence: null,
};
/** As stored before speakers had names. */
const stored = {
  created_at: '2026-01-02T03:04:05Z',
  duration: 1,
  languages: ['zh'],
  speakers: [{ id: 'SPEAKER_1', duration: 1 }],
  segments: [{ ...segment, words: null }],
} as unknown as TranscriptDocument;

const document = () => new Uint8Array(Buffer.from(JSON.stringify(stored))).buffer;
const perform = async (task: RenderTask) => runRenderTask(task);

async function written(format: 'txt' | 'json', names = {}): Promise<string> {
  const file = await perform({ kind: 'file', document: document(), format, names });
  expect(file).toBeInstanceOf(ArrayBuffer);
  return Buffer.from(file as ArrayBuffer).toString('utf8');
}

describe('runRenderTask', () => {
  it('renders a stored document in a format with speaker names', async () => {
    expect(await written('txt')).toBe('[00:00:00] SPEAKER_1: 你好。\n');
    expect(await written('txt', { SPEAKER_1: '李雷' })).toBe('[00:00:00] 李雷: 你好。\n');
    expect(JSON.parse(await written('json'))).toMatchObject({ speakers: [{ id: 'SPEAKER_1', name: null }] });
  });

  it('returns the speaker labels of a document', async () => {
    expect(await perform({ kind: 'outline', document: document() })).toMatchObject({
      speakers: ['SPEAKER_1'],
    });
  });

  it('rejects invalid JSON', async () => {
    await expect(perform({ kind: 'outline', document: new ArrayBuffer(3) })).rejects.toThrow(SyntaxError);
  });
});
