import { describe, expect, it } from 'vitest';
import { withAnySignal } from './with-any-signal.js';

describe('withAnySignal', () => {
  it.each([0, 1])('aborts the signal of the work with the reason of signal %i', async (at) => {
    const given = [new AbortController(), new AbortController()];
    const signals = given.map(({ signal }) => signal);
    const reason = await withAnySignal(signals, async (any) => {
      expect(any.aborted).toBe(false);
      given[at]?.abort(`stopped ${at}`);
      return any.reason as unknown;
    });
    expect(reason).toBe(`stopped ${at}`);
  });

  it('begins aborted if one of them is', async () => {
    const signals = [new AbortController().signal, AbortSignal.abort('before')];
    expect(await withAnySignal(signals, async (any) => any.reason as unknown)).toBe('before');
  });

  it('rethrows the error of the work, and leaves its signal alone from then on', async () => {
    const given = new AbortController();
    let left: AbortSignal | undefined;
    const failing = withAnySignal([given.signal], async (any) => {
      left = any;
      throw new RangeError('failed');
    });
    await expect(failing).rejects.toThrow(RangeError);
    given.abort();
    expect(left?.aborted).toBe(false);
  });
});
