import pg from 'pg';

const READ_TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * A connection that did not answer in time is done with: nobody else is given it. The driver alone would only fail
 * the one statement and let the next ones wait behind it, each for its whole time.
 */
export class FailFastPgClient extends pg.Client {
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
