/** The code of an error of the disk, a connection, TLS or HTTP, such as `ENOSPC`. */
export function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
