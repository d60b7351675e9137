import { Agent } from 'undici';
import { guardedConnector } from './guarded-connector.js';
import type { OutboundGuard } from './outbound-guard.js';

/**
 * An undici dispatcher whose every connection passes the guard. No connection is used twice: each request is
 * checked anew.
 */
export function guardedDispatcher(guard: OutboundGuard, options: { connectTimeoutMs: number }): Agent {
  return new Agent({ connect: guardedConnector(guard, options.connectTimeoutMs), pipelining: 0 });
}
