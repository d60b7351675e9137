interface Waiting<Q, A> {
  question: Q;
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

/** Milliseconds. Many times what a look-up takes: who takes longer is in trouble that others need not share. */
const PATIENCE_MS = 50;

/**
 * Questions that come while others are under way are asked together as soon as those are answered: a busy process goes
 * to the database once for many of them, an idle one at once. Nobody waits long for the answer to others: over a
 * connection that fell silent it may never come. Every answer is of a time after its question.
 */
export class AskedTogether<Q, A> {
  private waiting: Waiting<Q, A>[] = [];
  /** Whose answer those that wait are waiting for. */
  private ahead: readonly Waiting<Q, A>[] | null = null;

  /** @param askAll answers as many as it is asked, in their order */
  constructor(private readonly askAll: (questions: readonly Q[]) => Promise<readonly A[]>) {}

  /** @throws what `askAll` throws, whoever else asked with it */
  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, resolve, reject });
      if (this.ahead === null) this.askWaiting();
    });
  }

  private askWaiting(): void {
    const together = this.waiting;
    this.waiting = [];
    this.ahead = together;
    const timer = setTimeout(() => this.goOn(together), PATIENCE_MS);
    void this.answer(together, () => {
      clearTimeout(timer);
      this.goOn(together);
    });
  }

  private async answer(together: readonly Waiting<Q, A>[], answered: () => void): Promise<void> {
    try {
      const answers = await this.askAll(together.map(({ question }) => question));
      answered();
      for (const [at, { resolve }] of together.entries()) resolve(answers[at] as A);
    } catch (error) {
      answered();
      for (const { reject } of together) reject(error);
    }
  }

  /** Once for each: nobody waits for these any more. */
  private goOn(together: readonly Waiting<Q, A>[]): void {
    if (this.ahead !== together) return;
    this.ahead = null;
    if (this.waiting.length > 0) this.askWaiting();
  }
}
