/** Of the index, for the program that builds it and for the page that reads it. */
export const SEARCH_OPTIONS = {
  fields: ['heading', 'page', 'names', 'text'],
  storeFields: ['url', 'page', 'heading'],
  searchOptions: {
    boost: { heading: 4, page: 2, names: 2 },
    prefix: true,
    fuzzy: (/** @type {string} */ term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
};

/** Fields by how much a word in them says about the section. The names are those that a table of the section explains. */
const FIELDS = ['heading', 'page', 'names', 'text'];
/** Characters of a text that a result shows, and those of them that stand before the first word that was found. */
const EXCERPT_CHARACTERS = 160;
const CHARACTERS_BEFORE = 40;

/**
 * Sections in which every word of the query, or a longer or similar word, occurs. First those that have the words in a heading or
 * a title, then those that explain them in a table, then the others; the whole word before the start of a longer one.
 *
 * @param {import('minisearch').default} index @param {string[]} texts of the sections, by their ids in the index @param {string} query
 * @param {number} limit
 */
export function findSections(index, texts, query, limit) {
  return index
    .search(query)
    .map((result) => ({ result, rank: Math.max(...result.queryTerms.map((term) => rankTerm(result, term))) }))
    .sort((a, b) => a.rank - b.rank || b.result.score - a.result.score)
    .slice(0, limit)
    .map(({ result: { id, url, page, heading, match } }) => ({
      url,
      page,
      heading,
      excerpt: cutExcerpt(texts[id] ?? '', query, Object.keys(match)),
    }));
}

/** @param {import('minisearch').SearchResult} result @param {string} term of the query @returns {number} lower is better */
function rankTerm({ match }, term) {
  const ranks = Object.entries(match).flatMap(([found, fields]) => {
    if (found !== term && !found.startsWith(term)) return [];
    // The start of a longer word in a heading says more than the whole word somewhere in a text.
    return fields.map((field) => 2 * FIELDS.indexOf(field) + (found === term ? 0 : 1));
  });
  return Math.min(...ranks, 2 * FIELDS.length);
}

/**
 * The part of the text that begins shortly before the query, or else before the first word that was found.
 *
 * @param {string} text @param {string} query @param {string[]} words
 */
function cutExcerpt(text, query, words) {
  const lower = text.toLowerCase();
  const whole = lower.indexOf(query.toLowerCase());
  const found = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const wanted = (whole >= 0 ? whole : Math.min(...found, text.length)) - CHARACTERS_BEFORE;
  const isStart = found.length === 0 || wanted <= 0;
  const start = isStart ? 0 : text.indexOf(' ', wanted) + 1;
  const excerpt = text.slice(start, start + EXCERPT_CHARACTERS).trim();
  return isStart ? excerpt : `… ${excerpt}`;
}
