/** The named object is not in the store. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
  constructor(readonly key: string) {
    super(`No object ${key} in the store.`);
  }
}

/** The object's bytes are not those that were asked for (its etag differs). */
export class ObjectChanged extends Error {
  override readonly name = 'ObjectChanged';
  constructor(readonly key: string) {
    super(`Object ${key} changed since it was recorded.`);
  }
}

/** The range begins at or after the end of the object. */
export class RangeUnsatisfiable extends Error {
  override readonly name = 'RangeUnsatisfiable';
  constructor(
    readonly key: string,
    /** Bytes of the whole object, null when the store does not tell. */
    readonly size: number | null,
  ) {
    super(`The range lies outside object ${key}.`);
  }
}

/** The key would leave the store or is malformed. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
  constructor(readonly key: string) {
    super(`Object key refused: ${JSON.stringify(key)}.`);
  }
}

/** A multipart completion that the stored parts do not bear out. */
export class PartsRejected extends Error {
  override readonly name = 'PartsRejected';
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
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** A signed address that was not made by this store for this request, or no longer counts. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  constructor(readonly reason: 'invalid' | 'expired') {
    super(reason === 'expired' ? 'The address has expired.' : 'The signature does not cover this request.');
  }
}
