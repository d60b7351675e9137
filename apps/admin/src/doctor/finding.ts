import { describeError } from '@app/errors';

export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  detail: string;
  /** What the operator should do; null if nothing. */
  advice: string | null;
}

export function createOkFinding(name: string, detail: string): Finding {
  return { name, status: 'ok', detail, advice: null };
}

export function createWarningFinding(name: string, detail: string, advice: string): Finding {
  return { name, status: 'warning', detail, advice };
}

export function createProblemFinding(name: string, detail: string, advice: string): Finding {
  return { name, status: 'problem', detail, advice };
}

/** Turns an error of the check into a problem. */
export async function runCheckOrReportProblem(
  name: string,
  advice: string | ((error: unknown) => string),
  check: () => Promise<Finding>,
): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return createProblemFinding(
      name,
      describeError(error),
      typeof advice === 'string' ? advice : advice(error),
    );
  }
}
