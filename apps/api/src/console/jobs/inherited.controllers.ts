import { Controller } from '@nestjs/common';
import { JobTranscriptController } from '../../results/job-transcript.controller.js';
import { SpeakersController } from '../../speakers/speakers.controller.js';
import { JobStreamController } from '../../streaming/streaming.controller.js';
import { MultipartUploadsController } from '../../uploads/multipart.controller.js';
import { SingleUploadsController } from '../../uploads/single-uploads.controller.js';
import { RequireAccess } from '../console-access.js';
import { ConsoleController } from '../console-controller.js';

// Routes of the API that the console has unchanged, with a session instead of a key.

@ConsoleController('uploads')
@RequireAccess('jobs.write')
@Controller('console/api/upload')
export class ConsoleSingleUploadsController extends SingleUploadsController {}

@ConsoleController('uploads')
@RequireAccess('jobs.write')
@Controller('console/api/upload/multipart')
export class ConsoleMultipartUploadsController extends MultipartUploadsController {}

@ConsoleController('jobs')
@RequireAccess('jobs.read')
@Controller('console/api/jobs')
export class ConsoleJobStreamController extends JobStreamController {}

@ConsoleController('jobs')
@RequireAccess('jobs.read')
@Controller('console/api/jobs')
export class ConsoleTranscriptController extends JobTranscriptController {}

@ConsoleController('jobs')
@RequireAccess('jobs.write')
@Controller('console/api/jobs')
export class ConsoleSpeakersController extends SpeakersController {}
