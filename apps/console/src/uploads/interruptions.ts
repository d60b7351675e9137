/** Somebody has paused or removed an upload that was being sent. */
export class UploadPausedOrRemovedError extends Error {
  override readonly name = 'UploadPausedOrRemovedError';
}

/** The session shows another account, or none: the upload waits for its own. */
export class OtherSessionError extends Error {
  override readonly name = 'OtherSessionError';
}
