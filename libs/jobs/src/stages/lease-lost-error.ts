/** The stage changed hands, or its job ended, while the work went on: what it wrote is undone. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}
