import MiniSearch from 'minisearch';
import { plainText } from './markdown.mjs';
import { SEARCH_OPTIONS } from './browser/search.js';

/**
 * An index of the sections of all pages, and their texts by the ids of the index.
 *
 * @param {{ path: string, page: import('./markdown.mjs').ParsedPage }[]} pages
 * @returns {{ index: string, texts: string }} JSON for the script of the site
 */
export function buildSearchIndex(pages) {
  const search = new MiniSearch(SEARCH_OPTIONS);
  const texts = [];
  for (const { path, page } of pages)
    for (const { heading, anchor, names, text } of listSections(page)) {
      const url = anchor === '' ? path : `${path}#${anchor}`;
      const id = texts.push(text.replace(/\s+/g, ' ').trim()) - 1;
      search.add({ id, url, page: page.title, heading, names, text });
    }
  return { index: JSON.stringify(search), texts: JSON.stringify(texts) };
}

/** @param {import('./markdown.mjs').ParsedPage} page */
function listSections({ tokens }) {
  const sections = [];
  let current = { heading: '', anchor: '', names: '', text: '' };
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const isTitle = token.tag === 'h1';
      current = {
        heading: plainText(tokens[at + 1]),
        anchor: isTitle ? '' : (token.attrGet('id') ?? ''),
        names: '',
        text: '',
      };
      sections.push(current);
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      current.text += `${plainText(token)} `;
      // The first cell of a row names what the others explain.
      if (tokens[at - 2]?.type === 'tr_open') current.names += `${plainText(token)} `;
    } else if (token.type === 'fence') current.text += `${token.content} `;
  }
  return sections;
}
