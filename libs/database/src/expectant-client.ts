import pg from 'pg';

const SILENT = 'Query read timeout';

/**
 * A connection that did not answer in time is done with: nobody else is given it. The driver alone would only fail
 * the one statement and let the next ones wait behind it, each for its whole time.
 */
export class ExpectantClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const ask = this.query.bind(this) as (...asked: unknown[]) => unknown;
    this.query = ((...asked: unknown[]) => {
      const answer = ask(...asked);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.endIfSilent(error));
      return answer;
    }) as typeof this.query;
  }

  private endIfSilent(error: unknown): void {
    if (error instanceof Error && error.message === SILENT) this.connection.stream.destroy(error);
  }
}
