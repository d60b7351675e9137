/** A model could not be fetched; the message is for the operator. */
export class ModelPullError extends Error {
  override readonly name: string = 'ModelPullError';
}

/** Nothing answers where the files are: bringing them by hand is what is left. */
export class ServerUnreachableError extends ModelPullError {
  override readonly name = 'ServerUnreachableError';
}

/** What a further try may change. */
export class DownloadInterruptedError extends Error {
  override readonly name = 'DownloadInterruptedError';
}
