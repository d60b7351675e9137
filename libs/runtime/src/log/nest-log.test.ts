import type { Logger } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { NestLog } from './logger.js';

function logged(write: (log: NestLog) => void): unknown[] {
  const error = vi.fn();
  write(new NestLog({ error } as unknown as Logger));
  return error.mock.calls[0] as unknown[];
}

describe("Nest's messages", () => {
  it('keep their text and context', () => {
    expect(logged((log) => log.error('went wrong', 'Objects'))).toEqual([
      { context: 'Objects' },
      'went wrong',
    ]);
  });

  it('keep the error they are about', () => {
    const error = new Error('broken');
    expect(logged((log) => log.error(error, 'Objects'))).toEqual([{ context: 'Objects', error }, 'broken']);
  });

  it('keep fields that come before the text', () => {
    const err = new Error('broken');
    const [fields, text] = logged((log) => log.error({ err, code: 'internal' }, 'refused', 'Objects'));
    expect(fields).toEqual({ err, code: 'internal', context: 'Objects' });
    expect(text).toBe('refused');
  });
});
