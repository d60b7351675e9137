/** What was sent in an attempt, and the start of the response. */
export interface WebhookExchange {
  request: { headers: Record<string, string>; body: string };
  /** Null without a response. */
  answer: { body: string; isTruncated: boolean } | null;
}

/** Bytes of a response that are kept. */
export const MAX_RESPONSE_EXCERPT_BYTES = 2_048;

/** Bytes that are no UTF-8 become replacement characters; a character that the end cuts off is left out. */
export function toResponseExcerpt(body: Buffer): NonNullable<WebhookExchange['answer']> {
  const isTruncated = body.length > MAX_RESPONSE_EXCERPT_BYTES;
  const text = new TextDecoder().decode(body.subarray(0, MAX_RESPONSE_EXCERPT_BYTES), {
    stream: isTruncated,
  });
  return { body: text, isTruncated };
}
