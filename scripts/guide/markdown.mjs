import GithubSlugger from 'github-slugger';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt from 'markdown-it';
import { parseFenceInfo } from './samples.mjs';

for (const [name, language] of Object.entries({ bash, javascript, json, python, yaml }))
  hljs.registerLanguage(name, language);
const HIGHLIGHTED = {
  sh: 'bash',
  env: 'bash',
  js: 'javascript',
  ts: 'javascript',
  json: 'json',
  python: 'python',
  yaml: 'yaml',
};

/** Pages on GitHub and on the site have the same anchors. Comments are left out; other HTML is refused below. */
const markdown = new MarkdownIt({ html: true });

/** Classes of aligned cells, by the inline style of the parser, which the policy of the site forbids. */
const ALIGNMENTS = { 'text-align:center': 'center', 'text-align:right': 'end', 'text-align:left': 'start' };

/**
 * @typedef {import('markdown-it').Token} Token
 * @typedef {{ level: number, text: string, id: string }} Heading
 * @typedef {object} ParsedPage
 * @property {string} file
 * @property {string} title
 * @property {Heading[]} headings
 * @property {Token[]} tokens
 */

/** @param {string} file its path in the repository @param {string} text @returns {ParsedPage} @throws Error that names the file */
export function parsePage(file, text) {
  const tokens = markdown.parse(text, {}).filter((token) => !isComment(token));
  const slugger = new GithubSlugger();
  const headings = [];
  for (const [at, token] of tokens.entries()) {
    assertNoHtml(file, token);
    if (token.type === 'code_block')
      throw new Error(`${file} has indented code, which cannot say how it runs: use a fence.`);
    if (token.type === 'table_open') nameCells(tokens, at);
    if (token.type !== 'heading_open') continue;
    const heading = plainText(tokens[at + 1]);
    const id = slugger.slug(heading);
    token.attrSet('id', id);
    headings.push({ level: Number(token.tag.slice(1)), text: heading, id });
  }
  const [first, ...others] = headings.filter(({ level }) => level === 1);
  if (!first || others.length > 0)
    throw new Error(`${file} has ${others.length + (first ? 1 : 0)} titles, not one.`);
  return { file, title: first.text, headings, tokens };
}

/**
 * Gives the cells after the first one of a row the title of their column, which narrow windows show beside them.
 * @param {Token[]} tokens @param {number} start of a table
 */
function nameCells(tokens, start) {
  const titles = [];
  let column = 0;
  for (let at = start; tokens[at] && tokens[at].type !== 'table_close'; at += 1) {
    const { type } = tokens[at];
    if (type === 'th_open') titles.push(plainText(tokens[at + 1]));
    if (type === 'tr_open') column = 0;
    if (type !== 'td_open') continue;
    if (column > 0 && titles[column]) tokens[at].attrSet('data-title', titles[column]);
    column += 1;
  }
}

/** @param {Token} token */
const isComment = ({ type, content }) => type === 'html_block' && /^<!--[^]*-->\s*$/.test(content);

/** @param {string} file @param {Token} token */
function assertNoHtml(file, token) {
  for (const { type, content } of [token, ...(token.children ?? [])])
    if (type === 'html_block' || type === 'html_inline')
      throw new Error(`${file} has HTML: ${content.trim()}`);
}

/** @param {Token | undefined} inline */
export const plainText = (inline) =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('');

/**
 * @param {ParsedPage} page
 * @param {(href: string) => { href: string } | { source: string }} resolve where a link leads: to a URL, or to a file that
 *   is no page, whose path is then shown instead
 * @returns {string} HTML without inline styles and scripts
 */
export function renderPage(page, resolve) {
  const tokens = page.tokens.map((token) => (token.children ? withChildren(token, resolve) : token));
  return markdown.renderer.render(tokens, markdown.options, { file: page.file });
}

/** @param {Token} token @param {Parameters<typeof renderPage>[1]} resolve @returns {Token} */
function withChildren(token, resolve) {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(token)), token);
  /** Paths of the open links that are no links. @type {(string | null)[]} */
  const open = [];
  copy.children = (token.children ?? []).map((child) => {
    const replaced = Object.assign(Object.create(Object.getPrototypeOf(child)), child);
    if (child.type === 'image') throw new Error('Images are not supported.');
    if (child.type === 'link_open') {
      const target = resolve(String(child.attrGet('href')));
      open.push('source' in target ? target.source : null);
      if ('href' in target) replaced.attrs = [['href', target.href]];
      else Object.assign(replaced, { type: 'source_open' });
    } else if (child.type === 'link_close') {
      const source = open.pop();
      if (typeof source === 'string') Object.assign(replaced, { type: 'source_close', content: source });
    }
    return replaced;
  });
  return copy;
}

const escape = markdown.utils.escapeHtml;
Object.assign(markdown.renderer.rules, {
  source_open: () => '',
  source_close: (tokens, at) => ` <span class="source">(<code>${escape(tokens[at].content)}</code>)</span>`,
  table_open: () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n',
  table_close: () => '</table></div>\n',
  th_open: renderCell,
  td_open: renderCell,
  heading_open: (tokens, at) => {
    const { tag } = tokens[at];
    const id = escape(tokens[at].attrGet('id') ?? '');
    return tag === 'h1' || hasLink(tokens[at + 1])
      ? `<${tag} id="${id}">`
      : `<${tag} id="${id}"><a class="heading" href="#${id}">`;
  },
  heading_close: (tokens, at) => {
    const { tag } = tokens[at];
    return tag === 'h1' || hasLink(tokens[at - 1]) ? `</${tag}>\n` : `</a></${tag}>\n`;
  },
  fence: (tokens, at, _options, { file }) => renderFence(file, tokens[at].info, tokens[at].content),
});

/** @param {Token | undefined} inline */
const hasLink = (inline) => (inline?.children ?? []).some(({ type }) => type === 'link_open');

/** @param {Token[]} tokens @param {number} at */
function renderCell(tokens, at) {
  const { tag } = tokens[at];
  const alignment = ALIGNMENTS[tokens[at].attrGet('style') ?? ''];
  const scope = tag === 'th' ? ' scope="col"' : '';
  const title = tokens[at].attrGet('data-title');
  return [
    `<${tag}${scope}`,
    alignment ? ` class="${alignment}"` : '',
    title === null ? '' : ` data-title="${escape(title)}"`,
    '>',
  ].join('');
}

/** @param {string} file @param {string} info @param {string} content */
function renderFence(file, info, content) {
  const sample = parseInfo(file, info);
  const caption =
    sample.file ?? (sample.notRun === undefined ? undefined : `Not run by the tests: ${sample.notRun}`);
  const code = renderCodeSample(sample.language, content);
  return caption === undefined
    ? code
    : `<figure>\n<figcaption>${escape(caption)}</figcaption>\n${code}</figure>\n`;
}

/** @param {string} file @param {string} info */
function parseInfo(file, info) {
  try {
    return parseFenceInfo(info);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** @param {string} language @param {string} content */
function renderCodeSample(language, content) {
  const name = HIGHLIGHTED[language];
  const html = name ? hljs.highlight(content, { language: name }).value : escape(content);
  return `<div class="code"><pre tabindex="0"><code>${html}</code></pre></div>\n`;
}
