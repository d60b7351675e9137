import { expect } from 'vitest';
import type { ApiResponse, Problem } from './client.js';

const LEAKS =
  /node_modules|\bat .+:\d+:\d+|SELECT |INSERT |UPDATE |\.ts\b|\.js\b|QueryFailed|postgres|ECONN/i;

/** Checks the form of an error: status, problem+json, request id, and no internal details. */
export function expectProblem(response: ApiResponse, status: number, code?: string): Problem {
  expect(response.status, response.text).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = JSON.parse(response.text) as Problem;
  expect(problem).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
    status,
    code: code ?? expect.stringMatching(/^[a-z_]+$/),
    request_id: response.headers.get('x-request-id'),
  });
  expect(problem.request_id).toMatch(/^[\w-]{8,64}$/);
  expect(response.text).not.toMatch(LEAKS);
  return problem;
}

/** A 422 that names exactly these fields. */
export function expectInvalidFields(response: ApiResponse, ...fields: string[]): void {
  const { errors } = expectProblem(response, 422, 'validation_failed');
  expect(errors?.map(({ field }) => field)).toEqual(fields);
  for (const { message } of errors ?? []) expect(message).toMatch(/\w/);
}
