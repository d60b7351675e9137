import { dirname } from 'node:path';
import { type InstalledModel, InvalidModelError } from '../models/installed-model.js';
import type { HostRequestKind, HostRequestTypeMap } from '../sherpa/host/host-requests.js';
import type { SherpaHostPool } from '../sherpa/host/sherpa-host-pool.js';
import { ToolFailedError } from '../tool/tool.js';

/** One thread per request, because requests run in parallel. */
export const LOADER_DEFAULTS = { numThreads: 1, debug: 0, provider: 'cpu' };

/** @throws InvalidModelError when the manifest lists no file with this role */
export function getModelFilePathByRole(model: InstalledModel, role: string): string {
  const path = model.files[role];
  if (path === undefined) throw invalidModel(model, `its manifest names no file with the role ${role}`);
  return path;
}

/** @throws InvalidModelError unless the setting is from 0 to 1 */
export function readModelFractionSetting(
  model: InstalledModel,
  setting: string,
  defaultValue: number,
): number {
  const value = Number(model.settings[setting] ?? defaultValue);
  if (!(value >= 0 && value <= 1))
    throw invalidModel(model, `settings.${setting} must be a number from 0 to 1`);
  return value;
}

function invalidModel(model: InstalledModel, problem: string): InvalidModelError {
  return new InvalidModelError(dirname(Object.values(model.files)[0] ?? model.name), problem);
}

/** Includes loading the model. */
const REQUEST_TIMEOUT_SECONDS = 300;
/** The kernel may kill another host while memory is short. */
const MAX_ATTEMPTS = 3;

/** Repeats a request whose host was killed from outside. @throws AuxiliaryModelError; the reason of `signal` when it is aborted */
export async function requestAuxiliaryModel<K extends HostRequestKind>(
  hosts: SherpaHostPool,
  kind: K,
  request: HostRequestTypeMap[K]['request'],
  { model, signal }: { model: InstalledModel; signal: AbortSignal },
): Promise<HostRequestTypeMap[K]['answer']> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await hosts.request(kind, request, { signal, wallSeconds: REQUEST_TIMEOUT_SECONDS });
    } catch (error) {
      signal.throwIfAborted();
      const wasKilled = error instanceof ToolFailedError && !error.isOwnFailure;
      if (!wasKilled || attempt === MAX_ATTEMPTS) throw new AuxiliaryModelError(model.name, { cause: error });
    }
  }
}

/** The cause is for the log only. */
export class AuxiliaryModelError extends Error {
  override readonly name = 'AuxiliaryModelError';

  constructor(
    readonly model: string,
    options: { cause?: unknown } = {},
  ) {
    super(`The model ${model} failed.`, options);
  }
}
