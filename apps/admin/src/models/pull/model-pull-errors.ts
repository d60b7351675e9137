/** The message is for the operator. */
export class ModelPullError extends Error {
  override readonly name: string = 'ModelPullError';
}

/** The operator can only copy the files from elsewhere. */
export class ServerUnreachableError extends ModelPullError {
  override readonly name = 'ServerUnreachableError';
}

/** Another attempt may succeed. */
export class RetryableDownloadError extends Error {
  override readonly name = 'RetryableDownloadError';
}
