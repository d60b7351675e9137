import { type AuditActor, recordAuditEvent, RateLimited } from '@app/auth';
import { WebhookSigningSecretService } from '@app/webhooks';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { DataSource } from 'typeorm';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';

const MAX_OVERLAP_HOURS = 30 * 24;

@ApiSchema({ name: 'RotateSigningSecret' })
export class RotateSigningSecretDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_HOURS,
    description: 'Hours in which webhooks are also signed with the secret before.',
  })
  @Max(MAX_OVERLAP_HOURS)
  @Min(0)
  @IsInt({ message: 'must be a whole number of hours' })
  overlap_hours: number;
}

export class SigningSecretResponse {
  @ApiTextProperty()
  secret: string;
}

export class RotatedSigningSecretResponse extends SigningSecretResponse {
  @ApiTimeProperty({ nullable: true, description: 'End of the overlap.' })
  previous_until: Date | null;
}

@UseConsoleGuardsAndTag('webhooks')
@Controller('console/api/signing-secret')
export class AccountSigningSecretController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: WebhookSigningSecretService,
  ) {}

  /** A POST, so that no other site and no prefetch reveals it. */
  @Post('reveal')
  @RateLimited('console.signing-secret')
  @RequireAccess('signing_secret.reveal')
  @ApiConsoleRoute('revealSigningSecret', 'Reveal the signing secret', SigningSecretResponse)
  async reveal(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
  ): Promise<SigningSecretResponse> {
    const secret = await this.secrets.readOrCreateSecret(accountId);
    await recordAuditEvent(this.dataSource.manager, actor, { accountId, action: 'signing_secret.revealed' });
    return { secret };
  }

  @Post('rotate')
  @RateLimited('console.signing-secret')
  @RequireAccess('signing_secret.rotate')
  @ApiConsoleRoute('rotateSigningSecret', 'Replace the signing secret', RotatedSigningSecretResponse)
  async rotate(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { overlap_hours }: RotateSigningSecretDto,
  ): Promise<RotatedSigningSecretResponse> {
    const entry = { accountId, action: 'signing_secret.rotated', details: { overlap_hours } };
    const { secret, previousUntil } = await this.secrets.rotate(accountId, overlap_hours * 3_600, (tx) =>
      recordAuditEvent(tx, actor, entry),
    );
    return { secret, previous_until: previousUntil };
  }
}
