/** Why a database and an object store may not be used together. */
export type MismatchReason =
  | 'foreign_objects'
  | 'unmarked_store'
  | 'other_store'
  | 'other_installation'
  | 'database_older'
  | 'restore_unfinished'
  | 'unreadable_marker';

/** The database and the object store do not belong together, or not in this state. The message is one line for operators. */
export class StoreMismatchError extends Error {
  override readonly name = 'StoreMismatchError';
  constructor(
    readonly reason: MismatchReason,
    message: string,
  ) {
    super(message);
  }
}
