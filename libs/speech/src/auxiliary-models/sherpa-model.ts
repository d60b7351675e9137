import { dirname } from 'node:path';
import { type InstalledModel, InvalidModelError } from '../models/installed-model.js';
import type { HostRequestKind, HostRequests } from '../sherpa/host/host-requests.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';

/** What every loader of the library is told. One thread a request: requests run side by side. */
export const LOADER_DEFAULTS = { numThreads: 1, debug: 0, provider: 'cpu' };

/** The path of the file with this role. @throws InvalidModelError when the manifest names none */
export function modelFile(model: InstalledModel, role: string): string {
  const path = model.files[role];
  if (path === undefined) throw invalidModel(model, `its manifest names no file with the role ${role}`);
  return path;
}

/** A setting from 0 to 1; `usual` when the manifest leaves it out. @throws InvalidModelError */
export function fractionSetting(model: InstalledModel, setting: string, usual: number): number {
  const value = Number(model.settings[setting] ?? usual);
  if (!(value >= 0 && value <= 1))
    throw invalidModel(model, `settings.${setting} must be a number from 0 to 1`);
  return value;
}

function invalidModel(model: InstalledModel, problem: string): InvalidModelError {
  return new InvalidModelError(dirname(Object.values(model.files)[0] ?? model.name), problem);
}

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

/** A model beside the engine did not get through. The cause is for the log only. */
export class AuxiliaryModelError extends Error {
  override readonly name = 'AuxiliaryModelError';

  /** @param model its name in `models list` */
  constructor(
    readonly model: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The model ${model} failed.`, options);
  }
}
