import { type AuditActor, createChangeRecorder, RateLimited } from '@app/auth';
import { VocabularyService } from '@app/jobs';
import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type MemberSession, CurrentActor, CurrentMemberSession, RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';
import { ApiConsoleRoute } from '../console.openapi.js';
import { UuidResourceIdPipe } from '../resource-id.pipe.js';
import {
  ChangeVocabularyDto,
  NewVocabularyResponse,
  toVocabularySummaryResponse,
  VocabularyDto,
  VocabularyListResponse,
  VocabularyResponse,
} from './vocabularies.dto.js';

@UseConsoleGuardsAndTag('vocabularies')
@Controller('console/api/vocabularies')
export class VocabulariesController {
  private readonly vocabularies: VocabularyService;

  constructor(dataSource: DataSource) {
    this.vocabularies = new VocabularyService(dataSource);
  }

  @Get()
  @RequireAccess('vocabularies.read')
  @ApiConsoleRoute('listVocabularies', 'List the vocabularies of the account', VocabularyListResponse)
  async list(@CurrentMemberSession() { accountId }: MemberSession): Promise<VocabularyListResponse> {
    return { vocabularies: (await this.vocabularies.list(accountId)).map(toVocabularySummaryResponse) };
  }

  @Get(':id')
  @RequireAccess('vocabularies.read')
  @ApiConsoleRoute('readVocabulary', 'Read a vocabulary with its terms', VocabularyResponse)
  async get(
    @CurrentMemberSession() { accountId }: MemberSession,
    @Param('id', UuidResourceIdPipe) id: string,
  ): Promise<VocabularyResponse> {
    const { name, terms, updatedAt } = await this.vocabularies.get(accountId, id);
    return { id, name, terms, updated_at: updatedAt };
  }

  @Post()
  @RateLimited('console.change')
  @RequireAccess('vocabularies.write')
  @ApiConsoleRoute('createVocabulary', 'Create a vocabulary', NewVocabularyResponse)
  async create(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Body() { name, terms }: VocabularyDto,
  ): Promise<NewVocabularyResponse> {
    return {
      id: await this.vocabularies.create(accountId, { name, terms }, createChangeRecorder(actor, accountId)),
    };
  }

  @Put(':id')
  @RateLimited('console.change')
  @RequireAccess('vocabularies.write')
  @ApiConsoleRoute('changeVocabulary', 'Change name and terms of a vocabulary; jobs that exist keep theirs')
  change(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('id', UuidResourceIdPipe) id: string,
    @Body() { name, terms, replaces }: ChangeVocabularyDto,
  ): Promise<void> {
    const record = createChangeRecorder(actor, accountId);
    return this.vocabularies.change(accountId, id, { name, terms }, record, replaces);
  }

  @Delete(':id')
  @RateLimited('console.change')
  @RequireAccess('vocabularies.write')
  @ApiConsoleRoute('deleteVocabulary', 'Delete a vocabulary; jobs that exist keep its terms')
  delete(
    @CurrentMemberSession() { accountId }: MemberSession,
    @CurrentActor() actor: AuditActor,
    @Param('id', UuidResourceIdPipe) id: string,
  ): Promise<void> {
    return this.vocabularies.delete(accountId, id, createChangeRecorder(actor, accountId));
  }
}
