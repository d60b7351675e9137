import {
  CARD_PAYMENTS_TOKEN,
  type CardPayments,
  MAX_USAGE_DAYS,
  readCreditAndPaymentStatus,
  readLedgerPage,
  readUsageByDayKeyAndAudioSource,
} from '@app/billing';
import { ServiceError } from '@app/errors';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { type MemberSession, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import {
  parsePeriodParameters,
  parseBeforeParameter,
  parseAllowedQueryParameters,
} from '../parse-query-parameters.js';
import { BalanceResponse, toBalanceFields } from './balance.dto.js';
import { LedgerResponse, UsageResponse } from './usage.dto.js';

const DEFAULT_DAYS = 30;
const LEDGER_PAGE_SIZE = 50;

type Query = Record<string, unknown>;

@UseConsoleGuardsAndTag('usage')
@RequireAccess('usage.read')
@Controller('console/api')
export class UsageBalanceAndLedgerController {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
    @Inject(CARD_PAYMENTS_TOKEN) private readonly cards: CardPayments | null,
  ) {}

  @Get('usage')
  @ApiConsoleRoute('readUsage', 'Read usage by day, key and kind, without deleted jobs', UsageResponse)
  @ApiQuery({ name: 'from', required: false, description: 'First day, `YYYY-MM-DD` in UTC.' })
  @ApiQuery({ name: 'days', required: false, type: 'integer', description: `At most ${MAX_USAGE_DAYS}.` })
  async readUsage(
    @CurrentMemberSession() { accountId }: MemberSession,
    @Query() query: Query,
  ): Promise<UsageResponse> {
    const period = parsePeriodParameters(parseAllowedQueryParameters(query, ['from', 'days']), {
      defaultDays: DEFAULT_DAYS,
      maxDays: MAX_USAGE_DAYS,
    });
    const rows = await readUsageByDayKeyAndAudioSource(this.dataSource, accountId, period);
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
  @ApiConsoleRoute('readBalance', 'Read the credits of the account', BalanceResponse)
  async readBalance(@CurrentMemberSession() { accountId }: MemberSession): Promise<BalanceResponse> {
    const currency = this.cards?.prices.currency ?? null;
    const summary = await readCreditAndPaymentStatus(this.dataSource, accountId, currency);
    if (!summary) throw new ServiceError('no_such_resource');
    return toBalanceFields(summary, {
      creditsPerSecond: this.options.creditsPerSecond,
      hasCardPayments: this.cards !== null,
    });
  }

  @Get('ledger')
  @ApiConsoleRoute('readLedger', 'Read ledger entries, newest first', LedgerResponse)
  @ApiQuery({ name: 'before', required: false, type: 'integer', description: '`next_before` of a page.' })
  async readLedger(
    @CurrentMemberSession() { accountId }: MemberSession,
    @Query() query: Query,
  ): Promise<LedgerResponse> {
    const { before } = parseAllowedQueryParameters(query, ['before']);
    const page = {
      limit: LEDGER_PAGE_SIZE,
      before: before === undefined ? null : parseBeforeParameter('before', before),
    };
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
