import { ConcurrencyLimiter } from '../../apps/api/src/admission/concurrency-limiter.js';
import { AdmissionControl } from '../../apps/api/src/admission/admission-control.js';

/** More slots than a test of another behaviour uses. */
export function createUnlimitedAdmissionControl(): AdmissionControl {
  const places = () =>
    new ConcurrencyLimiter({
      resource: 'requests',
      ownerKind: 'caller',
      maxTotal: 10_000,
      maxPerOwner: 10_000,
    });
  return new AdmissionControl(places(), places(), places());
}
