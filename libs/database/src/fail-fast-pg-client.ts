import pg from 'pg';

const READ_TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * Closes a connection whose query timed out. The driver would reuse it and let the next statements time out
 * as well.
 */
export class CloseOnTimeoutPgClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this) as (...asked: unknown[]) => unknown;
    this.query = ((...asked: unknown[]) => {
      const answer = query(...asked);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.destroyOnTimeout(error));
      return answer;
    }) as typeof this.query;
  }

  private destroyOnTimeout(error: unknown): void {
    if (error instanceof Error && error.message === READ_TIMEOUT_MESSAGE)
      this.connection.stream.destroy(error);
  }
}
