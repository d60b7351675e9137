import { findReadsRefusedToStripeKey, type StripeOptions } from '@app/billing';
import { createOkFinding, createProblemFinding, type Finding, runCheckOrReportProblem } from './finding.js';

const NAME = 'stripe';
const PERMISSIONS_ADVICE =
  'Give the restricted key in STRIPE_SECRET_KEY the permissions that docs/operating/payments.md lists: until then payments that customers make are not credited.';

export function checkStripeKey(options: StripeOptions): Promise<Finding> {
  return runCheckOrReportProblem(NAME, adviceFor, async () => {
    const refused = await findReadsRefusedToStripeKey(options);
    return refused.length === 0
      ? createOkFinding(NAME, 'the key may read refunds, disputes and events')
      : createProblemFinding(NAME, `the key may not read ${refused.join(', ')}`, PERMISSIONS_ADVICE);
  });
}

/** @param error of the client of Stripe */
function adviceFor(error: unknown): string {
  return (error as { statusCode?: number }).statusCode === 401
    ? 'Set STRIPE_SECRET_KEY to a key that Stripe’s dashboard shows as active.'
    : 'Check that this machine reaches Stripe, and status.stripe.com.';
}
