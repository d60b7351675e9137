import { describeError } from '@app/runtime';

export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  /** What was found. */
  detail: string;
  /** What to do about it; null when nothing is to be done. */
  advice: string | null;
}

export function ok(name: string, detail: string): Finding {
  return { name, status: 'ok', detail, advice: null };
}

export function warning(name: string, detail: string, advice: string): Finding {
  return { name, status: 'warning', detail, advice };
}

export function problem(name: string, detail: string, advice: string): Finding {
  return { name, status: 'problem', detail, advice };
}

/** What a check throws is a finding too. @param advice by the cause, where one is known */
export async function runCheck(
  name: string,
  advice: string | ((error: unknown) => string),
  check: () => Promise<Finding>,
): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    return problem(name, describeError(error), typeof advice === 'string' ? advice : advice(error));
  }
}
