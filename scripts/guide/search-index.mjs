import MiniSearch from 'minisearch';
import { plainText } from './markdown.mjs';
import { SEARCH_OPTIONS } from './browser/search-options.js';

/** Of the text of a section, what a result shows. */
const EXCERPT_CHARACTERS = 160;

/**
 * An index of the sections of all pages.
 *
 * @param {{ path: string, page: import('./markdown.mjs').ParsedPage }[]} pages
 * @returns {string} JSON for the script of the site
 */
export function buildSearchIndex(pages) {
  const search = new MiniSearch(SEARCH_OPTIONS);
  let id = 0;
  for (const { path, page } of pages)
    for (const { heading, anchor, text } of listSections(page)) {
      const url = anchor === '' ? path : `${path}#${anchor}`;
      search.add({
        id: id++,
        url,
        page: page.title,
        heading,
        text,
        excerpt: text.slice(0, EXCERPT_CHARACTERS),
      });
    }
  return JSON.stringify(search);
}

/** @param {import('./markdown.mjs').ParsedPage} page */
function listSections({ tokens }) {
  const sections = [];
  let current = { heading: '', anchor: '', text: '' };
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const isTitle = token.tag === 'h1';
      current = {
        heading: plainText(tokens[at + 1]),
        anchor: isTitle ? '' : (token.attrGet('id') ?? ''),
        text: '',
      };
      sections.push(current);
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open')
      current.text += `${plainText(token)} `;
    else if (token.type === 'fence') current.text += `${token.content} `;
  }
  return sections;
}
