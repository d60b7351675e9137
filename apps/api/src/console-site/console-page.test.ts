import { describe, expect, it } from 'vitest';
import { buildPageHeaders, renderConsolePage } from './console-page.js';

const BUILT = '<head><base href="/console/" /></head>';

describe('the page of the console', () => {
  it.each([
    ['https://speech.example', '/console/'],
    ['https://speech.example/', '/console/'],
    ['https://example.org/speech/', '/speech/console/'],
    ['https://example.org/a"b', '/a%22b/console/'],
  ])('has the base of %s', (publicUrl, base) => {
    expect(renderConsolePage(BUILT, publicUrl)).toBe(`<head><base href="${base}" /></head>`);
  });

  it('has a policy without inline code and other sites', () => {
    const policy = buildPageHeaders(null)['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });
});
