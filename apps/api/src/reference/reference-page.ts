import type { ApiDocument, Operation } from '../openapi/document-types.js';
import { errorReferenceRows } from '../errors/error-reference.js';
import { type Html, html } from './html.js';
import { anchor, headings, inline, markdown } from './markdown.js';
import { operationView } from './operation-view.js';
import { fieldTable, table } from './tables.js';

interface Route {
  method: string;
  /** Null for a webhook. */
  path: string | null;
  operation: Operation;
}

/** Schemas that belong to no route alone. */
const SHARED = [
  [
    'transcript',
    'Transcript document',
    'TranscriptDocument',
    'The `json` output. Every other format is rendered from it.',
  ],
  [
    'problem',
    'Error body',
    'Problem',
    'The body of every error, `application/problem+json`, except below `/v1`.',
  ],
  ['openai-error', 'Error body below /v1', 'OpenAiError', 'The body of every error below `/v1`.'],
] as const;

const ERROR_CODES = 'Error codes';

/** The address in the guide's commands, which the page replaces by that of the service. */
const EXAMPLE_URL = 'http://127.0.0.1:3000';

/**
 * The document for people: one page of plain HTML without scripts. Every link in it is relative.
 * @param baseUrl where callers reach the service, for the commands
 */
export function referencePage(document: ApiDocument, baseUrl = EXAMPLE_URL): string {
  const { info, tags } = document;
  const guide = info.description.replaceAll(EXAMPLE_URL, baseUrl.replace(/\/$/, ''));
  const sections = tags.map(({ name, description }) => ({
    name,
    title: titleOf(name),
    description,
    routes: routesOf(document, name),
  }));
  const body = html`<a class="skip" href="#main">To the text</a>
    <nav aria-label="Contents">
      <p class="name"><a href="#top">${info.title}</a> <small>${info['x-package-version']}</small></p>
      <input type="checkbox" id="unfold" />
      <label for="unfold">Contents</label>
      <div class="contents">
        <ul>
          ${headings(guide).map((title) => link(anchor(title), title))}
        </ul>
        ${sections.map(
          ({ title, routes }) =>
            html`<p>${title}</p>
              <ul>
                ${routes.map(routeLink)}
              </ul>`,
        )}
        <p>Schemas and errors</p>
        <ul>
          ${SHARED.map(([id, title]) => link(id, title))} ${link('error-codes', ERROR_CODES)}
        </ul>
      </div>
    </nav>
    <main id="main">
      <h1 id="top">${info.title}: HTTP interface</h1>
      <p class="meta">
        Interface version ${info.version}, served by ${info.title} ${info['x-package-version']}. For programs:
        <a href="api/v1/openapi.json">OpenAPI ${document.openapi}</a>.
      </p>
      ${markdown(guide)} ${sections.map((section) => sectionView(document, section))}
      ${SHARED.map(([id, title, schema, text]) => schemaView(document, { id, title, schema, text }))}
      ${errorCodesView()}
    </main>`;
  return frame(info.title, body);
}

/** Of a tag, in which `openai` is a name. */
function titleOf(tag: string): string {
  return tag === 'openai' ? 'OpenAI' : tag.charAt(0).toUpperCase() + tag.slice(1);
}

function frame(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}: HTTP interface</title>
        <link rel="stylesheet" href="docs/style.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}

function routesOf({ paths, webhooks }: ApiDocument, tag: string): Route[] {
  const all = [
    ...Object.entries(paths).map(([path, methods]) => ({ path, methods })),
    ...Object.values(webhooks).map((methods) => ({ path: null, methods })),
  ];
  return all
    .flatMap(({ path, methods }) =>
      Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
    )
    .filter(({ operation }) => operation.tags?.includes(tag));
}

function sectionView(
  document: ApiDocument,
  section: { name: string; title: string; description: string; routes: Route[] },
): Html {
  const { name, title, description, routes } = section;
  const views = routes.map(({ operation, ...route }) => operationView(document, route, operation));
  return html`<section>
    <h2 id="about-${name}">${title}</h2>
    <p>${inline(description)}</p>
    ${views}
  </section>`;
}

function schemaView(
  document: ApiDocument,
  { id, title, schema, text }: { id: string; title: string; schema: string; text: string },
): Html {
  const shape = document.components.schemas[schema] ?? {};
  return html`<section>
    <h2 id="${id}">${title}</h2>
    <p>${inline(text)}</p>
    ${fieldTable(document, shape)}
  </section>`;
}

function errorCodesView(): Html {
  const rows = errorReferenceRows().map(({ code, status, when, remedy, retry, openAi }) => [
    html`<b class="status">${status}</b>`,
    html`<code>${code}</code>${openAi !== undefined && html` ${inline(`Below \`/v1\`: ${openAi}`)}`}`,
    inline(when),
    inline(remedy),
    inline(retry),
  ]);
  return html`<section>
    <h2 id="error-codes">${ERROR_CODES}</h2>
    <p>
      ${inline('Decide on the `code`; it never changes. After a 500, a 503 or a lost connection, retry a create only with its `Idempotency-Key`.')}
    </p>
    ${table(['Status', 'Code', 'When', 'What to do', 'Retry unchanged'], rows)}
  </section>`;
}

function link(id: string, title: string): Html {
  return html`<li><a href="#${id}">${title}</a></li>`;
}

function routeLink({ method, path, operation }: Route): Html {
  const short = path?.replace('/api/v1', '') ?? 'callback_url';
  return html`<li>
    <a href="#${operation.operationId}" title="${operation.summary}"
      ><span class="method ${method}">${method}</span> ${short}</a
    >
  </li>`;
}
