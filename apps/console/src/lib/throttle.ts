export interface ThrottledTask {
  /** Runs now, or once after the present run and the interval, however often it is called meanwhile. */
  run(): void;
  /** What has not begun does not begin any more. */
  end(): void;
}

/** One run at a time, and at most one in each interval. */
export function throttle(run: () => Promise<unknown>, intervalMs: number): ThrottledTask {
  let isRunning = false;
  let isCalledAgain = false;
  let isEnded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = async () => {
    isRunning = true;
    isCalledAgain = false;
    const interval = new Promise((resolve) => (timer = setTimeout(resolve, intervalMs)));
    await Promise.allSettled([run(), interval]);
    isRunning = false;
    if (isCalledAgain) call();
  };
  const call = () => {
    if (isRunning) isCalledAgain = true;
    else if (!isEnded) void start();
  };
  return {
    run: call,
    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}
