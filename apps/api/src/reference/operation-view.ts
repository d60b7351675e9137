import type {
  ApiDocument,
  MediaType,
  Operation,
  Parameter,
  Ref,
  Response,
  Schema,
} from '../openapi/document-types.js';
import { resolved } from '../openapi/resolved.js';
import { curlOf } from './curl.js';
import { type Html, html } from './html.js';
import { codeBlock, inline, markdown } from './markdown.js';

import { eventTable, fieldTable, parameterTable, table } from './tables.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';

/** One route, or one webhook (which has no address of ours, and is not called by a reader). */
export function operationView(
  document: ApiDocument,
  { method, path }: { method: string; path: string | null },
  operation: Operation,
): Html {
  const parameters = (operation.parameters ?? [])
    .filter((part) => !('$ref' in part))
    .map((part) => resolved<Parameter>(document, part));
  return html`<article id="${operation.operationId}">
    <h3><a class="self" href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="route">
      <span class="method ${method}">${method}</span>
      <code>${path ?? 'callback_url'}</code>${rateOf(operation)}
    </p>
    ${markdown(operation.description ?? '')} ${parameters.length > 0 && parameterTable(document, parameters)}
    ${bodyView(document, operation)}
    ${
      path !== null &&
      html`<h4>Example</h4>
        ${codeBlock(curlOf(method, path, operation, parameters), 'sh')}`
    }
    <h4>Responses</h4>
    ${answersView(document, operation)}
  </article>`;
}

function rateOf({ 'x-rate-limit': limit }: Operation): Html | false {
  return limit !== undefined && html` <span class="rate">${limit.requests_per_minute} a minute</span>`;
}

function bodyView(document: ApiDocument, { requestBody }: Operation): Html {
  if (!requestBody) return html``;
  const fields = requestBody.content[JSON_TYPE] ?? requestBody.content[FORM_TYPE];
  if (!fields?.schema) {
    const types = Object.keys(requestBody.content).map(
      (type, index) => html`${index > 0 && ', '}<code>${type}</code>`,
    );
    return html`<h4>Body</h4>
      <p>${requestBody.description} ${types}</p>`;
  }
  // The example of a form is the command below.
  const examples = requestBody.content[JSON_TYPE]?.examples;
  return html`<h4>Body</h4>
    ${choicesOf(document, fields.schema).map((choice) => fieldTable(document, choice, true))}${examplesView(examples)}`;
}

function answersView(document: ApiDocument, operation: Operation): Html {
  const answers = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolved<Response>(document, response as Response | Ref)] as const,
  );
  const isGood = ([status, { content = {} }]: (typeof answers)[number]) =>
    status.startsWith('2') && Object.keys(content).length > 0;
  const good = answers.filter(isGood).map(([status, { description, content = {} }]) => {
    const all = Object.entries(content);
    const views = all.map(
      ([type, media]) =>
        html`${all.length > 1 && html`<p><code>${type}</code></p>`}${mediaView(document, media)}`,
    );
    return html`<p><b class="status">${status}</b> ${inline(description)}</p>
      ${views}`;
  });
  // A status without a code is reserved for later: the document has it for generated clients.
  const rest = answers.filter((answer) => !isGood(answer) && !isReserved(answer[1]));
  const rows = rest.map(([status, response]) => [
    html`<b class="status">${status}</b>`,
    codesOf(response),
    inline(response.description),
  ]);
  return html`${good}${rows.length > 0 && table(['Status', 'Code', 'Meaning'], rows)}`;
}

function isReserved({ content = {} }: Response): boolean {
  const media = Object.values(content);
  return media.length > 0 && media.every(({ example, examples }) => example === undefined && !examples);
}

function mediaView(
  document: ApiDocument,
  { schema, example, examples, 'x-events': events }: MediaType,
): Html {
  if (events) return html`${eventTable(document, events)}${codeBlock(String(example).trimEnd())}`;
  const tables = choicesOf(document, schema ?? {}).map((choice) => fieldTable(document, choice));
  // One example speaks for itself, of several each says which it is.
  if (examples) return html`${tables}${examplesView(examples)}`;
  return html`${tables}${typeof example === 'string' ? codeBlock(example.trimEnd()) : asJson(example)}`;
}

/** Each has a table of its own, but where they are mostly the same: those that extend another schema share one. */
function choicesOf(document: ApiDocument, schema: Schema): Schema[] {
  const { oneOf, anyOf } = resolved<Schema>(document, schema as Schema | Ref);
  const choices = oneOf ?? anyOf ?? [];
  const extending = choices.every((choice) => resolved<Schema>(document, choice as Schema | Ref).allOf);
  return extending ? [schema] : choices;
}

function examplesView(examples: MediaType['examples'] = {}): Html {
  const views = Object.values(examples).map(
    ({ summary, value }) =>
      html`<figure>
        <figcaption>${summary}</figcaption>
        ${asJson(value)}
      </figure>`,
  );
  return html`${views}`;
}

/** The error codes of a status. */
function codesOf({ content = {} }: Response): Html {
  const codes = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  return html`${codes.map((code, index) => html`${index > 0 && html`<br />`}<code>${code}</code>`)}`;
}

function asJson(value: unknown): Html {
  return value === undefined ? html`` : codeBlock(JSON.stringify(value, null, 2), 'json');
}
