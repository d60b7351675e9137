import { globalErrorHandler, loggingErrorHandler, setGlobalErrorHandler } from '@opentelemetry/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { reportTelemetryExportFailures } from './report-telemetry-export-failures.js';

afterEach(() => setGlobalErrorHandler(loggingErrorHandler()));

describe('reportTelemetryExportFailures', () => {
  it('warns of the first failure, and again after ten minutes', () => {
    const warn = vi.fn();
    let now = 0;
    reportTelemetryExportFailures({ warn }, () => now);
    for (now of [0, 1_000, 599_999]) globalErrorHandler(new Error('Unauthorized'));
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      { reason: expect.stringContaining('Unauthorized') },
      expect.stringMatching(/were not sent/),
    );
    now = 600_000;
    globalErrorHandler(new Error('Not Found'));
    expect(warn).toHaveBeenCalledTimes(2);
  });
});
