/** Browsers open six connections to a host with HTTP/1.1, for all tabs together; other requests need some. */
const SLOTS = ['event-stream-1', 'event-stream-2'] as const;

/** Where there are no locks, which need https, each tab counts its own. */
const takenInThisTab = new Set<string>();

type Listener = (event: MessageEvent<string>) => void;

/**
 * The events of a job, if a slot is free.
 *
 * @param onRefused called once if there is no slot, or the response is an error; the stream is closed by then. After a lost
 *   connection the browser connects again by itself.
 * @returns a function that closes it
 */
export function openEventStream(
  jobId: string,
  listeners: Readonly<Record<string, Listener>>,
  onRefused: () => void,
): () => void {
  let isClosed = false;
  let source: EventSource | undefined;
  let freeSlot: (() => void) | undefined;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    source?.close();
    freeSlot?.();
  };
  const refuse = () => {
    if (isClosed) return;
    close();
    onRefused();
  };
  const open = async () => {
    const free = await takeSlot();
    if (!free) return refuse();
    if (isClosed) return free();
    freeSlot = free;
    const stream = new EventSource(new URL(`api/jobs/${encodeURIComponent(jobId)}/stream`, document.baseURI));
    source = stream;
    for (const [name, listener] of Object.entries(listeners)) stream.addEventListener(name, listener);
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) refuse();
    });
  };
  void open();
  return close;
}

/** @returns a function that frees it; null if all are taken */
async function takeSlot(): Promise<(() => void) | null> {
  const { locks } = navigator as { locks?: LockManager };
  for (const slot of SLOTS) {
    const free = locks ? await takeLock(locks, slot) : takeInThisTab(slot);
    if (free) return free;
  }
  return null;
}

/** The browser frees it, too, when the tab is closed. */
function takeLock(locks: LockManager, name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    const hold = (lock: Lock | null) => {
      if (lock) return new Promise<void>((free) => resolve(free));
      return resolve(null);
    };
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(null));
  });
}

function takeInThisTab(slot: string): (() => void) | null {
  if (takenInThisTab.has(slot)) return null;
  takenInThisTab.add(slot);
  return () => takenInThisTab.delete(slot);
}
