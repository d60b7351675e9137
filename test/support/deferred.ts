export interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
}

/** A promise that a test resolves. `Promise.withResolvers` came after Node 20. */
export function createDeferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((onResolve) => (resolve = onResolve));
  return { promise, resolve };
}
