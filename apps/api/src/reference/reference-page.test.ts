import { describe, expect, it } from 'vitest';
import { renderReferencePageAndPolicy } from './reference-page.js';

describe('the reference page', () => {
  const { html, policy } = renderReferencePageAndPolicy('zephyr');

  it('loads scripts and styles from this service only, and runs none that stands in it', () => {
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(
      [...html.matchAll(/<script([^>]*)>([^<]*)</g)].map(([, attributes, code]) => [attributes, code]),
    ).toEqual([
      [' src="docs/load-scalar.js" defer', ''],
      [' src="docs/scalar.js" defer', ''],
    ]);
    expect(html).not.toMatch(/https?:|style=|<style>| on\w+=/);
  });

  it('has a nonce of its own in each response', () => {
    const nonceOf = (text: string) => /csp-nonce" content="([^"]{24})"/.exec(text)?.[1] ?? '';
    expect(policy).toContain(`style-src 'nonce-${nonceOf(html)}'`);
    const other = renderReferencePageAndPolicy('zephyr');
    expect(nonceOf(other.html)).not.toBe(nonceOf(html));
  });
});
