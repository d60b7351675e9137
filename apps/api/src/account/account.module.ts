import { Module } from '@nestjs/common';
import { AccountController } from './account.controller.js';
import { AccountOverviewService } from './account-overview.service.js';

@Module({ controllers: [AccountController], providers: [AccountOverviewService] })
export class AccountModule {}
