import { type Form, parseForm, toList } from './form.js';
import { StripeErrorAnswer } from './stripe-error.js';

/** As errors of Stripe name them, without `rak_`. One to write includes the one to read. */
export type KeyPermission = `${Resource}_${'read' | 'write'}`;
type Resource = (typeof RESOURCES)[keyof typeof RESOURCES];

/** By the first part of a path. Refunds have no permission of their own. */
const RESOURCES = {
  customers: 'customer',
  payment_methods: 'payment_method',
  checkout: 'checkout_session',
  payment_intents: 'payment_intent',
  charges: 'charge',
  refunds: 'charge',
  disputes: 'dispute',
  events: 'event',
} as const;

/** A request also needs the permission to read what it expands. */
const EXPANDED_RESOURCES: Readonly<Record<string, Resource>> = {
  latest_charge: 'charge',
  payment_method: 'payment_method',
};

export interface RequestOfKey {
  method: string;
  path: string;
  /** The body or query. */
  text: string;
}

/** @throws StripeErrorAnswer 403 that names the first permission which the restricted key lacks */
export function assertKeyMay(permissions: ReadonlySet<KeyPermission>, request: RequestOfKey): void {
  const missing = listNeededPermissions(request).find(
    (needed) =>
      !permissions.has(needed) && !permissions.has(needed.replace('_read', '_write') as KeyPermission),
  );
  if (missing === undefined) return;
  throw new StripeErrorAnswer(403, {
    type: 'invalid_request_error',
    message: `The provided key 'rk_test_********' does not have the required permissions for this endpoint on account 'acct_1'. Having the 'rak_${missing}' permission would allow this request to continue.`,
  });
}

function listNeededPermissions({ method, path, text }: RequestOfKey): KeyPermission[] {
  const resource = findResource(path);
  if (resource === undefined) return [];
  return [
    `${resource}_${method === 'GET' ? 'read' : 'write'}`,
    ...listExpandedFields(parseForm(text)).flatMap((field): KeyPermission[] => {
      const expanded = EXPANDED_RESOURCES[field];
      return expanded === undefined ? [] : [`${expanded}_read`];
    }),
  ];
}

function findResource(path: string): Resource | undefined {
  const [, , first = '', , nested] = path.split('/');
  // The cards of a customer are payment methods.
  return RESOURCES[(nested === 'payment_methods' ? nested : first) as keyof typeof RESOURCES];
}

function listExpandedFields(form: Form): string[] {
  return toList(form['expand']).map((field) => field.replace(/^data\./, ''));
}
