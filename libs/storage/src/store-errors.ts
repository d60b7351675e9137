export class ObjectNotFoundError extends Error {
  override readonly name = 'ObjectNotFoundError';
  constructor(readonly key: string) {
    super(`No object ${key} in the store.`);
  }
}

export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
  constructor(readonly key: string) {
    super(`Object ${key} changed since it was recorded.`);
  }
}

export class RangeNotSatisfiableError extends Error {
  override readonly name = 'RangeNotSatisfiableError';
  constructor(
    readonly key: string,
    /** Bytes of the whole object; null if unknown. */
    readonly size: number | null,
  ) {
    super(`The range lies outside object ${key}.`);
  }
}

export class InvalidObjectKeyError extends Error {
  override readonly name = 'InvalidObjectKeyError';
  constructor(readonly key: string) {
    super(`Object key refused: ${JSON.stringify(key)}.`);
  }
}

/** A multipart completion does not match the stored parts. */
export class InvalidPartsError extends Error {
  override readonly name = 'InvalidPartsError';
  /** @param index position in the submitted list; @param reason a sentence for the caller */
  constructor(
    readonly index: number,
    readonly field: 'part_number' | 'etag' | 'upload',
    readonly reason: string,
  ) {
    super(reason);
  }
}

export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}

/** The URL was not signed by this store for this request, or has expired. */
export class InvalidSignedUrlError extends Error {
  override readonly name = 'InvalidSignedUrlError';
  constructor(readonly reason: 'invalid' | 'expired') {
    super(reason === 'expired' ? 'The URL has expired.' : 'The signature does not cover this request.');
  }
}
