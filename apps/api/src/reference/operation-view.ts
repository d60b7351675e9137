import type {
  ApiDocument,
  MediaType,
  Operation,
  Parameter,
  Ref,
  Response,
} from '../openapi/document-types.js';
import { resolved } from '../openapi/resolved.js';
import { curlOf, exampleOf } from './curl.js';
import { type Html, html } from './html.js';
import { codeBlock, inline, markdown } from './markdown.js';

import { eventTable, fieldTable, parameterTable, table } from './tables.js';

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';

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
    <h4>Answers</h4>
    ${answersView(document, operation)}
  </article>`;
}

function rateOf({ 'x-rate-limit': limit }: Operation): Html | false {
  return limit !== undefined && html` <span class="rate">${limit.requests_per_minute} a minute</span>`;
}

function bodyView(document: ApiDocument, { requestBody }: Operation): Html {
  if (!requestBody) return html``;
  const json = requestBody.content[JSON_TYPE];
  if (!json?.schema) {
    const types = Object.keys(requestBody.content).map(
      (type, index) => html`${index > 0 && ', '}<code>${type}</code>`,
    );
    return html`<h4>Body</h4>
      <p>${requestBody.description} ${types}</p>`;
  }
  const choices = json.schema.oneOf ?? [json.schema];
  const examples = Object.values(json.examples ?? {}).map(
    ({ summary, value }) =>
      html`<figure>
        <figcaption>${summary}</figcaption>
        ${asJson(value)}
      </figure>`,
  );
  return html`<h4>Body</h4>
    ${choices.map((choice) => fieldTable(document, choice, true))}${examples}`;
}

function answersView(document: ApiDocument, operation: Operation): Html {
  const answers = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolved<Response>(document, response as Response | Ref)] as const,
  );
  const good = answers.map(([status, { description, content = {} }]) => {
    const media = content[JSON_TYPE] ?? content['text/event-stream'];
    return (
      media &&
      html`<p><b class="status">${status}</b> ${inline(description)}</p>
        ${mediaView(document, media)}`
    );
  });
  const rest = answers.filter(
    ([, { content = {} }]) => content[PROBLEM_TYPE] !== undefined || Object.keys(content).length === 0,
  );
  const rows = rest.map(([status, response]) => [
    html`<b class="status">${status}</b>`,
    codesOf(response),
    inline(response.description),
  ]);
  return html`${good}${rows.length > 0 && table(['Status', 'Code', ''], rows)}`;
}

function mediaView(document: ApiDocument, media: MediaType): Html {
  const events = media['x-events'];
  const example = exampleOf(media);
  if (events) return html`${eventTable(document, events)}${codeBlock(String(example).trimEnd())}`;
  return html`${media.schema && fieldTable(document, media.schema)}${asJson(example)}`;
}

function codesOf({ content = {} }: Response): Html {
  const codes = Object.keys(content[PROBLEM_TYPE]?.examples ?? {});
  return html`${codes.map((code, index) => html`${index > 0 && html`<br />`}<code>${code}</code>`)}`;
}

function asJson(value: unknown): Html {
  return value === undefined ? html`` : codeBlock(JSON.stringify(value, null, 2), 'json');
}
