import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { expect, it } from 'vitest';
import type { ApiKeys } from '../keys/api-keys.js';
import type { KeyLastUsedRecorder } from '../keys/key-last-used-recorder.js';
import { ApiKeyGuard } from './api-key.guard.js';
import type { RequestWithCaller } from './caller.js';

it('the caller has the address of the proxy if the proxy passed on what is no address', async () => {
  const guard = new ApiKeyGuard(
    { verify: async () => ({ keyId: 'k', accountId: 'a' }) } as unknown as ApiKeys,
    new Reflector(),
    { record: () => undefined } as unknown as KeyLastUsedRecorder,
  );
  const request: RequestWithCaller = {
    headers: { 'x-api-key': 'key' },
    ip: '<script>',
    socket: { remoteAddress: '10.0.0.7' },
  };
  const context = {
    getHandler: () => () => undefined,
    getClass: () => Object,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  expect(await guard.canActivate(context)).toBe(true);
  expect(request.caller).toMatchObject({ keyId: 'k', address: '10.0.0.7' });
});
