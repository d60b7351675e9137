import { Controller } from '@nestjs/common';
import { JobTranscriptController } from '../../transcripts/job-transcript.controller.js';
import { SpeakersController } from '../../speakers/speakers.controller.js';
import { JobStreamController } from '../../streaming/streaming.controller.js';
import { MultipartUploadsController } from '../../uploads/multipart.controller.js';
import { SingleUploadsController } from '../../uploads/single-uploads.controller.js';
import { RequireAccess } from '../console-access.js';
import { UseConsoleGuardsAndTag } from '../use-console-guards-and-tag.js';

// Routes of the API that the console has unchanged, with a session instead of a key.

@UseConsoleGuardsAndTag('uploads')
@RequireAccess('jobs.write')
@Controller('console/api/upload')
export class ConsoleSingleUploadsController extends SingleUploadsController {}

@UseConsoleGuardsAndTag('uploads')
@RequireAccess('jobs.write')
@Controller('console/api/upload/multipart')
export class ConsoleMultipartUploadsController extends MultipartUploadsController {}

@UseConsoleGuardsAndTag('jobs')
@RequireAccess('jobs.read')
@Controller('console/api/jobs')
export class ConsoleJobStreamController extends JobStreamController {}

@UseConsoleGuardsAndTag('jobs')
@RequireAccess('jobs.read')
@Controller('console/api/jobs')
export class ConsoleTranscriptController extends JobTranscriptController {}

@UseConsoleGuardsAndTag('jobs')
@RequireAccess('jobs.write')
@Controller('console/api/jobs')
export class ConsoleSpeakersController extends SpeakersController {}
