import { describe, expect, it } from 'vitest';
import { buildPageHeaders } from './console-page.js';

describe('the page of the console', () => {
  it('has a policy without inline code and other sites', () => {
    const policy = buildPageHeaders(null)['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});
