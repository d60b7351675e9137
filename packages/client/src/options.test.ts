import { describe, expect, it } from 'vitest';
import { pickJobOptions, type SubmitOptions } from './options.js';

describe('pickJobOptions', () => {
  it('leaves out the options of the client', () => {
    expect(pickJobOptions({ nltk: true, idempotencyKey: 'a' })).toEqual({ nltk: true });
  });

  it.each(['words', ...Object.getOwnPropertyNames(Object.prototype)])(
    'rejects the unknown option %s',
    (name) => {
      const options = Object.fromEntries([[name, 'value']]) as SubmitOptions;
      expect(() => pickJobOptions(options)).toThrow(TypeError);
    },
  );
});
