import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ServiceError } from '@app/errors';
import { ApiKeys } from '../keys/api-keys.js';
import { PUBLIC, type RequestWithCaller } from './caller.js';

/** Every route needs a key unless it says `@Public()`. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @Inject(ApiKeys) private readonly keys: ApiKeys,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const header = request.headers['x-api-key'];
    const caller = typeof header === 'string' ? await this.keys.verify(header) : null;
    if (!caller) throw new ServiceError('key_invalid', { detail: reasonFor(header) });
    request.caller = caller;
    return true;
  }
}

function reasonFor(header: string | string[] | undefined): string {
  if (header === undefined || header === '') return 'Send your API key in the X-API-Key header.';
  return 'The X-API-Key header holds no valid API key.';
}
