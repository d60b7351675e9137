/** One tab sends a file at a time. Without https browsers have no locks. */
export async function withUploadLock(
  id: string,
  signal: AbortSignal,
  action: () => Promise<void>,
): Promise<void> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks) await locks.request(`upload-${id}`, { signal }, action);
  else await action();
}
