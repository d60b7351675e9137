const ID_PATTERN = /^(?!\d+$)[A-Za-z0-9-]{1,200}$/;

/**
 * Ids that both backends accept: letters, digits and dashes, at least one of them not a digit.
 * @throws TypeError for any other id: a fault of the caller, never of the queue.
 */
export function assertQueueMessageId(id: string): void {
  if (!ID_PATTERN.test(id))
    throw new TypeError(`invalid queue message id: ${JSON.stringify(id.slice(0, 200))}`);
}
