import { ConcurrencyLimiter } from '../../apps/api/src/admission/concurrency-limiter.js';
import { AdmissionControl } from '../../apps/api/src/admission/admission-control.js';

/** Has more slots than any test uses. */
export function createUnlimitedAdmissionControl(): AdmissionControl {
  const newLimiter = () =>
    new ConcurrencyLimiter({
      resource: 'requests',
      ownerKind: 'caller',
      maxTotal: 10_000,
      maxPerOwner: 10_000,
    });
  return new AdmissionControl(newLimiter(), newLimiter(), newLimiter());
}
