import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { compressFiles } from '../lib/compress-files.mjs';
import { ROOT } from '../lib/root.mjs';
import { renderHttpReference } from './http-reference.mjs';
import { pageUrl, relativeUrl, resolveLink, SITE_ROOT } from './links.mjs';
import { parsePage, renderPage } from './markdown.mjs';
import { renderTemplate } from './page-template.mjs';
import { listPages, SECTIONS } from './pages.mjs';
import { buildSearchIndex } from './search-index.mjs';

/** The service answers these; they are no files of the site. */
const SERVICE_URLS = new Set(['/docs', '/console']);
const NOT_FOUND = 'not-found';

/**
 * @typedef {{ path: string, label: string, page: import('./markdown.mjs').ParsedPage }} SitePage
 */

/** @returns {Promise<SitePage[]>} all pages, in the order of the navigation @throws Error that names the file with a mistake */
export function readPages(root = ROOT) {
  return Promise.all(
    listPages().map(async ({ path, file, label, generate }) => {
      const content = await readFile(join(root, file), 'utf8');
      const page = parsePage(file, generate === 'http' ? renderHttpReference(JSON.parse(content)) : content);
      return { path, label: label ?? page.title, page };
    }),
  );
}

/** Writes the site, with compressed files beside each. @param {string} output a folder, which is emptied */
export async function buildSite(output) {
  const pages = await readPages();
  await rm(output, { recursive: true, force: true });
  const assets = await writeAssets(output, pages);
  const navigation = SECTIONS.map(({ title, pages: sources }) => ({
    title,
    pages: sources.map(({ path }) => ({
      path,
      label: pages.find((page) => page.path === path)?.label ?? '',
    })),
  }));
  for (const { path, page } of pages) {
    const content = renderPage(page, (href) => resolveHref(pages, path, page.file, href));
    const html = renderTemplate({
      path,
      title: page.title,
      content,
      headings: page.headings,
      navigation,
      assets,
    });
    await write(output, `${path === '' ? 'index' : path}.html`, html);
  }
  const content = '<h1>No such page</h1>\n<p>Search the guide, or choose a page from the list.</p>';
  const notFound = { path: NOT_FOUND, title: 'No such page', content, headings: [], navigation, assets };
  await write(output, `${NOT_FOUND}.html`, renderTemplate({ ...notFound, hasBase: true }));
  await compressFiles(output);
  return { pages: pages.length };
}

/**
 * @param {SitePage[]} pages @param {string} from path of the page with the link @param {string} file its Markdown file
 * @param {string} href
 * @returns {{ href: string } | { source: string }}
 */
function resolveHref(pages, from, file, href) {
  const target = resolveLink(file, href);
  if (target.kind === 'external') return { href: target.href };
  if (target.kind === 'service') {
    if (!SERVICE_URLS.has(target.url)) throw new Error(`${file}: the service has no ${target.url}.`);
    return { href: relativeUrl(pageUrl(from), target.url) };
  }
  const found = pages.find(({ page }) => page.file === target.file);
  if (!found) {
    // Images are built without the sources of tests and benchmarks; a unit test looks at every link.
    if (target.file.startsWith('docs/') && !existsSync(join(ROOT, target.file)))
      throw new Error(`${file}: there is no ${target.file}.`);
    return { source: target.file };
  }
  if (target.fragment !== '' && !found.page.headings.some(({ id }) => id === target.fragment))
    throw new Error(`${file}: the link ${href} leads to no heading of ${target.file}.`);
  const url =
    found.path === from && target.fragment !== '' ? '' : relativeUrl(pageUrl(from), pageUrl(found.path));
  return { href: target.fragment === '' ? url : `${url}#${target.fragment}` };
}

/** @param {string} output @param {SitePage[]} pages @returns {Promise<import('./page-template.mjs').Assets>} */
async function writeAssets(output, pages) {
  const browser = join(ROOT, 'scripts', 'guide', 'browser');
  const hashed = async (name, extension, content) => {
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
    const path = `assets/${name}-${hash}.${extension}`;
    await write(output, path, content);
    return `${SITE_ROOT}/${path}`;
  };
  const { index, texts } = buildSearchIndex(pages);
  return {
    style: await hashed('guide', 'css', await readFile(join(browser, 'guide.css'), 'utf8')),
    script: await hashed('guide', 'js', await bundle(join(browser, 'guide.js'))),
    icon: await hashed('icon', 'svg', await readFile(join(ROOT, 'apps/console/public/icon.svg'), 'utf8')),
    index: await hashed('search', 'json', index),
    texts: await hashed('search-texts', 'json', texts),
  };
}

/** @param {string} entry */
async function bundle(entry) {
  const build = await rolldown({ input: entry, platform: 'browser' });
  const { output } = await build.generate({ format: 'esm', minify: true, comments: { legal: true } });
  await build.close();
  if (output.length !== 1) throw new Error(`${entry} became ${output.length} files.`);
  return output[0].code;
}

/** @param {string} output @param {string} path @param {string} content */
async function write(output, path, content) {
  const file = join(output, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
