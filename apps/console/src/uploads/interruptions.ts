/** Somebody has paused or removed an upload that was being sent. */
export class Paused extends Error {
  override readonly name = 'Paused';
}

/** The session shows another account, or none: the upload waits for its own. */
export class OtherSession extends Error {
  override readonly name = 'OtherSession';
}
