import { expect } from 'vitest';

/** PUTs as `audio/mpeg`. */
export function putObject(
  url: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'PUT', body, headers: { 'content-type': 'audio/mpeg', ...headers } });
}

/** The URL with one query parameter set to another value, or removed (null). */
export function withQueryParameter(url: string, name: string, value: string | null): string {
  const changed = new URL(url);
  if (value === null) changed.searchParams.delete(name);
  else changed.searchParams.set(name, value);
  return changed.href;
}

/** Status and code of a response that must be a complete problem document. */
export async function readProblem(pendingResponse: Promise<Response>): Promise<[number, string]> {
  const response = await pendingResponse;
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const body = (await response.json()) as {
    status: number;
    code: string;
    type: string;
    title: string;
    detail: string;
  };
  expect(body).toMatchObject({ status: response.status, type: `urn:zephyr:error:${body.code}` });
  expect(body.title && body.detail).toBeTruthy();
  return [response.status, body.code];
}
