import { readFileSync } from 'node:fs';
import { ERROR_CATALOGUE_ENTRIES } from '@app/errors';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiDocument } from '../openapi/document-types.js';
import { buildApiDocumentFromPreviewApp } from '../openapi/preview.js';
import { toReferencePageDocument } from './to-reference-page-document.js';

let document: ApiDocument;
let referenceDocument: ApiDocument;

beforeAll(async () => {
  document = await buildApiDocumentFromPreviewApp();
  referenceDocument = toReferencePageDocument(document);
});

describe('the document of the reference page', () => {
  it('has every route, every webhook and every schema of the OpenAPI document', () => {
    const idsOf = ({ paths, webhooks }: ApiDocument) =>
      [...Object.values(paths), ...Object.values(webhooks)]
        .flatMap(Object.values)
        .map(({ operationId }) => operationId as string);
    expect(idsOf(referenceDocument)).toEqual(idsOf(document));
    expect(referenceDocument.components).toEqual(document.components);
  });

  it('leaves the OpenAPI document as it is', async () => {
    expect(document).toEqual(await buildApiDocumentFromPreviewApp());
  });

  it('names the version of the interface and that of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(referenceDocument.info.description).toContain(
      `Interface version 1.0.0, served by zephyr ${version}.`,
    );
  });

  it('begins with what a reader needs first: key, walk-through, webhooks, errors, limits', () => {
    for (const title of ['Authenticate', 'From a file to a transcript', 'Errors', 'Rate limits'])
      expect(referenceDocument.info.description).toContain(`### ${title}\n`);
    for (const part of ['X-SVC-Signature', 'compare_digest'])
      expect(JSON.stringify(referenceDocument), part).toContain(part);
  });

  it('has the URL of this service in its commands', () => {
    const { description } = toReferencePageDocument(document, 'https://speech.example.com/').info;
    expect(description).toContain('API=https://speech.example.com/api/v1');
    expect(description).toContain('OPENAI_BASE_URL=https://speech.example.com/v1');
    expect(description).not.toContain('127.0.0.1');
  });

  it('explains every error code of the API, and none that only the console gets', () => {
    const list = referenceDocument.info.description.split('### Error codes\n')[1] ?? '';
    const isConsoleOnly = (routes: string | undefined) => routes === '/console/api';
    for (const [code, { when, remedy, onlyRoutes }] of ERROR_CATALOGUE_ENTRIES)
      if (isConsoleOnly(onlyRoutes)) expect(list).not.toContain(`\`${code}\`:`);
      else for (const part of [`\`${code}\``, when, remedy]) expect(list).toContain(part);
    expect(ERROR_CATALOGUE_ENTRIES.some(([, { onlyRoutes }]) => isConsoleOnly(onlyRoutes))).toBe(true);
  });

  it('lists the events of the streams in the text of their routes', () => {
    const described = Object.values(referenceDocument.paths).flatMap(Object.values);
    const textOf = (id: string) => described.find(({ operationId }) => operationId === id)?.description;
    expect(textOf('createTranscription')).toContain('| `transcript.text.delta` |');
    const withEvents = described.filter(({ description }) => description?.includes('| Event | Data |'));
    expect(withEvents.map(({ operationId }) => operationId)).toContain('createTranscription');
    expect(withEvents.length).toBeGreaterThan(1);
  });

  it('gives the routes for OpenAI’s clients a title of their own', () => {
    const names = referenceDocument.tags.map((tag) => tag['x-displayName']);
    expect(names).toContain('OpenAI');
    expect(names).toContain('Uploads');
  });
});
