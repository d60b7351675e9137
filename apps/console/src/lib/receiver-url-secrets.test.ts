import { describe, expect, it } from 'vitest';
import { hasUrlSecrets, maskUrlSecrets } from './receiver-url-secrets.ts';

describe('maskUrlSecrets', () => {
  it.each([
    ['https://example.org/hooks/7', 'https://example.org/hooks/7'],
    ['https://example.org:8443/?token=s3cret&b=', 'https://example.org:8443/?token=***&b=***'],
    ['https://example.org/a?s3cret', 'https://example.org/a?***'],
    ['https://user:s3cret@example.org/a#s3cret', 'https://example.org/a'],
    ['https://example.org/a?token=***', 'https://example.org/a?token=***'],
    ['s3cret', '***'],
  ])('%s is shown as %s', (url, masked) => expect(maskUrlSecrets(url)).toBe(masked));
});

describe('hasUrlSecrets', () => {
  it.each([
    ['https://example.org', false],
    ['https://example.org/hooks/7', false],
    ['https://example.org/a?token=***', false],
    ['***', false],
    ['https://example.org/a?token=s3cret', true],
    ['https://user:s3cret@example.org/', true],
  ])('%s: %s', (url, expected) => expect(hasUrlSecrets(url)).toBe(expected));
});
