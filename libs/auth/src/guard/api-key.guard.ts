import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ServiceError } from '@app/errors';
import { ApiKeys } from '../keys/api-keys.js';
import { KeyLastUsedRecorder } from '../keys/key-last-used-recorder.js';
import {
  ALLOW_API_KEY_AS_BEARER_METADATA_KEY,
  SKIP_API_KEY_GUARD_METADATA_KEY,
  type RequestWithCaller,
} from './caller.js';
import { readClientAddress } from './client-address.js';

/** Applies to every route that is not `@SkipApiKeyGuard()`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly keys: ApiKeys,
    private readonly reflector: Reflector,
    private readonly usage: KeyLastUsedRecorder,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.hasMetadata(SKIP_API_KEY_GUARD_METADATA_KEY, context)) return true;
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const bearer = this.hasMetadata(ALLOW_API_KEY_AS_BEARER_METADATA_KEY, context);
    const { 'x-api-key': header, authorization } = request.headers;
    // X-API-Key has priority, because many tools send other Authorization headers.
    const key = header ?? (bearer ? parseBearerToken(authorization) : undefined);
    const caller = typeof key === 'string' ? await this.keys.verify(key) : null;
    if (!caller) throw new ServiceError('invalid_api_key', { detail: buildErrorDetail(key, bearer) });
    request.caller = { ...caller, requestId: request.id, address: readClientAddress(request) };
    this.usage.record(caller.keyId);
    return true;
  }

  private hasMetadata(key: string, context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(key, targets) === true;
  }
}

function parseBearerToken(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? /^Bearer +(\S+) *$/i.exec(header)?.[1] : undefined;
}

function buildErrorDetail(key: string | string[] | undefined, bearer: boolean): string {
  const missing = key === undefined || key === '';
  if (bearer) return missing ? 'Send your API key as Authorization: Bearer.' : 'The API key is not valid.';
  if (missing) return 'Send your API key in the X-API-Key header.';
  return 'The X-API-Key header holds no valid API key.';
}
