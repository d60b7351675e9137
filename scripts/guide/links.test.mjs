import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../lib/root.mjs';
import { readPages } from './build-site.mjs';
import { pageUrl, relativeUrl, resolveLink } from './links.mjs';
import { parsePage, renderPage } from './markdown.mjs';

describe('a relative URL', () => {
  it.each([
    ['', 'api', 'guide/api'],
    ['', '', 'guide'],
    ['api', 'api', 'api'],
    ['api', 'api/jobs', 'api/jobs'],
    ['api/jobs', 'api', '../api'],
    ['api/jobs', '', '../../guide'],
    ['operating/upgrades', 'api/jobs', '../api/jobs'],
  ])('from %j to %j is %s', (from, to, expected) => {
    const relative = relativeUrl(pageUrl(from), pageUrl(to));
    expect(relative).toBe(expected);
    for (const origin of ['http://127.0.0.1:3000', 'https://speech.example/below'])
      expect(new URL(relative, origin + pageUrl(from)).href).toBe(origin + pageUrl(to));
  });
});

describe('the links of the pages', () => {
  it('lead to files that exist and to headings that they have', async () => {
    const pages = await readPages();
    const problems = [];
    for (const { page } of pages)
      for (const { type, children } of page.tokens)
        for (const child of type === 'inline' ? (children ?? []) : []) {
          if (child.type !== 'link_open') continue;
          const target = resolveLink(page.file, String(child.attrGet('href')));
          if (target.kind !== 'file') continue;
          const isFound = existsSync(join(ROOT, target.file)) && (await hasHeading(pages, target));
          if (!isFound) problems.push(`${page.file}: ${child.attrGet('href')}`);
        }
    expect(problems).toEqual([]);
  });

  it('that leave the repository are refused', () => {
    expect(() => resolveLink('docs/api.md', '../../other.md')).toThrow('leaves the repository');
  });
});

/** @param {Awaited<ReturnType<typeof readPages>>} pages @param {{ file: string, fragment: string }} target */
async function hasHeading(pages, { file, fragment }) {
  if (fragment === '' || !file.endsWith('.md')) return true;
  const known = pages.find(({ page }) => page.file === file)?.page;
  const { headings } = known ?? parsePage(file, await readFile(join(ROOT, file), 'utf8'));
  return headings.some(({ id }) => id === fragment);
}

describe('a page', () => {
  const render = (text) =>
    renderPage(parsePage('docs/page.md', text), () => ({ source: 'docs/adr/0001.md' }));

  it('shows the path of a file that is no page instead of a link', () => {
    expect(render('# T\n\n[why `x`](adr/0001.md) it is')).toContain(
      '<p>why <code>x</code> <span class="source">(<code>docs/adr/0001.md</code>)</span> it is</p>',
    );
  });

  it('has no inline style in aligned tables', () => {
    const html = render('# T\n\n| a | b |\n| --: | --- |\n| 1 | 2 |');
    expect(html).toContain('<td class="end">1</td>');
    expect(html).not.toContain('style=');
  });

  it('says why code does not run, and escapes it', () => {
    const html = render('# T\n\n```sh not-run="needs <root>"\nrm\n```');
    expect(html).toContain('<figcaption>Not run by the tests: needs &lt;root&gt;</figcaption>');
  });

  it.each([
    ['# T\n\n<b>bold</b>', 'has HTML: <b>'],
    ['# T\n\n    npm start', 'has indented code'],
    ['No title', 'has 0 titles'],
    ['# One\n\n# Two', 'has 2 titles'],
  ])('%j is refused', (text, message) => {
    expect(() => parsePage('docs/page.md', text)).toThrow(message);
  });

  it('leaves comments out', () => {
    expect(render('# T\n\n<!-- a note -->\n\ntext')).not.toContain('note');
  });
});
