import type { IncomingHttpHeaders } from 'node:http';
import { createInvalidFieldError } from '@app/errors';

/** Rejects compressed bodies, which would otherwise fail as undecodable audio or JSON. */
export function assertIdentityContentEncoding({
  'content-encoding': encoding = 'identity',
}: IncomingHttpHeaders): void {
  if (encoding.trim().toLowerCase() !== 'identity')
    throw createInvalidFieldError('Content-Encoding', 'must be identity, or left out');
}
