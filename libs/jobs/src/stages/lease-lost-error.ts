/** Another worker has the stage, or its job has ended: the transaction must be rolled back. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}
