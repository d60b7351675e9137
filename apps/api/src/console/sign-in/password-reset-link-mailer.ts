import {
  type ClientInfo,
  consumeOneTimeLinkToken,
  countOpenOneTimeLinks,
  issueOneTimeLinkToken,
  lockUserRow,
  recordAuditEvent,
  Users,
} from '@app/auth';
import { inTransaction } from '@app/database';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../../api-options.js';
import { composeForgottenPasswordMail } from '../../mail/console-mails.js';
import { Mailer } from '@app/runtime';

const LINK_SECONDS = 3600;
/** Open links of one user. Somebody else who asks again and again fills no mailbox, and the links that the user has stay valid. */
const MAX_OPEN_LINKS = 5;

/** Mails a link that sets a new password. */
@Injectable()
export class PasswordResetLinkMailer {
  private readonly logger = new Logger(PasswordResetLinkMailer.name);

  constructor(
    private readonly dataSource: DataSource,
    private readonly users: Users,
    private readonly mailer: Mailer,
    @Inject(API_OPTIONS_TOKEN) private readonly options: ApiOptions,
  ) {}

  /** Returns before the address is looked up, so that neither answer nor time shows whether it has a user. */
  startSendingLink(email: string, client: ClientInfo, requestId: string): void {
    if (!this.mailer.isConfigured) return;
    this.sendLink(email, client, requestId).catch((error: unknown) =>
      this.logger.error({ error }, 'a link for a forgotten password could not be made'),
    );
  }

  private async sendLink(given: string, { address }: ClientInfo, requestId: string): Promise<void> {
    const user = await this.users.findByEmail(given);
    if (!user || user.disabledAt !== null) return;
    const { id, email } = user;
    const token = await inTransaction(this.dataSource, async (tx) => {
      await lockUserRow(tx, id);
      if ((await countOpenOneTimeLinks(tx, id, 'set_password')) >= MAX_OPEN_LINKS) return null;
      const actor = { kind: 'user', id, name: email, address, requestId } as const;
      const details = { purpose: 'set_password' };
      await recordAuditEvent(tx, actor, {
        accountId: null,
        action: 'user.link_created',
        target: id,
        details,
      });
      return issueOneTimeLinkToken(tx, id, 'set_password', LINK_SECONDS);
    });
    if (token === null) {
      this.logger.warn({ userId: id, requestId }, 'a user with too many open links got no further mail');
      return;
    }
    const link = `${this.options.publicUrl}/console/set-password#${token}`;
    const result = await this.mailer.send(composeForgottenPasswordMail(email, link));
    // A link that nobody has must not count against further ones. After `unknown` somebody may have it.
    if (result === 'failed') await consumeOneTimeLinkToken(this.dataSource.manager, token, 'set_password');
  }
}
