import { describe, expect, it } from 'vitest';
import { AllowedMethodsByPath } from './allowed-methods.js';

describe('AllowedMethodsByPath', () => {
  const allowed = new AllowedMethodsByPath();
  for (const [url, method] of [
    ['/api/v1/jobs', ['GET', 'HEAD']],
    ['/api/v1/jobs/:job_id', 'GET'],
    ['/api/v1/jobs/:job_id/speakers', 'PATCH'],
    ['/api/v1/jobs/cancel', 'POST'],
    ['/api/v1/openapi.json', 'GET'],
    ['/objects/*', 'PUT'],
  ] as const)
    allowed.add(url, [method].flat());

  it.each([
    ['/api/v1/jobs', ['GET', 'HEAD', 'OPTIONS']],
    ['/api/v1/jobs/x', ['GET', 'OPTIONS']],
    ['/api/v1/jobs/cancel', ['GET', 'OPTIONS', 'POST']],
    ['/api/v1/jobs/x/speakers', ['OPTIONS', 'PATCH']],
    ['/objects/audio/x', ['OPTIONS', 'PUT']],
    ['/api/v1/jobs/', []],
    ['/api/v1/jobs/x/y', []],
    ['/api/v1/openapiXjson', []],
    ['/prefix/api/v1/jobs', []],
  ])('the path %s allows %j', (path, methods) => {
    expect(allowed.forPath(path)).toEqual(methods);
  });
});
