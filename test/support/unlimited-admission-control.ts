import { ConcurrencyLimiter } from '../../apps/api/src/admission/concurrency-limiter.js';
import { RequestConcurrencyLimiters } from '../../apps/api/src/admission/request-concurrency-limiters.js';

/** Has more slots than any test uses. */
export function createUnlimitedAdmissionControl(): RequestConcurrencyLimiters {
  const newLimiter = () =>
    new ConcurrencyLimiter({
      resource: 'requests',
      ownerKind: 'caller',
      maxTotal: 10_000,
      maxPerOwner: 10_000,
    });
  return new RequestConcurrencyLimiters(newLimiter(), newLimiter(), newLimiter(), newLimiter());
}
