import type { ApiDocument, EventShape, Parameter, Schema } from '../openapi/document-types.js';
import { type Html, html } from './html.js';
import { inline } from './markdown.js';
import { type Field, fieldsOf, typeOf } from './schema-fields.js';

/** A table that scrolls on its own where the page is narrow. */
export function table(titles: string[], rows: Html[][]): Html {
  const head = titles.map((title) => html`<th scope="col">${title}</th>`);
  const body = rows.map(
    (cells) =>
      html`<tr>
        ${cells.map((cell, index) => html`<td data-title="${titles[index]}">${cell}</td>`)}
      </tr>`,
  );
  return html`<table>
    <thead>
      <tr>
        ${head}
      </tr>
    </thead>
    <tbody>
      ${body}
    </tbody>
  </table>`;
}

export function fieldTable(document: ApiDocument, schema: Schema, withDefaults = false): Html {
  const fields = fieldsOf(document, schema);
  if (fields.length === 0) return html``;
  const titles = ['Field', 'Type', ...(withDefaults ? ['Default'] : []), 'Meaning'];
  return table(
    titles,
    fields.map((field) => cellsOf(field, withDefaults)),
  );
}

function cellsOf(field: Field, withDefaults: boolean): Html[] {
  const usual = field.required ? html`<em>required</em>` : html`${defaultOf(field.default)}`;
  return [
    html`<code>${field.name}</code>`,
    inline(field.type),
    ...(withDefaults ? [usual] : []),
    inline(field.description),
  ];
}

export function parameterTable(document: ApiDocument, parameters: Parameter[]): Html {
  const rows = parameters.map(({ name, in: place, required, schema, description = '' }) => [
    html`<code>${name}</code>`,
    html`${place}`,
    inline(typeOf(document, schema)),
    required === true ? html`<em>required</em>` : html`${defaultOf(schema.default)}`,
    inline(description),
  ]);
  return table(['Parameter', 'In', 'Type', 'Default', 'Meaning'], rows);
}

export function eventTable(document: ApiDocument, events: EventShape[]): Html {
  const rows = events.map(({ event, description, data }) => [
    html`<code>${event}</code>`,
    dataOf(document, data),
    inline(description),
  ]);
  return table(['Event', 'Data', 'Meaning'], rows);
}

function dataOf(document: ApiDocument, data: Schema): Html {
  const fields = fieldsOf(document, data);
  if (fields.length === 0) return html`text`;
  const items = fields.map(({ name, type }) => html`<li><code>${name}</code> ${inline(type)}</li>`);
  return html`<ul>
    ${items}
  </ul>`;
}

function defaultOf(value: unknown): Html | string {
  return value === undefined ? '' : html`<code>${JSON.stringify(value)}</code>`;
}
