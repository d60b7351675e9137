import { ServiceError } from '@app/errors';
import { IDEMPOTENCY_KEY_HEADER } from './parse-idempotency-key.js';

const KEY_REUSED_MESSAGE = 'was used with another request; take a new key, or send the same request again';

/** The response of the first request with a key. */
export class StoredResponse {
  constructor(
    private readonly fingerprint: string,
    private readonly text: string,
  ) {}

  /** @throws ServiceError `idempotency_key_reused` unless the fingerprint is that of the first request. */
  replay<T>(fingerprint: string): T {
    if (fingerprint === this.fingerprint) return JSON.parse(this.text) as T;
    throw new ServiceError('idempotency_key_reused', {
      detail: `${IDEMPOTENCY_KEY_HEADER}: ${KEY_REUSED_MESSAGE}`,
      errors: [{ field: IDEMPOTENCY_KEY_HEADER, message: KEY_REUSED_MESSAGE }],
    });
  }
}
