import { createInvalidFieldsError } from '@app/errors';
import { IDEMPOTENCY_KEY_HEADER } from './parse-idempotency-key.js';

const KEY_REUSED_FIELD_ERROR = {
  field: IDEMPOTENCY_KEY_HEADER,
  message: 'was used with another request; take a new key, or send the same request again',
};

/** The response of the first request with a key. */
export class ReplayableResponse {
  constructor(
    private readonly fingerprint: string,
    private readonly json: string,
    private readonly markReplayed: () => void,
  ) {}

  /** Returns the response and marks it as replayed. @throws ServiceError `idempotency_key_reused` unless the fingerprint is that of the first request. */
  replay<T>(fingerprint: string): T {
    if (fingerprint !== this.fingerprint)
      throw createInvalidFieldsError([KEY_REUSED_FIELD_ERROR], 'idempotency_key_reused');
    this.markReplayed();
    return JSON.parse(this.json) as T;
  }
}
