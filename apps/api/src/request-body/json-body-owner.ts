import type { IncomingMessage } from 'node:http';

const owners = new WeakMap<IncomingMessage, string>();

/** Names the owner of the body's share of memory. Without it, the owner is the API key. */
export function setOwnerOfJsonBodyMemory(request: IncomingMessage, owner: string): void {
  owners.set(request, owner);
}

export function getOwnerOfJsonBodyMemory(request: IncomingMessage): string {
  return owners.get(request) ?? String(request.headers['x-api-key']);
}
