/** An error response in Stripe's format. */
export class StripeErrorAnswer extends Error {
  override readonly name = 'StripeErrorAnswer';

  constructor(
    readonly status: number,
    readonly error: { type: string; code?: string; param?: string; message: string } & Record<
      string,
      unknown
    >,
  ) {
    super(error.message);
  }
}

export function invalidRequest(message: string, code?: string, param?: string): StripeErrorAnswer {
  return new StripeErrorAnswer(400, {
    type: 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  });
}

export function noSuch(kind: string, id: string, param = 'id'): StripeErrorAnswer {
  return new StripeErrorAnswer(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${kind}: '${id}'`,
  });
}
