import { Agent } from 'undici';
import { createGuardedConnector } from './guarded-connector.js';
import type { OutboundGuard } from './outbound-guard.js';

/**
 * An undici dispatcher whose every connection passes the guard. No connection is used twice: each request is
 * checked anew.
 */
export function createGuardedAgent(guard: OutboundGuard, options: { connectTimeoutMs: number }): Agent {
  return new Agent({ connect: createGuardedConnector(guard, options.connectTimeoutMs), pipelining: 0 });
}
