import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { ApiResponse } from './client.js';

interface ErrorSchema {
  properties?: { code?: { enum?: string[] } };
}
interface DocumentedResponse {
  $ref?: string;
  content?: Record<string, { schema: { allOf?: ErrorSchema[] } }>;
}
type Operations = Record<string, { responses: Record<string, DocumentedResponse> }>;
interface ApiDocument {
  paths: Record<string, Operations>;
  components: { responses: Record<string, DocumentedResponse> };
}

const PROBLEM_TYPE = 'application/problem+json';
const document = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as ApiDocument;
const routes = Object.entries(document.paths).map(([path, operations]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  operations,
}));

/** Fails if the response of a route is a problem whose status or code the API document does not list for the route. */
export function expectDocumentedErrorCode(method: string, path: string, response: ApiResponse): void {
  if (response.headers.get('content-type')?.startsWith(PROBLEM_TYPE) !== true) return;
  const pathname = path.split('?')[0] ?? '';
  const responses = routes.find(({ pattern }) => pattern.test(pathname))?.operations[method.toLowerCase()]
    ?.responses;
  if (!responses) return;
  const { code } = JSON.parse(response.text) as { code: string };
  expect(listCodes(responses[response.status]), `${method} ${pathname} ${response.status}`).toContain(code);
}

function listCodes(response: DocumentedResponse | undefined): string[] {
  const { content } =
    (response?.$ref === undefined
      ? response
      : document.components.responses[response.$ref.split('/').at(-1) ?? '']) ?? {};
  return (
    content?.[PROBLEM_TYPE]?.schema.allOf?.flatMap(({ properties }) => properties?.code?.enum ?? []) ?? []
  );
}
