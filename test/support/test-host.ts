/** Where a program of a test runs, and the address that it listens on. */
export interface TestHost {
  readonly address: string;
  /** The command that runs its parameters on the host; empty for this machine. */
  readonly enter: readonly string[];
}

export const THIS_HOST: TestHost = { address: '127.0.0.1', enter: [] };
