import { pageUrl, relativeUrl } from './links.mjs';

/**
 * @typedef {object} Assets
 * @property {string} style @property {string} script @property {string} icon
 * @property {string} index of the search @property {string} texts of its results
 * each a URL from the root of the service
 */

/**
 * @typedef {object} TemplateInput
 * @property {string} path of the page
 * @property {string} title
 * @property {string} content HTML
 * @property {import('./markdown.mjs').Heading[]} headings
 * @property {{ title: string, pages: { path: string, label: string }[] }[]} navigation
 * @property {Assets} assets
 * @property {boolean} [hasBase] whether links are relative to a base element, which the service fills
 */

/** @param {TemplateInput} input @returns {string} */
export function renderTemplate({ path, title, content, headings, navigation, assets, hasBase = false }) {
  const url = (target) => escape(relativeUrl(pageUrl(path), target));
  const neighbours = hasBase ? '' : renderNeighbours(path, navigation, url);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${path === '' ? 'zephyr guide' : `${escape(title)} · zephyr`}</title>
    ${hasBase ? '<base href="/docs/guide/" />' : ''}
    <link rel="icon" href="${url(assets.icon)}" />
    <link rel="stylesheet" href="${url(assets.style)}" />
    <script type="module" src="${url(assets.script)}"></script>
  </head>
  <body>
    ${hasBase ? '' : '<a class="skip" href="#content">Skip to the content</a>'}
    <header>
      <a class="home" href="${url(pageUrl(''))}">zephyr guide</a>
      <search hidden data-index="${url(assets.index)}" data-texts="${url(assets.texts)}" data-root="${url(pageUrl(''))}">
        <input type="search" aria-label="Search the guide" placeholder="Search" autocomplete="off" />
        <p class="status" role="status"></p>
        <ul aria-label="Results" hidden></ul>
      </search>
      <a href="${url('/docs')}">API reference</a>
      <a href="${url('/console')}">Console</a>
    </header>
    <div class="columns">
      <nav aria-label="Pages">
        <details>
          <summary>Pages</summary>
          ${navigation.map((section) => renderSection(section, path, url)).join('\n          ')}
        </details>
      </nav>
      <main id="content" tabindex="-1">
        <article>
${content}
        </article>
        ${neighbours}
      </main>
      ${renderContents(headings)}
    </div>
  </body>
</html>
`;
}

/** @param {{ title: string, pages: { path: string, label: string }[] }} section @param {string} current @param {(url: string) => string} url */
function renderSection({ title, pages }, current, url) {
  const items = pages.map(({ path, label }) => {
    const isCurrent = path === current ? ' aria-current="page"' : '';
    return `<li><a href="${url(pageUrl(path))}"${isCurrent}>${escape(label)}</a></li>`;
  });
  const open = pages.some(({ path }) => path === current) ? ' open' : '';
  return `<details${open}><summary>${escape(title)}</summary><ul>${items.join('')}</ul></details>`;
}

/** @param {string} path @param {TemplateInput['navigation']} navigation @param {(url: string) => string} url */
function renderNeighbours(path, navigation, url) {
  const pages = navigation.flatMap((section) => section.pages);
  const at = pages.findIndex((page) => page.path === path);
  /** @param {{ path: string, label: string } | undefined} page @param {string} rel @param {string} word */
  const link = (page, rel, word) =>
    page ? `<a rel="${rel}" href="${url(pageUrl(page.path))}">${word}: ${escape(page.label)}</a>` : '';
  const links = [link(pages[at - 1], 'prev', 'Previous'), link(pages[at + 1], 'next', 'Next')];
  return `<nav class="neighbours" aria-label="Previous and next page">${links.join('')}</nav>`;
}

/** @param {import('./markdown.mjs').Heading[]} headings */
function renderContents(headings) {
  const items = headings
    .filter(({ level }) => level === 2 || level === 3)
    .map(({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escape(text)}</a></li>`);
  if (items.length < 3) return '';
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`;
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** @param {string} text */
const escape = (text) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
