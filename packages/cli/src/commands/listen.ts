import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EndedJob, JobNotification, Zephyr } from 'zephyr-client';
import { type Command, type CliContext, getStringOption, printJson, printSanitizedLine } from '../command.js';
import { MAX_RETRIES_OF_LONG_COMMANDS } from '../config.js';
import { createWebhookHeaders } from '../create-webhook-headers.js';
import { describeForwardingAttempt } from '../describe-forwarding-attempt.js';
import { CommandError, describeError, EXIT_CODE_BY_NAME, isRetryableError, UsageError } from '../errors.js';
import { isHttpUrl } from '../files/expand-inputs.js';

const LIST_MS = 2_000;
const ATTEMPT_MS = 10_000;
/** As the service retries, but sooner. */
const RETRY_MS = [1_000, 3_000, 10_000];

export const forwardWebhooksCommand: Command = {
  name: 'listen',
  summary: 'Forward webhooks about ended jobs to a program on this machine',
  usage: '--forward URL',
  description: `Follows the jobs of the account by their streams, and sends for each that ends what the service would send to a \
callback URL: the same body, headers and kinds of signature. Nothing has to be reachable from the service. The signing secret is that of \
ZEPHYR_WEBHOOK_SECRET, or a new one that is printed. Jobs that ended before the start are not sent.`,
  options: {
    forward: { type: 'string', value: 'URL', help: 'where the webhooks go, such as http://127.0.0.1:8080/' },
    json: { type: 'boolean', help: 'print a line of JSON for each webhook' },
  },
  async run(context, positionals, options) {
    const target = getStringOption(options, 'forward');
    if (positionals.length > 0) throw new UsageError('listen takes no arguments.');
    if (target === undefined) throw new UsageError('Say where the webhooks go: --forward URL.');
    if (!isHttpUrl(target) || !URL.canParse(target))
      throw new UsageError(`--forward ${target}: must be an http or https URL.`);
    const secret = context.env['ZEPHYR_WEBHOOK_SECRET'] || `whsec_${randomBytes(32).toString('base64')}`;
    if (!/^whsec_[\w+/-]{2,}={0,2}$/.test(secret))
      throw new UsageError('ZEPHYR_WEBHOOK_SECRET must be whsec_ and base64, as the console shows it.');
    const client = await context.connect(options, MAX_RETRIES_OF_LONG_COMMANDS);
    const forwarder = new Forwarder(context, client, { target, secret, json: options['json'] === true });
    await forwarder.start();
    printSanitizedLine(context.stderr, `Forwarding to ${target}. Ctrl-C ends it.`);
    if (!context.env['ZEPHYR_WEBHOOK_SECRET'])
      printSanitizedLine(context.stderr, `Signing secret: ${secret}`);
    return forwarder.run();
  },
};

interface ForwardSettings {
  target: string;
  secret: string;
  json: boolean;
}

class Forwarder {
  private newest = '';
  private isServiceAway = false;
  private readonly followed = new Set<string>();
  private readonly forwarding = new Set<Promise<void>>();
  private readonly end = new AbortController();

  constructor(
    private readonly context: CliContext,
    private readonly client: Zephyr,
    private readonly settings: ForwardSettings,
  ) {}

  /** Follows the jobs that are open. */
  async start(): Promise<void> {
    const { signal } = this.context;
    this.newest =
      (await this.client.jobs.list({ limit: 1 }, { signal }).firstPage()).jobs[0]?.created_at ?? '';
    for await (const { job_id: id } of this.client.jobs.list(
      { status: 'processing', limit: 100 },
      { signal },
    ))
      this.follow(id);
  }

  /**
   * Follows new jobs until it is interrupted, or nobody reads the output any more, also while the service is away. Then sends what it
   * has begun to send.
   * @returns the exit code
   */
  async run(): Promise<number> {
    const { signal, stdout } = this.context;
    try {
      while (stdout.isClosed !== true) {
        await this.followNewJobs();
        await pause(LIST_MS, undefined, { signal }).catch(() => undefined);
        signal.throwIfAborted();
      }
    } finally {
      this.end.abort();
      if (!signal.aborted) await Promise.all(this.forwarding);
    }
    signal.throwIfAborted();
    return EXIT_CODE_BY_NAME.ok;
  }

