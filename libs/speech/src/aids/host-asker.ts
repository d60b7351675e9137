import type { InstalledModel } from '../models/model.js';
import type { HostKind, HostRequests } from '../sherpa/host/requests.js';
import type { SherpaHosts } from '../sherpa/host/hosts.js';
import { AidFailed } from './aid-failed.js';

/** Seconds for one request, loading the model included: what takes longer has gone wrong. */
const WALL_SECONDS = 300;

/** Asks a host on behalf of a model. @throws AidFailed; the reason of `signal` when it is aborted */
export async function askHost<K extends HostKind>(
  hosts: SherpaHosts,
  kind: K,
  request: HostRequests[K]['request'],
  { model, signal }: { model: InstalledModel; signal: AbortSignal },
): Promise<HostRequests[K]['answer']> {
  try {
    return await hosts.ask(kind, request, { signal, wallSeconds: WALL_SECONDS });
  } catch (error) {
    signal.throwIfAborted();
    throw new AidFailed(model.name, { cause: error });
  }
}
