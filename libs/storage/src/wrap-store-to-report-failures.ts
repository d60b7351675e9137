import type { FileObjectStore } from './files/file-object-store.js';
import type { ObjectStore } from './object-store.js';
import { StoreUnavailableError } from './store-errors.js';

type ReportedStoreCall =
  | Exclude<keyof ObjectStore, 'kind' | 'location' | 'ping' | 'close'>
  | keyof Pick<FileObjectStore, 'putStream' | 'putPart' | 'openObject'>;

/** Names of the calls whose failures are reported. */
export const STORE_CALLS_WITH_REPORTED_FAILURES = Object.keys({
  ...{ head: true, get: true, fetchToFile: true, openObject: true, list: true, listUploads: true },
  ...{ put: true, putIfAbsent: true, putStream: true, putPart: true },
  ...{ createMultipart: true, completeMultipart: true, abortMultipart: true },
  ...{
    delete: true,
    deletePrefix: true,
    deleteAll: true,
    deleteStaleTemporaryFiles: true,
    deleteUnreferencedData: true,
  },
  ...{ presignGet: true, presignPut: true, presignPart: true, provision: true },
} satisfies Record<ReportedStoreCall, true>);

/**
 * Calls `onFailure` with the name of each call that fails, except `ping`, whose callers report failures
 * themselves.
 */
export function wrapStoreToReportFailures<S extends ObjectStore>(
  store: S,
  onFailure: (operation: string) => void,
): S {
  const report = (operation: string, error: unknown): never => {
    if (error instanceof StoreUnavailableError && operation !== 'ping') onFailure(operation);
    throw error;
  };
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || typeof name === 'symbol') return value;
      return (...given: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, given);
        if (result instanceof Promise) return result.catch((error: unknown) => report(name, error));
        return isAsyncIterable(result)
          ? reportIterationFailures(result, (error) => report(name, error))
          : result;
      };
    },
  });
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function* reportIterationFailures(items: AsyncIterable<unknown>, report: (error: unknown) => never) {
  try {
    yield* items;
  } catch (error) {
    report(error);
  }
}
