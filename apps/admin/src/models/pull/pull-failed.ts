/** A model could not be fetched; the message is for the operator. */
export class PullFailed extends Error {
  override readonly name: string = 'PullFailed';
}

/** Nothing answers where the files are: bringing them by hand is what is left. */
export class Unreachable extends PullFailed {
  override readonly name = 'Unreachable';
}

/** What a further try may change. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}
