import type { Logger } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { NestLoggerAdapter } from './logger.js';

function logged(write: (log: NestLoggerAdapter) => void): unknown[] {
  const error = vi.fn();
  write(new NestLoggerAdapter({ error } as unknown as Logger));
  return error.mock.calls[0] as unknown[];
}

describe('NestLoggerAdapter', () => {
  it('keeps the text and the context', () => {
    expect(logged((log) => log.error('went wrong', 'Objects'))).toEqual([
      { context: 'Objects' },
      'went wrong',
    ]);
  });

  it('keeps the error', () => {
    const error = new Error('broken');
    expect(logged((log) => log.error(error, 'Objects'))).toEqual([{ context: 'Objects', error }, 'broken']);
  });

  it('keeps fields that precede the text', () => {
    const err = new Error('broken');
    const [fields, text] = logged((log) => log.error({ err, code: 'internal' }, 'refused', 'Objects'));
    expect(fields).toEqual({ err, code: 'internal', context: 'Objects' });
    expect(text).toBe('refused');
  });
});
