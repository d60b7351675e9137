/** The named object is not in the store. */
export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';
  constructor(readonly key: string) {
    super(`No object ${key} in the store.`);
  }
}

/** The object's bytes are not those that were asked for (its etag differs). */
export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
  constructor(readonly key: string) {
    super(`Object ${key} changed since it was recorded.`);
  }
}

/** The range begins at or after the end of the object. */
export class RangeNotSatisfiableError extends Error {
  override readonly name = 'RangeNotSatisfiableError';
  constructor(
    readonly key: string,
    /** Bytes of the whole object, null when the store does not tell. */
    readonly size: number | null,
  ) {
    super(`The range lies outside object ${key}.`);
  }
}

/** The key would leave the store or is malformed. */
export class InvalidObjectKeyError extends Error {
  override readonly name = 'InvalidObjectKeyError';
  constructor(readonly key: string) {
    super(`Object key refused: ${JSON.stringify(key)}.`);
  }
}

/** A multipart completion that the stored parts do not bear out. */
export class InvalidPartsError extends Error {
  override readonly name = 'InvalidPartsError';
  /** @param index position in the submitted list; @param reason a sentence for the caller. */
  constructor(
    readonly index: number,
    readonly field: 'part_number' | 'etag' | 'upload',
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** The store does not answer, or has no room left. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** A signed address that was not made by this store for this request, or no longer counts. */
export class InvalidSignedUrlError extends Error {
  override readonly name = 'InvalidSignedUrlError';
  constructor(readonly reason: 'invalid' | 'expired') {
    super(reason === 'expired' ? 'The address has expired.' : 'The signature does not cover this request.');
  }
}
