import { stat, truncate } from 'node:fs/promises';

const MAX_LOG_BYTES = 5_000_000;
const CHECK_INTERVAL_MS = 3_600_000;

/**
 * Empties the file when it is too large, now and from time to time, because a service may run for months. All its
 * writers append, so they go on at its new end.
 *
 * @param {string} file
 * @param {{ maxBytes?: number, intervalMs?: number }} [options]
 * @returns {Promise<NodeJS.Timeout>} does not keep the process alive
 */
export async function limitLogFileSize(
  file,
  { maxBytes = MAX_LOG_BYTES, intervalMs = CHECK_INTERVAL_MS } = {},
) {
  const check = async () => {
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size > maxBytes) await truncate(file, 0);
  };
  await check();
  return setInterval(() => void check().catch(() => undefined), intervalMs).unref();
}
