import { describe, expect, it } from 'vitest';
import { NotFoundError, WrongServerError } from '../errors.js';
import {
  connectionFailureHandler,
  createProblemResponse,
  createSequentialHandler,
  FakeService,
} from '../testing/fake-service.js';

const DELETE = 'DELETE /api/v1/jobs/j%2F1';
const deleted = () => new Response(null, { status: 204 });
const notFound = () => createProblemResponse(404, 'job_not_found');

describe('jobs.get', () => {
  it('refuses the JSON of another server', async () => {
    const service = new FakeService({ 'GET /api/v1/jobs/j': () => Response.json({}) });
    await expect(service.client().jobs.get('j')).rejects.toThrow(WrongServerError);
  });
});

describe('jobs.delete', () => {
  it('sends one request', async () => {
    const service = new FakeService({ [DELETE]: deleted });
    expect(await service.client().jobs.delete('j/1')).toBeUndefined();
    expect(service.lines).toEqual([DELETE]);
  });

  it('throws if there is no such job', async () => {
    const service = new FakeService({ [DELETE]: notFound });
    await expect(service.client().jobs.delete('j/1')).rejects.toThrow(NotFoundError);
  });

  it('succeeds if the response was lost and the repeated request finds no job', async () => {
    const service = new FakeService({
      [DELETE]: createSequentialHandler(connectionFailureHandler, notFound),
    });
    await service.client().jobs.delete('j/1');
    expect(service.lines).toHaveLength(2);
  });
});
