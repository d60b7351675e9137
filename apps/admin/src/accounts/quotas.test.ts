import { describe, expect, it } from 'vitest';
import { AccountQuotasCommand, listQuotaWarnings } from './quotas.command.js';

/** As the command reads the value of an option. */
function parseOption(name: string, text: string): unknown {
  const { prototype } = AccountQuotasCommand as unknown as {
    prototype: Record<string, (text: string) => unknown>;
  };
  return prototype[name]?.(text);
}

describe('accounts quotas', () => {
  it.each(['--pending-bytes', '--stored-bytes', '--vocabulary-bytes'])(
    '%s takes the sizes that the settings take',
    (name) => {
      expect(parseOption(name, '5GB')).toBe(5e9);
      expect(parseOption(name, '16MiB')).toBe(2 ** 24);
      expect(parseOption(name, '123456789012345')).toBe(123_456_789_012_345);
    },
  );

  it.each(['', '-1', '5 GB', '5gb', '1.5GB', '9999999999999GiB'])('%j is no size', (text) => {
    expect(() => parseOption('--stored-bytes', text)).toThrow(
      /^--stored-bytes takes a size such as 512, 16MiB or 5GiB\.$/,
    );
  });

  it('warns about quotas of bytes that are too small for any single upload, other than nothing', () => {
    const [mib, limit] = [2 ** 20, 5 * 2 ** 30];
    expect(listQuotaWarnings({ pendingBytes: 64 * mib, storedBytes: 60 * mib }, limit)).toEqual([
      'Warning: no single upload fits into pending_bytes: the URL of the smallest is signed for 67108865 bytes.',
      'Warning: no single upload fits into stored_bytes: the URL of the smallest is signed for 67108865 bytes.',
    ]);
    expect(
      listQuotaWarnings({ pendingBytes: 0, storedBytes: 64 * mib + 1, pendingUploads: 1 }, limit),
    ).toEqual([]);
    expect(listQuotaWarnings({ storedBytes: mib }, mib)).toEqual([]);
  });

  it('--pending-uploads takes a whole number only', () => {
    expect(parseOption('--pending-uploads', '12')).toBe(12);
    expect(() => parseOption('--pending-uploads', '5GB')).toThrow('--pending-uploads takes a whole number.');
  });
});