  private async followNewJobs(): Promise<void> {
    const { signal } = this.context;
    let newest = this.newest;
    try {
      for await (const job of this.client.jobs.list({ limit: 100 }, { signal })) {
        // No two jobs of an account have the same time.
        if (job.created_at <= this.newest) break;
        if (job.created_at > newest) newest = job.created_at;
        this.follow(job.job_id);
      }
      this.newest = newest;
      this.isServiceAway = false;
    } catch (error) {
      if (signal.aborted || !isRetryableError(error)) throw error;
      if (!this.isServiceAway)
        printSanitizedLine(
          this.context.stderr,
          `zephyr: ${describeError(error)}\nTrying again until the service responds.`,
        );
      this.isServiceAway = true;
    }
  }

  private follow(jobId: string): void {
    if (this.followed.has(jobId)) return;
    this.followed.add(jobId);
    const signal = AbortSignal.any([this.context.signal, this.end.signal]);
    this.waitForEnd(jobId, signal).then(
      (job) => this.startForwarding(job),
      (error: unknown) => {
        if (!signal.aborted) this.printError(jobId, error);
      },
    );
  }

  private async waitForEnd(jobId: string, signal: AbortSignal): Promise<EndedJob> {
    for (;;) {
      try {
        return await this.client.jobs.wait(jobId, { signal });
      } catch (error) {
        if (signal.aborted || !isRetryableError(error)) throw error;
        await pause(LIST_MS, undefined, { signal });
      }
    }
  }

  private startForwarding(job: EndedJob): void {
    const forwarding = this.forward(job)
      .catch((error: unknown) => {
        if (!this.context.signal.aborted) this.printError(job.job_id, error);
      })
      .finally(() => this.forwarding.delete(forwarding));
    this.forwarding.add(forwarding);
  }

  private printError(jobId: string, error: unknown): void {
    printSanitizedLine(this.context.stderr, `${jobId}: ${describeError(error)}`);
  }

  private async forward(job: EndedJob): Promise<void> {
    const body = JSON.stringify(createNotification(job));
    const deliveryId = randomUUID();
    for (const [index, delay] of [...RETRY_MS, undefined].entries()) {
      const webhook = { deliveryId, event: job.status, body, sentAt: new Date() };
      const result = await this.post(body, createWebhookHeaders(this.settings.secret, webhook));
      const { job_id: id } = job;
      const isFinal = typeof result === 'number' && result < 500;
      const nextMs = isFinal ? undefined : delay;
      const attempt = { result, attempt: index + 1, attempts: RETRY_MS.length + 1, nextMs };
      if (this.settings.json)
        printJson(this.context, { job_id: id, event: job.status, result, attempt: attempt.attempt });
      else
        printSanitizedLine(this.context.stdout, `${id} ${job.status} ${describeForwardingAttempt(attempt)}`);
      if (nextMs === undefined) return;
      await pause(nextMs, undefined, { signal: this.context.signal });
    }
  }

  /** @returns the status, or why there was none */
  private async post(body: string, headers: Record<string, string>): Promise<number | string> {
    try {
      const signal = AbortSignal.timeout(ATTEMPT_MS);
      const response = await fetch(this.settings.target, {
        method: 'POST',
        body,
        headers,
        signal,
        redirect: 'manual',
      });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      const { cause } = error as Error;
      return cause instanceof Error ? cause.message : (error as Error).message;
    }
  }
}

function createNotification(job: EndedJob): JobNotification {
  const metadata = Object.keys(job.metadata).length > 0 ? { metadata: job.metadata } : {};
  if (job.status === 'completed')
    return { job_id: job.job_id, status: 'completed', download_url: job.download_url, ...metadata };
  if (job.failed_stage === null || job.reason === null)
    throw new CommandError(`${job.job_id} has no reason.`);
  return { job_id: job.job_id, status: 'failed', step: job.failed_stage, reason: job.reason, ...metadata };
}
