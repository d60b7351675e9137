import type { ApiDocument, Operation } from '../openapi/document-types.js';
import { type Html, html } from './html.js';
import { anchor, headings, inline, markdown } from './markdown.js';
import { operationView } from './operation-view.js';
import { fieldTable } from './tables.js';

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
    'The transcript',
    'TranscriptDocument',
    'The `json` output. Every other format is made of it.',
  ],
  [
    'problem',
    'The problem',
    'Problem',
    'The body of every refusal, `application/problem+json`, but below `/v1`.',
  ],
  ['openai-error', 'The error below /v1', 'OpenAiError', 'The body of every refusal below `/v1`.'],
] as const;

/** The document for people: one page of plain HTML without scripts. Every address in it is relative. */
export function referencePage(document: ApiDocument): string {
  const { info, tags } = document;
  const sections = tags.map(({ name, description }) => ({
    name,
    description,
    routes: routesOf(document, name),
  }));
  const body = html`<a class="skip" href="#main">To the text</a>
    <nav aria-label="Contents">
      <p class="name"><a href="#top">${info.title}</a> <small>${info.version}</small></p>
      <ul>
        ${headings(info.description).map((title) => link(anchor(title), title))}
      </ul>
      ${sections.map(
        ({ name, routes }) =>
          html`<p>${name}</p>
            <ul>
              ${routes.map(routeLink)}
            </ul>`,
      )}
      <p>shapes</p>
      <ul>
        ${SHARED.map(([id, title]) => link(id, title))}
      </ul>
    </nav>
    <main id="main">
      <h1 id="top">${info.title}: HTTP interface</h1>
      <p class="meta">
        Version ${info.version}. For programs: <a href="api/v1/openapi.json">OpenAPI ${document.openapi}</a>.
      </p>
      ${markdown(info.description)} ${sections.map((section) => sectionView(document, section))}
      ${SHARED.map(([id, title, schema, text]) => schemaView(document, { id, title, schema, text }))}
    </main>`;
  return frame(info.title, body);
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
  { name, description, routes }: { name: string; description: string; routes: Route[] },
): Html {
  const views = routes.map(({ operation, ...route }) => operationView(document, route, operation));
  return html`<section>
    <h2 id="about-${name}">${name}</h2>
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
