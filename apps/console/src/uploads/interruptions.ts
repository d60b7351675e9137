/** Somebody has paused or removed an upload that was being sent. */
export class UploadPausedError extends Error {
  override readonly name = 'UploadPausedError';
}

/** The session shows another account, or none: the upload waits for its own. */
export class OtherSessionError extends Error {
  override readonly name = 'OtherSessionError';
}
