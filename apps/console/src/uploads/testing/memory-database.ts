type Items = Map<string, { id?: string; jobId?: string }>;

/** The storage of the browser, as far as uploads use it. */
export class MemoryDatabase extends EventTarget {
  readonly items: Record<string, Items> = { uploads: new Map(), files: new Map(), audio: new Map() };
  /** Lists of items are answered after it. */
  listing: Promise<void> = Promise.resolve();

  transaction(name: string) {
    const store = this.items[name] ?? new Map();
    const transaction = new EventTarget();
    const answer = (result: unknown, after: Promise<void> = Promise.resolve()) => {
      const request = Object.assign(new EventTarget(), { result });
      void after.then(() => request.dispatchEvent(new Event('success')));
      return request;
    };
    const objectStore = () => ({
      get: (key: string) => answer(store.get(key)),
      getAll: () => answer([...store.values()], this.listing),
      getAllKeys: () => answer([...store.keys()]),
      delete: (key: string) => answer(store.delete(key)),
      put: (item: { id?: string; jobId?: string }) => {
        store.set(item.id ?? item.jobId ?? '', item);
        queueMicrotask(() => transaction.dispatchEvent(new Event('complete')));
      },
    });
    return Object.assign(transaction, { objectStore });
  }
}
