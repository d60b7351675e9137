import { ServiceError } from '@app/errors';
import { IDEMPOTENCY_KEY_HEADER } from './parse-idempotency-key.js';

const OTHER_REQUEST = 'was used with another request; take a new key, or send the same request again';

/** The answer that a request with this key had before. */
export class StoredResponse {
  constructor(
    private readonly fingerprint: string,
    private readonly text: string,
  ) {}

  /** @throws ServiceError `idempotency_key_reused` unless the fingerprint is that of the first request. */
  replay<T>(fingerprint: string): T {
    if (fingerprint === this.fingerprint) return JSON.parse(this.text) as T;
    throw new ServiceError('idempotency_key_reused', {
      detail: `${IDEMPOTENCY_KEY_HEADER}: ${OTHER_REQUEST}`,
      errors: [{ field: IDEMPOTENCY_KEY_HEADER, message: OTHER_REQUEST }],
    });
  }
}
