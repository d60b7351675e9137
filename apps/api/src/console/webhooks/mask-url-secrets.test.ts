import { describe, expect, it } from 'vitest';
import { maskUrlSecrets } from './mask-url-secrets.js';

describe('maskUrlSecrets', () => {
  it.each([
    ['https://example.org/hooks/7', 'https://example.org/hooks/7'],
    ['https://example.org:8443/?token=s3cret&b=', 'https://example.org:8443/?token=***&b=***'],
    ['https://example.org/a?s3cret', 'https://example.org/a?***'],
    ['https://example.org/a?b=1=s3cret&&c', 'https://example.org/a?b=***&***&***'],
    ['https://user:s3cret@example.org/a#s3cret', 'https://example.org/a'],
    ['s3cret', '***'],
  ])('%s is shown as %s', (url, masked) => expect(maskUrlSecrets(url)).toBe(masked));
});
