export function limitLogFileSize(
  file: string,
  options?: { maxBytes?: number; intervalMs?: number },
): Promise<NodeJS.Timeout>;
