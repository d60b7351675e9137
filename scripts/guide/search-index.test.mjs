import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { findSections, SEARCH_OPTIONS } from './browser/search.js';
import { readPages } from './build-site.mjs';
import { parsePage } from './markdown.mjs';
import { buildSearchIndex } from './search-index.mjs';

/** @param {{ path: string, page: import('./markdown.mjs').ParsedPage }[]} pages */
function createSearch(pages) {
  const { index, texts } = buildSearchIndex(pages);
  const loaded = MiniSearch.loadJSON(index, SEARCH_OPTIONS);
  return (query) => findSections(loaded, JSON.parse(texts), query, 10);
}

/** @param {Record<string, string>} contents Markdown by path */
const createPages = (contents) =>
  Object.entries(contents).map(([path, content]) => ({ path, page: parsePage(`${path}.md`, content) }));

describe('the order of what is found', () => {
  const search = createSearch(
    createPages({
      text: '# Text\n\nRead what the harbour is.\n',
      'longer-text': '# Longer text\n\nMany harbours.\n',
      'similar-heading': '# Harbor\n\nOf ships.\n',
      table:
        '# Table\n\nA long introduction.\n\n| name | meaning |\n| --- | --- |\n| harbour | where ships rest |\n',
      'longer-heading': '# Harbours\n\nOf ships.\n',
      heading: '# Ships\n\nOf the sea.\n\n## The harbour\n\nWhere ships rest, in a text that is long.\n',
    }),
  );

  it('has headings before tables before texts, and in each the whole word before a longer one', () => {
    expect(search('harbour').map(({ url }) => url)).toEqual([
      'heading#the-harbour',
      'longer-heading',
      'table',
      'text',
      'longer-text',
      'similar-heading',
    ]);
  });

  it('depends on the word that says least', () => {
    expect(search('ships harbour').map(({ url }) => url)).toEqual([
      'heading#the-harbour',
      expect.stringMatching(/^(?:table|longer-heading)$/),
      expect.stringMatching(/^(?:table|longer-heading)$/),
      'similar-heading',
    ]);
  });
});

describe('the excerpt of what is found', () => {
  const words = (count) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
  const search = createSearch(
    createPages({
      long: `# Long\n\n${words(200)} a Lighthouse shines. ${words(200)}\n`,
      short: '# Short\n\nA quay.\n',
    }),
  );

  it('begins shortly before the first word that was found', () => {
    const [result] = search('lighthouse');
    expect(result?.excerpt).toMatch(/^… (?:word\d+ ){1,6}a Lighthouse shines\. word0 /);
    expect(result?.excerpt.length).toBeLessThanOrEqual(162);
  });

  it('begins before the words together, if they are so anywhere', () => {
    expect(search('a lighthouse')[0]?.excerpt).toContain('a Lighthouse');
    expect(search('word2 word3')[0]?.excerpt).toMatch(/^word0 word1 word2 word3/);
    expect(search('shines. word0')[0]?.excerpt).toContain('a Lighthouse shines. word0');
  });

  it('is the start of the section if the words are in its heading only', () => {
    expect(search('short')[0]?.excerpt).toBe('A quay.');
    expect(search('long')[0]?.excerpt).toMatch(/^word0 word1 /);
  });
});

describe('the search of the site', async () => {
  const search = createSearch(await readPages());

  it.each([
    ['doctor', 'operating/commands'],
    ['listen', 'command-line'],
    ['exit code', 'command-line'],
    ['webhook secret', 'operating/secrets'],
  ])('finds %j on the page that explains it: %s', (query, expected) => {
    const pages = search(query).map(({ url }) => url.split('#')[0]);
    expect(pages.slice(0, 2)).toContain(expected);
  });
});
