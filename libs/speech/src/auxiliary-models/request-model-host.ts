import type { InstalledModel } from '../models/installed-model.js';
import type { HostRequestKind, HostRequests } from '../sherpa/host/host-requests.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import { AuxiliaryModelError } from './auxiliary-model-error.js';

/** Seconds for one request, loading the model included: what takes longer has gone wrong. */
const REQUEST_TIMEOUT_SECONDS = 300;

/** Asks a host on behalf of a model. @throws AuxiliaryModelError; the reason of `signal` when it is aborted */
export async function requestModelHost<K extends HostRequestKind>(
  hosts: SherpaHostPool,
  kind: K,
  request: HostRequests[K]['request'],
  { model, signal }: { model: InstalledModel; signal: AbortSignal },
): Promise<HostRequests[K]['answer']> {
  try {
    return await hosts.request(kind, request, { signal, wallSeconds: REQUEST_TIMEOUT_SECONDS });
  } catch (error) {
    signal.throwIfAborted();
    throw new AuxiliaryModelError(model.name, { cause: error });
  }
}
