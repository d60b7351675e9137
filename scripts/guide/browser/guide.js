import MiniSearch from 'minisearch';
import { findSections, SEARCH_OPTIONS } from './search.js';

/** The script of every page: search, buttons that copy code, and the list of pages on small screens. */

const MAX_RESULTS = 10;
const WIDE = matchMedia('(min-width: 60rem)');

const box = document.querySelector('search');
const input = box.querySelector('input');
const list = box.querySelector('ul');
const status = box.querySelector('.status');
/** Loaded when the field is used first. @type {Promise<[MiniSearch, string[]]> | undefined} */
let loading;

openPagesOnWideScreens();
addCopyButtons();
box.hidden = false;
input.addEventListener('focus', () => void loadSearch().catch(() => undefined), { once: true });
input.addEventListener('input', () => void showResults());
box.addEventListener('keydown', (event) => moveFocus(event));
addEventListener('click', (event) => {
  if (!box.contains(event.target)) close();
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  event.preventDefault();
  input.focus();
});

function loadSearch() {
  loading ??= Promise.all([load(box.dataset.index), load(box.dataset.texts)])
    .then(([index, texts]) => [MiniSearch.loadJSON(index, SEARCH_OPTIONS), JSON.parse(texts)])
    .catch((/** @type {unknown} */ error) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

/** @param {string} url */
async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

async function showResults() {
  const query = input.value.trim();
  if (query === '') return close();
  let found;
  try {
    const [index, texts] = await loadSearch();
    found = findSections(index, texts, query, MAX_RESULTS);
  } catch {
    status.className = 'status';
    status.textContent = 'The search could not be loaded. Try again.';
    return;
  }
  // A later key may have been faster.
  if (query !== input.value.trim()) return;
  list.replaceChildren(...found.map(createResult));
  list.hidden = found.length === 0;
  status.className = found.length === 0 ? 'status' : 'status spoken';
  status.textContent = found.length === 0 ? 'Nothing was found.' : `${found.length} results`;
}

function createResult({ url, page, heading, excerpt }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = resolve(url);
  const name = document.createElement('strong');
  name.textContent = heading === page ? page : `${heading} – ${page}`;
  const text = document.createElement('span');
  text.textContent = excerpt;
  link.append(name, text);
  item.append(link);
  return item;
}

/** The URL of a page, relative to this one. @param {string} path */
function resolve(path) {
  const root = new URL(box.dataset.root, document.baseURI).href;
  return path === '' || path.startsWith('#') ? `${root}${path}` : `${root}/${path}`;
}

/** Arrows move between the field and its results, Enter in the field opens the first one. @param {KeyboardEvent} event */
function moveFocus(event) {
  const stops = [input, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    close();
    input.focus();
  } else if (event.key === 'Enter' && at === 0) stops[1]?.click();
  else if (event.key === 'ArrowDown') stops[(at + 1) % stops.length].focus();
  else if (event.key === 'ArrowUp') stops.at(at - 1).focus();
  else return;
  event.preventDefault();
}

function close() {
  list.hidden = true;
  list.replaceChildren();
  status.textContent = '';
}

/** Without a script they stay folded, which works everywhere. */
function openPagesOnWideScreens() {
  const pages = document.querySelector('nav > details');
  const show = () => {
    pages.open = WIDE.matches;
  };
  WIDE.addEventListener('change', show);
  show();
}

function addCopyButtons() {
  if (!navigator.clipboard) return;
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => void copy(button, block.querySelector('code').textContent));
    block.after(button);
  }
}

/** @param {HTMLButtonElement} button @param {string} text */
async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}
