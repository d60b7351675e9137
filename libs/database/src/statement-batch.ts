import pg, { type Connection, type PoolClient, type QueryResultRow, type Submittable } from 'pg';
import type { PreparedStatement } from './query-rows.js';

export interface BatchStatement extends PreparedStatement {
  values: unknown[];
  /** @param requirement that did not hold (`buildFailUnlessSql`) @returns the error to throw */
  createError?: ((requirement: string) => Error) | undefined;
}

/** Error code of the SQL function `require_condition`. */
const UNMET_REQUIREMENT = 'ZR001';
const READ_TIMEOUT_MESSAGE = 'Query read timeout';

type Send = (message: object) => void;

/** What the driver has, but its types leave out. */
type Wire = Omit<Connection, 'parse' | 'bind' | 'describe' | 'execute' | 'close'> &
  Record<'parse' | 'bind' | 'describe' | 'execute' | 'close', Send> & { sync(): void };

interface Rows {
  rows: QueryResultRow[];
  addFields(fields: unknown[]): void;
  parseRow(fields: unknown[]): QueryResultRow;
}

const { Result, utils } = pg as unknown as {
  Result: new () => Rows;
  utils: { prepareValue: (value: unknown) => unknown };
};

/** Names of the statements that a connection has prepared for batches. The driver keeps its own list. */
const PREPARED = new WeakMap<object, Set<string>>();

/** The driver calls the handlers in the order of the responses of the server. */
class StatementBatch implements Submittable {
  callback: ((error: Error | null, results?: QueryResultRow[][]) => void) | undefined;
  /** For those who observe the driver. */
  readonly text: string;
  private readonly results: Rows[];
  private readonly values: unknown[][];
  private at = 0;

  constructor(private readonly statements: readonly BatchStatement[]) {
    this.text = statements.map(({ name }) => name).join('; ');
    this.results = statements.map(() => new Result());
    // Before anything is sent, because it can throw.
    this.values = statements.map(({ values }) => values.map((value) => utils.prepareValue(value)));
  }

  /** The statement that failed, after an error of the server. */
  get current(): BatchStatement | undefined {
    return this.statements[this.at];
  }

  readonly submit = (connection: Connection): void => {
    const wire = connection as unknown as Wire;
    const prepared = PREPARED.get(connection) ?? new Set();
    PREPARED.set(connection, prepared);
    wire.stream.cork();
    try {
      for (const [at, { name, text }] of this.statements.entries())
        send(wire, { name, text, values: this.values[at] ?? [] }, prepared);
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  };

  handleRowDescription({ fields }: { fields: unknown[] }): void {
    this.results[this.at]?.addFields(fields);
  }

  handleDataRow({ fields }: { fields: unknown[] }): void {
    const result = this.results[this.at];
    result?.rows.push(result.parseRow(fields));
  }

  handleCommandComplete(_: unknown, connection: object): void {
    const { current } = this;
    if (current) PREPARED.get(connection)?.add(current.name);
    this.at += 1;
  }

  handleError(error: Error): void {
    this.callback?.(error);
  }

  handleReadyForQuery(): void {
    this.callback?.(
      null,
      this.results.map(({ rows }) => rows),
    );
  }
}

/** Another name than `queryPrepared` uses, because the driver does not know what a batch has prepared. */
function send(wire: Wire, { name: ownName, text, values }: BatchStatement, prepared: Set<string>): void {
  const name = `batch ${ownName}`;
  if (!prepared.has(ownName)) {
    // A statement that failed when it ran for the first time may have been prepared.
    wire.close({ type: 'S', name });
    wire.parse({ name, text });
  }
  wire.bind({ statement: name, values });
  wire.describe({ type: 'P', name: '' });
  wire.execute({});
}

/**
 * Sends the statements at once, in one round trip. Outside of a transaction they are one: if a statement fails, none has an
 * effect. Each statement sees what was committed before it began, as in a transaction.
 * @returns the rows of each statement
 * @throws the error of `createError`, or that of the driver
 */
export async function runStatementBatch(
  client: PoolClient,
  statements: readonly BatchStatement[],
): Promise<QueryResultRow[][]> {
  const batch = new StatementBatch(statements);
  try {
    return await new Promise((resolve, reject) => {
      batch.callback = (error, results = []) => (error ? reject(error) : resolve(results));
      client.query(batch);
    });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === UNMET_REQUIREMENT) throw batch.current?.createError?.(message) ?? error;
    // The next statement of the connection would wait for the response, too.
    if (message === READ_TIMEOUT_MESSAGE)
      (client as unknown as { connection: Connection }).connection.stream.destroy(error as Error);
    throw error;
  }
}
