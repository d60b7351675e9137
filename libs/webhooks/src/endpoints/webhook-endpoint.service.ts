import { isDeepStrictEqual } from 'node:util';
import {
  inTransaction,
  type JobEndEventType,
  lockAccountRow,
  type RecordChange,
  WebhookEndpoint,
} from '@app/database';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import { OutboundGuard, SsrfBlockedError } from '@app/outbound';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { insertTestDelivery, MAX_ENDPOINTS_PER_ACCOUNT } from '../deliveries/insert-delivery.repository.js';
import {
  cancelPendingDeliveries,
  listEndpoints,
  findAndLockEndpoint,
  redirectPendingDeliveries,
  type WebhookEndpointView,
} from './webhook-endpoint.repository.js';

export interface WebhookEndpointSettings {
  url: string;
  description: string;
  /** At least one. */
  events: JobEndEventType[];
  enabled: boolean;
}

/** The endpoints of an account, which receive the webhooks of all its jobs. */
@Injectable()
export class WebhookEndpointService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly guard: OutboundGuard,
  ) {}

  /** Oldest first. */
  list(accountId: string): Promise<WebhookEndpointView[]> {
    return listEndpoints(this.dataSource, accountId);
  }

  /**
   * @param createdBy null for an operator
   * @returns the id of the endpoint
   * @throws ServiceError that names `url`; `conflict` if the account has too many endpoints
   */
  async create(
    owner: { accountId: string; createdBy: string | null },
    settings: WebhookEndpointSettings,
    record: RecordChange,
  ): Promise<string> {
    const { accountId } = owner;
    const id = uuidv7();
    await this.assertPublic(settings.url);
    await inTransaction(this.dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      if (
        (await tx.countBy(WebhookEndpoint, { accountId, deletedAt: IsNull() })) >= MAX_ENDPOINTS_PER_ACCOUNT
      )
        throw new ServiceError('conflict', {
          detail: `An account has at most ${MAX_ENDPOINTS_PER_ACCOUNT} webhook endpoints.`,
        });
      await assertUnusedUrl(tx, accountId, settings.url, id);
      await tx.insert(WebhookEndpoint, { id, ...owner, ...settings });
      await record(tx, { action: 'webhooks.endpoint_created', target: id, details: describe(settings) });
    });
    return id;
  }

  /**
   * Settings that are left out stay as they are. Pending deliveries go to the new URL. Disabling cancels them.
   * @throws ServiceError that names `url`, or `no_such_resource`
   */
  async change(
    accountId: string,
    id: string,
    changes: Partial<WebhookEndpointSettings>,
    record: RecordChange,
  ): Promise<void> {
    if (changes.url !== undefined) await this.assertPublic(changes.url);
    await inTransaction(this.dataSource, async (tx) => {
      const { url, description, events, enabled } = await getLockedEndpoint(tx, accountId, id);
      const before = { url, description, events, enabled };
      const settings = {
        url: changes.url ?? url,
        description: changes.description ?? description,
        events: changes.events ?? events,
        enabled: changes.enabled ?? enabled,
      };
      if (isDeepStrictEqual(settings, before)) return;
      await assertUnusedUrl(tx, accountId, settings.url, id);
      await tx.update(WebhookEndpoint, { id }, settings);
      if (settings.url !== url) await redirectPendingDeliveries(tx, id, settings.url);
      const cancelled = settings.enabled ? 0 : await cancelPendingDeliveries(tx, id);
      const isSwitched = settings.enabled !== enabled;
      const switchedAction = settings.enabled ? 'webhooks.endpoint_enabled' : 'webhooks.endpoint_disabled';
      const action = isSwitched ? switchedAction : 'webhooks.endpoint_changed';
      const details = { ...describe(settings), ...(cancelled > 0 && { cancelled_deliveries: cancelled }) };
      await record(tx, { action, target: id, details });
    });
  }

  /** Cancels pending deliveries; ended ones stay in the list. @throws ServiceError `no_such_resource` */
  async delete(accountId: string, id: string, record: RecordChange): Promise<void> {
    await inTransaction(this.dataSource, async (tx) => {
      const endpoint = await getLockedEndpoint(tx, accountId, id);
      await tx.update(WebhookEndpoint, { id }, { deletedAt: () => 'now()', enabled: false });
      const cancelled = await cancelPendingDeliveries(tx, id);
      const details = { ...describe(endpoint), ...(cancelled > 0 && { cancelled_deliveries: cancelled }) };
      await record(tx, { action: 'webhooks.endpoint_deleted', target: id, details });
    });
  }

  /**
   * Sends the event `test`, also to a disabled endpoint.
   * @returns the id of the delivery
   * @throws ServiceError that names `url`, or `no_such_resource`
   */
  async sendTest(accountId: string, id: string, record: RecordChange): Promise<string> {
    const endpoint = await this.dataSource.manager.findOneBy(WebhookEndpoint, {
      ...{ id, accountId, deletedAt: IsNull() },
    });
    if (!endpoint) throw createUnknownEndpointError();
    await this.assertPublic(endpoint.url);
    return inTransaction(this.dataSource, async (tx) => {
      const locked = await findAndLockEndpoint(tx, accountId, id);
      if (!locked) throw createUnknownEndpointError();
      const deliveryId = await insertTestDelivery(tx, locked);
      await record(tx, { action: 'webhooks.tested', target: id, details: { delivery_id: deliveryId } });
      return deliveryId;
    });
  }

  private async assertPublic(url: string): Promise<void> {
    try {
      await this.guard.assertPublic(url, 'url');
    } catch (error) {
      throw error instanceof SsrfBlockedError ? createInvalidFieldError('url', error.message) : error;
    }
  }
}

async function getLockedEndpoint(tx: EntityManager, accountId: string, id: string): Promise<WebhookEndpoint> {
  // In the order of jobs that end: they lock the endpoint and the turn of the account with their delivery, and the account last.
  const endpoint = await findAndLockEndpoint(tx, accountId, id);
  if (!endpoint) throw createUnknownEndpointError();
  await lockAccountRow(tx, accountId);
  return endpoint;
}

function createUnknownEndpointError(): ServiceError {
  return new ServiceError('no_such_resource', { detail: 'The account has no such webhook endpoint.' });
}

/** With two endpoints of one URL, the receiver would get each event twice. */
async function assertUnusedUrl(tx: EntityManager, accountId: string, url: string, id: string): Promise<void> {
  if (await tx.existsBy(WebhookEndpoint, { accountId, url, id: Not(id), deletedAt: IsNull() }))
    throw createInvalidFieldError('url', 'is that of another endpoint of the account');
}

/** For the audit log. The query of a URL may contain secrets of the receiver. */
function describe({ url, events, enabled }: WebhookEndpointSettings): Record<string, unknown> {
  return { url: url.split('?')[0], events, enabled };
}
