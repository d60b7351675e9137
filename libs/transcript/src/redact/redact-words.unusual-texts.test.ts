import { describe, expect, it } from 'vitest';
import { REDACTION_KINDS } from './redaction-kinds.js';
import { redactText } from './redact-words.js';

const ALL = [...REDACTION_KINDS];

describe('redactText of unusual texts', () => {
  it.each(['…', '”', ')', '?', '1', '٣', '1.', 'a@', '1 ', ') '])(
    'a long text of %j takes linear time',
    (unit) => {
      const started = performance.now();
      redactText(`1${unit.repeat(40_000 / unit.length)}€`, ALL);
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );

  it.each(Object.getOwnPropertyNames(Object.prototype))(
    'a number after the name of a property that every object has is redacted: %s',
    (name) => {
      expect(redactText(`the ${name} 5551234567 is mine`, ALL)).toBe(`the ${name} [phone] is mine`);
      expect(redactText(`the ${name.toLowerCase()}, 192.168.1.20`, ALL)).toBe(
        `the ${name.toLowerCase()}, [ip]`,
      );
      expect(redactText(`say ${name} 555 123 4567`, ALL)).toBe(`say ${name} [phone]`);
    },
  );
});
