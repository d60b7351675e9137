import { MAX_USAGE_DAYS, readCreditStatement, readLedgerPage, readUsageByDay } from '@app/billing';
import { invalidFieldError, ServiceError } from '@app/errors';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { type AccountSession, CurrentMember, RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import { BalanceResponse, LedgerResponse, UsageResponse } from './usage.dto.js';

const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
const LEDGER_PAGE_SIZE = 50;

type Query = Record<string, string | undefined>;

@ConsoleController('usage')
@RequireAccess('usage.read')
@Controller('console/api')
export class UsageController {
  constructor(private readonly dataSource: DataSource) {}

  @Get('usage')
  @ConsoleRoute('readUsage', 'Read usage by day, key and kind', UsageResponse)
  @ApiQuery({ name: 'from', required: false, description: 'First day, `YYYY-MM-DD` in UTC.' })
  @ApiQuery({ name: 'days', required: false, type: 'integer', description: `At most ${MAX_USAGE_DAYS}.` })
  async readUsage(
    @CurrentMember() { accountId }: AccountSession,
    @Query() { from, days }: Query,
  ): Promise<UsageResponse> {
    const period = parsePeriod(from, days);
    const rows = await readUsageByDay(this.dataSource, accountId, period);
    return {
      from: period.from.toISOString().slice(0, 10),
      days: period.days,
      rows: rows.map(
        ({ day, keyId, keyName, source, created, completed, failed, audioSeconds, charged }) => ({
          day,
          key: keyId === null ? null : { id: keyId, name: keyName ?? keyId },
          kind: source,
          created: Number(created),
          completed: Number(completed),
          failed: Number(failed),
          audio_seconds: audioSeconds,
          credits: Number(charged),
        }),
      ),
    };
  }

  @Get('balance')
  @ConsoleRoute('readBalance', 'Read the credits of the account', BalanceResponse)
  async readBalance(@CurrentMember() { accountId }: AccountSession): Promise<BalanceResponse> {
    const statement = await readCreditStatement(this.dataSource, accountId, 1);
    if (!statement) throw new ServiceError('no_such_resource');
    const { balance, held, owed } = statement;
    return { balance, held, owed };
  }

  @Get('ledger')
  @ConsoleRoute('readLedger', 'Read ledger entries, newest first', LedgerResponse)
  @ApiQuery({ name: 'before', required: false, type: 'integer', description: '`next_before` of a page.' })
  async readLedger(
    @CurrentMember() { accountId }: AccountSession,
    @Query() { before }: Query,
  ): Promise<LedgerResponse> {
    const page = { limit: LEDGER_PAGE_SIZE, before: parseEntryId(before) };
    const { entries, nextBefore } = await readLedgerPage(this.dataSource, accountId, page);
    return {
      entries: entries.map(({ id, kind, amount, jobId, note, createdAt }) => ({
        id,
        kind,
        amount,
        job_id: jobId,
        note,
        created_at: createdAt,
      })),
      next_before: nextBefore,
    };
  }
}

/** By default the last 30 days, with today. */
function parsePeriod(from: string | undefined, days = String(DEFAULT_DAYS)): { from: Date; days: number } {
  const count = /^\d{1,3}$/.test(days) ? Number(days) : 0;
  if (count < 1 || count > MAX_USAGE_DAYS)
    throw invalidFieldError('days', `must be a whole number from 1 to ${MAX_USAGE_DAYS}`);
  if (from === undefined) {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    return { from: new Date(today - (count - 1) * DAY_MS), days: count };
  }
  const first = new Date(`${from}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(from) || Number.isNaN(first.getTime()))
    throw invalidFieldError('from', 'must be a day, YYYY-MM-DD');
  return { from: first, days: count };
}

function parseEntryId(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,15}$/.test(text)) throw invalidFieldError('before', 'must be the id of an entry');
  return Number(text);
}
