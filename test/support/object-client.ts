import { expect } from 'vitest';

/** PUTs as `audio/mpeg`. */
export function putObject(
  address: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(address, { method: 'PUT', body, headers: { 'content-type': 'audio/mpeg', ...headers } });
}

/** The URL with one query parameter set to another value, or removed (null). */
export function withQueryParameter(address: string, name: string, value: string | null): string {
  const url = new URL(address);
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
}

/** Status and code of a response that must be a complete problem document. */
export async function readProblem(answer: Promise<Response>): Promise<[number, string]> {
  const got = await answer;
  expect(got.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const body = (await got.json()) as {
    status: number;
    code: string;
    type: string;
    title: string;
    detail: string;
  };
  expect(body).toMatchObject({ status: got.status, type: `urn:zephyr:error:${body.code}` });
  expect(body.title && body.detail).toBeTruthy();
  return [got.status, body.code];
}
