interface Waiting<Q, A> {
  question: Q;
  resolve: (answer: A) => void;
  reject: (error: unknown) => void;
}

/**
 * Questions that come while others are under way are asked together as soon as those are answered: a busy process goes
 * to the database once for many of them, an idle one at once. Every answer is of a time after its question.
 */
export class AskedTogether<Q, A> {
  private waiting: Waiting<Q, A>[] = [];
  private underWay = false;

  /** @param askAll answers as many as it is asked, in their order */
  constructor(private readonly askAll: (questions: readonly Q[]) => Promise<readonly A[]>) {}

  /** @throws what `askAll` throws, whoever else asked with it */
  ask(question: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, resolve, reject });
      if (!this.underWay) void this.askWaiting();
    });
  }

  private async askWaiting(): Promise<void> {
    this.underWay = true;
    while (this.waiting.length > 0) {
      const together = this.waiting;
      this.waiting = [];
      try {
        const answers = await this.askAll(together.map(({ question }) => question));
        for (const [at, { resolve }] of together.entries()) resolve(answers[at] as A);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    this.underWay = false;
  }
}
