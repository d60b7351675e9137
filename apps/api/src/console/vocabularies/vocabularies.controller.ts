import { type Actor, type AuditEntry, recordAuditEvent } from '@app/auth';
import { AccountVocabularies } from '@app/jobs';
import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type AccountSession, CurrentActor, CurrentMember, RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';
import { ConsoleRoute } from '../console.openapi.js';
import { ResourceIdPipe } from '../resource-id.pipe.js';
import {
  NewVocabularyResponse,
  toVocabularySummary,
  VocabularyDto,
  VocabularyListResponse,
  VocabularyResponse,
} from './vocabularies.dto.js';

@ConsoleController('vocabularies')
@Controller('console/api/vocabularies')
export class VocabulariesController {
  private readonly vocabularies: AccountVocabularies;

  constructor(dataSource: DataSource) {
    this.vocabularies = new AccountVocabularies(dataSource);
  }

  @Get()
  @RequireAccess('vocabularies.read')
  @ConsoleRoute('listVocabularies', 'List the vocabularies of the account', VocabularyListResponse)
  async list(@CurrentMember() { accountId }: AccountSession): Promise<VocabularyListResponse> {
    return { vocabularies: (await this.vocabularies.list(accountId)).map(toVocabularySummary) };
  }

  @Get(':id')
  @RequireAccess('vocabularies.read')
  @ConsoleRoute('readVocabulary', 'Read a vocabulary with its terms', VocabularyResponse)
  async get(
    @CurrentMember() { accountId }: AccountSession,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<VocabularyResponse> {
    const { name, terms } = await this.vocabularies.get(accountId, id);
    return { id, name, terms };
  }

  @Post()
  @RequireAccess('vocabularies.write')
  @ConsoleRoute('createVocabulary', 'Create a vocabulary', NewVocabularyResponse)
  async create(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Body() { name, terms }: VocabularyDto,
  ): Promise<NewVocabularyResponse> {
    return { id: await this.vocabularies.create(accountId, { name, terms }, recordBy(actor, accountId)) };
  }

  @Put(':id')
  @RequireAccess('vocabularies.write')
  @ConsoleRoute('changeVocabulary', 'Change name and terms of a vocabulary; jobs that exist keep theirs')
  change(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceIdPipe) id: string,
    @Body() { name, terms }: VocabularyDto,
  ): Promise<void> {
    return this.vocabularies.change(accountId, id, { name, terms }, recordBy(actor, accountId));
  }

  @Delete(':id')
  @RequireAccess('vocabularies.write')
  @ConsoleRoute('deleteVocabulary', 'Delete a vocabulary; jobs that exist keep its terms')
  delete(
    @CurrentMember() { accountId }: AccountSession,
    @CurrentActor() actor: Actor,
    @Param('id', ResourceIdPipe) id: string,
  ): Promise<void> {
    return this.vocabularies.delete(accountId, id, recordBy(actor, accountId));
  }
}

function recordBy(actor: Actor, accountId: string) {
  return (tx: EntityManager, change: Omit<AuditEntry, 'accountId'>) =>
    recordAuditEvent(tx, actor, { accountId, ...change });
}
